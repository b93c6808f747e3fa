"""Bytecode for the time of a test run, where Python is told to keep none: its many processes compile each file once."""

import os
import shutil
import sys
import tempfile

import pytest


def keep_bytecode(config: pytest.Config) -> None:
    """Keep bytecode in a folder for temporary files until the run ends, for this process and those that it starts."""
    if not sys.dont_write_bytecode:
        return  # it is kept beside the sources, or where PYTHONPYCACHEPREFIX says
    folder = tempfile.mkdtemp(prefix="gamedeid-bytecode-")
    config.add_cleanup(lambda: shutil.rmtree(folder, ignore_errors=True))
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    os.environ["PYTHONPYCACHEPREFIX"] = folder
    sys.dont_write_bytecode, sys.pycache_prefix = False, folder
