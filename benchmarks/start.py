"""(c) How long gamedeid takes to start and answer, compared with imports that a Python user needs anyway.

Each row runs a command of gamedeid and a script in turn, each a separate process, and gives seconds of processor
time: medians, and the median ratio pair by pair. Before any measurement, both have run once, so that Python's
bytecode and the compiled loops exist: ``PYTHONDONTWRITEBYTECODE`` is unset, as after an installation with pip.

The rows "floor" are not a command but the least work of a comparison: to import numba (which imports
numpy) and pyarrow, and to read the files with pyarrow as text. The last line is a first run, which compiles.

Run: ``python benchmarks/start.py [--rounds 9] [--smoke]``
"""

import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from measure import ROOT, arguments, rounds_of
from subjects import measured_scenarios

from gamedeid.scenario.scenario import Scenario

GAMEDEID = "import sys; from gamedeid.cli import main; sys.exit(main())"
"""Code that the installed command `gamedeid` runs."""
LIBRARIES = "import typer, rich"
READ = "import sys, {}pandas; [pandas.read_csv(path) for path in sys.argv[1:]]"
FLOOR = (
    "import sys, numba, pyarrow as pa, pyarrow.csv as c; "
    "read = lambda path: pa.input_stream(path, compression='gzip' if path.endswith('.gz') else None); "
    "names = lambda path: c.open_csv(read(path)).schema.names; "
    "types = lambda path: dict.fromkeys(names(path), pa.dictionary(pa.int32(), pa.string())); "
    "[c.read_csv(read(path), convert_options=c.ConvertOptions(column_types=types(path))) for path in sys.argv[1:]]"
)
READ_PLAINLY = "import sys, csv, numba; [list(csv.reader(open(path))) for path in sys.argv[1:]]"


def main() -> None:
    """Print one row per command."""
    options = arguments(__doc__, rounds=9).parse_args()
    rounds = rounds_of(options)
    with tempfile.TemporaryDirectory() as folder:
        environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
        if not options.smoke:  # which uses the existing bytecode
            environment["PYTHONPYCACHEPREFIX"] = folder  # the folders of the sources stay unchanged
        environment["PYTHONPATH"] = str(ROOT)
        print("| command | s | compared with | s | ratio |")
        print("|---|---|---|---|---|")
        gamedeid = [sys.executable, "-c", GAMEDEID]
        for words in (["--version"], ["--help"]):
            _print_row(words, [*gamedeid, *words], LIBRARIES, [], rounds, environment)
        for name in measured_scenarios(smoke=options.smoke):
            path = ROOT / "scenarios" / f"{name}.toml"
            compare, files = [*gamedeid, "compare", str(path), "--json"], _files(path)
            scripts = [READ.format(""), READ.format("numba, ")]
            if not any(file.endswith(".gz") for file in files):
                scripts.append(READ_PLAINLY)
            for script in scripts:
                _print_row(["compare", name], compare, script, files, rounds, environment)
            floor = [sys.executable, "-c", FLOOR, *files]
            _print_row([f"floor of compare {name}"], floor, scripts[0], files, rounds, environment)
        installed = Path(folder) / "installed"
        for part in ("gamedeid", "hierarchies", "scenarios"):
            shutil.copytree(ROOT / part, installed / part, ignore=shutil.ignore_patterns("__pycache__"))
        first = [*gamedeid, "--version"] if options.smoke else compare  # which compiles no loop
        anew = _seconds(first, environment | {"PYTHONPATH": str(installed), "NUMBA_CACHE_DIR": ""}, installed)
        print(f"\nThe first comparison after an installation, which compiles: {anew:.1f} s.")


def _files(scenario: Path) -> list[str]:
    """Return the paths of the records and of the population."""
    question = Scenario.read(scenario)
    assert question.population is not None
    return [str(question.folder / part.path) for part in (question.records, question.population)]


def _print_row(
    words: list[str], command: list[str], script: str, files: list[str], rounds: int, environment: dict[str, str]
) -> None:
    other = [sys.executable, "-c", script, *files]
    if rounds > 1:
        _seconds(command, environment), _seconds(other, environment)
    pairs = [(_seconds(command, environment), _seconds(other, environment)) for _ in range(rounds)]
    ours, theirs = (statistics.median(one) for one in zip(*pairs, strict=True))
    ratio = statistics.median(one / two for one, two in pairs)
    against = script.split(";", 1)[0] + (" and read the files" if files else "")
    print(f"| {' '.join(words)} | {ours:.3f} | {against} | {theirs:.3f} | {ratio:.2f} |")


def _seconds(command: list[str], environment: dict[str, str], folder: Path = ROOT) -> float:
    """Return the processor time of a command that succeeds, in user and system mode."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, cwd=folder, env=environment, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


if __name__ == "__main__":
    main()
