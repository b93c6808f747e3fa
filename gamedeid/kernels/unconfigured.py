"""numba, for all who need it: imported such that no file of the working directory configures it.

numba reads `.numba_config.yaml` in the working directory when it is imported, and again whenever it compiles. Such a
file can name a folder of compiled loops, and to load a loop is to run what its maker wished.
"""

import os
import sys
from collections.abc import Sequence
from importlib.abc import InspectLoader, Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from types import CodeType, ModuleType
from typing import cast

_MODULE, _FILE, _NO_FILE = "numba.core.config", ".numba_config.yaml", os.devnull


class _ConfigLoader(Loader):
    """Runs numba's module of settings with another name in the place of its file: that of no regular file."""

    def __init__(self, loader: InspectLoader) -> None:
        self._loader = loader

    def exec_module(self, module: ModuleType) -> None:
        code = cast("CodeType", self._loader.get_code(_MODULE))
        names = (_NO_FILE if one == _FILE else one for one in code.co_consts)
        exec(code.replace(co_consts=tuple(names)), module.__dict__)  # noqa: S102  (as every loader of modules does)


class _ConfigFinder(MetaPathFinder):
    """Finds that one module, and leaves all others to Python."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname != _MODULE:
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is not None and isinstance(spec.loader, InspectLoader):
            spec.loader = _ConfigLoader(spec.loader)
        return spec


def _imported() -> ModuleType:
    """Import numba, or take the one that is there, without what such a file may have set in it."""
    finder = _ConfigFinder()
    sys.meta_path.insert(0, finder)
    try:
        import numba  # noqa: PLC0415
        from numba.core import config  # noqa: PLC0415
    finally:
        sys.meta_path.remove(finder)
    config._config_fname = _NO_FILE  # noqa: SLF001  (another library may have imported numba before)
    config.reload_config()  # type: ignore[no-untyped-call]
    return numba


numba = _imported()
