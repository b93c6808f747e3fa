"""Try inputs drawn at random, mostly wrong, and say which promises were broken.

    python tests/fuzz.py --inputs 200000 --seed 7 --workers 2

The same seed draws the same inputs, each by its number. A fault's smallest input found is saved into
``tests/fuzzing/seeds/``, which the tests try again each time.
"""

import argparse
import json
import re
import sys
import tempfile
import time
from pathlib import Path

sys.path.append(str(Path(__file__).parent / "kit"))  # as pytest does

from fuzzing.campaign import Plan, Tally, as_findings, campaign, judged
from fuzzing.case import Case
from fuzzing.kinds import KINDS, PROCESSES
from fuzzing.trial import SECONDS

SEEDS = Path(__file__).parent / "fuzzing" / "seeds"
_LONGEST = 90  # characters of a file's name


def main() -> int:
    """Run the command line; return 1 if a promise was broken."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--inputs", type=int, default=2000, help="how many; 2000 unless given")
    parser.add_argument("--seed", type=int, default=1, help="which; 1 unless given")
    parser.add_argument("--start", type=int, default=0, help="number of the first input; 0 unless given")
    parser.add_argument("--workers", type=int, default=2, help="processes; 2 unless given")
    parser.add_argument(
        "--kinds", default=",".join(KINDS), help=f"of {', '.join([*KINDS, *PROCESSES])}; all but the last"
    )
    parser.add_argument("--seconds", type=float, default=SECONDS, help="that an input may take; 5 unless given")
    parser.add_argument("--save", type=Path, default=SEEDS, help="folder for inputs that failed")
    parser.add_argument("--tally", type=Path, help="file for the counts and groups of faults, as JSON")
    parser.add_argument("--only", type=int, help="show this input and what came of it, and try no other")
    parser.add_argument("--replay", type=Path, nargs="+", help="try these saved inputs, and no other")
    asked = parser.parse_args()
    plan = Plan(
        seed=asked.seed,
        start=asked.start,
        inputs=asked.inputs,
        kinds=tuple(asked.kinds.split(",")),
        workers=asked.workers,
        seconds=asked.seconds,
    )
    if asked.only is not None:
        return _show(plan.case(asked.only))
    if asked.replay:
        return max([_show(Case.from_json(path.read_text())) for path in asked.replay])
    begun = time.monotonic()

    def report(tally: Tally) -> None:
        pace = tally.tried / max(time.monotonic() - begun, 0.001)
        sys.stderr.write(f"\r{tally.tried:,} of {asked.inputs:,}, {pace:.0f}/s, {len(tally.groups)} groups of faults ")
        if asked.tally:
            content = {"counts": tally.counts, "codes": tally.codes, "groups": tally.groups}
            asked.tally.write_text(json.dumps({**content, "seconds": time.monotonic() - begun}, indent=1))

    tally = campaign(plan, report)
    sys.stderr.write("\n")
    for group, found in tally.groups.items():
        _save_case(asked.save, group, found["case"])
    print(f"{tally.tried:,} inputs: {dict(tally.counts)}; exit codes {dict(tally.codes)}")  # noqa: T201
    print(as_findings(tally) or "no fault")  # noqa: T201
    return int(bool(tally.groups))


def _save_case(folder: Path, group: str, case: str) -> None:
    """Save an input that failed, under the name of its group of faults."""
    folder.mkdir(parents=True, exist_ok=True)
    name = re.sub(r"[^A-Za-z0-9]+", "-", group).strip("-")[:_LONGEST]
    (folder / f"{name}.json").write_text(case)


def _show(case: Case) -> int:
    with tempfile.TemporaryDirectory() as folder:
        code, faults = judged(case, Path(folder))
    print(case.to_json(), f"exit code {code}", sep="")  # noqa: T201
    for fault in faults:
        print(fault.group, fault.detail, sep="\n")  # noqa: T201
    return int(bool(faults))


if __name__ == "__main__":
    sys.exit(main())
