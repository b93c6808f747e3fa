"""Whatever a public call returns as plain values that can be compared: fields, properties, and calls without words."""

import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
from pydantic import BaseModel
from small_world import contents

from gamedeid.errors import GamedeidError
from gamedeid.game.frontier import Frontier
from gamedeid.game.instance import Instance
from gamedeid.scenario.scenario import Scenario
from gamedeid.study.study import Study

UNEQUAL = ("seconds", "timed", "replay")
"""Parts of names of what is another number each time."""

DEPTH = 3
"""Values within values that are looked into: a result, its parts, and theirs."""


def outcome(call: Callable[[], Any]) -> Any:
    """Return what a call returns, as plain values; or what it refuses, and how."""
    try:
        return plain(call())
    except GamedeidError as error:
        return f"{type(error).__name__}: {error}"


def plain(value: Any, within: int = 0) -> Any:
    """Return a value as numbers, texts, lists and dicts. A study stands for its question and its files."""
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
    """Yield name and value of every public field; and of what is ``computed``: properties, calls without words."""
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
    nodes = [np.full_like(instance.everyone, node) for node in range(instance.lattice.size)]
    return {
        "people": [plain(instance.people(instance.everyone, node)) for node in nodes],
        "tables": plain(instance.hierarchy_tables),
        "adversaries": plain(list(instance.adversaries)),
        "payoffs": plain(instance.payoffs),
        "recipients": plain(instance.recipients),
        "values": [plain(instance.values(instance.everyone, node)) for node in nodes],
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
"""Kind of a value -> how it looks as plain values, the first that it is."""
