"""Run ``main`` of a script, and say how long its imports and its work took, in seconds, and which versions it used.

Run: ``python timed.py SCRIPT PACKAGE FOLDER OUTPUT [NAME=VALUE ...]``
"""

import importlib.util
import json
import sys
import time
from importlib.metadata import version
from pathlib import Path


def main() -> None:
    """Print one line of JSON as the last line."""
    script, package, folder, output, *settings = sys.argv[1:]
    start = time.perf_counter()
    spec = importlib.util.spec_from_file_location("script", script)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    loaded = time.perf_counter()
    module.main(Path(folder), Path(output), **dict(word.split("=", 1) for word in settings))
    done = time.perf_counter()
    print(json.dumps({"version": version(package), "imports": loaded - start, "work": done - loaded}))


if __name__ == "__main__":
    main()
