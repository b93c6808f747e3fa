"""What values show of themselves in a console and a notebook: a line or two, and no value of the data."""

import dataclasses
import importlib
import inspect
import pkgutil
import pprint
import typing
from collections.abc import Callable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from html_pages import Page
from pydantic import BaseModel
from rich.pretty import pretty_repr
from small_world import SCENARIO, small_world

import gamedeid
from gamedeid.analysis.comparison import compare
from gamedeid.analysis.robustness import robust_ranges
from gamedeid.analysis.solver_comparison import compare_solvers
from gamedeid.analysis.sweep import sweep
from gamedeid.data.files.parquet import ParquetFiles
from gamedeid.data.files.programs import ProgramFile
from gamedeid.data.frames import Frame
from gamedeid.game.limits.within import WithinLimits
from gamedeid.game.mechanism.plan import Plan
from gamedeid.generalization.hierarchy import Hierarchy
from gamedeid.pictures.plot import plot
from gamedeid.reprs import Shown, html_table, repr_of, short_repr
from gamedeid.risk.matches import exposure
from gamedeid.risk.records import record_risks
from gamedeid.scenario.grid import Axis
from gamedeid.study.earlier import EarlierClasses
from gamedeid.study.solve import solve
from gamedeid.study.study import Study

TOKEN = "PLANTED"  # noqa: S105  (a mark, no password)
NUMBER = 504146544

RECORDS = pd.DataFrame({TOKEN: [f"{TOKEN}-<b>", "a < b"], "number": [NUMBER] * 2})


@pytest.fixture(scope="module")
def study(tmp_path_factory) -> Study:
    """Return the small question of four people with its data."""
    return Study.prepare(small_world(tmp_path_factory.mktemp("small")))


def assert_shows_nothing(value: Any) -> None:
    """Check every way in which a value shows itself."""
    ways = [repr(value), str(value), f"{value}", f"{[value]!r}", pprint.pformat(value, width=40), pretty_repr(value)]
    html = value._repr_html_() if hasattr(value, "_repr_html_") else ""
    for text in (*ways, html):
        assert TOKEN not in text, text
        assert str(NUMBER) not in text, text
    assert len(repr(value).splitlines()) <= 2
    assert len(repr(value)) <= (1200 if isinstance(value, BaseModel) else 400), repr(value)
    assert "<b>" not in html
    assert "a < b" not in html


# --- every class, those to come included ------------------------------------------------------------------------------


def classes() -> Iterator[type]:
    """Yield the package's data classes and named tuples."""
    for module in pkgutil.walk_packages(gamedeid.__path__, "gamedeid."):
        if module.name != "gamedeid.__main__":
            for _, kind in inspect.getmembers(importlib.import_module(module.name), inspect.isclass):
                if kind.__module__ == module.name and (dataclasses.is_dataclass(kind) or hasattr(kind, "_fields")):
                    yield kind


FULL = [np.array([TOKEN] * 3), pa.table({TOKEN: [TOKEN]}), [TOKEN], {TOKEN: TOKEN}, RECORDS, frozenset({TOKEN})]
"""What may stand in a field that holds more than a number or a word."""


LATER = {one.__name__: one for one in (EarlierClasses, Frame, ParquetFiles, Plan, ProgramFile, WithinLimits)}
"""What hints name that only type checkers load."""


@pytest.mark.parametrize("full", FULL, ids=lambda full: type(full).__name__)
def test_a_class_that_can_hold_data_shows_how_much_and_not_what(full):
    checked = []
    for kind in classes():
        if kind.__repr__ is object.__repr__:
            continue
        hints = typing.get_type_hints(kind, localns=LATER)
        names = [field.name for field in dataclasses.fields(kind)] if dataclasses.is_dataclass(kind) else kind._fields
        if kind.__repr__ is not short_repr and "short_repr" not in kind.__repr__.__code__.co_names:
            continue
        if issubclass(kind, Shown) and (kind.shown or kind.table_of):  # says itself what tells nothing of the data
            continue
        content = {name: full if holds_much(hints[name]) else "word" for name in names}
        if dataclasses.is_dataclass(kind):
            value = object.__new__(kind)
            for name, one in content.items():
                object.__setattr__(value, name, one)
        else:
            value = kind(**content)
        assert_shows_nothing(value)
        checked.append(kind.__name__)

    assert len(checked) > 50


def test_no_class_that_can_hold_data_shows_its_fields_as_they_are():
    """A new one needs ``__repr__ = short_repr``, or a line of its own; a named tuple, a method that calls it."""
    default = []
    for kind in classes():
        if kind.__repr__ is object.__repr__:  # shows no field
            continue
        hints = typing.get_type_hints(kind, localns=LATER)
        own = kind.__dict__.get("__repr__")
        generated = own is None or hasattr(own, "__wrapped__") or own.__module__ != kind.__module__
        if generated and own is not short_repr and any(holds_much(hint) for hint in hints.values()):
            default.append(f"{kind.__module__}.{kind.__name__}")

    assert [] == default


def holds_much(hint: Any) -> bool:
    """Return whether a field of this type can hold as many values as the data have."""
    kind, arguments = typing.get_origin(hint) or hint, typing.get_args(hint)
    if kind in (Any, object):
        return True
    if kind is tuple:
        return Ellipsis in arguments
    if inspect.isclass(kind) and (issubclass(kind, Mapping | Sequence | AbstractSet) and kind is not str):
        return not hasattr(kind, "_fields")
    if inspect.isclass(kind) and kind.__module__.partition(".")[0] in {"numpy", "pyarrow", "pandas", "polars"}:
        return True
    return kind not in (Callable, typing.Literal) and any(holds_much(one) for one in arguments)


# --- what is shown ----------------------------------------------------------------------------------------------------


def test_a_public_value_is_one_line(study):
    comparison = compare(study)

    assert "Solution(name='basic', solver='exact', records=4)" == repr(comparison.solutions["basic"])
    assert "Solution(name='safe-harbor', solver=None, records=4)" == repr(comparison.solutions["safe-harbor"])
    games = "'safe-harbor', 'basic', 'sh-friendly', 'no-attack'"
    assert f"Comparison(solutions=[{games}], records=4)" == repr(comparison)
    assert repr(study).startswith("Study(title='Four people', hierarchies=['age', 'sex'], records=4, people=20, ")
    assert "Hierarchy(name='ages', role=None, levels=3)" == repr(study.instance.hierarchies["age"])
    assert "Lattice(heights=[3, 2], size=6)" == repr(study.instance.lattice)
    assert repr(study.instance.profiles) == "Profiles(count=4, unit='record')"


def test_a_notebook_shows_tables(study):
    comparison = compare(study)
    solution = comparison.solutions["basic"]
    block = next(iter(sweep(study, [Axis(name="loss", values=tuple(map(float, range(1, 6))))])))

    card, cells = card_and_table(solution)
    assert [["", "value"], *([name, exact(value)] for name, value in solution.measures.items())] == cells
    assert ["publisher's payoff per record", f"${solution.measures['publisher_payoff']:,.2f}"] in card
    assert [["", "basic"]] == [row for row in card if row[0] == ""]
    card, cells = card_and_table(comparison)
    assert ["safe-harbor", "basic", "sh-friendly", "no-attack"] == [row[0] for row in cells[1:]]
    assert {"policy", "publisher_payoff", "withheld", "records"} <= {*cells[0]}
    assert ["", "Safe Harbor", "basic", "sh-friendly", "no-attack"] == card[0]
    front, cells = card_and_table(block)
    assert [*block.columns] == cells[0]
    assert 1 + 20 == len(cells) == len(front)
    assert {"policy", "loss", "publisher_payoff", "attacked", "expected_reidentifications"} <= {*front[0]}
    assert len(front[0]) == len(block.columns) - 6
    assert ["records", "4"] in Page.rows_of(study._repr_html_())
    assert ["people", "20"] in Page.rows_of(study._repr_html_())
    levels = [["0", "4", "1", "1"], ["1", "2", "2", "2"], ["2", "1", "4", "4"]]
    assert levels == Page.rows_of(study.instance.hierarchies["age"]._repr_html_())[1:]
    assert ["size", "6"] in Page.rows_of(study.instance.lattice._repr_html_())


def card_and_table(value):
    """Return the rows of what a notebook shows first, and of what it shows at a click."""
    first, between, folded = value._repr_html_().partition("<details>")
    assert between
    return Page.rows_of(first), Page.rows_of(folded)


def exact(value):
    """Return a number as the folded table has it."""
    return f"{value:,.9g}"


def test_a_card_has_the_verdict_and_marks_the_best_of_each_row(study):
    comparison = compare(study)
    policies = comparison.policies
    card, _ = card_and_table(comparison)

    html = comparison._repr_html_()
    assert "<p>Expected re-identifications of Safe Harbor: " in html
    rows = {row[0]: row[1:] for row in reversed(card)}  # the first of each name, that of who counts
    payoffs = [one["publisher_payoff"] for one in policies.values()]
    assert [f"${one:,.2f}{'*' * (one == max(payoffs))}" for one in payoffs] == rows["publisher's payoff per record"]
    expected = [one["expected_reidentifications"] for one in policies.values()]
    assert [f"{one:.1f}{'*' * (one == min(expected))}" for one in expected] == rows["expected re-identifications"]
    assert html.count("font-weight: bold") == sum(cell.endswith("*") for row in card for cell in row)


def test_a_card_of_an_answer_in_which_all_is_withheld_says_so(tmp_path):
    solution = solve(small_world(tmp_path, scenario=SCENARIO.replace("cost = 20", "cost = 0.01")), game="no-attack")

    assert solution.withheld.all()
    assert "withholds every record: there is nothing to attack." in solution._repr_html_()


def test_numbers_that_stand_first_have_four_figures_and_all_before_the_point():
    html = html_table("t", ["x"], [[12345.678], [0.0123456], [1e-9], [-98765.4]], digits=4)

    assert [["x"], ["12,346"], ["0.01235"], ["1e-09"], ["-98,765"]] == Page.rows_of(html)


def test_robust_ranges_and_solvers_are_shown_as_tables(study):
    robust, solvers = robust_ranges(study, "basic", share=0.5), compare_solvers(study, "basic")

    assert repr(robust).startswith("Robustness(share=0.5, order=['")
    assert repr(robust).endswith("], ranges=['benefit', 'loss', 'cost'])")
    cells = Page.rows_of(robust._repr_html_())
    assert [["", "chosen"], ["benefit", "100"], ["loss", "90"], ["cost", "20"]] == [row[:2] for row in cells]
    assert str(robust.ranges["loss"].keeps) == cells[2][2]
    names = "['backward-induction', 'lattice-search', 'exact']"
    assert f"SolverComparison(game='basic', reference='backward-induction', seconds={names}, records=4)" == repr(
        solvers
    )
    assert [row["solver"] for row in solvers.rows] == [row[4] for row in Page.rows_of(solvers._repr_html_())[1:]]


def test_risks_are_shown_as_tables(study):
    found, risks = exposure(study, "raw", whose="records"), record_risks(solve(study))

    said = "Exposure(policy='raw', attacker='general', whose='records', released=4, unmatched=0, total_risk="
    assert repr(found).startswith(said)
    cells = Page.rows_of(found._repr_html_())
    assert [["released", "4"], ["unmatched", "0"], ["total_risk", f"{found.total_risk:,.9g}"]] == cells[-3:]
    assert repr(risks).startswith("RecordRisks(name='basic', records=4, withheld=")
    cells = Page.rows_of(risks._repr_html_())
    assert [["records", "4"], ["withheld", str(risks.withheld)]] == cells[2:4]
    assert ["prosecutor highest", f"{risks.prosecutor.highest:,.9g}"] in cells
    assert ["journalist above 0.05", f"{risks.journalist.above['0.05']:,.9g}"] in cells


def test_estimates_and_demographics_are_shown_as_tables(tmp_path):
    estimates = gamedeid.risk.estimate_uniqueness(gamedeid.risk.ClassSizes.parse("1:9,3:1"), 90)
    (tmp_path / "places.csv").write_text("zip,0-9,65+\n37201,30,2\n")
    found = gamedeid.risk.demographics(tmp_path / "places.csv", place="zip", detail="year")

    assert repr(estimates).startswith("UniquenessEstimates(sample_size=12, population_size=90, e1=0.")
    cells = Page.rows_of(estimates._repr_html_())
    assert ["snb", ""] in cells
    assert ["mu_argus", "0.1"] in cells
    total = "IdentifiablePeople(population=32, identifiable=2)"
    shown = f"detail='year', boundary='at-most', total={total}"
    assert f"Identifiable({shown})" == repr(found)
    assert [
        ["name", "years", "threshold", "places_identifiable", "population", "identifiable", "share"],
        ["0-9", "10", "20", "0", "30", "0", "0"],
        ["65+", "12", "24", "1", "2", "2", "1"],
    ] == Page.rows_of(found._repr_html_())


def test_a_picture_is_shown_by_its_numbers(study):
    picture = plot(study.alone(record=0), "lattice")

    columns = "['levels', 'released', 'people', 'attacked', 'permitted', 'chosen', ...]"
    assert f"Picture(kind='lattice', table={columns})" == repr(picture)
    cells = Page.rows_of(picture._repr_html_())
    assert [name for name in picture.table if name != "released"] == cells[0]
    assert sorted(f"({age}, {sex})" for age in range(3) for sex in range(2)) == sorted(row[0] for row in cells[1:])


def test_every_text_of_a_table_is_escaped():
    html = html_table("<t>", ["<h>"], [["<c>"], ["\"'&"]])

    assert [["<h>"], ["<c>"], ["\"'&"]] == Page.rows_of(html)
    assert not {"<t>", "<h>", "<c>"} & set(html.replace(">", "> ").split())


def test_long_words_and_lists_are_cut():
    assert "object(word='" + "x" * 57 + "...')" == repr_of(object(), word="x" * 100)
    assert "object(words=['0', '1', '2', '3', '4', '5', ...])" == repr_of(object(), words=[*map(str, range(9))])


def test_a_hierarchy_in_a_scenario_is_short():
    words = Hierarchy.from_rows([[f"{TOKEN}{leaf}", "*"] for leaf in range(500)], name="words")
    attribute = gamedeid.Attribute(hierarchy=words)

    assert_shows_nothing(attribute)
    assert "Hierarchy(name='words', role=None, levels=2)" in repr(attribute)
