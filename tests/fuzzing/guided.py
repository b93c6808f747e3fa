"""Inputs led by coverage (by atheris, where it is installed): what reaches new lines is changed further."""

import re
import sys
import tempfile
from pathlib import Path
from random import Random

from fuzzing.campaign import judged
from fuzzing.case import Case
from fuzzing.kinds import KINDS

_LONGEST = 90  # characters of a file's name


class BytesRandom(Random):
    """Random numbers taken from bytes as long as they last, so that a fuzzer that changes bytes changes choices."""

    def __init__(self, data: bytes) -> None:
        super().__init__(0)
        self._data, self._at = data, 0

    def getrandbits(self, k: int, /) -> int:
        """Return a whole number of ``k`` bits."""
        count = -(-k // 8)
        taken = self._data[self._at : self._at + count]
        if len(taken) < count:
            return super().getrandbits(k)
        self._at += count
        return int.from_bytes(taken, "big") >> (8 * count - k)

    def random(self) -> float:
        """Return a number in [0, 1)."""
        return self.getrandbits(53) / (1 << 53)


def drawn_from(data: bytes, kinds: tuple[str, ...] = tuple(KINDS)) -> Case:
    """Return the input that bytes stand for."""
    rng = BytesRandom(data)
    kind = rng.choices(kinds, [KINDS[one][0] for one in kinds])[0]
    return KINDS[kind][1](rng)


def guided(*, seconds: int, seed: int, kinds: tuple[str, ...], save: Path) -> None:
    """Try inputs for so long, and save one for each group of faults; this ends the process.

    Raises
    ------
    ImportError : atheris is not installed (``pip install atheris``).
    """
    import atheris

    with atheris.instrument_imports(include=["gamedeid"]):
        import gamedeid.cli.app  # noqa: F401  (it, and all that it imports now or later, counts its lines)
    home = Path(tempfile.mkdtemp(prefix="gamedeid-fuzz-"))
    known: set[str] = set()

    def one(data: bytes) -> None:
        case = drawn_from(data, kinds)
        for fault in judged(case, home)[1]:
            if fault.group not in known:
                known.add(fault.group)
                save_case(save, fault.group, case.to_json())
                sys.stderr.write(f"{fault.group}: {case.words}\n")

    atheris.Setup([sys.argv[0], f"-max_total_time={seconds}", f"-seed={seed}", "-max_len=2048", "-timeout=60"], one)
    atheris.Fuzz()


def save_case(folder: Path, group: str, case: str) -> None:
    """Keep an input that failed, under a name that its group of faults has."""
    folder.mkdir(parents=True, exist_ok=True)
    name = re.sub(r"[^A-Za-z0-9]+", "-", group).strip("-")[:_LONGEST]
    (folder / f"{name}.json").write_text(case)
