"""Extras of the installation: the packages of each, and the line that installs a missing one."""

from collections.abc import Mapping, Sequence
from importlib.util import find_spec

from gamedeid.amounts import joined
from gamedeid.errors import MissingExtraError

EXTRAS: Mapping[str, tuple[str, ...]] = {
    "report": ("jinja2", "scipy", "segno"),
    "pictures": ("matplotlib",),
    "risk": ("scipy",),
    "utility": ("statsmodels",),
    "large": ("duckdb",),
    "formats": ("pyreadstat", "python_calamine"),
    "docx": ("docx",),
    "explore": ("starlette", "tomlkit", "uvicorn", "jinja2", "scipy", "segno"),
    "sign": ("cryptography",),
    "scikit-learn": ("sklearn",),
    "spark": ("pyspark",),
    "dask": ("dask", "distributed"),
}
"""Name of an extra -> the modules that it needs."""


def missing_modules(extra: str) -> list[str]:
    """Return the modules of an extra that are not installed."""
    return [module for module in EXTRAS[extra] if find_spec(module) is None]


def require(extra: str, what: str, instead: str = "", arguments: Sequence[str] = ()) -> None:
    """Check that the modules of an extra are installed, before anything is computed or written."""
    if missing := missing_modules(extra):
        raise MissingExtraError(_words(extra, what, missing, instead), arguments=arguments)


def missing_extra_error(extra: str, what: str) -> MissingExtraError:
    """Return the error to raise if a module of an extra cannot be imported."""
    return MissingExtraError(_words(extra, what, missing_modules(extra) or list(EXTRAS[extra]), ""))


def _words(extra: str, what: str, missing: list[str], instead: str) -> str:
    listed, are = joined(missing, "and"), "is" if len(missing) == 1 else "are"
    line = f'{what} needs {listed}, which {are} not installed: python -m pip install "gamedeid[{extra}]"'
    return f"{line}; {instead}" if instead else line
