"""One contract for all: with every frame and engine, strategies, measures and release are the same."""

from dataclasses import replace
from pathlib import Path

import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.csv
import pytest
from contract_cases import FRAMES, NUMBER, Case, assert_same_solution, case_of, case_study, gaps_and_kinds, rows_of
from depth import tries
from hypothesis import HealthCheck, given, settings
from worlds import worlds
from written_tables import written

from gamedeid import Population, ReadOptions, Study, solve
from gamedeid.choices import GAMES
from gamedeid.data.engines import clusters, options


def arrow_strings(table: pa.Table) -> pd.DataFrame:
    return table.to_pandas(types_mapper=lambda kind: pd.ArrowDtype(kind) if kind == pa.string() else None)


def categorical(table: pa.Table) -> pd.DataFrame:
    frame = table.to_pandas()
    return frame.astype({name: "category" for name in frame.columns if name not in {NUMBER, "people"}})


KINDS = {
    **FRAMES,
    "pandas of Arrow strings": arrow_strings,
    "pandas of categoricals": categorical,
    "polars lazy categoricals": lambda table: (
        pl.from_arrow(table)
        .lazy()
        .with_columns(
            pl.col(name).cast(pl.Categorical)
            for name in table.column_names
            if table.schema.field(name).type == pa.string()
        )
    ),
    "arrow of views": lambda table: table.cast(
        pa.schema([f.with_type(pa.string_view()) if f.type == pa.string() else f for f in table.schema])
    ),
}
DICTIONARY = pa.dictionary(pa.int32(), pa.string())
FILES = ("memory csv", "memory parquet", "duckdb csv", "duckdb parquet", "duckdb folder")


def study_of(case: Case, kind: str, folder: Path) -> Study:
    """Return the study of a case with tables as a kind of frame, or as a kind of file with an engine."""
    if kind in KINDS:
        make = KINDS[kind]
        return Study.prepare(
            case.scenario, make(case.records), None if case.population is None else make(case.population)
        )
    engine, form = kind.split()
    scenario = case.scenario
    section = scenario.population
    if case.population is not None:
        path = written(case.population, folder / "population", form)
        section = (section or Population()).model_copy(update={"path": path})
    records = scenario.records.model_copy(update={"path": written(case.records, folder / "records", form)})
    there = scenario.model_copy(update={"records": records, "population": section})
    return Study.prepare(there, read_options=ReadOptions(engine=engine))


def assert_same(case: Case, kind: str, folder: Path, game: str) -> None:
    """Check that a kind of frame, or of file and engine, gives the results of an Arrow table."""
    expected, found = (solve(study_of(case, one, folder), game=game) for one in ("arrow", kind))
    assert_same_solution(expected, found, ordered=kind != "duckdb", as_text=kind.endswith("csv"))


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("kind", [*KINDS, *FILES])
def test_all_engines_treat_missing_values_and_types_alike(kind, game, tmp_path):
    assert_same(gaps_and_kinds(), kind, tmp_path, game)


few = settings(max_examples=tries(2, 50), deadline=None, suppress_health_check=list(HealthCheck))


@few
@given(world=worlds())
@pytest.mark.parametrize("kind", ["polars lazy", "duckdb", "duckdb parquet", "duckdb csv"])
def test_all_engines_answer_random_worlds_alike(kind, world, tmp_path_factory):
    for game in GAMES:
        assert_same(case_of(world), kind, tmp_path_factory.mktemp("world"), game)


@pytest.mark.parametrize(
    "kind", ["polars lazy", "duckdb csv", *tries((), ("pandas of categoricals", "duckdb", "duckdb parquet"))]
)
def test_all_engines_answer_the_case_study_alike(kind, tmp_path):
    assert_same(case_study(), kind, tmp_path, "no-attack")


@pytest.mark.parametrize("kind", ["polars lazy", "duckdb"])
def test_a_lazy_frame_is_returned_as_a_lazy_frame(kind, tmp_path):
    case = gaps_and_kinds()
    solution = solve(study_of(case, kind, tmp_path))

    assert type(FRAMES[kind](case.records)) is type(solution.release())
    assert type(FRAMES[kind](case.records)) is type(solution.strategies)
    assert "SECRET" not in str(rows_of(solution.release())) + str(rows_of(solution.strategies))


def test_only_distinct_values_are_fetched_of_rows_stored_elsewhere(tmp_path):
    case = gaps_and_kinds()
    many_times = replace(case, records=pa.concat_tables([case.records] * 50))
    study = study_of(many_times, "duckdb", tmp_path)

    assert 8 == len(study.instance.profiles.of_record)
    assert 400 == study.instance.profiles.records.sum()


@pytest.mark.parametrize("engine", options.CLUSTERS)
def test_a_clusters_module_is_found_where_it_is_searched(engine):
    pytest.importorskip({"spark": "pyspark"}.get(engine, engine))

    assert hasattr(clusters._engine(engine), "open_files")  # noqa: SLF001
