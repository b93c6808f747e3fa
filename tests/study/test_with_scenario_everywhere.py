"""Every public call on a study with a replaced scenario, compared with a study prepared for that scenario."""

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from functools import cached_property, partial
from operator import attrgetter, methodcaller
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from depth import tries
from public_api import HOMES, public_value
from pydantic import BaseModel
from small_world import contents

import gamedeid
from gamedeid import Comparison, GamedeidError, Scenario, Solution, Study
from gamedeid.analysis.payoff_differences import Histogram
from gamedeid.analysis.summary import run_summary
from gamedeid.choices import AWARE_GAMES, GAMES, RISKS
from gamedeid.data.profiles import Column
from gamedeid.game.frontier import Frontier
from gamedeid.game.instance import Instance
from gamedeid.game.solvers.exact import exact
from gamedeid.results import RiskUtility
from gamedeid.study.rows_at_start import first_rows, rows_in_memory

OF_A_STUDY = (Study, Solution, Instance, Comparison, RiskUtility, Histogram)
"""A function with a parameter of one of these types takes a study."""

AXES = ["loss=10:200:60", "cost=1,20"]
FILES = {
    "ages.csv": "40;[40-41];*\n41;[40-41];*\n90;[90-91];*\n91;[90-91];*\n",
    "zips.csv": "03601;036**;*\n03602;036**;*\n37201;372**;*\n37203;372**;*\n",
    "records.csv": "name,age,sex,zip,income\n"
    "A,40,Male,37201,low\nB,41,Male,37201,high\nC,90,Female,03601,low\nD,91,Female,03602,low\nE,40,Female,37203,high\n"
    "F,40,Male,37201,low\nG,91,Male,03601,high\nH,90,Female,37201,low\n",
    "people.csv": "age,sex,zip,count\n40,Male,37201,3\n41,Male,37201,5\n90,Female,03601,1\n91,Female,03602,1\n"
    "40,Female,37203,9\n91,Male,03601,2\n90,Female,37201,2\n41,Female,03601,4\n90,Male,37203,7\n",
}
READ: Mapping[str, Any] = {
    "records": {"path": "records.csv", "drop": ["name"], "keep": ["income"]},
    "population": {"path": "people.csv", "count": "count"},
}
"""Keys that decide which data are read."""

METHODS: Mapping[str, Callable[[Study], Any]] = {
    **{
        name: attrgetter(name)
        for name in ("records", "population", "people", "scenario_policy", "features", "is_by_row")
    },
    "without_earlier": methodcaller("without_earlier"),
    "policy": lambda study: [outcome(partial(study.policy, name)) for name in ("safe-harbor", "pairs", "none")],
    "game": lambda study: [study.game(name) for name in GAMES],
    "frontier": lambda study: [study.frontier(name) for name in GAMES],
    "restricted": lambda study: sorted(study.restricted(["036", "372", "059", "999"])),
    "encoded": lambda study: study.encoded(columns_of(study)),
    "attribute_columns": lambda study: [column.codes for column in columns_of(study).values()],
    "codes_of_rows": lambda study: study.codes_of_rows(study.rows.row(3)),
    "profiles_of": lambda study: study.profiles_of(columns_of(study)),
    "with_scenario": lambda study: study.with_scenario(study.scenario),
    "alone": lambda study: study.alone(record=2),
    "of_rows": lambda study: study.of_rows(study.rows.row(3)),
    "prepare": lambda study: Study.prepare(study.scenario),
}
"""Public method or property of a study -> what is compared."""


def columns_of(study: Study) -> Mapping[str, Column]:
    """Return some rows of the records, a column for each attribute."""
    return study.attribute_columns(study.rows.row(3))


def solved(study: Study, game: Any = "basic") -> Solution:
    return gamedeid.solve(study, game=game)


CALLS: Mapping[str, Callable[[Study, Path], Any]] = {
    "first_rows": lambda study, _: first_rows(study),
    "rows_in_memory": lambda study, _: rows_in_memory(study),
    "aware_risk": lambda study, _: gamedeid.risk.aware_risk(solved(study)),
    "breakpoints": lambda study, _: gamedeid.breakpoints(study, "loss", 1, 400),
    "check_release": lambda study, _: gamedeid.check_release(study),
    "compare_solvers": lambda study, _: gamedeid.compare_solvers(study, "basic"),
    "compare": lambda study, to: written(gamedeid.compare(study), to / "compared"),
    "exposure": lambda study, _: [
        gamedeid.risk.exposure(study, study.scenario.floor, one) for one in ("general", "voter")
    ],
    "kept_diversity": lambda study, _: gamedeid.risk.kept_diversity(solved(study)),
    "kept_uniqueness": lambda study, _: gamedeid.risk.kept_uniqueness(solved(study)),
    "plot": lambda study, _: [
        *(gamedeid.plot(study.alone(record=0), kind) for kind in ("lattice", "strategies")),
        *(gamedeid.plot(study, kind) for kind in ("differences", "scatter", "frontier")),
    ],
    "exact": lambda study, _: [exact(study.instance, study.game(game)) for game in GAMES],
    "run_summary": lambda study, _: run_summary(solved(study)).as_dict(),
    "policy_solution": lambda study, _: gamedeid.policy_solution(study, study.policy("pairs")),
    "record_risks": lambda study, _: gamedeid.risk.record_risks(solved(study)),
    "sweep of one record": lambda study, _: gamedeid.sweep(study.alone(record=1), AXES, per_record=True),
    "refuse_identifiers": lambda study, _: gamedeid.intake.refuse_identifiers(study),
    "release_detail": lambda study, _: gamedeid.risk.release_detail(solved(study), by=[*study.scenario.attributes]),
    "release_risks": lambda study, _: gamedeid.risk.release_risks(solved(study)),
    "risk_utility": lambda study, to: [written(gamedeid.risk_utility(study, risk=one), to / one) for one in RISKS],
    "robust_ranges": lambda study, _: [gamedeid.robust_ranges(study, game) for game in GAMES],
    "solve": lambda study, to: [
        outcome(lambda game=game: written(solved(study, game), to / game, report=False))
        for game in (*GAMES, *AWARE_GAMES)
    ],
    "suggest": lambda study, _: outcome(lambda: gamedeid.suggest(study, game="basic").as_dict()),
    "sweep": lambda study, to: written(gamedeid.sweep(study, AXES), to / "swept"),
}
"""Public function that takes a study, or a result of one -> what is compared."""


def public_functions() -> set[str]:
    """Return the public functions that take a study or a result of one."""
    found = set()
    for name in HOMES:
        value = public_value(name)
        if inspect.isfunction(value):
            words = [str(one.annotation) for one in inspect.signature(value).parameters.values()]
            if any(f"{kind.__module__}.{kind.__qualname__}" in word for kind in OF_A_STUDY for word in words):
                found.add(name)
    return found


def test_no_public_call_on_a_study_is_forgotten():
    own = {name for name, value in vars(Study).items() if hasattr(value, "__get__") and not name.startswith("_")}
    methods = own - Study.__dataclass_fields__.keys() - {"explore"}  # which opens a page, and answers there

    assert set(METHODS) == methods
    assert {call.partition(" ")[0] for call in CALLS} - {
        "exact",
        "run_summary",
        "first_rows",
        "rows_in_memory",
    } == public_functions()


AMOUNTS = (1, 5, 20, 45, 90, 100, 400)
SHARES = (0.1, 0.5, 1.0)


def question(draw: Random) -> dict[str, Any]:
    """Draw a scenario about these data."""

    def some(**keys: Sequence[Any]) -> dict[str, Any]:
        """Draw a section in which any key may be absent."""
        return {key: draw.choice(values) for key, values in keys.items() if draw.random() < 0.5}

    def recipient() -> dict[str, Any]:
        learns = {"knows": ["zip"], "probability": draw.choice(SHARES), **some(price=AMOUNTS)}
        levels = [{"age": 1}, {"zip": 1, "sex": 0}]
        found = some(probability=SHARES, gain=AMOUNTS, cost=(0, 3, 30), loss=AMOUNTS, levels=levels, covers=SHARES)
        return {**found, **({"learns": learns} if "levels" in found and draw.random() < 0.5 else {})}

    listed, counted = some(census=("2000", "2020")), {"zip_populations": "population", **some(limit=(5, 20_000))}
    safe_harbor = {**draw.choice([listed, counted]), **some(levels=({"sex": 1},))}
    limits = some(
        expected_reidentifications=(0.2, 1.0),
        attacked=SHARES,
        record_risk=SHARES,
        smallest_cell=(1, 2),
        uniform=(True,),
    )
    names = draw.sample(["club", "researcher"], draw.choice([0, 0, 1, 2]))
    return {
        **READ,
        "title": draw.choice(["", "Another"]),
        "attributes": {
            "age": {"hierarchy": "ages.csv", "role": "age", **some(weight=(0.5, 3.0), safe_harbor=(1,))},
            "sex": {"hierarchy": "sex", **some(weight=(0.0, 0.5))},
            "zip": {"hierarchy": "zips.csv", "role": draw.choice(["zip", "zip", "other"]), **some(weight=(0.0, 3.0))},
        },
        "game": "basic",
        "payoffs": {**{name: draw.choice(AMOUNTS) for name in ("benefit", "loss", "cost")}, **some(gain=AMOUNTS)},
        "floor": draw.choice(["safe-harbor", "limited-data-set", "pairs"]),
        "policy": {
            "pairs": some(levels=({"age": 1}, {"zip": 1}, {"zip": 9})),
            **some(**{"safe-harbor": (safe_harbor,)}),
        },
        "attacker": {"voter": {"knows": ["age"], **some(levels=({"zip": 1},), covers=SHARES)}},
        "recipients": {name: recipient() for name in names},
        **({"limits": limits} if draw.random() < 0.3 else {}),
        **some(groups=({"steps": 100},), thresholds=({"presets": ["cells-11"]},)),
    }


def world(folder: Path) -> Path:
    for name, text in FILES.items():
        (folder / name).write_text(text)
    return folder


def compiled(study: Study) -> Study:
    """Let a study compile all that it keeps."""
    for game in GAMES:
        outcome(lambda game=game: Frontier.of(study.instance, study.game(game).floors))
    outcome(lambda: study.scenario_policy)
    outcome(lambda: study.inputs.digests)
    return study


@pytest.mark.parametrize("seed", range(tries(4, 400)))
def test_every_public_call_answers_as_on_a_study_prepared_for_the_scenario(tmp_path, seed):
    draw, folder = Random(seed), world(tmp_path)  # noqa: S311  (no secret)
    first, then = (Scenario.parse(question(draw), folder=folder) for _ in range(2))
    before = compiled(Study.prepare(first))
    assert outcome(lambda: Study.prepare(then)) == outcome(lambda: before.with_scenario(then))
    expected, found = Study.prepare(then), before.with_scenario(then)

    for call, method in METHODS.items():
        results = [outcome(lambda study=study: method(study)) for study in (expected, found)]  # noqa: B023
        assert results[0] == results[1], call
    for call, function in CALLS.items():
        results = []
        for which, study in (("expected", expected), ("found", found)):
            to = folder / f"{call}-{which}"
            to.mkdir()
            results.append(outcome(lambda study=study, to=to: function(study, to)))  # noqa: B023
        assert results[0] == results[1], call


# --- results of calls as plain values that can be compared: fields, properties, and calls without arguments -----------

UNEQUAL = ("seconds", "timed", "replay")
"""Parts of names of figures that differ in each run."""

DEPTH = 3
"""Depth of nested values that are compared: a result, its parts, and theirs."""


def outcome(call: Callable[[], Any]) -> Any:
    """Return the result of a call as plain values, or its error."""
    try:
        return plain(call())
    except GamedeidError as error:
        return f"{type(error).__name__}: {error}"


def plain(value: Any, within: int = 0) -> Any:
    """Return a value as numbers, texts, lists and dicts. A study is represented by its question and its files."""
    for kind, look in _LOOKS.items():
        if isinstance(value, kind):
            return look(value)
    if isinstance(value, Mapping):
        return {str(key): plain(one, within) for key, one in value.items() if not _unequal(str(key))}
    if isinstance(value, list | Iterator) or (isinstance(value, tuple) and not hasattr(value, "_fields")):
        return [plain(one, within) for one in value]
    if callable(value) or within > DEPTH or not type(value).__module__.startswith("gamedeid"):
        return type(value).__name__
    return {name: plain(one, within + 1) for name, one in _public(value, computed=not within)}


def _public(value: Any, *, computed: bool) -> Iterator[tuple[str, Any]]:
    """Yield name and value of every public field; with ``computed`` also of properties and calls without arguments."""
    names = {field.name for field in fields(value)} if is_dataclass(value) else set(getattr(value, "_fields", ()))
    for name in sorted({*dir(type(value)), *names}):
        if name.startswith("_") or _unequal(name):
            continue
        static = inspect.getattr_static(type(value), name, None)
        if name in names or (computed and isinstance(static, property | cached_property)):
            yield name, _got(lambda name=name: getattr(value, name))
        elif computed and inspect.isfunction(static) and not _needs_words(static):
            yield name, _got(getattr(value, name))


def _got(call: Callable[[], Any]) -> Any:
    try:
        return call()
    except GamedeidError as error:
        return str(error)


def _needs_words(function: Callable[..., Any]) -> bool:
    _, *parameters = inspect.signature(function).parameters.values()
    return any(one.default is one.empty for one in parameters)


def _unequal(name: str) -> bool:
    return any(part in name for part in UNEQUAL)


def _of_study(study: Study) -> Any:
    return {
        "scenario": study.scenario.resolved(),
        "instance": _of_instance(study.instance),
        "inputs": dict(study.inputs.digests),
        "restricted": sorted(study.restricted(["036", "372", "059", "999"])),
        **{
            name: plain(getattr(study, name))
            for name in ("people", "records", "population", "person", "unmatched_records")
        },
    }


def _of_instance(instance: Instance) -> Any:
    nodes = [np.full_like(instance.all_profiles, node) for node in range(instance.lattice.size)]
    return {
        "people": [plain(instance.people(instance.all_profiles, node)) for node in nodes],
        "tables": plain(instance.hierarchy_tables),
        "adversaries": plain(list(instance.adversaries)),
        "payoffs": plain(instance.payoffs),
        "recipients": plain(instance.recipients),
        "values": [plain(instance.values(instance.all_profiles, node)) for node in nodes],
    }


def written(result: Any, folder: Path, **how: Any) -> Mapping[str, bytes]:
    """Return the files that a result writes into a new folder."""
    result.write(folder, **how)
    return contents(folder)


_LOOKS: Mapping[Any, Callable[[Any], Any]] = {
    type(None) | bool | int | str | bytes: lambda value: value,
    float: repr,
    np.ndarray: lambda value: [value.dtype.kind, list(value.shape), plain(value.tolist())],
    np.generic: lambda value: plain(value.item()),
    pa.Table: lambda value: plain(value.to_pydict()),
    pd.DataFrame: lambda value: plain(value.to_dict("list")),
    set | frozenset: lambda value: sorted(map(str, value)),
    Path: lambda value: value.name,
    Scenario: lambda value: value.resolved(),
    BaseModel: lambda value: plain(value.model_dump()),
    Study: _of_study,
    Instance: _of_instance,
    Frontier: lambda value: {name: plain(getattr(value, name)) for name in ("floors", "nodes", "entries", "found")},
}
"""Type -> its form as plain values; the first matching type counts."""
