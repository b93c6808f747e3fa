"""Clusters: a Parquet table opened on Spark or Dask, and answered rows written there in parts."""

from collections.abc import Callable, Collection
from importlib import import_module
from typing import Any

from gamedeid.errors import InvalidDataError, InvalidScenarioError
from gamedeid.readers.tables import TableFile


def open_table(file: TableFile, columns: Collection[str], engine: str, address: str | None) -> Any:
    """Return columns of a Parquet file, or of a folder of such files, as a lazy frame of a cluster.

    Parameters
    ----------
    file : the table; every worker must see it under the same path.
    columns : names of those to read.
    engine : "spark" or "dask".
    address : of the cluster; None for one on this machine.

    Raises
    ------
    InvalidDataError : the file is not Parquet.
    InvalidScenarioError : the engine is not installed, or its cluster does not answer.
    """
    if not file.is_parquet:
        raise InvalidDataError(
            f"{file.path}: engine {engine} reads Parquet files and folders of them; "
            "CSV goes with the engine duckdb, however large it is"
        )
    return _OPENERS[engine]([str(path) for path in file.paths], list(columns), address)


def _open_spark(paths: list[str], columns: list[str], address: str | None) -> Any:
    try:
        sql: Any = import_module("pyspark.sql")
    except ImportError:
        raise _not_installed("spark") from None
    builder = sql.SparkSession.builder.appName("gamedeid")
    if address is not None:
        builder = builder.master(address)
    try:
        session = builder.getOrCreate()
    except Exception as error:
        raise _no_answer("spark", address) from error
    return session.read.parquet(*paths).select(*(f"`{name.replace('`', '``')}`" for name in columns))


def _open_dask(paths: list[str], columns: list[str], address: str | None) -> Any:
    try:
        dd: Any = import_module("dask.dataframe")
        distributed: Any = import_module("distributed")
    except ImportError:
        raise _not_installed("dask") from None
    if address is not None:
        try:
            distributed.Client(address, timeout="10s")
        except OSError as error:
            raise _no_answer("dask", address) from error
    return dd.read_parquet(paths, columns=columns)


def _not_installed(engine: str) -> InvalidScenarioError:
    return InvalidScenarioError(
        f"the engine {engine} is not installed; install it with: python -m pip install 'gamedeid[{engine}]'"
    )


def _no_answer(engine: str, address: str | None) -> InvalidScenarioError:
    where = f"at {address}" if address is not None else "on this machine"
    return InvalidScenarioError(f"no {engine} cluster answers {where}; check its address (--cluster), and that it runs")


_OPENERS: dict[str, Callable[[list[str], list[str], str | None], Any]] = {"spark": _open_spark, "dask": _open_dask}
