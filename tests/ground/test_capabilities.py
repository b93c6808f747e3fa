"""Every cell of the table of capabilities: what it supports runs on a tiny study, what it refuses is refused so.

`PYTHONPATH=tests/kit:tests python tests/ground/test_capabilities.py` renews tests/gold/capabilities.txt: read the
difference.
"""

import json
import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from doc_examples import DOCS
from questions import message

from gamedeid.analysis.comparison import compare
from gamedeid.analysis.regional_comparison import compare_regions
from gamedeid.analysis.risk_utility import risk_utility
from gamedeid.analysis.robustness import robust_ranges
from gamedeid.analysis.solver_comparison import compare_solvers
from gamedeid.analysis.suggestions import suggest
from gamedeid.analysis.sweep import sweep
from gamedeid.attacks.simulate import simulate_attacks
from gamedeid.capabilities import REFUSED, Feature, Operation
from gamedeid.data.engines.options import ReadOptions
from gamedeid.data.profiles import Column
from gamedeid.errors import InvalidScenarioError
from gamedeid.explorer.session import Session
from gamedeid.generalization import lattice
from gamedeid.risk.aware import aware_risk
from gamedeid.risk.matches import exposure
from gamedeid.risk.utility.release_utility import release_utility
from gamedeid.scenario.determination import Thresholds
from gamedeid.scenario.scenario import Scenario
from gamedeid.study.applied import apply
from gamedeid.study.solution import Solution
from gamedeid.study.solve import solve
from gamedeid.study.study import Study
from gamedeid.verification.verify import verify

sys.path.append(str(DOCS / "_extensions"))

from refused_features import ABSENT_FEATURES, find_refusal

GOLD = Path(__file__).parents[1] / "gold" / "capabilities.txt"
UNREAD = ["born", "seen"]
ROWS = pd.DataFrame(
    {
        "key": [f"k{place}" for place in range(12)],
        "age": [str(40 + place % 4) for place in range(12)],
        "sex": ["Female", "Male"] * 6,
        "zip": ["37011"] * 6 + ["37211"] * 6,
        "born": [f"19{60 + place % 4}-01-02" for place in range(12)],
        "seen": ["2020-05-01"] * 12,
    }
)
PEOPLE = {"path": "people.parquet", "drop": ["key", *UNREAD]}
ATTRIBUTES = {
    "age": {"hierarchy": "ages.toml", "role": "age"},
    "sex": {"hierarchy": "sex"},
    "zip": {"hierarchy": "zips.toml", "role": "zip"},
}
HIERARCHIES = {
    "ages.toml": 'kind = "interval"\nlow = 40\nhigh = 64\nwidths = [5]\n',
    "zips.toml": 'kind = "prefix"\nlength = 5\nkeep = [3]\n',
}
"""Few strategies, 18: all of them are tried again and again."""
SECTIONS: dict[Feature, dict[str, Any]] = {
    Feature.RECIPIENTS: {"recipients": {"insurer": {"probability": 0.5}, "neighbour": {"knows": ["age"]}}},
    Feature.OWN_LISTS: {"recipients": {"club": {"levels": {"age": 1}, "population": {"path": "people.parquet"}}}},
    Feature.KEPT: {
        "records": {"keep": ["born"], "drop": ["key", "seen"]},
        "recipients": {"registry": {"knows": ["age", "born"], "probability": 0.5}},
    },
    Feature.PRICE: {
        "recipients": {"spy": {"knows": ["sex"], "learns": {"knows": ["age"], "probability": 0.5, "price": 1.0}}}
    },
    Feature.MANY: {"recipients": {f"r{place}": {"probability": 0.5} for place in range(63)}},
    Feature.LIMITS: {"limits": {"uniform": True}},
    Feature.COUPLED: {"limits": {"attacked": 0.9}},
    Feature.PERSONS: {"records": {"person": "key"}},
    Feature.DIFFERING_ROWS: {"records": {"person": "key"}},
    Feature.LEVELS: {"population": {"levels": {"age": 1}}},
    Feature.SAMPLED: {"population": {"sampling_fraction": 0.5}},
    Feature.ZIPS: {"policy": {"safe-harbor": {"zip_populations": "population"}}},
    Feature.EARLIER: {"earlier": {"releases": ["earlier"], "key": "key"}},
    Feature.SHOWN: {"records": {"missing": "show"}},
    Feature.REGIONS: {"regions": {"attribute": "zip", "level": 1}},
}
"""Feature -> the keys of the scenario that give it to a question."""

OF_KEPT: dict[str, dict[str, Any]] = {
    "": {},
    "rule": {"groups": {"kept": {"born": {"distinct": 1}}}},
    "groups": {"limits": {"groups": {"column": "born", "least": 1, "attacked": 0.5}}},
}
"""Rules for the values of a kept column."""


@dataclass(frozen=True)
class World:
    """A tiny question with some features, in a separate folder below a home: asked once for all operations."""

    home: Path
    features: frozenset[Feature]
    ages: bool = False
    of_kept: str = ""

    def has(self, *features: Feature) -> bool:
        """Return whether the question has one of them."""
        return not self.features.isdisjoint(features)

    def also(self, *features: Feature) -> "World":
        """Return the question with more features."""
        return replace(self, features=self.features | set(features))

    @property
    def rows(self) -> pd.DataFrame:
        """The records."""
        rows = ROWS
        if self.has(Feature.PERSONS, Feature.DIFFERING_ROWS):
            again = rows.head(1)
            rows = pd.concat([rows, again.assign(age="43") if self.has(Feature.DIFFERING_ROWS) else again])
        if self.has(Feature.SHOWN):
            rows = rows.assign(sex=[*rows["sex"][:-1], None])
        return rows.drop(columns="age") if self.ages else rows

    @property
    @cache
    def folder(self) -> Path:
        """The folder of the question, with its tables."""
        return Path(shutil.copytree(self._tables, self._new))

    @property
    def _tables(self) -> Path:
        shape = frozenset({Feature.PERSONS, Feature.DIFFERING_ROWS, Feature.SHOWN, Feature.LEVELS, Feature.REGIONS})
        return written_tables(replace(self, features=self.features & shape, of_kept=""))

    @property
    def _new(self) -> Path:
        return self.home / f"question-{len(list(self.home.iterdir()))}"

    @cache
    def scenario(self) -> Scenario:
        """Return the question; the files are there."""
        asked: dict[str, Any] = {
            "records": {"path": "records.parquet", "drop": ["key", *UNREAD]},
            "population": PEOPLE,
            "attributes": {name: dict(keys) for name, keys in ATTRIBUTES.items()},
            "game": "basic",
            "payoffs": {"benefit": 100, "loss": 90, "cost": 20},
        }
        for feature in self.features:
            for section, keys in SECTIONS.get(feature, {}).items():
                asked[section] = {**asked.get(section, {}), **keys}
        if self.has(Feature.SELF):
            del asked["population"]
        if self.has(Feature.SAMPLED):
            asked["population"] = SECTIONS[Feature.SAMPLED]["population"]
        if "person" in asked["records"]:
            asked["records"]["drop"] = [name for name in UNREAD if name not in asked["records"].get("keep", [])]
        if self.ages:
            asked["attributes"]["age"] |= {"born": "born", "at": "seen"}
        if self.of_kept:
            asked["records"] |= {
                "keep": ["born"],
                "drop": [name for name in asked["records"]["drop"] if name != "born"],
            }
            asked |= OF_KEPT[self.of_kept]
        scenario = Scenario.parse(asked).model_copy(update={"folder": self.folder})
        if self.has(Feature.EARLIER):
            before = {name: section for name, section in asked.items() if name in {"records", "attributes", "payoffs"}}
            shutil.copytree(released_before(self._tables, json.dumps(before)), self.folder / "earlier")
        return scenario

    @property
    def frame(self) -> Any:
        """The records passed to the call; None if it reads them."""
        if self.has(Feature.CLUSTER):
            return import_module("dask.dataframe").from_pandas(self.rows, npartitions=2)
        return pl.from_pandas(self.rows).lazy() if self.has(Feature.LAZY) else None

    @cache
    def study(self) -> Study:
        """Return the question with its data."""
        engine = "duckdb" if self.has(Feature.STREAMED) else "auto"
        study = Study.prepare(self.scenario(), self.frame, read_options=ReadOptions(engine=engine))
        who = {name: ROWS[name].iloc[0] for name in study.instance.hierarchies}
        return study.alone(values=who) if self.has(Feature.PERSON) else study

    @cache
    def solution(self) -> Solution:
        """Return the solution of the game."""
        solver = "lattice-search" if self.has(Feature.SEARCHED) else "exact"
        return solve(self.study(), game=self.game, solver=solver)

    @property
    def game(self) -> Any:
        """The game that is played."""
        return "aware-no-attack" if self.has(Feature.AWARE) else "basic"

    @cache
    def written(self) -> Path:
        """Return the folder of the solution, to be read only."""
        self.solution().write(self.folder / "out", report=False)
        return self.folder / "out"

    def attacked(self, *recipients: str) -> object:
        """Return the attacks of recipients of the solution's folder."""
        return simulate_attacks(self.written(), self.scenario(), recipients=recipients, repeats=1)


@cache
def written_tables(world: World) -> Path:
    """Return a folder with the records and the people of a question."""
    people = pd.concat([ROWS, *(world.rows.fillna("Male").assign(age=age) for age in ("43", "57", "58", "59", "60"))])
    if world.has(Feature.LEVELS):
        people = pd.concat([people.assign(age=ages) for ages in ("[40-44]", "[55-59]", "[60-64]")])
    folder = world.home / f"tables-{len(list(world.home.iterdir()))}"
    folder.mkdir()
    for name, text in HIERARCHIES.items():
        (folder / name).write_text(text)
    for name, table in (("records", world.rows), ("people", people)):
        path = folder / f"{name}.parquet"
        if not world.has(Feature.REGIONS):
            table.to_parquet(path, index=False)
            continue
        path.mkdir()
        for zip_, region in table.groupby("zip"):
            region.to_parquet(path / f"{zip_}.parquet", index=False)
    return folder


@cache
def released_before(tables: Path, question: str) -> Path:
    """Return the folder of a release of some tables, by a question without a population."""
    folder = tables.with_name(f"earlier-{len(list(tables.parent.iterdir()))}")
    solve(Scenario.parse(json.loads(question), folder=tables), game="basic").write(folder, report=False)
    return folder


def other_rows(world: World) -> object:
    """Return the result for other rows: with a folder if files are read."""
    if world.has(Feature.LAZY):
        return solve(world.study().of_rows(world.rows))
    return apply(world.written(), world.folder / "records.parquet", world.scenario())


def regions(world: World) -> object:
    """Return the comparison by regions."""
    return compare_regions(world.also(Feature.REGIONS).scenario(), workers=1)


def with_recipients(world: World) -> World:
    """Return the question with recipients."""
    more = () if world.has(Feature.OWN_LISTS, Feature.KEPT, Feature.PRICE, Feature.MANY) else (Feature.RECIPIENTS,)
    return world.also(*more)


def simulated(world: World) -> object:
    """Return the attacks of the first recipient of the scenario."""
    whole = with_recipients(world)
    return whole.attacked(next(iter(whole.scenario().recipients)))


def alone(world: World) -> object:
    """Return the study of one person."""
    study = replace(world, features=world.features - {Feature.PERSON}).study()
    return study.alone(values={name: world.rows[name].iloc[0] for name in study.instance.hierarchies})


def one_record(world: World) -> object:
    """Return the study of the first record."""
    return replace(world, features=world.features - {Feature.PERSON}).study().alone(record=0)


def one_profile(world: World) -> object:
    """Return the profile of values like those of the first record."""
    study = world.study()
    columns = {
        name: Column(values=(ROWS[name].iloc[0],), codes=np.zeros(1, np.int32)) for name in study.instance.hierarchies
    }
    return study.profiles_of(columns)


RUN: dict[Operation, Callable[[World], object]] = {
    Operation.SOLVE: lambda world: world.solution().measures,
    Operation.COMPARE: lambda world: compare(world.study()).rows,
    Operation.SEARCH: lambda world: solve(world.study(), game=world.game, solver="lattice-search").measures,
    Operation.INDUCTION: lambda world: solve(world.study(), game=world.game, solver="backward-induction").measures,
    Operation.SOLVERS: lambda world: compare_solvers(world.study(), "basic", ["exact", "lattice-search"]),
    Operation.AGAINST_RECIPIENTS: lambda world: world.also(Feature.RECIPIENTS).solution().measures,
    Operation.ESTIMATE: lambda world: world.also(Feature.SAMPLED).solution().measures,
    Operation.WITHIN_LIMITS: lambda world: world.also(Feature.LIMITS).solution().measures,
    Operation.KEPT_GROUPS: lambda world: solve(replace(world, of_kept="groups").study()).measures,
    Operation.AWARE_GAME: lambda world: world.also(Feature.AWARE).solution().measures,
    Operation.KEPT_RULE: lambda world: solve(replace(world, of_kept="rule").study(), game="aware-no-attack").measures,
    Operation.ONE_PERSON: alone,
    Operation.ONE_RECORD: one_record,
    Operation.ONE_PROFILE: one_profile,
    Operation.GROUPED_ROWS: lambda world: world.also(Feature.PERSONS).study(),
    Operation.COMPUTED_AGES: lambda world: replace(world, ages=True).study(),
    Operation.COUNTED_ZIPS: lambda world: world.also(Feature.ZIPS).solution().measures,
    Operation.BY_REGIONS: regions,
    Operation.AFTER_RELEASES: lambda world: world.also(Feature.EARLIER).solution().measures,
    Operation.KEPT_KNOWLEDGE: lambda world: world.also(Feature.KEPT).solution().measures,
    Operation.SHOWN: lambda world: world.also(Feature.SHOWN).solution().measures,
    Operation.SWEEP: lambda world: list(sweep(world.study(), ["loss=80:90:10"]).blocks()),
    Operation.OTHER_STAKES: lambda world: world.study().frontier("basic"),
    Operation.BREAKPOINTS: lambda world: robust_ranges(world.study(), "basic"),
    Operation.SUGGEST: lambda world: suggest(
        world.study().with_scenario(world.scenario().model_copy(update={"thresholds": Thresholds(presets=["0.2"])}))
    ),
    Operation.RISK_UTILITY: lambda world: risk_utility(world.study()),
    Operation.EXPOSURE: lambda world: exposure(world.study(), "safe-harbor", whose="population"),
    Operation.METHOD: lambda world: aware_risk(world.solution()),
    Operation.OTHER_ROWS: other_rows,
    Operation.ATTACK: lambda world: world.attacked("naive"),
    Operation.SIMULATED: simulated,
    Operation.SIMULATED_METHOD: lambda world: world.attacked("aware"),
    Operation.SIMULATED_MORE: lambda world: world.attacked("noisy", "in-release"),
    Operation.EXPLORER: lambda world: Session(world.study()).answer({}),
    Operation.WRITE: lambda world: world.written(),
    Operation.REPORT: lambda world: world.solution().write(Path("out")),
    Operation.DEFUSE: lambda world: world.solution().release(defuse=True),
    Operation.UTILITY: lambda world: release_utility(world.written(), world.scenario(), model="age ~ sex"),
    Operation.VERIFY: lambda world: verify(world.written(), world.scenario()).findings,
}
READING: dict[Operation, Callable[[World], World]] = {
    **dict.fromkeys(
        (Operation.ATTACK, Operation.OTHER_ROWS, Operation.SIMULATED_METHOD, Operation.SIMULATED_MORE), World.also
    ),
    Operation.SIMULATED: with_recipients,
}
"""Operations that read a folder of results, made before, and the question of that folder."""

CELLS = [
    pytest.param(
        operation,
        feature,
        id=f"{operation.name}-{feature.name}",
        marks=[pytest.mark.clusters] if feature is Feature.CLUSTER else [],
    )
    for feature in Feature  # cells of one question are adjacent
    for operation in Operation
    if feature not in ABSENT_FEATURES.get(operation, ())
]
TOGETHER = [
    (operation, frozenset([feature, *one.unless]))
    for operation, row in REFUSED.items()
    for feature, one in row.items()
    if one.unless
]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of all questions."""
    return tmp_path_factory.mktemp("questions")


@pytest.fixture(autouse=True)
def _empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(("operation", "feature"), CELLS)
def test_a_cell_that_is_supported_runs_and_another_is_refused_with_its_phrase(
    home, tmp_path, monkeypatch, operation, feature
):
    world = World(home, frozenset([feature]))
    if feature is Feature.LARGE:
        monkeypatch.setattr(lattice, "TABLE_LIMIT", 10)
    if (why := find_refusal(operation, feature)) is None:
        assert RUN[operation](world) is not None
        return
    assert message(InvalidScenarioError, RUN[operation], world).endswith(f" {why.why}; {why.instead}")
    assert list(tmp_path.iterdir()) == []
    if operation in READING:
        assert READING[operation](world).written().exists()


def table() -> str:
    """Return the refused cells, one a line, each with its phrase and the features that make up for it."""
    return "".join(
        f"{operation.value} | {feature.value} | {one.why}; {one.instead}"
        f"{''.join(sorted(f' | unless {other.value}' for other in one.unless))}\n"
        for operation, row in REFUSED.items()
        for feature, one in row.items()
    )


def test_a_cell_is_refused_only_as_was_decided():
    """Without its refusal a cell would run, and give a meaningless answer."""
    assert GOLD.read_text("utf-8") == table()


def _name(of: Operation | frozenset[Feature]) -> str:
    return of.name if isinstance(of, Operation) else "-".join(sorted(feature.name for feature in of))


@pytest.mark.parametrize(("operation", "features"), TOGETHER, ids=_name)
def test_a_feature_is_not_refused_together_with_those_that_compensate_for_it(home, operation, features):
    assert RUN[operation](World(home, features)) is not None


if __name__ == "__main__":
    GOLD.write_text(table(), "utf-8")
