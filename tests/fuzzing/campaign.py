"""Many inputs, shared out among processes that are watched: one may hang, or end altogether."""

import json
import multiprocessing
import os
import resource
import shutil
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
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
_MEMORY = 6 << 30  # bytes that a process may take
_OFTEN = 50  # inputs between two words to the one who waits


@dataclass(slots=True, kw_only=True)
class Tally:
    """What has been tried, and what was wrong.

    Parameters
    ----------
    counts : kind -> inputs tried.
    codes : exit code -> how often it came.
    groups : group of faults -> number of inputs, first number, first input as text, first detail.
    """

    counts: Counter[str] = field(default_factory=Counter)
    codes: Counter[int] = field(default_factory=Counter)
    groups: dict[str, dict[str, Any]] = field(default_factory=dict)

    @property
    def tried(self) -> int:
        """Inputs tried."""
        return self.counts.total()

    def add(self, group: str, number: int, case: str, detail: str) -> None:
        """Count a fault; its first input is kept, or a smaller one."""
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
    """Do the same, and take whatever even that cannot stand for a fault."""
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
    crew = [_Worker(plan, one) for one in range(plan.workers)]
    heard = time.monotonic()
    while any(not one.done for one in crew):
        for one in crew:
            for message in one.messages():
                _count(tally, message)
            one.watch(tally)
        if time.monotonic() - heard > 1:
            heard = time.monotonic()
            report(tally)
        time.sleep(0.05)
    report(tally)
    return tally


def _count(tally: Tally, message: dict[str, Any]) -> None:
    tally.counts.update(message["counts"])
    tally.codes.update(message["codes"])
    for fault in message["faults"]:
        tally.add(*fault)


class _Worker:
    """A process that tries every so many-th input, and is started anew after one that ended it."""

    def __init__(self, plan: Plan, first: int) -> None:
        self._plan, self._context = plan, multiprocessing.get_context("fork")
        self._now = self._context.Array("q", [0, 0])  # the input at hand, and when it was begun, in milliseconds
        self._start(plan.start + first)
        self.done = False

    def messages(self) -> Iterator[dict[str, Any]]:
        try:
            while self._pipe.poll():
                message = self._pipe.recv()
                self.done = message is None
                if message is not None:
                    yield message
        except (EOFError, OSError):
            pass

    def watch(self, tally: Tally) -> None:
        """Start the process anew if it has ended, or end it if the input at hand takes too long."""
        if self.done:
            self._process.join(1)
            return
        number, begun = self._now[:]
        stuck = begun and time.monotonic() * 1000 - begun > self._plan.seconds * _PATIENCE * 1000
        if self._process.is_alive() and not stuck:
            return
        for message in self.messages():
            _count(tally, message)
        if self.done:
            return
        what = "hang that no signal ends" if stuck else f"end of the process, {self._process.exitcode}"
        self._process.kill()
        self._process.join()
        case = self._plan.case(number)
        tally.counts[case.kind] += 1
        tally.add(f"{what}: {case.kind}", number, case.to_json(), what)
        self._start(number + self._plan.workers)

    def _start(self, first: int) -> None:
        self._pipe, theirs = self._context.Pipe(duplex=False)
        self._now[:] = [first, 0]
        self._process = self._context.Process(target=_work, args=(theirs, self._now, self._plan, first), daemon=True)
        self._process.start()
        theirs.close()


def _work(pipe: Any, now: Any, plan: Plan, first: int) -> None:
    """Try every so many-th input, from the first on, and tell what came of them."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    home = Path(tempfile.mkdtemp(prefix="gamedeid-fuzz-", dir=_memory_disk()))
    known: set[str] = set()
    parent = os.getppid()
    try:
        _warm_up(home)
        message = _message()
        for number in range(first, plan.start + plan.inputs, plan.workers):
            if os.getppid() != parent:  # nobody waits any more
                return
            case = plan.case(number)
            now[:] = [number, int(time.monotonic() * 1000)]
            code, faults = _judged(case, home, plan.seconds)
            message["counts"][case.kind] += 1
            message["codes"][code] += 1
            for fault in faults:
                if fault.group not in known and fault.what != "hang":
                    known.add(fault.group)
                    case = _shrunk(case, fault.group, home, plan.seconds, now)
                message["faults"].append((fault.group, number, case.to_json(), fault.detail))
            now[1] = 0
            if message["faults"] or message["counts"].total() == _OFTEN:
                pipe.send(message)
                message = _message()
        pipe.send(message)
        pipe.send(None)
    finally:
        os.chdir("/")
        shutil.rmtree(home, ignore_errors=True)


def _memory_disk() -> str | None:
    """Return a folder that is kept in memory, where there is one: an input writes ten small files."""
    known = "/dev/shm"  # noqa: S108  (in it, a folder of our own)
    return known if os.access(known, os.W_OK) else None


def _message() -> dict[str, Any]:
    return {"counts": Counter(), "codes": Counter(), "faults": []}


def _shrunk(case: Case, group: str, home: Path, seconds: float, now: Any) -> Case:
    def fails(one: Case) -> bool:
        now[1] = int(time.monotonic() * 1000)
        return _has(one, home, group, seconds)

    return shrunk(case, fails)


def _has(case: Case, home: Path, group: str, seconds: float) -> bool:
    return group in {fault.group for fault in _judged(case, home, seconds)[1]}


def _warm_up(home: Path) -> None:
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
