"""(k) From a CSV file to a signed release and a draft of its determination, command by command.

Each command is a separate process, as for a user; medians over some rounds. The first round, which may compile
kernels, is not measured.

Run: ``python benchmarks/from_csv.py [--rounds 5] [--smoke]``
"""

import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from measure import ROOT, arguments, seconds_of

QUICKSTART = ROOT / "scenarios" / "quickstart"
KEY = ["sign", "--new-key", "key.pem"]
STEPS = {
    "init": ["init", "records.csv", "--population", "population.csv", "--year", "2026", "--yes", "-o", "question"],
    "run": ["run", "question/scenario.toml", "-o", "release"],
    "sign": ["sign", "release", "--key", "key.pem"],
    "determination": ["determination", "release", "-o", "draft.docx"],
}


def main() -> None:
    """Print one row per command: its median seconds."""
    options = arguments(__doc__, rounds=5).parse_args()
    rounds = [once() for _ in range(1 if options.smoke else options.rounds + 1)]
    print("| command | s |")
    print("|---|---|")
    for name in STEPS:
        print(f"| `gamedeid {name}` | {statistics.median(one[name] for one in rounds[-options.rounds :]):.2f} |")


def once() -> dict[str, float]:
    """Run the commands in a new folder, and return the seconds of each."""
    with tempfile.TemporaryDirectory() as folder:
        for name in ("records.csv", "population.csv"):
            (Path(folder) / name).write_bytes((QUICKSTART / name).read_bytes())
        run(KEY, folder)
        return {name: seconds_of(lambda words=words: run(words, folder)) for name, words in STEPS.items()}


def run(words: list[str], folder: str) -> None:
    """Run one command in a folder; exit if it fails."""
    subprocess.run([sys.executable, "-m", "gamedeid", *words], cwd=folder, check=True, capture_output=True)


if __name__ == "__main__":
    main()
