"""Calls of the Python API: frames of odd columns, odd scenarios, odd arguments."""

import datetime
import decimal
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa

from fuzzing.case import Case
from fuzzing.more_commands import explore
from fuzzing.mutation import ODD_TEXTS, as_json, change_tree, odd_value
from fuzzing.questions import GAPS, PANEL, PLAIN, POLICIES, SAMPLE, STRANGERS, TOKENS

_FUNCTIONS = ("solve", "solve", "compare", "prepare", "hierarchy")
_FORMS = ("pandas", "pandas", "polars", "polars-lazy", "arrow", "arrow-reader", "dict", "list", "path")
_COLUMNS = ("text", "text", "text", "category", "unused", "int", "float", "mixed", "null", "bool", "date", "datetime")
_MORE_COLUMNS = ("zone", "bytes", "nullable", "arrow", "decimal", "list", "timedelta", "period", "complex", "holes")


def draw_frames(rng: Random) -> Case:
    """Return a call with frames instead of files."""
    function = rng.choice(_FUNCTIONS)
    if function == "hierarchy":
        return Case(kind="frames", call={"function": function, "arguments": _hierarchy_arguments(rng)})
    question = rng.choice((PLAIN, POLICIES, GAPS, SAMPLE, STRANGERS, PANEL))
    tree: Any = {**question.scenario, "attributes": {**question.scenario["attributes"]}}
    tree["attributes"] = {
        "age": {"hierarchy": "age", "role": "age"},
        "sex": {"hierarchy": "sex", "role": "other"},
        "zip": {"hierarchy": "us_zip", "role": "zip"},
    }
    tokens = TOKENS
    if rng.randrange(4) == 0:
        tree, tokens = as_json(change_tree(rng, tree)), ()
    if rng.randrange(30) == 0:
        tree, tokens = as_json(odd_value(rng)), ()
    arguments: dict[str, Any] = {}
    if rng.randrange(3) == 0:
        arguments[rng.choice(("game", "solver"))] = as_json(rng.choice((odd_value(rng), "no-attack", "lattice-search")))
    if rng.randrange(25) == 0:
        arguments["read_options"] = as_json(odd_value(rng))
    call = {
        "function": function,
        "scenario": tree,
        "scenario_as": rng.choice(("Scenario",) * 12 + ("dict", "path", "nothing")),
        "records": _frame(rng, question.records),
        "population": _frame(rng, question.people) if question.people and rng.randrange(8) else None,
        "arguments": arguments,
    }
    return Case(kind="frames", call=call, tokens=tokens)


def perform(call: dict[str, Any]) -> list[str]:
    """Make the call and use its whole result; return the shown and the written texts.

    Raises
    ------
    GamedeidError : what the package says is wrong.
    """
    import gamedeid

    if call["function"] == "explore":
        return explore(call)
    if call["function"] == "hierarchy":
        how, *arguments = call["arguments"]
        made = getattr(gamedeid.Hierarchy, how)(*arguments[0], **arguments[1])
        return [repr(made)]
    scenario = _scenario(call["scenario"], call["scenario_as"])
    frames = [_built(call[one]) for one in ("records", "population")]
    if call["function"] == "prepare":
        study = gamedeid.Study.prepare(scenario, *frames)
        return [repr(study)]
    if call["function"] == "compare":
        compared = gamedeid.compare(scenario, *frames)
        return [repr(compared), str(compared)]
    solution = gamedeid.solve(scenario, *frames, **call["arguments"])
    released, strategies = solution.release(), solution.strategies
    measures = solution.measures
    assert all(value == value and abs(value) < 1e300 for value in measures.values()), f"measures {measures}"  # noqa: PLR0124
    return [repr(solution), str(measures), _text(released), _text(strategies)]


def _frame(rng: Random, table: list[list[str]]) -> dict[str, Any]:
    header, *rows = table
    columns = []
    for name, values in zip(header, zip(*rows, strict=True), strict=True):
        kind = rng.choice((*_COLUMNS, *_MORE_COLUMNS)) if rng.randrange(5) == 0 else "text"
        columns.append([name, "int" if name == "count" and kind == "text" else kind, list(values)])
    if rng.randrange(12) == 0:
        columns.append([rng.choice((*ODD_TEXTS, "age", "Age")), rng.choice(_COLUMNS), ["1"] * len(rows)])
    if rng.randrange(15) == 0:
        del columns[rng.randrange(len(columns))]
    if rng.randrange(15) == 0:
        columns[rng.randrange(len(columns))][0] = rng.choice(ODD_TEXTS)
    return {
        "as": rng.choice(_FORMS[:6]) if rng.randrange(20) else rng.choice(_FORMS),
        "columns": columns,
        "rows": rng.choice((None,) * 15 + (0, 1)),
        "index": rng.choice((None,) * 6 + ("odd", "double", "many")),
    }


def _hierarchy_arguments(rng: Random) -> list[Any]:
    def odd(value: Any) -> Any:
        return as_json(odd_value(rng)) if rng.randrange(4) == 0 else value

    name = {"name": odd("years")}
    match rng.randrange(3):
        case 0:
            return ["intervals", [odd(0), odd(9), odd([2, 4])], name]
        case 1:
            return ["prefixes", [odd(["12345", "12399"])], {**name, "length": odd(5), "keep": odd([4, 2])}]
        case _:
            return ["from_rows", [odd([["a", "x", "*"], odd(["b", "x", "*"])])], {**name, "integer": odd(value=False)}]


def _scenario(tree: Any, form: str) -> Any:
    from gamedeid import Scenario

    match form:
        case "Scenario":
            return Scenario.parse(tree)
        case "dict":
            return tree
        case "path":
            return Path("no-such.toml")
        case _:
            return None


def _built(frame: dict[str, Any] | None) -> Any:
    if frame is None:
        return None
    columns = [(name, kind, values[: frame["rows"]]) for name, kind, values in frame["columns"]]
    form = frame["as"]
    if form == "dict":
        return {name: values for name, _, values in columns}
    if form == "list":
        return [values for _, _, values in columns]
    if form == "path":
        return "records.csv"
    if form == "pandas":
        made = pd.concat([pd.Series(_KINDS[kind](values), name=name) for name, kind, values in columns], axis=1)
        if frame["index"] is not None and len(made):
            made.index = {
                "odd": [f"TOKEN-{row}-NAME" for row in range(len(made))],
                "double": [0] * len(made),
                "many": pd.MultiIndex.from_product([range(len(made)), ["x"]]),
            }[frame["index"]]
        return made
    arrays = [_arrow(kind, values) for _, kind, values in columns]
    table = pa.Table.from_arrays(arrays, [name for name, _, _ in columns])
    if form == "arrow":
        return table
    if form == "arrow-reader":
        return table.to_reader()
    polars = pl.DataFrame({name: table.column(place) for place, (name, _, _) in enumerate(columns)})
    return polars.lazy() if form == "polars-lazy" else polars


def _arrow(kind: str, values: list[str]) -> Any:
    try:
        return pa.array(_KINDS[kind](values))
    except (pa.ArrowException, TypeError, ValueError):  # Arrow has no such type
        return pa.array(values)


def _numbers(values: list[str]) -> list[int]:
    return [int(one) if one.isdigit() else len(one) for one in values]


_KINDS: dict[str, Callable[[list[str]], Any]] = {
    "text": lambda values: pd.array(values, dtype=object),
    "category": pd.Categorical,
    "unused": lambda values: pd.Categorical(values, categories=[*dict.fromkeys(values), "TOKEN-UNUSED"]),
    "int": _numbers,
    "float": lambda values: [float(one) for one in _numbers(values)],
    "mixed": lambda values: pd.array([1, None, 2.5, *values][: len(values)], dtype=object),
    "null": lambda values: pd.array([None] * len(values), dtype=object),
    "bool": lambda values: [one > 40 for one in _numbers(values)],
    "date": lambda values: pd.array([datetime.date(2000, 1, 1 + one % 28) for one in _numbers(values)], dtype=object),
    "datetime": lambda values: pd.to_datetime(_numbers(values), unit="D"),
    "zone": lambda values: pd.to_datetime(_numbers(values), unit="D", utc=True),
    "bytes": lambda values: pd.array([one.encode() for one in values], dtype=object),
    "nullable": lambda values: pd.array([None, *_numbers(values)][: len(values)], dtype="Int64"),
    "arrow": lambda values: pd.array(values, dtype=pd.ArrowDtype(pa.string())),
    "decimal": lambda values: pd.array([decimal.Decimal(one) for one in _numbers(values)], dtype=object),
    "list": lambda values: pd.array([[one] for one in values], dtype=object),
    "timedelta": lambda values: pd.to_timedelta(_numbers(values), unit="s"),
    "period": lambda values: pd.PeriodIndex([f"20{one % 90 + 10}" for one in _numbers(values)], freq="Y"),
    "complex": lambda values: [complex(one, 1) for one in _numbers(values)],
    "holes": lambda values: [float("nan") if place == 1 else float(one) for place, one in enumerate(_numbers(values))],
}


def _text(frame: Any) -> str:
    """Return everything that a frame holds, including hidden content."""
    if isinstance(frame, pl.LazyFrame):
        frame = frame.collect()
    if isinstance(frame, pa.RecordBatchReader):
        frame = frame.read_all()
    if isinstance(frame, pd.DataFrame):
        hidden = [
            list(frame[name].cat.categories) for name in frame if isinstance(frame[name].dtype, pd.CategoricalDtype)
        ]
        return f"{frame.to_dict('list')} {frame.attrs} {hidden}"
    if isinstance(frame, pl.DataFrame):
        return str(frame.to_dict(as_series=False))
    if isinstance(frame, pa.Table):
        whole = [
            chunk.dictionary for column in frame.columns for chunk in column.chunks if hasattr(chunk, "dictionary")
        ]
        return f"{frame.to_pydict()} {frame.schema.metadata} {whole}"
    return str(frame)
