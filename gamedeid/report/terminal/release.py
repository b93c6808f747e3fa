"""The risks of a release on a terminal: an audit, the measures of the literature, and those of kept columns."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.table import Table

from gamedeid.amounts import expectation, four_decimals, percent
from gamedeid.catalogue import sentence, sentences
from gamedeid.report.terminal.console import add_measure, new_table, print_lines, print_rows, print_table
from gamedeid.report.words.aware import COLUMNS, RECIPIENT_ROWS, aware_words
from gamedeid.report.words.detail import (
    ASSOCIATIONS,
    COEFFICIENTS,
    COLUMN_DETAIL,
    DISTANCES,
    association_rows,
    coefficient_rows,
    column_rows,
    detail_words,
    distance_rows,
    group_columns,
    group_rows,
    model_words,
    utility_words,
)
from gamedeid.report.words.measures import MEASURES, SPREAD, spread_words
from gamedeid.report.words.risks import COLUMNS as RELEASES
from gamedeid.report.words.risks import (
    DIVERSITY_COLUMNS,
    diversity_rows,
    diversity_words,
    risk_rows,
    table_game_rows,
    table_game_words,
    uniqueness_columns,
    uniqueness_rows,
    uniqueness_words,
)
from gamedeid.risk.aware import AUDITED, AwareRisk
from gamedeid.risk.detail import ReleaseDetail
from gamedeid.risk.joint import JointRisk
from gamedeid.risk.records import ExpectedReidentifications, RiskDistribution
from gamedeid.risk.table import TableRisks
from gamedeid.risk.utility.release_utility import ReleaseUtility
from gamedeid.study.codebook import Codebook, CodebookColumn

SIDES = ("naive", "aware")


def print_audit(found: AwareRisk, groups: Sequence[Mapping[str, Any]], to: Console) -> None:
    """Print the advantage of a recipient who knows the mechanism, and the measures for both recipients."""
    solution, plain = found.solution, found.as_dict()
    study = solution.study
    to.print(f"{study.scenario.title or 'Records'}: {solution.name}{' game' if solution.solver else ''}, audited")
    unit = study.instance.profiles.unit
    released, own = not solution.withheld.all(), study.is_own_population
    print_lines(aware_words(plain, unit=unit, released=released, own=own), to)
    table = new_table(*COLUMNS)
    for key in AUDITED:
        form = MEASURES[key].form
        table.add_row(MEASURES[key].name, form(plain["naive"][key]), form(plain["aware"][key]))
        if key == "expected_reidentifications":
            table.add_row(f"... {SPREAD}", *(spread_words(plain[one]["spread"]) for one in SIDES))
    for size in plain["naive"]["groups"]:
        who = "one person" if size == "1" else f"{size} people or fewer"
        table.add_row(f"released in a group of {who}", *(percent(plain[side]["groups"][size]) for side in SIDES))
    for name, does in plain.get("recipients", {}).items():
        for measure, (words, form) in RECIPIENT_ROWS.items():
            table.add_row(f"{name}: {words}", *(form(does[side][measure]) for side in SIDES))
    print_table(table, to)
    if groups:
        _print_groups(groups, to)


def print_joint_risk(found: JointRisk, to: Console) -> None:
    """Print the risk of a release alone and together with earlier ones."""
    print_lines(sentences("risks.joint", found.as_dict()), to)
    table = new_table("measure", "this release alone", "with the earlier releases")
    for words, alone, together in (
        ("fewest people in question", found.fewest_people, found.fewest_people_together),
        ("records attacked", found.attacked, found.attacked_together),
    ):
        table.add_row(words, *("-" if one is None else f"{one:,}" for one in (alone, together)))
    measure = MEASURES["expected_reidentifications"]
    both = (found.expected_reidentifications, found.expected_reidentifications_together)
    table.add_row(measure.name, *map(measure.form, both))
    print_table(table, to)


def _print_groups(groups: Sequence[Mapping[str, Any]], to: Console) -> None:
    to.print(sentence("risks.worst_groups", {}))
    shown = "values" if "values" in groups[0] else "levels"
    heads = (*groups[0][shown], "people matching", "released alike", "records")
    rows = (
        (*map(str, group[shown].values()), *(f"{group[key]:,}" for key in ("people", "aware_people", "records")))
        for group in groups
    )
    print_rows(heads, rows, to, left=0)


def print_risks(risks: Mapping[str, Any], to: Console) -> None:
    """Print the measures of the raw data, the policy and the release side by side."""
    table = new_table("measure", *(risks[column]["name"] for column in RELEASES))
    for one in risk_rows(risks):
        add_measure(table, one.name, one.cells, to)
    print_table(table, to)


def print_table_risks(found: TableRisks, to: Console) -> None:
    """Print the risk of a given table."""
    people = found.population
    population_facts = {"people": 0, "unmatched": 0} if people is None else people.as_dict()
    print_lines(
        sentences("risks.measured", {**population_facts, **found.as_dict(), "has_population": people is not None}), to
    )
    table = new_table("measure", "value")
    table.add_row("k-anonymity", f"{found.k_anonymity:,}")
    for size, share in found.in_classes_up_to.items():
        table.add_row(f"records in classes of {'1' if size == '1' else f'{size} or fewer'}", percent(share))
    _add_risk(table, "prosecutor", found.prosecutor, found.marketer)
    if people is not None:
        table.add_row("k-map", "none" if people.k_map is None else f"{people.k_map:,}")
        table.add_row("records that match no one in the population", f"{people.unmatched:,}")
        _add_risk(table, "journalist", people.journalist, people.marketer)
    print_table(table, to)
    if found.game is not None:
        game = found.game.as_dict()
        print_lines(table_game_words(game), to)
        heads = ("measure of the game", "prosecutor", *(["journalist"] if "journalist" in game else []))
        print_rows(heads, table_game_rows(game), to)
    print_uniqueness(found.as_dict().get("kept_uniqueness"), found.records, to, of_game=False)
    print_diversity(found.kept_diversity.as_dict(), found.records, to, of_game=False)


def _add_risk(table: Table, name: str, risk: RiskDistribution, marketer: ExpectedReidentifications) -> None:
    table.add_row(f"{name} risk: highest", four_decimals(risk.highest))
    table.add_row(f"{name} risk: mean (marketer risk)", four_decimals(risk.mean))
    for threshold, share in risk.above.items():
        table.add_row(f"records with {name} risk above {threshold}", percent(share))
    table.add_row(f"re-identified, if all are attacked ({name})", expectation(marketer.reidentifications))


def print_detail(found: ReleaseDetail, to: Console) -> None:
    """Print the remaining detail of each attribute, and the results of each group."""
    print_lines(detail_words(found), to)
    print_rows(COLUMN_DETAIL, column_rows(found.as_dict()["columns"]), to)
    for grouped in found.groups:
        print_rows(group_columns(grouped), group_rows(grouped), to)


def print_utility(found: ReleaseUtility, to: Console) -> None:
    """Print an analysis of a release next to that of the original data."""
    print_lines(utility_words(found), to)
    for model in found.models:
        print_lines(model_words(model), to)
        if model.coefficients:
            print_rows(COEFFICIENTS, coefficient_rows(model), to)
    print_rows(DISTANCES, distance_rows(found), to)
    print_rows(ASSOCIATIONS, association_rows(found), to, left=2)


def print_codebook(found: Codebook, to: Console) -> None:
    """Print the columns of a release, and the labels of each attribute."""
    columns = ((one.column, one.role, one.value_type, f"{one.rows:,}", f"{one.without:,}") for one in found.columns)
    print_rows(("column", "role", "values are", "rows with a value", "rows without"), columns, to, left=3)
    for column in found.columns:
        if column.labels:
            meaning_columns = ["meaning"] if any(one.meaning for one in column.labels) else []
            heads = (column.column, *meaning_columns, "level", "low", "high", "rows")
            print_rows(heads, _label_rows(column, meaning_columns), to, left=1 + len(meaning_columns))


def _label_rows(column: CodebookColumn, meaning_columns: Sequence[str]) -> Iterator[tuple[str, ...]]:
    for one in column.labels:
        shown = [one.meaning or "-" for _ in meaning_columns]
        yield one.label, *shown, f"{one.level}", one.low or "-", one.high or "-", f"{one.rows:,}"


def print_diversity(
    found: Mapping[str, Any], records: int, to: Console, *, of_people: bool = False, of_game: bool = True
) -> None:
    """Print the diversity of kept columns; nothing if no column is kept."""
    print_lines(diversity_words(found, records, of_people=of_people, of_game=of_game), to)
    if found["columns"]:
        print_rows(DIVERSITY_COLUMNS, diversity_rows(found), to)


def print_uniqueness(found: Mapping[str, Any] | None, records: int, to: Console, *, of_game: bool = True) -> None:
    """Print the uniqueness of kept columns; nothing if no column is kept."""
    print_lines(uniqueness_words(found, records, of_game=of_game), to)
    if rows := list(uniqueness_rows(found)):
        print_rows(uniqueness_columns(found), rows, to)
