"""(c) The whole command ``compare`` against a script that only imports pandas and reads the same two files.

Both are processes of their own, run in turn; each row of the table gives medians and the median ratio pair by pair. The
first run after an installation compiles the kernels and is not counted: its time is printed below the table.

Run: ``python benchmarks/command.py [--rounds 9] [--smoke]``
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile

from measure import Work, in_turn, seconds_of
from subjects import ROOT, available

from gamedeid.scenario.scenario import Scenario

READ = "import sys, pandas; [pandas.read_csv(path) for path in sys.argv[1:]]"


def main() -> None:
    """Print one row per scenario: seconds of the command, of the script, and the ratio."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--smoke", action="store_true", help="one round on small data: only shows that it runs")
    options = parser.parse_args()
    rounds = 1 if options.smoke else options.rounds
    print("| scenario | compare, s | pandas reads the files, s | compare / script |")
    print("|---|---|---|---|")
    for name in available("quickstart") if options.smoke else available("quickstart", "adult_tn"):
        path = ROOT / "scenarios" / f"{name}.toml"
        scenario = Scenario.read(path)
        assert scenario.population is not None
        files = [str(scenario.folder / part.path) for part in (scenario.records, scenario.population)]
        read = command([sys.executable, "-c", READ, *files])
        compare = command([sys.executable, "-m", "gamedeid", "compare", str(path), "--json"])
        pair = in_turn(compare, read, rounds)
        ours, theirs = pair.medians
        print(f"| {name} | {ours:.2f} | {theirs:.2f} | {1 / pair.ratio:.2f} |")
    with tempfile.TemporaryDirectory() as empty:
        first = command([sys.executable, "-m", "gamedeid", "compare", str(path), "--json"], NUMBA_CACHE_DIR=empty)
        print(f"\nThe first run, which compiles the kernels: {statistics.median([seconds_of(first)]):.1f} s.")


def command(words: list[str], **environment: str) -> Work:
    """Return a function that runs a command from the repository and insists that it succeeds."""

    def run() -> None:
        subprocess.run(words, cwd=ROOT, check=True, stdout=subprocess.DEVNULL, env=os.environ | environment)

    return run


if __name__ == "__main__":
    main()
