"""Many inputs, distributed to supervised processes: one may hang or crash."""

import json
import multiprocessing
import os
import resource
import shutil
import tempfile
import traceback
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fuzzing import changing_inputs
from fuzzing.case import Case
from fuzzing.kinds import KINDS, draw
from fuzzing.oracle import Fault, faults_of
from fuzzing.processes import put
from fuzzing.shrinking import shrunk
from fuzzing.stored_results import finished
from fuzzing.trial import SECONDS, try_case

_COMPILING = 20  # times that too, where kernels are compiled meanwhile
_PATIENCE = 150  # times the time an input may take, until its process is ended from outside
_OFTEN = 50  # inputs that a process tries


@dataclass(slots=True, kw_only=True)
class Tally:
    """What has been tried, and what was wrong.

    Parameters
    ----------
    counts : kind -> inputs tried.
    codes : exit code -> number of inputs.
    groups : group of faults -> number of inputs, first number, first input as text, first detail.
    """

    counts: Counter[str] = field(default_factory=Counter)
    codes: Counter[int] = field(default_factory=Counter)
    groups: dict[str, dict[str, Any]] = field(default_factory=dict)

    @property
    def tried(self) -> int:
        """Inputs tried."""
        return self.counts.total()

    def add(self, kind: str, code: int | None, faults: list[tuple[str, int, str, str]]) -> None:
        """Count an input and its faults: group, number, input as text, detail; the smallest input is kept."""
        self.counts[kind] += 1
        self.codes.update([] if code is None else [code])
        for group, number, case, detail in faults:
            found = self.groups.setdefault(group, {"inputs": 0, "number": number, "case": case, "detail": detail})
            found["inputs"] += 1
            if len(case) < len(found["case"]):
                found.update(number=number, case=case, detail=detail)


def judged(case: Case, home: Path, seconds: float = SECONDS) -> tuple[int, list[Fault]]:
    """Try an input and return the exit code and its faults; one that takes too long is tried twice.

    What the kernels take to be compiled does not count.
    """
    trial = put if case.signal is not None else try_case
    outcome = trial(case, home, seconds=seconds)
    if outcome.seconds is None:
        outcome = trial(case, home, seconds=seconds * (_COMPILING if "/numba/core/" in outcome.err else 1))
    return outcome.code, [*faults_of(case, outcome), *changing_inputs.faults_of(case, outcome, home)]


def _judged(case: Case, home: Path, seconds: float) -> tuple[int, list[Fault]]:
    """Do the same, and count any exception of the judge as a fault."""
    try:
        return judged(case, home, seconds)
    except BaseException as error:  # noqa: BLE001  (an input may end anything)
        last = traceback.extract_tb(error.__traceback__)[-1]
        where = f"{type(error).__name__} in {Path(last.filename).name}:{last.name}"
        return 1, [
            Fault(what="beyond the command line", where=where, detail="".join(traceback.format_exception(error)))
        ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """Which inputs are tried, and how.

    Parameters
    ----------
    seed, start, inputs : the inputs numbered from ``start`` on.
    kinds : of which kinds; another choice of kinds draws other inputs.
    workers : processes that share them.
    seconds : how long an input may take.
    """

    seed: int = 1
    start: int = 0
    inputs: int
    kinds: tuple[str, ...] = tuple(KINDS)
    workers: int = 2
    seconds: float = SECONDS

    def case(self, number: int) -> Case:
        """Return an input by its number."""
        return draw(self.seed, number, self.kinds)


def campaign(plan: Plan, report: Callable[[Tally], None] = lambda _tally: None) -> Tally:
    """Try all inputs of a plan; the first of each group of faults is made smaller.

    Parameters
    ----------
    plan : which.
    report : called with the tally now and then.
    """
    tally = Tally()
    home = Path(tempfile.mkdtemp(prefix="gamedeid-fuzz-", dir=_memory_disk()))
    try:
        if plan.inputs > _OFTEN:
            warm_up(home)
        numbers = range(plan.start, plan.start + plan.inputs)
        parts = [numbers[at : at + _OFTEN] for at in range(0, len(numbers), _OFTEN)]
        with ThreadPoolExecutor(plan.workers) as pool:
            for tried in as_completed([pool.submit(_tried, plan, part, home, tally) for part in parts]):
                for case, code, faults in tried.result():
                    tally.add(case, code, faults)
                report(tally)
    finally:
        os.chdir("/")
        shutil.rmtree(home, ignore_errors=True)
    return tally


Tried = tuple[str, int | None, list[tuple[str, int, str, str]]]
"""Of an input: its kind, its exit code if the process lived, and of each fault what :meth:`Tally.add` counts."""


def _tried(plan: Plan, numbers: range, home: Path, tally: Tally) -> list[Tried]:
    """Try inputs in a forked process; if that ends or hangs, each in a separate process."""
    context = multiprocessing.get_context("fork")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_try_there, args=(theirs, plan, numbers, home, set(tally.groups)), daemon=True)
    process.start()
    theirs.close()
    stuck = not ours.poll(plan.seconds * _PATIENCE)
    try:
        if not stuck:
            return ours.recv()  # type: ignore[no-any-return]
    except EOFError:  # it has ended
        pass
    finally:
        process.kill()
        process.join()
    if len(numbers) > 1:
        return [one for number in numbers for one in _tried(plan, range(number, number + 1), home, tally)]
    case = plan.case(numbers[0])
    what = "hang that no signal ends" if stuck else f"end of the process, {process.exitcode}"
    return [(case.kind, None, [(f"{what}: {case.kind}", numbers[0], case.to_json(), what)])]


def _try_there(pipe: Any, plan: Plan, numbers: range, home: Path, known: set[str]) -> None:
    """Try inputs, and send their outcomes."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    own = Path(tempfile.mkdtemp(dir=home))
    found: list[Tried] = []
    for number in numbers:
        case = plan.case(number)
        code, faults = _judged(case, own, plan.seconds)
        told = []
        for fault in faults:
            if fault.group not in known and fault.what != "hang":
                known.add(fault.group)
                case = shrunk(case, lambda one, group=fault.group: group in _groups(one, own, plan.seconds))
            told.append((fault.group, number, case.to_json(), fault.detail))
        found.append((case.kind, code, told))
    pipe.send(found)


def _groups(case: Case, home: Path, seconds: float) -> set[str]:
    return {fault.group for fault in _judged(case, home, seconds)[1]}


def _memory_disk() -> str | None:
    """Return a folder that is kept in memory, where there is one: an input writes ten small files."""
    known = "/dev/shm"  # noqa: S108  (in it, a folder of our own)
    return known if os.access(known, os.W_OK) else None


def warm_up(home: Path) -> None:
    """Load and compile what most inputs need, so that none is slow for being the first."""
    from fuzzing.questions import PLAIN

    finished()
    for words in (("compare",), ("solvers",), ("sweep", "--exact", "loss"), ("run", "--engine", "duckdb")):
        case = Case(kind="warm-up", words=(words[0], "scenario.toml", *words[1:]), files=PLAIN.files())
        try_case(case, home, seconds=300)


def as_findings(tally: Tally) -> str:
    """Return the groups of faults as text, the most frequent first."""
    lines = []
    for group, found in sorted(tally.groups.items(), key=lambda one: -one[1]["inputs"]):
        words = json.loads(found["case"]).get("words", "a call")
        lines.append(f"{found['inputs']:6}  {group}  (input {found['number']}: {words})")
    return "\n".join(lines)
