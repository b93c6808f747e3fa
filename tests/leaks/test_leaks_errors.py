"""None of our errors shows a value: in its message, its traceback, the errors that led to it, or a log."""

import ast
import inspect
import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from leak_displays import displays_of_error, rich_traceback
from leak_made import Made
from leak_marks import CROWD, DROPPED, DROPPED_NAME, FAULTY, FOLDER, KEY_NAME, NUMBER, RAW, assert_bare
from leak_world import FAULTS, arrow_of, columns_of_people, columns_of_records, pandas_of, write_faulty_world
from public_api import HOMES, public_value

import gamedeid
from gamedeid.data.engines.clusters import explaining_errors
from gamedeid.errors import GamedeidError
from gamedeid.integrations.scikit_learn import ReleaseTransformer

STAKES = {"benefit": 100, "loss": 90, "cost": 4}
BAD = [f"{RAW}{FAULTY}", f"{RAW}-1", "*"]

FRAMES: Mapping[str, Callable[[dict[str, list[Any]]], Any]] = {
    "pandas": pandas_of,
    "polars": pl.DataFrame,
    "polars lazy": lambda columns: pl.DataFrame(columns).lazy(),
    "arrow": arrow_of,
}


def with_values(columns: dict[str, list[Any]], name: str, *values: object) -> dict[str, list[Any]]:
    """Return columns of which the first rows of one have other values."""
    return columns | {name: [*values, *columns[name][len(values) :]]}


def solved(made: Made, kind: str, *, records: tuple[Any, ...] = (), people: tuple[Any, ...] = ()) -> Any:
    """Return the solution with values changed in a frame of one of the kinds."""
    frames = (
        FRAMES[kind](with_values(columns, *changed) if changed else columns)
        for columns, changed in ((columns_of_records(), records), (columns_of_people(), people))
    )
    return gamedeid.solve(made.question, *frames)


def of_kind(hierarchy: str, *values: object, **more: Any) -> Callable[[Made], Any]:
    """Return what solves a question of one attribute of a kind of hierarchy, with these values."""

    def solve(made: Made) -> Any:
        (made.folder / "kind.toml").write_text(hierarchy)
        attribute = {"hierarchy": "kind.toml", "role": "other", **more}
        content = {"attributes": {"it": attribute}, "game": "basic", "payoffs": STAKES}
        return gamedeid.solve(gamedeid.Scenario.parse(content, folder=made.folder), pd.DataFrame({"it": values}))

    return solve


def of_file(name: str, content: str | bytes, read: Callable[[Path], Any]) -> Callable[[Made], Any]:
    """Return what reads a file with this content."""

    def call(made: Made) -> Any:
        path = made.folder / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return read(path)

    return call


def ages(born: list[Any], at: list[Any]) -> Callable[[Made], Any]:
    content = {
        "attributes": {"age": {"hierarchy": "age", "born": "born", "at": "at"}},
        "game": "basic",
        "payoffs": STAKES,
    }
    return lambda _: gamedeid.solve(content, pd.DataFrame({"born": born, "at": at}))


def stored(name: str, change: Callable[[str], str], read: Callable[[Path], Any]) -> Callable[[Made], Any]:
    """Return what reads a folder of results of which one file was changed."""

    def call(made: Made) -> Any:
        place = made.copy_of_out()
        (place / name).write_text(change((place / name).read_text()))
        return read(place)

    return call


def a_number_as_text(text: str) -> str:
    content = json.loads(text)
    content["measures"]["attacked"] = FAULTY
    return json.dumps(content)


def classes(path: Path, **more: Any) -> Any:
    return gamedeid.risk.read_class_sizes(path, ["age"], **more)


def census(path: Path) -> Any:
    return gamedeid.risk.demographics(path, place="zip", detail="year")


ONE_ATTRIBUTE = {"attributes": {"sex": {"hierarchy": "sex"}}, "game": "basic", "payoffs": STAKES}

NAMES = {FOLDER, KEY_NAME, DROPPED_NAME}
"""Paths and names of columns, which messages show."""


def without_extras(call: Callable[[], Any]) -> Any:
    """Call a function as if no extra were installed."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("gamedeid.extras.find_spec", lambda _: None)
        return call()


FAILURES: Mapping[str, Callable[[Made], Any]] = {
    **{
        f"a value that its hierarchy lacks, {kind}": lambda made, kind=kind: solved(made, kind, records=("sex", FAULTY))
        for kind in FRAMES
    },
    **{
        f"a value that its kind cannot have, {kind}": lambda made, kind=kind: solved(
            made, kind, records=("place", *BAD)
        )
        for kind in FRAMES
    },
    **{
        f"a person whom nobody matches, {kind}": lambda made, kind=kind: solved(
            made, kind, people=("place", "A7K9" + CROWD, "A7K8" + CROWD)
        )
        for kind in FRAMES
    },
    **{
        f"a count that is no number, {kind}": lambda made, kind=kind: solved(
            made, kind, people=("count", *(FAULTY for _ in columns_of_people()["count"]))
        )
        for kind in FRAMES
    },
    "counts of several kinds": lambda made: solved(made, "pandas", people=("count", FAULTY)),
    "a report without its packages": lambda made: without_extras(
        lambda: made.solution.write(made.folder / "unreported")
    ),
    "a count below none": lambda made: solved(made, "pandas", people=("count", -NUMBER)),
    "a value that is a list": lambda made: solved(made, "pandas", records=("place", [RAW, FAULTY])),
    "a value of bytes": lambda made: solved(made, "pandas", records=("place", RAW.encode())),
    "a missing value": lambda made: solved(made, "arrow", records=("place", None)),
    "a key that is missing": lambda made: solved(made, "arrow", records=(KEY_NAME, None)),
    "a column that nobody declared": lambda made: gamedeid.solve(
        made.question, pandas_of(columns_of_records() | {"more": [DROPPED] * 24}), arrow_of(columns_of_people())
    ),
    "a column of mixed values, kept": lambda made: solved(
        made, "pandas", records=("dose", FAULTY, [FAULTY], {RAW: 1})
    ).release(),
    "a column of objects, kept": lambda made: solved(made, "pandas", records=("ward", Odd(), Odd())).release(),
    **{
        f"of a file, {fault}": lambda made, fault=fault: gamedeid.solve(
            write_faulty_world(made.folder / "errors", fault)
        )
        for fault in FAULTS
    },
    **{
        f"of a file by DuckDB, {fault}": lambda made, fault=fault: gamedeid.solve(
            write_faulty_world(made.folder / "errors", fault), read_options=gamedeid.ReadOptions(engine="duckdb")
        )
        for fault in FAULTS
    },
    "no date": of_kind('kind = "date"\nform = "YYYY-MM-DD"\nsteps = ["year"]\n', "2001-02-03", FAULTY),
    "a day that is none": of_kind('kind = "date"\nform = "YYYY-MM-DD"\nsteps = ["year"]\n', "2001-02-03", "5412-34-56"),
    "no number": of_kind('kind = "number"\nwidths = [5]\n', "1", FAULTY),
    "no code": of_kind('kind = "codes"\nlevels = [3]\n', "A10", f"{FAULTY}!"),
    "a value of an order that lacks it": of_kind('kind = "ordered"\nvalues = ["a", "b"]\n', "a", FAULTY),
    "a merge that splits a group": of_kind(
        f'kind = "prefix"\nlength = 13\nkeep = [12]\nalphabet = "alphanumeric"\n[[merge]]\nfrom_level = 1\n'
        f'prefixes = ["{RAW}"]\n[[merge]]\nfrom_level = 1\nprefixes = ["{RAW}"]\n',
        f"{RAW}1",
        f"{CROWD}2",
    ),
    "an age of no date": ages([FAULTY, "1950-01-01"], ["2001-01-01", "2001-01-01"]),
    "an age before birth": ages(["2001-01-01"], ["1912-03-04"]),
    "a table of no text": of_file("bytes.csv", f"age\n{FAULTY}".encode("utf-16"), classes),
    "a table in another encoding": of_file("latin.csv", f"age\n{FAULTY}é\n".encode("latin-1"), classes),
    "a table of no Parquet": of_file("text.parquet", f"PAR1 {FAULTY} PAR1", classes),
    "a table of no gzip": of_file("text.csv.gz", f"\x1f\x8b{FAULTY}", classes),
    "a table with rows of other lengths": of_file("long.csv", f"age,sex\n{RAW}\n{FAULTY},1,2\n", classes),
    "groups of what is no number": of_file(
        "words.csv", f"age\n5\n{FAULTY}\n", lambda path: classes(path, widths={"age": 5})
    ),
    "people that are no number": of_file("people.csv", f"age,n\n5,{FAULTY}\n", lambda path: classes(path, count="n")),
    "a census of no numbers": of_file("census.csv", f"zip,0-9\n37201,{FAULTY}\n", census),
    "a table without names": of_file(
        "names.csv", f"123-45-6789,{RAW},48\n234-56-7891,{FAULTY},49\n", gamedeid.check_identifiers
    ),
    "a table of no workbook": of_file("text.xlsx", f"PK\x03\x04{FAULTY}", classes),
    "a table of no SPSS": of_file("text.sav", f"$FL2@(#) {FAULTY}", classes),
    "a draft of a frame that is none": lambda _: gamedeid.draft_scenario(pandas_of({"age": [FAULTY, 1]}), year=2026),
    "a draft of a damaged table": of_file(
        "draft.csv", f'name,age\n"{FAULTY},1\n', lambda path: gamedeid.draft_scenario(path, year=2026)
    ),
    "a summary that is none": stored("summary.json", lambda _: f"{{{FAULTY}", gamedeid.read_results),
    "a summary with a text for a number": stored("summary.json", a_number_as_text, gamedeid.read_results),
    "a manifest that is none": stored("manifest.json", lambda _: f'{{"inputs": "{FAULTY}"', gamedeid.verify),
    "a report of damaged results": stored(
        "report.json", lambda text: text.replace("1", FAULTY, 9), gamedeid.write_report
    ),
    "a determination of damaged results": stored(
        "summary.json", a_number_as_text, lambda place: gamedeid.write_determination(place, place / "determination.md")
    ),
    "new rows with unknown values": lambda made: gamedeid.apply(
        made.out_of_rows,
        pandas_of(with_values(columns_of_records(), "sex", FAULTY)),
        gamedeid.Scenario.read(made.scenario_of_rows, {"floor": "areas"}),
    ),
    "new rows with other values of an open hierarchy": lambda made: gamedeid.apply(
        made.out_of_rows,
        pandas_of(with_values(columns_of_records(), "place", f"Z7K0{CROWD}")),
        gamedeid.Scenario.read(made.scenario_of_rows, {"floor": "areas"}),
    ),
    "a pipeline with unknown values": lambda _: ReleaseTransformer(ONE_ATTRIBUTE).fit(pd.DataFrame({"sex": [FAULTY]})),
    "a person with a value that nobody has": lambda made: made.study.alone(values={"place": "A7K0", "sex": "Male"}),
    "results where something stands": lambda made: made.solution.write(made.out),
    "a key that is none": of_file("key", f"-----BEGIN {FAULTY}", lambda path: gamedeid.sign(path.parent / "out", path)),
    "a hierarchy that splits": lambda _: gamedeid.Hierarchy.from_rows([["a", "b", "*"], ["c", "d"]], name="rows"),
    "a server that is not there": lambda made: gamedeid.fetch("adult", made.folder, address="http://127.0.0.1:9/"),
    "a game that is none": lambda made: gamedeid.solve(made.study, game="chess"),
    "limits that nothing is within": lambda made: gamedeid.solve(
        made.study.with_scenario(gamedeid.Scenario.read(made.scenario, {"limits.publisher_payoff": 1e9}))
    ),
}
"""Fault -> the call that raises."""


class Odd:
    """A value of a type that tables do not have; its repr shows it."""

    def __repr__(self) -> str:
        return f"Odd({FAULTY})"


@pytest.mark.parametrize("failure", FAILURES)
def test_no_error_shows_a_value(failure, made):
    with pytest.raises(GamedeidError) as raised:
        FAILURES[failure](made)
    error = raised.value
    for way, shown in displays_of_error(error):
        assert_bare(shown, allowed=NAMES, name=f"{failure}, {way}")


def test_a_clusters_messages_are_not_part_of_a_traceback():
    with pytest.raises(GamedeidError) as raised, explaining_errors("dask", "records.csv"):
        raise pa.ArrowInvalid(FAULTY)
    for way, shown in displays_of_error(raised.value):
        assert_bare(shown, name=way)


TOLD_CAUSES = {
    "data/datasets.py": "of the network, before there are data",
    "data/engines/dask.py": "of a connection to a scheduler",
    "data/engines/spark.py": "of a connection to a master",
    "file_identity.py": "of the system, which names the file",
    "results/folder.py": "of the system, which names the folder",
    "results/staging.py": "of the system, which names the file",
}
"""Files in which our error has a foreign error as its cause, and what that can contain."""


def test_foreign_errors_are_causes_only_where_they_quote_no_value():
    """Everywhere else it is `from None`; a linter requires one of both."""
    home = Path(gamedeid.__file__).parent
    likely = re.compile(r"^ +(?:raise .*|\)) from (?!None\b)\w+", re.MULTILINE)
    texts = {path: path.read_text("utf-8") for path in home.rglob("*.py")}
    told = {
        str(path.relative_to(home))
        for path, text in texts.items()
        if likely.search(text)
        for one in ast.walk(ast.parse(text))
        if isinstance(one, ast.Raise) and isinstance(one.cause, ast.Name | ast.Call | ast.Attribute)
    }
    assert told == set(TOLD_CAUSES)


def test_rich_shows_no_value_in_a_traceback(made):
    with pytest.raises(GamedeidError) as raised:
        FAILURES["a value that its kind cannot have, pandas"](made)
    assert_bare(rich_traceback(raised.value), allowed=NAMES, name="rich")


def test_the_callers_variables_show_no_value(made):
    """As rich, IPython and others show them next to a traceback; `suppress` leaves out frames of the package."""

    def cell(scenario: Any, study: Any, solution: Any, comparison: Any) -> None:  # noqa: ARG001
        table, picture = gamedeid.sweep(study, ["loss=1:3:1"]), gamedeid.plot(study.alone(record=0), "lattice")  # noqa: F841
        gamedeid.solve(write_faulty_world(made.folder / "errors", "a count that is no number"))

    with pytest.raises(GamedeidError) as raised:
        cell(made.question, made.study, made.solution, made.comparison)
    shown = rich_traceback(raised.value, show_locals=True, suppress=[gamedeid])

    assert "solution = Solution(name='basic'" in shown
    assert "picture = Picture(kind='lattice'" in shown
    assert_bare(shown, allowed={FOLDER}, name="with variables")


EXAMPLES = {
    "DownloadError": "a server that is not there",
    "GamedeidError": "a game that is none",
    "InvalidDataError": "a count below none",
    "InvalidHierarchyError": "a merge that splits a group",
    "InvalidScenarioError": "a game that is none",
    "MissingExtraError": "a report without its packages",
    "OutputError": "results where something stands",
    "SignatureError": "a key that is none",
    "UnmatchedRecordError": "a person whom nobody matches, polars",
    "UnmetLimitsError": "limits that nothing is within",
}


def test_every_public_error_is_among_them(made):
    errors = {name for name in HOMES if inspect.isclass(one := public_value(name)) and issubclass(one, GamedeidError)}
    assert errors == set(EXAMPLES)
    for name, failure in EXAMPLES.items():
        with pytest.raises(getattr(gamedeid, name)):
            FAILURES[failure](made)
