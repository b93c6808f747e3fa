"""No public class, and nothing that a public function returns, shows a value of the data in any display."""

import inspect
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from leak_displays import displays_of
from leak_made import Made
from leak_marks import (
    CROWD,
    DROPPED,
    DROPPED_NAME,
    EVERYTHING,
    KEPT,
    KEY,
    KEY_NAME,
    MARKS,
    NOTE,
    RAW,
    assert_bare,
    found_in,
)
from leak_world import ROWS, columns_of_people, columns_of_records, is_withheld, pandas_of, place_of
from public_api import HOMES, public_value
from pydantic import BaseModel

import gamedeid

LOSSES = ["loss=1000:5000:2000"]
PLACES = f"state,zip,{DROPPED_NAME},under 12,65+\n{RAW},{RAW}-1,{DROPPED},30,2\n{RAW},{CROWD}-2,{DROPPED},3000,9\n"
FLOOR = {"floor": "areas"}
VALUES = {"place": place_of(0), "sex": "Male"}


def places(made: Made) -> dict[str, Any]:
    """Return how a census table with marks is read."""
    path = made.folder / "places.csv"
    path.write_text(PLACES)
    return {"path": path, "place": "zip", "state": "state", "drop": [DROPPED_NAME]}


def sizes(made: Made) -> gamedeid.risk.ClassSizes:
    return gamedeid.risk.read_class_sizes(made.scenario.parent / "records.parquet", ["place", KEY_NAME])


def measured(made: Made) -> list[gamedeid.risk.TableRisks]:
    folder = made.scenario.parent
    return [
        gamedeid.risk.table_risks(folder / "records.parquet", ["place", KEY_NAME], ["sex"]),
        gamedeid.risk.table_risks(pandas_of(columns_of_records()), ["place"], ["sex"], pandas_of(columns_of_people())),
        gamedeid.risk.table_risks(
            folder / "records.parquet",
            ["place"],
            population=pandas_of(columns_of_people()),
            hierarchies=folder,
            overrides={"attributes.place.hierarchy": str(folder / "places.toml")},
        ),
    ]


def plan(made: Made) -> gamedeid.risk.StudyPlan:
    return gamedeid.risk.StudyPlan(population=sizes(made), fractions=(0.5,), samples=2)


def draft(made: Made) -> gamedeid.intake.Draft:
    return gamedeid.draft_scenario(made.scenario.parent / "records.parquet", year=2026)


def audited(made: Made) -> gamedeid.risk.AwareRisk:
    return gamedeid.audit(made.out, made.question)


def suggested(made: Made) -> gamedeid.Study:
    thresholds = gamedeid.Scenario.read(made.scenario, {"thresholds.presets": ["0.2"]}).thresholds
    return made.study.with_scenario(made.study.scenario.model_copy(update={"thresholds": thresholds}))


def verified(made: Made) -> gamedeid.results.Verification:
    return made.verified


def attacked(made: Made) -> gamedeid.results.AttackSimulation:
    return gamedeid.simulate_attacks(made.out_of_rows, made.scenario_of_rows, repeats=1)


CLASSES: Mapping[str, Callable[[Made], Any]] = {
    "Applied": lambda made: gamedeid.apply(
        made.out_of_rows, made.scenario.parent / "records.parquet", gamedeid.Scenario.read(made.scenario_of_rows, FLOOR)
    ),
    "AttackCounts": lambda made: list(attacked(made).recipients),
    "AttackSimulation": attacked,
    "Attribute": lambda made: [
        *made.question.attributes.values(),
        gamedeid.Attribute(hierarchy=made.study.instance.hierarchies["place"]),
        gamedeid.Attribute(hierarchy="age", born=DROPPED_NAME, at=DROPPED_NAME),
    ],
    "Axis": lambda _: gamedeid.Axis.parse(LOSSES[0]),
    "ClassSizes": sizes,
    "Comparison": lambda made: made.comparison,
    "Draft": draft,
    "DraftedColumn": lambda made: draft(made).questions,
    "Exposure": lambda made: [
        gamedeid.risk.exposure(made.study, "raw"),
        gamedeid.risk.exposure(made.study, "areas", whose="records"),
    ],
    "Finding": lambda made: verified(made).findings,
    "Hierarchy": lambda made: [
        *made.study.instance.hierarchies.values(),
        gamedeid.Hierarchy.from_rows([[f"{RAW}-1", f"{RAW}*", "*"], [f"{RAW}-2", f"{RAW}*", "*"]], name="places"),
    ],
    "Identifiable": lambda made: gamedeid.risk.demographics(**places(made), detail="year"),
    "IdentifierCheck": lambda made: [
        gamedeid.check_release(made.study),
        gamedeid.check_identifiers(made.scenario.parent / "records.parquet", made.question),
    ],
    "IdentifierFinding": lambda _: gamedeid.intake.column_findings(
        "ssn", [f"123-45-678{digit} {RAW}" for digit in range(9)]
    ),
    "KeptDiversity": lambda made: gamedeid.risk.kept_diversity(made.solution),
    "KeptUniqueness": lambda made: gamedeid.risk.kept_uniqueness(made.solution),
    "Lattice": lambda made: made.study.instance.lattice,
    "OpenHierarchy": lambda made: gamedeid.read_hierarchy(made.scenario.parent / "places.toml"),
    "Payoffs": lambda made: made.study.instance.payoffs,
    "Picture": lambda made: [
        *(gamedeid.plot(made.one, kind) for kind in ("lattice", "strategies", "record-map")),
        *(gamedeid.plot(made.study, kind) for kind in ("differences", "scatter")),
        gamedeid.plot(made.study, "lattice", values=VALUES),
    ],
    "PlaceCounts": lambda made: gamedeid.risk.read_place_counts(**places(made)),
    "Policy": lambda made: [
        *made.question.policy.values(),
        gamedeid.Policy(rules=[{"when": {"sex": ["Male"]}, "levels": {"place": 1}}]),
    ],
    "Population": lambda made: made.question.population,
    "ReadOptions": lambda _: gamedeid.ReadOptions(engine="memory"),
    "RecordRisks": lambda made: gamedeid.risk.record_risks(made.solution),
    "ReleaseChanges": lambda made: gamedeid.results.release_changes(made.out, made.out_of_rows),
    "ReleaseDetail": lambda made: gamedeid.risk.release_detail(made.solution, by=list(made.question.attributes)),
    "Codebook": lambda made: gamedeid.results.release_codebook(made.out, made.question),
    "ReleaseUtility": lambda made: gamedeid.risk.release_utility(made.out, made.question, model="dose ~ place * ward"),
    "Records": lambda made: [made.question.records, gamedeid.Records(columns=(DROPPED_NAME,), drop=(DROPPED_NAME,))],
    "RegionalComparison": lambda made: gamedeid.compare_regions(made.divided),
    "RegionalStudy": lambda made: gamedeid.RegionalStudy.prepare(made.divided),
    "RiskUtility": lambda made: gamedeid.risk_utility(made.study),
    "Robustness": lambda made: gamedeid.robust_ranges(made.study, "basic"),
    "Scenario": lambda made: made.question,
    "Solution": lambda made: [
        made.solution,
        *made.comparison.solutions.values(),
        gamedeid.solve(made.study_of_frames),
        gamedeid.solve(made.question, pandas_of(columns_of_records()), pandas_of(columns_of_people())),
    ],
    "RecipientResult": lambda made: attacked(made).recipients,
    "SolverComparison": lambda made: gamedeid.compare_solvers(made.study),
    "Study": lambda made: [made.study, made.study_of_frames, made.one, made.study.alone(values=VALUES)],
    "StudyPlan": plan,
    "StudyTable": lambda made: [
        gamedeid.sweep(made.study, LOSSES),
        gamedeid.sweep(made.one, LOSSES, per_record=True),
        *gamedeid.sweep(made.one, LOSSES, per_record=True),
        gamedeid.breakpoints(made.study, "loss", 1000, 5000),
        *gamedeid.breakpoints(made.study, "loss", 1000, 5000),
    ],
    "AwareRisk": lambda made: gamedeid.risk.aware_risk(made.solution),
    "JointRisk": lambda made: gamedeid.risk.joint_risk(made.out, [made.out], made.question),
    "Suggestions": lambda made: gamedeid.suggest(suggested(made)),
    "TableRisks": measured,
    "Unchecked": lambda made: gamedeid.verify(made.out_of_rows).unchecked,
    "UniquenessEstimates": lambda made: gamedeid.risk.estimate_uniqueness(sizes(made), 1000),
    "UniquenessStudy": lambda made: gamedeid.risk.study_uniqueness(plan(made)),
    "Verification": verified,
}
"""Public class -> instances of it whose data are full of marks."""

ERRORS = {name for name in HOMES if inspect.isclass(one := public_value(name)) and issubclass(one, Exception)}
"""Shown by `test_leaks_errors.py`."""

FUNCTIONS: Mapping[str, Callable[[Made], Any]] = {
    "apply": CLASSES["Applied"],
    "audit": audited,
    "aware_risk": CLASSES["AwareRisk"],
    "simulate_attacks": CLASSES["AttackSimulation"],
    "breakpoints": CLASSES["StudyTable"],
    "check_identifiers": CLASSES["IdentifierCheck"],
    "check_release": CLASSES["IdentifierCheck"],
    "column_findings": CLASSES["IdentifierFinding"],
    "compare": lambda made: gamedeid.compare(made.question),
    "compare_regions": CLASSES["RegionalComparison"],
    "compare_solvers": CLASSES["SolverComparison"],
    "demographics": CLASSES["Identifiable"],
    "distinct_people": lambda _: gamedeid.risk.distinct_people(200, 365, 5),
    "draft_scenario": lambda made: gamedeid.draft_scenario(
        pl.read_parquet(made.scenario.parent / "records.parquet"), year=2026
    ),
    "estimate_uniqueness": CLASSES["UniquenessEstimates"],
    "exposure": CLASSES["Exposure"],
    "identifiable": lambda made: gamedeid.risk.identifiable(gamedeid.risk.read_place_counts(**places(made)), "date"),
    "kept_diversity": CLASSES["KeptDiversity"],
    "kept_uniqueness": CLASSES["KeptUniqueness"],
    "measure_uniqueness": lambda _: gamedeid.risk.measure_uniqueness([RAW], [RAW, CROWD]),
    "plot": CLASSES["Picture"],
    "policy_solution": lambda made: gamedeid.policy_solution(made.study, made.study.policy("areas")),
    "price_per_reidentification": lambda _: gamedeid.risk.price_per_reidentification(100.0, 2.0),
    "read_class_sizes": sizes,
    "read_hierarchy": CLASSES["OpenHierarchy"],
    "read_place_counts": CLASSES["PlaceCounts"],
    "read_results": lambda made: gamedeid.read_results(made.out),
    "record_risks": CLASSES["RecordRisks"],
    "refuse_identifiers": lambda made: gamedeid.intake.refuse_identifiers(made.study),
    "release_codebook": CLASSES["Codebook"],
    "release_changes": CLASSES["ReleaseChanges"],
    "release_detail": CLASSES["ReleaseDetail"],
    "release_utility": CLASSES["ReleaseUtility"],
    "release_risks": lambda made: gamedeid.risk.release_risks(made.solution),
    "risk_utility": CLASSES["RiskUtility"],
    "robust_ranges": CLASSES["Robustness"],
    "solve": CLASSES["Solution"],
    "study_uniqueness": CLASSES["UniquenessStudy"],
    "success_by_class": lambda _: gamedeid.risk.success_by_class(0.5, 3),
    "suggest": CLASSES["Suggestions"],
    "sweep": lambda made: list(gamedeid.sweep(made.study, LOSSES)),
    "joint_risk": CLASSES["JointRisk"],
    "table_risks": CLASSES["TableRisks"],
    "total_risk": lambda _: gamedeid.risk.total_risk(200, 365),
    "verify": verified,
}
"""Public function -> what it returns for data that are full of marks."""

PATHS_ONLY = {
    "write_changes": "writes a file, which the command is tried with",
    "fetch": "downloads, and returns the path that it was given",
    "find_hierarchy": "returns the path of a file",
    "new_signing_key": "returns the path that it was given",
    "save_picture": "writes a file, which the commands are tried with",
    "sign": "returns a path",
    "write_determination": "returns the path that it was given",
    "write_hierarchy": "writes a file, which the commands are tried with",
    "write_certificate": "returns a path",
    "write_report": "returns a path",
}
"""Public functions whose results hold no data, and the reason."""

READ_BACK = {"read_release": lambda made: gamedeid.read_release(made.out, made.question)}
"""Public function -> the released rows that it returns: kept columns of these may hold a mark, and nothing else."""


def public(kind: Callable[[object], bool]) -> set[str]:
    return {name for name in HOMES if kind(public_value(name))}


def test_every_public_class_and_function_has_an_entry():
    assert public(inspect.isclass) - ERRORS == set(CLASSES)
    functions = public(lambda one: callable(one) and not inspect.isclass(one))
    assert functions == set(FUNCTIONS) | set(PATHS_ONLY) | set(READ_BACK)


@pytest.mark.parametrize("name", CLASSES)
def test_no_public_class_shows_a_value(name, made):
    value = CLASSES[name](made)
    values = [*value] if isinstance(value, list | tuple) else [value]

    assert values
    assert any(isinstance(one, public_value(name)) for one in values), values
    for one in values:
        assert_shows_nothing(one)


@pytest.mark.parametrize("name", [name for name, call in FUNCTIONS.items() if call not in CLASSES.values()])
def test_nothing_that_a_public_function_returns_shows_a_value(name, made):
    assert_shows_nothing(FUNCTIONS[name](made))


@pytest.mark.parametrize("name", READ_BACK)
def test_rows_that_are_read_back_show_nothing_that_was_not_released(name, made):
    rows = READ_BACK[name](made)

    assert found_in(rows.to_csv().encode(), allowed=EVERYTHING - {KEPT}, name=name)
    assert_bare(rows.to_csv(), name=name, allowed={KEPT})
    for way, shown in displays_of(rows):
        assert_bare(shown, name=f"{name}, {way}", allowed={KEPT})


def study_of_rows(made: Made, *frames: Any, engine: Any = "memory") -> gamedeid.Study:
    """Return the question with every row a person; the rows may stay in their file."""
    question = gamedeid.Scenario.read(made.scenario_of_rows, FLOOR)
    return gamedeid.Study.prepare(question, *frames, read_options=gamedeid.ReadOptions(engine=engine))


def lazy(columns: dict[str, list[Any]]) -> pl.LazyFrame:
    return pl.DataFrame(columns).lazy()


STUDIES: Mapping[str, Callable[[Made], gamedeid.Study]] = {
    "files": lambda made: made.study,
    "files by DuckDB": lambda made: study_of_rows(made, engine="duckdb"),
    "arrow": lambda made: made.study_of_frames,
    "pandas": lambda made: study_of_rows(made, pandas_of(columns_of_records()), pandas_of(columns_of_people())),
    "lazy": lambda made: study_of_rows(made, lazy(columns_of_records()), lazy(columns_of_people())),
}


@pytest.mark.parametrize("kind", STUDIES)
def test_no_class_that_is_reached_through_public_ones_shows_a_value_or_more_than_two_lines(kind, made):
    study = STUDIES[kind](made)
    comparison = gamedeid.compare(study)
    solution = comparison.solutions["basic"]
    shown = shown_in([comparison, solution.release_answer(), solution.strategies_answer, study.frontier("basic")])
    if kind == "files":
        shown |= shown_in(
            [CLASSES[name](made) for name in ("Picture", "StudyTable", "UniquenessStudy", "Identifiable")]
        )
        assert {"Picture", "SweepBlock", "ClassSizes", "PlaceCounts"} <= shown

    always = {
        "Instance",
        "Profiles",
        "PopulationCells",
        "Choice",
        "Frontier",
        "AppliedPolicy",
        "ColumnsByProfile",
        "Hierarchy",
    }
    assert always <= shown
    assert {"lazy": "LazyRows"}.get(kind, "ReadRows") in shown


MOST = 3
"""Values of one class that are shown, of those that are reached."""


def shown_in(value: Any, done: Counter[object] | None = None) -> set[str]:
    """Check values of the package's own classes that can be reached from one; return the names of the classes."""
    done = Counter() if done is None else done
    done[id(value)] += 1
    if done[id(value)] > 1 or isinstance(value, str | type | np.ndarray):
        return set()
    names, inside = set(), []
    if type(value).__module__.startswith("gamedeid"):
        names.add(type(value).__name__)
        done[type(value)] += 1
        if done[type(value)] <= MOST:
            assert_shows_nothing(value)
            assert len(repr(value).splitlines()) <= 2
            assert len(repr(value)) <= (1200 if isinstance(value, BaseModel) else 400), repr(value)
        inside += vars(value).values() if hasattr(value, "__dict__") else []
        slots = [getattr(kind, "__slots__", ()) for kind in type(value).__mro__]
        inside += [getattr(value, name, None) for some in slots for name in ([some] if isinstance(some, str) else some)]
    if isinstance(value, Mapping):
        inside += value.values()
    elif isinstance(value, Sequence | AbstractSet):
        inside += value
    return names.union(*(shown_in(one, done) for one in inside))


def assert_shows_nothing(value: Any) -> None:
    for way, shown in displays_of(value):
        assert_bare(shown, name=f"{type(value).__name__}, {way}")


def test_the_marks_are_at_their_stated_places(made):
    """Otherwise the search could find nothing."""
    records, people = (made.scenario.parent / name for name in ("records.parquet", "people.parquet"))
    assert {DROPPED, KEY, KEPT, RAW, NOTE, DROPPED_NAME, KEY_NAME} <= marks_in(records)
    assert {DROPPED, CROWD, RAW, NOTE} <= marks_in(people)
    assert {KEPT} == marks_in(made.out / "release.csv")
    assert {DROPPED_NAME, KEY_NAME} == marks_in(made.out / "manifest.json")
    withheld = made.solution.withheld[made.study.instance.profiles.of_record]
    assert withheld.tolist() == [is_withheld(row) for row in range(ROWS)]


def marks_in(path: Path) -> set[str]:
    return {mark for mark in MARKS if found_in(path.read_bytes(), allowed=EVERYTHING - {mark}, name=path.name)}
