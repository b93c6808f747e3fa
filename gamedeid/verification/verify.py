"""Verify a folder of results: digests, then counts and measures recomputed from the release and the population."""

from collections.abc import Mapping
from dataclasses import replace
from importlib import import_module
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from gamedeid.arrays import IntArray
from gamedeid.errors import GamedeidError
from gamedeid.extras import missing_of
from gamedeid.logs import logger_of
from gamedeid.results.stored import CONTENT, GRID, RELEASE, REPORT, STRATEGIES, SUMMARY
from gamedeid.scenario.recipients import lone_adversary
from gamedeid.scenario.scenario import Scenario, ScenarioLike
from gamedeid.scenario.shipped import scenario_of
from gamedeid.verification.best import compare_with_best
from gamedeid.verification.claims import Claims, read_claims
from gamedeid.verification.evidence import Evidence, read_evidence
from gamedeid.verification.findings import InputState, Notebook, Verification
from gamedeid.verification.hidden import compare_parquet
from gamedeid.verification.inputs import compare_scenarios, find_inputs
from gamedeid.verification.limits import compare_limits
from gamedeid.verification.measures import compare_summary
from gamedeid.verification.outcomes import compare_outcomes, recompute
from gamedeid.verification.people import UNKNOWN, count_people
from gamedeid.verification.permitted import compare_with_game
from gamedeid.verification.plan import compare_plan
from gamedeid.verification.recipients import Answers, answers_of
from gamedeid.verification.released import compare_release
from gamedeid.verification.row_keys import distinct_rows
from gamedeid.verification.signing import check_signature
from gamedeid.verification.tables import Strategies, read_output, strategies_of
from gamedeid.verification.warnings import compare_warnings

_LOG = logger_of(__name__)


def verify(
    folder: str | PathLike[str],
    scenario: ScenarioLike | None = None,
    *,
    public_key: str | PathLike[str] | None = None,
) -> Verification:
    """Tell whether a folder of results is what it claims.

    The digests of all files are computed again. Then, by code that shares nothing with the solvers and the counting,
    every label, number of people, outcome and measure is recomputed from the release, the population and the
    hierarchies, and from the records where they are there.

    Parameters
    ----------
    folder : what ``gamedeid run -o`` or ``Solution.write`` has written; of other results the digests are compared.
    scenario : the question, to compare the manifest's with, and to find the inputs by; without it they are looked for
        from the current folder, by the names that the manifest has.
    public_key : file of the key that the folder must be signed by, see :func:`gamedeid.sign`; it need not be signed
        where none is given.

    Returns
    -------
    what was found, what was compared, and what was not with the reason. Inputs that are not there are no finding.

    Raises
    ------
    OutputError : the folder holds no results.
    InvalidScenarioError : the scenario cannot be read.
    InvalidDataError : the shipped lists are not where they were installed.
    SignatureError : the key cannot be used.
    """
    folder, notes = Path(folder), Notebook()
    given = None if scenario is None else scenario_of(scenario)
    claims = read_claims(folder, notes)
    check_signature(folder, public_key, notes)
    compare_parquet(claims, notes)
    inputs: dict[str, InputState] = {}
    if given is not None:
        compare_scenarios(claims, given, notes)
    question = given or claims.scenario
    if question is not None:
        inputs = find_inputs(claims, question, notes)
    if claims.scenario is not None and claims.stored.is_run:
        _recompute(_played(claims, claims.scenario), question or claims.scenario, inputs, notes)
    else:
        notes.skip("what the files say", "they are no results of gamedeid run: digests only were compared")
    _LOG.info("verified: %d findings, %d not checked", len(notes.findings), len(notes.unchecked))
    return Verification(
        folder=str(folder),
        findings=tuple(notes.findings),
        checked=tuple(notes.checked),
        unchecked=tuple(notes.unchecked),
        inputs=inputs,
    )


def _recompute(claims: Claims, at_hand: Scenario, inputs: Mapping[str, InputState], notes: Notebook) -> None:
    claimed = claims.scenario
    stated, release = read_output(claims, STRATEGIES, notes), read_output(claims, RELEASE, notes)
    if claimed is None or stated is None:
        return
    file = claims.stored.parts(STRATEGIES)[0]
    strategies = strategies_of(stated, list(claimed.attributes), claims, notes)
    if strategies is None:
        return
    if release is not None and claims.stored.shuffle is not None:
        order = np.random.default_rng(claims.stored.shuffle).permutation(release.num_rows)
        release = release.take(pa.array(np.argsort(order)))
        notes.did("the release in the order before its rows were shuffled, in which findings count them")
    evidence = read_evidence(claims, claimed, at_hand, inputs, notes)
    if not _levels_exist(strategies, evidence, file, notes) or not _are_of_records(strategies, evidence, file, notes):
        return
    labels = compare_release(claims, release, strategies, evidence, notes)
    people = np.full(strategies.records, UNKNOWN, np.int64)
    if evidence.people is not None and evidence.attributes is not None:
        rows = np.flatnonzero(~strategies.withheld)
        people[rows] = count_people(evidence.people, evidence.attributes, strategies.levels[rows], labels[rows])
        notes.did(f"the people who match {int((people[rows] != UNKNOWN).sum()):,} released records")
    answers = None
    if claimed.recipients:
        answers = _answers(claimed, strategies, evidence, labels)
        if answers is None:
            notes.skip("what the files say", "the people whom each recipient finds are not known")
            return
    found = recompute(strategies, evidence.attributes, labels, people, claimed.payoffs, answers)
    compare_outcomes(file, strategies, found, claimed, notes)
    least = compare_with_game(claims, at_hand, strategies, found, evidence, notes)
    compare_with_best(claims, least, found, evidence, notes)
    if claims.stored.knows_mechanism:
        compare_plan(claims, strategies, evidence, notes)
    compare_warnings(claims, strategies, evidence, notes)
    if claimed.records.person is not None and evidence.records is None:
        notes.skip("measures", "they are over people, and the records, which tell them apart, are not there")
        return
    people_rows = np.arange(strategies.records) if evidence.records is None else evidence.records.first
    compare_summary(
        claims,
        strategies.levels[people_rows],
        found.of(people_rows),
        _facts(evidence, strategies),
        notes,
        smallest_class=_smallest_class(release, list(claimed.attributes), strategies, people_rows),
    )
    compare_limits(claims, strategies.levels[people_rows], labels[people_rows], found.of(people_rows), evidence, notes)
    compare_page(claims, notes)


def _smallest_class(
    release: pa.Table | None, attributes: list[str], strategies: Strategies, people_rows: IntArray
) -> int | None:
    """Return how many people are released alike, at the least; 0 where nobody is, None where that is not known."""
    if release is None or any(release.column_names.count(name) != 1 for name in attributes):
        return None
    rows = np.cumsum(~strategies.withheld) - 1
    released = rows[people_rows[~strategies.withheld[people_rows]]]
    if release.num_rows != int((~strategies.withheld).sum()) or not len(released):
        return None if len(released) else 0
    counts = release.select(attributes).take(released).group_by(attributes).aggregate([([], "count_all")])
    return int(counts["count_all"].to_numpy().min())


def _played(claims: Claims, scenario: Scenario) -> Claims:
    """Return the claims with the stakes of the one recipient who is the paper's adversary, where she is."""
    lone = lone_adversary(scenario.recipients)
    if lone is None:
        return claims
    own = {name: getattr(lone, name) for name in ("gain", "cost", "loss") if getattr(lone, name) is not None}
    stakes = scenario.payoffs.model_copy(update=own)
    return replace(claims, scenario=scenario.model_copy(update={"payoffs": stakes, "recipients": {}}))


def _answers(claimed: Scenario, strategies: Strategies, evidence: Evidence, labels: IntArray) -> Answers | None:
    """Return what the recipients do about all records, nothing about those that are withheld; None where not known."""
    if evidence.people is None or evidence.attributes is None:
        return None
    rows = np.flatnonzero(~strategies.withheld)
    people, own = evidence.people, evidence.own
    found = answers_of(claimed, people, own, evidence.attributes, strategies.levels[rows], labels[rows])
    return None if found is None else found.among(rows, strategies.records)


def _levels_exist(strategies: Strategies, evidence: Evidence, file: str, notes: Notebook) -> bool:
    """Note levels that a hierarchy does not have, and withheld records that are not at the top."""
    exist = True
    for place, name in enumerate(evidence.scenario.attributes):
        if name in evidence.meanings:
            levels, top = strategies.levels[:, place], evidence.meanings[name].top
            if notes.find_rows(file, name, levels > top, f"states a level that there is not, they are 0 to {top}"):
                exist = False
            low = strategies.withheld & (levels < top)
            notes.find_rows(file, name, low, f"is not at the top level, {top}, though the record is withheld")
    return exist


def _are_of_records(strategies: Strategies, evidence: Evidence, file: str, notes: Notebook) -> bool:
    """Note that there are not as many strategies as records."""
    if evidence.records is None or len(evidence.records.values) == strategies.records:
        return True
    rows = f"expected {len(evidence.records.values):,}, found {strategies.records:,}"
    notes.find(file, f"has another number of rows than the records: {rows}")
    return False


def _facts(evidence: Evidence, strategies: Strategies) -> dict[str, Any]:
    """Return what ``data`` of the summary should say, as far as that is known."""
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
    if evidence.people is not None:
        facts["population"] = int(evidence.people.counts.sum())
    if records is not None:
        facts["profiles"] = len(distinct_rows(records.profiles)[0])
    if evidence.attributes is not None:
        facts["strategies"] = int(np.prod([one.top + 1 for one in evidence.attributes], dtype=object))
    return facts


STORED = "gamedeid.report.html.stored"
"""Makes the report of stored results, a room above this one: loaded when called."""

KINDS = {REPORT: "page", GRID: "table"}
"""What is made of the documents, in a word."""


def compare_page(claims: Claims, notes: Notebook) -> None:
    """Make the report again, and note that it is another page than the one that stands there.

    Parameters
    ----------
    claims : the folder.
    notes : takes that it is another, or that none can be made.
    """
    if REPORT not in claims.stored.outputs:
        return
    if not claims.stored.is_of_this_version:
        notes.skip(REPORT, "it is of another version of gamedeid")
        return
    if any(one.file in {SUMMARY, CONTENT, REPORT} for one in notes.findings):
        notes.skip(REPORT, "the documents that it is made of, or the page itself, are not as the manifest has them")
        return
    if missing_of("report"):
        notes.skip(REPORT, "it is made again only where gamedeid[report] is installed")
        return
    stored = import_module(STORED)
    try:
        made = stored.made_again(claims.stored.folder)
    except GamedeidError as error:
        notes.find(CONTENT, f"no report can be made of it: {error}")
        return
    for name in (REPORT, GRID):
        damaged = any(one.file == name for one in notes.findings)
        if name in claims.stored.outputs and not damaged and made.get(name) != claims.stored.content(name):
            notes.find(name, f"is not the {KINDS[name]} that {CONTENT} and {SUMMARY} make")
    notes.did(f"{REPORT}, made again of {CONTENT} and {SUMMARY}")
