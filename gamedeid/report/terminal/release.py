"""The risks of a release on a terminal: an audit, the measures of the literature, and those of kept columns."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rich.console import Console

from gamedeid.amounts import expectation, four_decimals, number_of, percent, plural
from gamedeid.catalogue import sentence, sentences
from gamedeid.errors import shown
from gamedeid.generalization.levels import ROOT
from gamedeid.report.terminal.console import in_narrow_rows, print_lines, print_rows
from gamedeid.report.terminal.results import print_warnings
from gamedeid.report.words.aware import COLUMNS, aware_words, recipient_rows
from gamedeid.report.words.detail import column_grid, weight_words
from gamedeid.report.words.measures import MEASURES, SPREAD, spread_words
from gamedeid.report.words.risks import COLUMNS as RELEASES
from gamedeid.report.words.risks import (
    diversity_grid,
    diversity_words,
    risk_rows,
    table_game_grid,
    table_game_words,
    uniqueness_grid,
    uniqueness_words,
)
from gamedeid.report.words.run import person_words
from gamedeid.risk.aware import AUDITED, AwareRisk
from gamedeid.risk.detail import GroupDetail, GroupedDetail, ReleaseDetail
from gamedeid.risk.joint import JointRisk
from gamedeid.risk.records import ExpectedReidentifications, RiskDistribution
from gamedeid.risk.table import TableRisks
from gamedeid.risk.thresholds import SMALLEST_GROUP
from gamedeid.study.facts import read_facts
from gamedeid.study.solution import solution_warnings

if TYPE_CHECKING:  # these load pandas
    from gamedeid.risk.utility.release_utility import Estimate, ReleasedModel, ReleaseUtility
    from gamedeid.study.codebook import Codebook, CodebookColumn

SIDES = ("naive", "aware")


def print_audit(found: AwareRisk, groups: Sequence[Mapping[str, Any]], to: Console) -> None:
    """Print the advantage of a recipient who knows the mechanism, and the measures for both recipients."""
    solution, plain = found.solution, found.as_dict()
    study = solution.study
    to.print(f"{study.scenario.title or 'Records'}: {solution.name}{' game' if solution.solver else ''}, audited")
    unit = study.instance.profiles.unit
    released, own = not solution.withheld.all(), study.is_own_population
    print_lines(person_words(read_facts(study))[:1], to)
    print_lines(aware_words(plain, unit=unit, released=released, own=own), to)
    print_warnings(solution_warnings(solution), to)
    print_rows(COLUMNS, _audit_rows(plain), to)
    if groups:
        _print_groups(groups, to)


def _audit_rows(plain: Mapping[str, Any]) -> Iterator[Sequence[str]]:
    for key in AUDITED:
        yield MEASURES[key].name, *(MEASURES[key].form(plain[side][key]) for side in SIDES)
        if key == "expected_reidentifications":
            yield f"... {SPREAD}", *(spread_words(plain[side]["spread"]) for side in SIDES)
    for size in plain["naive"]["groups"]:
        who = "one person" if size == "1" else f"up to {size}"
        yield f"of the released: group of {who}", *(percent(plain[side]["groups"][size]) for side in SIDES)
    yield from recipient_rows(plain)


def print_joint_risk(found: JointRisk, to: Console) -> None:
    """Print the risk of a release alone and together with earlier ones."""
    print_lines(joint_words(found), to)
    print_warnings(found.warnings, to)
    counts = (
        ("fewest people in question", found.fewest_people, found.fewest_people_together),
        (f"{plural(found.unit)} attacked", found.attacked, found.attacked_together),
    )
    rows = [(words, *("-" if one is None else f"{one:,}" for one in both)) for words, *both in counts]
    measure = MEASURES["expected_reidentifications"]
    expected = (found.expected_reidentifications, found.expected_reidentifications_together)
    rows.append((measure.name, *map(measure.form, expected)))
    print_rows(("measure", "this release alone", "with the earlier releases"), rows, to)


def joint_words(found: JointRisk) -> list[str]:
    """Return the sentences above the table of joint risks."""
    facts = {
        "persons": found.unit == "person",
        "own": found.is_own_population,
        "recipients": found.has_recipients,
        "units_smaller": number_of(found.smaller, found.unit),
        "units_changed": number_of(found.changed, found.unit),
    }
    return sentences("risks.joint", {**found.as_dict(), **facts})


def _print_groups(groups: Sequence[Mapping[str, Any]], to: Console) -> None:
    to.print(sentence("risks.worst_groups", {}))
    key = "values" if "values" in groups[0] else "levels"
    heads = (*groups[0][key], "people matching", "released alike", "records")
    rows = (
        (*map(str, group[key].values()), *(f"{group[count]:,}" for count in ("people", "aware_people", "records")))
        for group in groups
    )
    print_rows(heads, rows, to, left=0)


def print_risks(risks: Mapping[str, Any], to: Console) -> None:
    """Print the measures of the raw data, the policy and the release side by side."""
    rows = [(one.name, *one.cells) for one in risk_rows(risks)]
    print_rows(("measure", *(risks[column]["name"] for column in RELEASES)), in_narrow_rows(rows, to), to)


def print_table_risks(found: TableRisks, to: Console) -> None:
    """Print the risk of a given table."""
    people = found.population
    population_facts = {"people": 0, "unmatched": 0} if people is None else people.as_dict()
    given = {"has_population": people is not None, "has_hierarchies": found.game is not None}
    print_lines(sentences("risks.measured", {**population_facts, **found.as_dict(), **given}), to)
    print_rows(("measure", "value"), _table_risk_rows(found), to)
    if found.game is not None:
        game = found.game.as_dict()
        print_lines(table_game_words(game, population_facts["unmatched"]), to)
        print_rows(*table_game_grid(game), to)
    print_uniqueness(found.as_dict().get("kept_uniqueness"), found.records, to, of_game=False)
    print_diversity(found.kept_diversity.as_dict(), found.records, to, of_game=False)


def _table_risk_rows(found: TableRisks) -> Iterator[tuple[str, str]]:
    yield "k-anonymity", f"{found.k_anonymity:,}"
    for size, share in found.in_classes_up_to.items():
        yield f"records in classes of {'1' if size == '1' else f'{size} or fewer'}", percent(share)
    yield from _risk_cells("prosecutor", found.prosecutor, found.marketer)
    people = found.population
    if people is not None:
        yield "records that match no one in the population", f"{people.unmatched:,}"
        of = " (of those matched)" if people.unmatched else ""
        k_map = ("k-map", f"{people.k_map or 0:,}")
        for name, text in (k_map, *_risk_cells("journalist", people.journalist, people.marketer)):
            yield f"{name}{of}", "none match" if people.k_map is None else text


def _risk_cells(name: str, risk: RiskDistribution, marketer: ExpectedReidentifications) -> Iterator[tuple[str, str]]:
    yield f"{name} risk: highest", four_decimals(risk.highest)
    yield f"{name} risk: mean (marketer risk)", four_decimals(risk.mean)
    for threshold, share in risk.above.items():
        yield f"records with {name} risk above {threshold}", percent(share)
    yield f"re-identified, if all are attacked ({name})", expectation(marketer.reidentifications)


def print_detail(found: ReleaseDetail, to: Console) -> None:
    """Print the remaining detail of each attribute, and the results of each group."""
    print_lines(detail_words(found), to)
    print_warnings(found.warnings, to)
    print_rows(*column_grid(found.as_dict()["columns"]), to)
    for grouped in found.groups:
        _print_grouped(grouped, to)


def detail_words(found: ReleaseDetail) -> list[str]:
    """Return the sentences above the tables."""
    facts = {
        "records": found.records,
        "withheld": found.withheld,
        "others": any(one.remaining is not None for one in found.groups),
        "grouped": bool(found.groups),
        "persons": found.has_persons,
        "least": SMALLEST_GROUP,
    }
    return [*sentences("risks.detail", facts), *weight_words(found)]


def _print_grouped(found: GroupedDetail, to: Console) -> None:
    """Print the results of each group, the small ones together in the last row."""
    by = found.by if found.level is None else f"{found.by} (level {found.level})"
    rows = [_group_row(ROOT if one.group is None else one.group, one) for one in found.groups]
    rows += [] if found.remaining is None else [_group_row("(all others)", found.remaining)]
    print_rows((by, "records", "information loss", "withheld", "attacked", "risk ratio"), rows, to)


def _group_row(name: str, one: GroupDetail) -> tuple[str, ...]:
    shares = (one.information_loss, one.withheld, one.attacked)
    ratio = "-" if one.risk_ratio is None else f"{one.risk_ratio:.2f}"
    return (name, f"{one.records:,}", *map(percent, shares), ratio)


def print_utility(found: "ReleaseUtility", to: Console) -> None:
    """Print an analysis of a release next to that of the original data."""
    print_lines(utility_words(found), to)
    for model in found.models:
        print_lines(model_words(model), to)
        if model.coefficients:
            heads = ("coefficient", "original (95% interval)", "release (95% interval)", "overlap", "warning")
            print_rows(heads, _coefficient_rows(model), to)
    distances = (
        (
            one.column,
            f"{one.original_rows:,}",
            f"{one.released_rows:,}",
            _decimals(one.total_variation),
            _decimals(one.hellinger),
        )
        for one in found.columns
    )
    print_rows(
        ("column", "known before", "known in the release", "total variation", "Hellinger distance"), distances, to
    )
    associations = (
        (" and ".join(one.columns), one.measure, _decimals(one.original), _decimals(one.released))
        for one in found.associations
    )
    print_rows(("columns", "measure", "original", "release"), associations, to, left=2)


def utility_words(found: "ReleaseUtility") -> list[str]:
    """Return the sentences above the tables; the first names the readers."""
    facts = {name: getattr(found, name) for name in ("records", "released", "original_rows")}
    return sentences("risks.utility", {**facts, "least": SMALLEST_GROUP})


def model_words(model: "ReleasedModel") -> list[str]:
    """Return the sentences about the model in one form of the release."""
    facts = {
        "rows": model.rows,
        "by_midpoints": model.form == "midpoints",
        "fitted": model.why_not is None,
        "too_few_rows": model.why_not == "too few rows",
        "dependent_columns": model.why_not == "dependent columns",
        "no_estimate": model.why_not == "no estimate",
        "uncompared": model.not_compared,
        "flipped": [shown(one.name) for one in model.coefficients if one.sign_flipped],
        "apart": [shown(one.name) for one in model.coefficients if one.overlap == 0],
    }
    return sentences("risks.utility_model", facts)


def _coefficient_rows(model: "ReleasedModel") -> Iterator[tuple[str, ...]]:
    for one in model.coefficients:
        warned = {"sign flipped": one.sign_flipped, "no overlap": one.overlap == 0}
        why = ", ".join(words for words, holds in warned.items() if holds) or "-"
        yield one.name, _interval(one.original), _interval(one.released), percent(one.overlap), why


def _interval(one: "Estimate") -> str:
    return f"{one.value:.4g} ({one.low:.4g} to {one.high:.4g})"


def _decimals(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


def print_codebook(found: "Codebook", to: Console) -> None:
    """Print the columns of a release, and the labels of each attribute."""
    columns = ((one.column, one.role, one.value_type, f"{one.rows:,}", f"{one.without:,}") for one in found.columns)
    print_rows(("column", "role", "values are", "rows with a value", "rows without"), columns, to, left=3)
    for column in found.columns:
        if column.labels:
            meaning_columns = ["meaning"] if any(one.meaning for one in column.labels) else []
            heads = (column.column, *meaning_columns, "level", "low", "high", "rows")
            print_rows(heads, _label_rows(column, meaning_columns), to, left=1 + len(meaning_columns))


def _label_rows(column: "CodebookColumn", meaning_columns: Sequence[str]) -> Iterator[tuple[str, ...]]:
    for one in column.labels:
        meaning = [one.meaning or "-" for _ in meaning_columns]
        yield one.label, *meaning, f"{one.level}", one.low or "-", one.high or "-", f"{one.rows:,}"


def print_diversity(
    found: Mapping[str, Any], records: int, to: Console, *, of_people: bool = False, of_game: bool = True
) -> None:
    """Print the diversity of kept columns; nothing if no column is kept."""
    print_lines(diversity_words(found, records, of_people=of_people, of_game=of_game), to)
    if table := diversity_grid(found):
        print_rows(*table, to)


def print_uniqueness(found: Mapping[str, Any] | None, records: int, to: Console, *, of_game: bool) -> None:
    """Print the uniqueness of kept columns; nothing if no column is kept."""
    print_lines(uniqueness_words(found, records, of_game=of_game), to)
    if table := uniqueness_grid(found):
        print_rows(*table, to)
