"""The commands ``gamedeid risk ...``: re-identification risk by the measures of the literature."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from gamedeid.cli.options import FinishedFolder, Json, Overrides, ScenarioPath, read_scenario, with_groups
from gamedeid.cli.printing import print_found, print_json
from gamedeid.cli.progress import progress
from gamedeid.cli.risk_tables import demographics, table, uniqueness, uniqueness_study
from gamedeid.errors import InvalidDataError, InvalidScenarioError, quoted
from gamedeid.extras import require
from gamedeid.report.terminal.console import console, print_lines, print_rows

if TYPE_CHECKING:
    from gamedeid.risk.matches import Exposure, Whose


Distinct = Annotated[
    str,
    typer.Option(metavar="G,...", help="Group sizes: count the people in groups of at most this size."),
]
ListPrice = Annotated[
    float | None,
    typer.Option(metavar="DOLLARS", help="Price of the list of names; adds the price per re-identification."),
]


def group_sizes(text: str) -> tuple[int, ...]:
    """Return the distinct integers of ``--distinct``, in ascending order."""
    sizes = set()
    for part in text.split(","):
        word = part.strip()
        if not (word.isascii() and word.isdigit() and 0 < int(word) <= 2**53):
            raise InvalidDataError(
                f"--distinct: expected whole numbers of 1 or more, separated by commas, not {quoted(word)}"
            )
        sizes.add(int(word))
    return tuple(sorted(sizes))


def bins(
    *,
    people: Annotated[int, typer.Option(metavar="NUMBER", help="People in the group.")],
    bins: Annotated[
        int, typer.Option(metavar="NUMBER", help="Equally likely values among them, such as 365 birthdays.")
    ],
    sampled: Annotated[
        int | None, typer.Option(metavar="NUMBER", help="How many of them are in the release (default: all).")
    ] = None,
    distinct: Distinct = "1,5",
    list_price: ListPrice = None,
    as_json: Json = False,
) -> None:
    """Estimate how many people of one group are distinct when their finer value is one of many equally likely ones."""
    from gamedeid.risk.bins import BinsFacts, distinct_people, price_per_reidentification, total_risk

    sizes = group_sizes(distinct)
    expected = distinct_people(people, bins, sizes, sampled).tolist()
    risk = float(total_risk(people, bins, sampled))
    found = BinsFacts(
        distinct={str(size): value for size, value in zip(sizes, expected, strict=True)},
        total_risk=risk,
        price_per_reidentification=... if list_price is None else price_per_reidentification(list_price, risk),
    )
    if as_json:
        print_json(found)
    else:
        _show(found.as_dict(), people, bins, people if sampled is None else sampled)


def _show(found: dict[str, Any], people: int, bins: int, released: int) -> None:
    from gamedeid.amounts import number, percent
    from gamedeid.catalogue import sentence
    from gamedeid.report.terminal.distinctness import distinct_words, price_words

    to = console()
    to.print(sentence("distinct.released_bins", {"people": people, "bins": bins, "released": released}))
    share = 1 / released if released else 0.0
    rows = [
        (distinct_words(int(size)), number(value, 2), percent(value * share))
        for size, value in found["distinct"].items()
    ]
    total = ("expected re-identifications (total risk)", number(found["total_risk"], 2), "")
    print_rows(("measure", "people", "share"), [*rows, total], to)
    if "price_per_reidentification" in found:
        to.print(price_words(found["price_per_reidentification"]))


def distinct(
    scenario: ScenarioPath,
    *,
    policy: Annotated[
        str,
        typer.Option(metavar="NAME", help="How rows are released: safe-harbor, limited-data-set, raw or your own."),
    ],
    attacker: Annotated[
        str,
        typer.Option(metavar="NAME", help="Attacker: general, with all attributes, or one of the scenario."),
    ] = "general",
    distinct: Distinct = "1,3,5,10",
    by: Annotated[
        str | None,
        typer.Option(metavar="ATTRIBUTE[:LEVEL]", help="A row for each group of an attribute, such as zip:2."),
    ] = None,
    against: Annotated[
        str | None, typer.Option(metavar="NAME", help="Another policy; adds the risk of --policy divided by its risk.")
    ] = None,
    records: Annotated[
        bool, typer.Option("--records", metavar="", help="Release the records instead of all people of the population.")
    ] = False,
    list_price: ListPrice = None,
    overrides: Overrides = None,
    as_json: Json = False,
) -> None:
    """Count the people whom a policy leaves distinct to an attacker, and the re-identifications to expect."""
    from gamedeid.report.terminal.distinctness import print_distinct
    from gamedeid.risk.distinct import distinct_summary
    from gamedeid.risk.matches import exposure
    from gamedeid.study.facts import study_warnings
    from gamedeid.study.study import Study

    require("risk", "the risk of bins")
    question = read_scenario(scenario, overrides)
    sizes = group_sizes(distinct)
    price = list_price
    if price is None and attacker in question.attacker:
        price = question.attacker[attacker].price
    with progress() as phase:
        phase("reading the data")
        study = Study.prepare(question)
        phase("counting people")
        whose: Whose = "records" if records else "population"
        found = exposure(study, policy, attacker, whose)
        other = None if against is None else exposure(study, against, attacker, whose)
        groups = None if by is None else _groups(found, by)
        of_records = records or study.is_own_population
        warnings = [one for one in study_warnings(study, []) if of_records or one.kind == "estimate"]
        summary = distinct_summary(found, sizes, against=other, by=groups, list_price=price, warnings=warnings)
    if as_json:
        print_json(summary)
    else:
        unit = study.instance.profiles.unit
        print_distinct(summary.as_dict(), study.scenario.title or "Risk", unit, console())


def _groups(found: "Exposure", by: str) -> tuple[str, int, dict[str, Any]]:
    """Return the attribute, the level and the groups of ``--by``; a name may contain a colon."""
    attribute, colon, level = by.rpartition(":")
    if by in found.instance.hierarchies or not colon:
        return by, *found.by(by)
    if not (level.isascii() and level.isdigit()):
        raise InvalidScenarioError(f"--by: expected ATTRIBUTE or ATTRIBUTE:LEVEL, such as zip:2, not {quoted(by)}")
    return attribute, *found.by(attribute, int(level))


@with_groups
def release(
    finished: FinishedFolder,
    *,
    by: Annotated[
        list[str] | None,
        typer.Option(
            metavar="COLUMN[:LEVEL]",
            help="Show the losses of each attribute, and for each group of an attribute or kept column its losses "
            "and its part of the risk. For the publisher. May be repeated.",
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Show the risk of a finished release by every measure, with that of the policy and of the raw data.

    Neither data nor scenario are needed: the measures were taken when the release was made. With --by, the run is
    solved again from its data, and the command shows the losses of each attribute and of each group of records.
    """
    from gamedeid.pictures.words import policy_words
    from gamedeid.report.html.stored import read_results
    from gamedeid.report.terminal.release import print_diversity, print_risks, print_uniqueness
    from gamedeid.report.terminal.results import print_warnings
    from gamedeid.report.words.determination import threshold_words
    from gamedeid.report.words.recipients import known_kept, read_recipients
    from gamedeid.report.words.run import data_words, earlier_words, person_words
    from gamedeid.schema_names import KEY, schema_id

    folder, question = finished.read()
    if by:
        from gamedeid.report.terminal.release import print_detail
        from gamedeid.risk.detail import release_detail

        with progress() as phase:
            detail = release_detail(folder, question, by=by, progress=phase)
        print_found(detail, print_detail, as_json=as_json)
        return
    results = read_results(folder)
    risks, data = results.content["risks"], results.summary["data"]
    if as_json:
        print_json({KEY: schema_id("release-risks"), **risks})
        return
    to = console()
    to.print(f"{results.summary['title'] or 'Records'}: {policy_words(results.summary['game']).removeprefix('the ')}")
    thresholds = threshold_words(results.summary, results.content, results.manifest)
    print_lines((*thresholds, data_words(data), *person_words(data), *earlier_words(results.summary)), to)
    print_warnings(results.summary["warnings"], to)
    print_risks(risks, to)
    print_diversity(risks["kept_diversity"], data["records"], to, of_people="persons" in data)
    known = known_kept(results.manifest, read_recipients(results.manifest))
    print_uniqueness(risks.get("kept_uniqueness"), data["records"], to, of_game=not known)


app = typer.Typer(help="Measure re-identification risk by the methods of the literature.", no_args_is_help=True)
app.command()(table)
app.command()(bins)
app.command()(distinct)
app.command()(uniqueness)
app.command("uniqueness-study")(uniqueness_study)
app.command()(demographics)
app.command()(release)
