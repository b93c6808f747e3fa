"""Verify a folder of results: digests, then counts and measures recomputed from the release and the population."""

import logging
from collections.abc import Collection, Mapping
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from gamedeid.arrays import IntArray
from gamedeid.errors import GamedeidError
from gamedeid.extras import missing_modules
from gamedeid.lazy_imports import registered_function
from gamedeid.results.manifest import MANIFEST
from gamedeid.results.stored import CONTENT, GRID, RELEASE, REPORT, STRATEGIES, SUMMARY
from gamedeid.scenario.earlier import CLASS_NAME
from gamedeid.scenario.recipients import sole_paper_adversary
from gamedeid.scenario.scenario import Scenario, ScenarioLike
from gamedeid.scenario.shipped import scenario_of
from gamedeid.verification.best import compare_examples, compare_with_best, count_strategies
from gamedeid.verification.claims import Claims, compare_scenarios, find_inputs, read_claims
from gamedeid.verification.evidence import Evidence, read_evidence
from gamedeid.verification.findings import CheckLog, InputState, Verification
from gamedeid.verification.hidden import compare_parquet
from gamedeid.verification.measures import compare_limits, compare_summary
from gamedeid.verification.outcomes import ExaminedRun, compare_outcomes, recompute
from gamedeid.verification.people import UNKNOWN, count_people
from gamedeid.verification.permitted import compare_with_game
from gamedeid.verification.plan import compare_plan
from gamedeid.verification.recipients import RecipientReplies, played_stakes, recipient_replies, stated_replies
from gamedeid.verification.released import compare_order, compare_release
from gamedeid.verification.signing import check_signature
from gamedeid.verification.tables import Strategies, distinct_rows, in_record_order, read_output, strategies_of
from gamedeid.verification.warnings import compare_warnings

_LOG = logging.getLogger(__name__)


def verify(
    folder: str | PathLike[str],
    scenario: ScenarioLike | None = None,
    *,
    public_key: str | PathLike[str] | None = None,
) -> Verification:
    """Check a folder of results against its own claims.

    The digests of all files are computed again. Then, by code that shares nothing with the solvers and the counting,
    every label, number of people, outcome and measure is recomputed from the release, the population and the
    hierarchies, and from the records if they are there.

    Parameters
    ----------
    folder : a folder that ``gamedeid run -o`` or ``Solution.write`` has written; others are checked by digests only.
    scenario : the question, for a comparison with the manifest's and for the paths of the inputs (default: their paths
        in the manifest, from the current folder).
    public_key : file of the key that the folder must be signed by, see :func:`gamedeid.sign` (default: no signature is
        needed).

    Returns
    -------
    the findings, the checks made, and those not made, with reasons. Missing inputs are no finding.

    Raises
    ------
    OutputError : the folder holds no results.
    InvalidScenarioError : the scenario cannot be read.
    InvalidDataError : the shipped lists are missing from the installation.
    SignatureError : the key cannot be used.
    """
    folder, log = Path(folder), CheckLog()
    given = None if scenario is None else scenario_of(scenario)
    claims = read_claims(folder, log)
    check_signature(claims.stored, public_key, log)
    compare_parquet(claims, log)
    inputs: dict[str, InputState] = {}
    if given is not None:
        compare_scenarios(claims, given, log)
    question = given or claims.scenario
    if question is not None:
        inputs = find_inputs(claims, question, log)
    if claims.scenario is None or not claims.stored.is_run:
        log.skip("the contents of the files", "they are no results of gamedeid run: digests only were compared")
    elif claims.stored.is_of_one_person:
        log.skip("the contents of the files", "they are about one person: digests only were compared")
    else:
        damaged = {one.file for one in log.findings}
        _recompute(claims, claims.scenario, question or claims.scenario, inputs, log)
        compare_page(claims, damaged, log)
    _LOG.info("verified: %d findings, %d not checked", len(log.findings), len(log.unchecked))
    return Verification(
        folder=str(folder),
        findings=tuple(log.findings),
        checked=tuple(log.checked),
        unchecked=tuple(log.unchecked),
        inputs=inputs,
    )


def _recompute(
    claims: Claims, claimed: Scenario, current_scenario: Scenario, inputs: Mapping[str, InputState], log: CheckLog
) -> None:
    if sole_paper_adversary(claimed.recipients) is not None:
        claimed = claimed.model_copy(update={"payoffs": played_stakes(claimed), "recipients": {}})
    stated, release = read_output(claims, STRATEGIES, log), read_output(claims, RELEASE, log)
    strategies = None if stated is None else strategies_of(stated, list(claimed.attributes), claims, log)
    if strategies is None:
        return
    if release is not None:
        compare_order(claims, release, log)
        release = in_record_order(release, strategies)
    evidence = read_evidence(claims, claimed, current_scenario, inputs, log)
    if not _fits_records(strategies, evidence, claims.stored.parts(STRATEGIES)[0], log):
        return
    strategies = strategies.wide(len(evidence.attributes or claimed.attributes))
    labels = compare_release(claims, release, strategies, evidence, log)
    people = np.full(strategies.records, UNKNOWN, np.int64)
    rows = np.flatnonzero(~strategies.withheld)
    answers = None
    if evidence.people is not None and evidence.attributes is not None:
        shown = (evidence.attributes, strategies.levels[rows], labels[rows])
        people[rows] = count_people(evidence.people, *shown)
        log.did(f"the people who match {int((people[rows] != UNKNOWN).sum()):,} released records")
        if claimed.recipients:
            answers = recipient_replies(claimed, evidence.people, evidence.own, *evidence.with_kept(*shown, rows))
    if claimed.recipients:
        answers = _replies_to_all(answers, rows, claimed, strategies, log)
    run = ExaminedRun(
        claims=claims,
        current_scenario=current_scenario,
        evidence=evidence,
        strategies=strategies,
        labels=labels,
        found=recompute(strategies, evidence.attributes, labels, people, claimed.payoffs, answers),
        log=log,
    )
    compare_outcomes(run)
    compare_with_best(run, compare_with_game(run))
    if claims.stored.knows_mechanism:
        compare_plan(run)
    compare_examples(run)
    compare_warnings(run)
    if claimed.records.person is not None and evidence.records is None:
        log.skip("measures", "they are over people, and the records, which distinguish them, are not there")
        return
    firsts = np.arange(strategies.records) if evidence.records is None else evidence.records.first
    smallest = _smallest_class(release, list(claimed.attributes), evidence, strategies, firsts)
    compare_summary(run, firsts, _facts(evidence, strategies), smallest)
    compare_limits(run, firsts)


def _replies_to_all(
    found: RecipientReplies | None, rows: IntArray, claimed: Scenario, strategies: Strategies, log: CheckLog
) -> RecipientReplies:
    """Return the replies to all records from those to the released rows, (k,); if unknown, the stated ones."""
    if found is not None:
        return found.among(rows, strategies.records)
    log.skip("whom recipients attack and find", "the people whom each recipient finds are not known")
    return stated_replies(claimed, strategies.outcomes)


def _smallest_class(
    release: pa.Table | None, attributes: list[str], evidence: Evidence, strategies: Strategies, people_rows: IntArray
) -> int | None:
    """Return the least number of people who are alike in all their rows; 0 if no one is released, None if unknown."""
    has_each_once = release is not None and all(release.column_names.count(name) == 1 for name in attributes)
    if release is None or not has_each_once or not evidence.classes_are_known:
        return None
    rows = np.cumsum(~strategies.withheld) - 1
    people = people_rows[~strategies.withheld[people_rows]]
    if release.num_rows != int((~strategies.withheld).sum()) or not len(people):
        return None if len(people) else 0
    seen = release.select(attributes).take(rows[people])
    if evidence.earlier is not None:
        seen = seen.append_column(CLASS_NAME, pa.array(evidence.earlier.of_record[people]))
    counts = seen.group_by(seen.column_names).aggregate([([], "count_all")])
    return int(counts["count_all"].to_numpy().min())


def _fits_records(strategies: Strategies, evidence: Evidence, file: str, log: CheckLog) -> bool:
    """Return whether all levels exist and there are as many strategies as records; note differences."""
    exist = True
    for place, name in enumerate(evidence.scenario.attributes):
        if name in evidence.known_attributes:
            levels, top = strategies.levels[:, place], evidence.known_attributes[name].top
            if log.find_rows(file, name, levels > top, f"states a level that does not exist; levels are 0 to {top}"):
                exist = False
            low = strategies.withheld & (levels < top)
            log.find_rows(file, name, low, f"is not at the top level, {top}, though the record is withheld")
    records = strategies.records if evidence.records is None else len(evidence.records.values)
    if records != strategies.records:
        rows = f"expected {records:,}, found {strategies.records:,}"
        log.find(file, f"has another number of rows than the records: {rows}")
    return exist and records == strategies.records


def _facts(evidence: Evidence, strategies: Strategies) -> dict[str, Any]:
    """Return the expected ``data`` of the summary, as far as known."""
    section, records = evidence.scenario.population, evidence.records
    facts: dict[str, Any] = {
        "records": strategies.records,
        "sampling_fraction": None if section is None else section.sampling_fraction,
        "population_levels": {} if section is None else {name: at for name, at in section.levels.items() if at},
    }
    if section is not None:
        facts["population_is_the_records"] = False
    if section is not None and evidence.population_rows is not None:
        facts |= {"population_rows": evidence.population_rows, "unmatched": section.unmatched}
    if evidence.total is not None:
        facts["population"] = evidence.total
    if records is not None and evidence.classes_are_known:
        facts["profiles"] = len(distinct_rows(records.profiles)[0])
    if evidence.attributes is not None:
        facts["strategies"] = count_strategies(evidence.attributes)
        if "profiles" in facts and records is not None and records.persons is not None:
            rows, differing = np.bincount(records.persons), (records.floors[records.first] > 0).sum(axis=0).tolist()
            facts |= {
                "persons.count": len(rows),
                "persons.with_several_records": int((rows > 1).sum()),
                "persons.differing": dict(zip(evidence.scenario.attributes, differing, strict=False)),
            }
    return facts


def compare_page(claims: Claims, damaged: Collection[str], log: CheckLog) -> None:
    """Make the report again, and note that it differs from the stored page, or cannot be made.

    Parameters
    ----------
    damaged : the files that differ from the manifest.
    """
    if REPORT not in claims.stored.outputs:
        return
    if not claims.stored.is_of_this_version:
        log.skip(REPORT, "it is of another version of gamedeid")
        return
    if SUMMARY in damaged or CONTENT in damaged:
        log.skip(REPORT, f"{SUMMARY} or {CONTENT}, which it is made of, is not as {MANIFEST} has it")
        return
    if missing_modules("report"):
        log.skip(REPORT, "it is made again only where gamedeid[report] is installed")
        return
    try:
        made: Mapping[str, bytes] = registered_function("page")(claims.stored.folder)
    except GamedeidError as error:
        log.find(REPORT, f"cannot be made again: {error}")
        return
    sources = f"{SUMMARY}, {CONTENT} and {MANIFEST}"
    for name, kind in ((REPORT, "page"), (GRID, "table")):
        if name in claims.stored.outputs and name not in damaged and made.get(name) != claims.stored.content(name):
            log.find(name, f"is not the {kind} that {sources} make: one of these files was changed")
    log.did(f"{REPORT}, made again of {sources}")
