"""Reprs in a console and a notebook: a line or two, without a value of the data.

`PYTHONPATH=tests/kit python tests/ground/test_reprs.py` renews tests/gold/shown.txt: read the difference.
"""

import dataclasses
import importlib
import inspect
import pkgutil
import pprint
import re
import typing
from collections.abc import Callable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from html_pages import Page
from pydantic import BaseModel
from rich.pretty import pretty_repr
from small_world import SCENARIO, UNMATCHED_SAFE, small_world

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
    """Check every way to show a value."""
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
"""Types of fields that hold more than a number or a word."""


LATER = {one.__name__: one for one in (EarlierClasses, Frame, ParquetFiles, Plan, ProgramFile, WithinLimits)}
"""Names in type hints that only type checkers load."""


@pytest.mark.parametrize("full", FULL, ids=lambda full: type(full).__name__)
def test_a_class_that_can_hold_data_shows_counts_and_not_content(full):
    checked = []
    for kind in classes():
        if kind.__repr__ is object.__repr__:
            continue
        hints = typing.get_type_hints(kind, localns=LATER)
        names = [field.name for field in dataclasses.fields(kind)] if dataclasses.is_dataclass(kind) else kind._fields
        if kind.__repr__ is not short_repr and "short_repr" not in kind.__repr__.__code__.co_names:
            continue
        if issubclass(kind, Shown) and (kind.shown or kind.table_of):  # has its own repr without values of the data
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


def test_no_class_that_can_hold_data_has_the_default_repr():
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


GOLD = Path(__file__).parents[1] / "gold" / "shown.txt"


def values_of(folder: Path) -> dict[str, Any]:
    """Return name -> a public value of the small question, whose files are written into a folder."""
    study = Study.prepare(small_world(folder))
    comparison = compare(study)
    (folder / "places.csv").write_text("zip,0-9,65+\n37201,30,2\n")
    return {
        "study": study,
        "comparison": comparison,
        "solution": comparison.solutions["basic"],
        "policy": comparison.solutions["safe-harbor"],
        "hierarchy": study.instance.hierarchies["age"],
        "lattice": study.instance.lattice,
        "profiles": study.instance.profiles,
        "robust ranges": robust_ranges(study, "basic", share=0.5),
        "solvers": compare_solvers(study, "basic"),
        "exposure": exposure(study, "raw", whose="records"),
        "risks of the release": record_risks(solve(study)),
        "estimates": gamedeid.risk.estimate_uniqueness(gamedeid.risk.ClassSizes.parse("1:9,3:1"), 90),
        "demographics": gamedeid.risk.demographics(folder / "places.csv", place="zip", detail="year"),
        "picture": plot(study.alone(record=0), "lattice"),
        "sweep": next(iter(sweep(study, [Axis(name="loss", values=(1.0, 2.0))]))),
    }


def shown(value: Any) -> str:
    """Return what a console shows of a value, and the rows of the tables that a notebook does; no digit beyond nine."""
    rows = [" | ".join(cells).strip() for cells in Page.rows_of(value._repr_html_())]
    lines = [repr(value), *(f"    {row}" for row in rows)]
    return re.sub(r"\d+\.\d{9,}", lambda found: f"{float(found[0]):.9g}", "\n".join(lines)) + "\n"


def test_reprs_are_the_reviewed_lines_and_tables(tmp_path):
    stored = dict(one.split("\n", 1) for one in GOLD.read_text("utf-8").split("## ")[1:])

    assert stored == {name: shown(value) for name, value in values_of(tmp_path).items()}


def test_a_card_has_the_verdict_and_the_best_of_each_row_in_bold(study):
    html = compare(study)._repr_html_()
    card, between, _ = html.partition("<details>")

    assert between
    assert "<p>Expected re-identifications of Safe Harbor: " in card
    assert html.count("font-weight: bold") == sum(cell.endswith("*") for row in Page.rows_of(card) for cell in row)


def test_a_card_of_an_answer_in_which_all_is_withheld_says_so(tmp_path):
    solution = solve(small_world(tmp_path, scenario=SCENARIO.replace("cost = 20", "cost = 0.01")), game="no-attack")

    assert solution.withheld.all()
    assert "withholds every record: there is nothing to attack." in solution._repr_html_()


def test_a_card_names_the_limits_for_a_game_and_not_for_the_policy(tmp_path):
    scenario = small_world(tmp_path, scenario=f"{SCENARIO}\n[limits]\nattacked = 1.0\n")

    assert "of the basic game within the limits: " in solve(scenario, game="basic")._repr_html_()
    assert "Expected re-identifications of Safe Harbor: " in compare(scenario)._repr_html_()


def test_a_card_has_the_doubts_that_follow_from_the_data(tmp_path):
    scenario = small_world(tmp_path, scenario=UNMATCHED_SAFE)
    people = scenario.with_name("people.csv")
    people.write_text(people.read_text().replace("50,Female,2\n", ""))
    said = "<p>1 of 4 records (25.00%) match"

    assert all(said in answer._repr_html_() for answer in (solve(scenario, game="basic"), compare(scenario)))


def test_a_card_warns_of_rules_for_groups_that_its_games_do_not_use_and_of_none_that_they_do(tmp_path):
    scenario = small_world(tmp_path, scenario=f"{SCENARIO}\n[groups]\nk = 2\n")
    said = "<p>The rules of [groups] (k = 2) are not used by "

    assert all(said in answer._repr_html_() for answer in (solve(scenario, game="basic"), compare(scenario)))
    assert said not in solve(scenario, game="aware-basic")._repr_html_()


def test_leading_numbers_have_four_figures_and_all_digits_before_the_point():
    html = html_table("t", ["x"], [[12345.678], [0.0123456], [1e-9], [-98765.4]], digits=4, more=0)

    assert [["x"], ["12,346"], ["0.01235"], ["1e-09"], ["-98,765"]] == Page.rows_of(html)


def test_every_text_of_a_table_is_escaped():
    html = html_table("<t>", ["<h>"], [["<c>"], ["\"'&"]], more=0, digits=9)

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


if __name__ == "__main__":
    with TemporaryDirectory() as folder:
        texts = {name: shown(value) for name, value in values_of(Path(folder)).items()}
    GOLD.write_text("".join(f"## {name}\n{text}" for name, text in texts.items()), "utf-8")
