"""The promises that hold for the outcome of any input, and the description of a broken one."""

import io
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet
from tampering import csv_rows

import gamedeid
from fuzzing.case import Case
from fuzzing.trial import Outcome

CODES = {0, 2}
"""Exit codes of a command that no signal ended."""

FOUND = 3
"""Exit code of a command with findings, which it prints on standard output."""

_NO_NUMBER = re.compile(rb"(?<![\w./-])[-+$]*(?:nan|inf|infinity)(?![\w./-])", re.IGNORECASE)
_MONEY = re.compile(rb"\$-?(?:nan|inf)", re.IGNORECASE)
_ERROR = re.compile(r"^([A-Za-z_][\w.]*)(?=:|$)", re.MULTILINE)
_PACKAGE = f"{Path(gamedeid.__file__).parent}/"
_FRAME = re.compile(r'File "([^"]+)", line \d+, in (\S+)')
_NUMBERS = tuple(
    "information_loss generalization_intensity success_probability publisher_payoff adversary_payoff".split()
)
_LONGEST = 4000  # characters of a message, which may contain a path and some names of columns


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """A broken promise of an outcome.

    Parameters
    ----------
    what : the promise that is broken, such as "traceback".
    where : its distinguishing mark: for a traceback the exception, the file and the function.
    detail : what was seen.
    """

    what: str
    where: str = ""
    detail: str = ""

    @property
    def group(self) -> str:
        """Key shared by faults of the same cause."""
        return f"{self.what}: {self.where}" if self.where else self.what


def faults_of(case: Case, outcome: Outcome) -> list[Fault]:
    """Return every promise that an outcome breaks."""
    if outcome.seconds is None:
        return [Fault(what="hang", where=_innermost(outcome.err, "TooSlowError"), detail=outcome.err)]
    return list(_faults(case, outcome))


def _faults(case: Case, outcome: Outcome) -> Iterator[Fault]:
    if case.signal and "KeyboardInterrupt" in outcome.err and " in main\n" not in outcome.err:
        return  # Python itself was still starting
    if "Traceback (most recent call last)" in outcome.err:
        error = _ERROR.findall(outcome.err.rpartition('  File "')[2])[:1]
        yield Fault(what="traceback", where=_innermost(outcome.err, *error), detail=outcome.err[-6000:])
        return
    for one in outcome.noise:
        yield Fault(what="noise", where=one.partition(":")[0], detail=one)
    found = {FOUND} if case.words[:1] in {("check",), ("verify",), ("attack",)} else set()
    if outcome.code not in CODES | found | (
        {128 + case.signal["number"], -case.signal["number"]} if case.signal else set()
    ):
        yield Fault(what="exit code", where=str(outcome.code), detail=outcome.err)
    yield from _of_messages(case, outcome)
    yield from _of_files(case, outcome)
    yield from _of_secrets(case, outcome)
    if outcome.code == 0:
        yield from _of_numbers(case, outcome)


def _of_messages(case: Case, outcome: Outcome) -> Iterator[Fault]:
    err = outcome.err
    lines = err.splitlines()
    if outcome.code == 0:
        if any(not line.startswith("gamedeid: ") for line in lines):
            yield Fault(what="said on standard error", detail=err)
        return
    checked = (case.words[:2] == ("hierarchy", "check") or outcome.code == FOUND) and not err and outcome.out
    helped = not case.words or "--help" in outcome.out or "Usage" in outcome.out
    if not checked and not (helped and not err) and (len(lines) != 1 or not err.endswith("\n")):
        yield Fault(what="message of other than one line", where=str(len(lines)), detail=err)
    if err and not err.startswith("gamedeid: "):
        yield Fault(what="message without our name", detail=err)
    if len(err) > _LONGEST:
        yield Fault(what="message too long", where=_pattern(err), detail=err)
    if any(not (one.isprintable() or one == "\n") for one in err):
        yield Fault(what="control character in a message", where=_pattern(err), detail=repr(err))


def _of_files(case: Case, outcome: Outcome) -> Iterator[Fault]:
    inputs, made = outcome.before.keys() - case.replaced, outcome.written.keys() - case.replaced
    allowed = {"results/report.html", "results/manifest.json"} if case.words[:1] == ("report",) else set()
    written = {name for name in made if name.rstrip("/") not in allowed}
    for name in sorted(inputs & written | (inputs - set(outcome.after))):
        yield Fault(what="an input was changed", where=_kind_of(name), detail=name)
    if outcome.code != 0 and made:
        yield Fault(what="written in spite of an error", detail=str(sorted(outcome.written)))
    if outcome.left:
        yield Fault(
            what="temporary files left", where=re.sub(r"\d+|_\w+", "", outcome.left[0]), detail=str(outcome.left)
        )
    for name in sorted(written):
        if name.endswith("manifest.json") and outcome.code == 0:
            yield from _of_manifest(name, outcome)


def _of_manifest(name: str, outcome: Outcome) -> Iterator[Fault]:
    from hashlib import sha256

    folder = name.removesuffix("manifest.json")
    manifest = json.loads(outcome.after[name])
    for output, digest in manifest.get("outputs", {}).items():
        content = outcome.after.get(folder + output)
        if content is None or (isinstance(digest, str) and sha256(content).hexdigest() != digest):
            yield Fault(what="an output is not as the manifest has it", where=output, detail=digest)


def _of_secrets(case: Case, outcome: Outcome) -> Iterator[Fault]:
    said = (outcome.out + outcome.err).encode("utf-8", "replace")
    fresh = ((name, content) for name, content in outcome.written.items() if name not in case.replaced)
    everywhere = [("what is said", said), *((name, _with_pages(name, content)) for name, content in fresh)]
    names = b"".join(content.split(b"\n", 1)[0] for name, content in case.files.items() if name.endswith(".csv"))
    secret = [token for token in case.tokens if token.encode() not in names]  # first rows are columns' names
    if secret:
        for place, content in everywhere:
            found = [token for token in secret if token.encode() in content]
            if found:
                yield Fault(what="a secret came out", where=_kind_of(place), detail=f"{found[:3]} in {content[:300]!r}")
    if case.call is not None and "TOKEN-UNUSED" in outcome.out:
        yield Fault(what="an unused category came out", detail=outcome.out[-500:])
    withheld = _withheld(outcome) if case.kept and outcome.code == 0 else set()
    for place, content in everywhere if withheld else ():
        found = [case.kept[row] for row in withheld if row < len(case.kept) and case.kept[row].encode() in content]
        if found:
            yield Fault(what="a withheld row came out", where=_kind_of(place), detail=f"{found} in {content[:300]!r}")


def _with_pages(name: str, content: bytes) -> bytes:
    """Return the bytes of a file; of a Parquet file also its dictionaries, which may be compressed."""
    if not name.endswith(".parquet"):
        return content
    names = pa.parquet.read_schema(io.BytesIO(content)).names
    table = pa.parquet.read_table(io.BytesIO(content), read_dictionary=names)
    chunks = [chunk for column in table.columns for chunk in column.chunks]
    held = [chunk.dictionary.to_pylist() if hasattr(chunk, "dictionary") else chunk.to_pylist() for chunk in chunks]
    return content + str(held).encode("utf-8", "replace")


def _withheld(outcome: Outcome) -> set[int]:
    rows = _strategies(outcome)
    return {row for row, one in enumerate(rows) if one["withheld"] in (True, "true")}


def _strategies(outcome: Outcome) -> list[dict[str, Any]]:
    for name, content in outcome.written.items():
        if name.endswith("strategies.csv"):
            return csv_rows(content.decode())
        if name.endswith("strategies.parquet"):
            rows: list[dict[str, Any]] = pa.parquet.read_table(io.BytesIO(content)).to_pylist()
            return rows
    return []


def _of_numbers(case: Case, outcome: Outcome) -> Iterator[Fault]:
    fresh = {"standard output": outcome.out.encode("utf-8", "replace"), **outcome.written}
    numberless = _NO_NUMBER.search(case.everything) or b"e999" in case.everything.lower()
    hers = case.call is not None or bool(numberless)  # frames have their own missing numbers
    for name, content in fresh.items():
        if name in case.replaced:
            continue
        if _MONEY.search(content) and not _MONEY.search(case.everything):
            yield Fault(what="no number", where=_kind_of(name), detail=str(_MONEY.search(content)))
        if name.endswith((".html", ".svg", ".png", ".pdf", ".parquet", "/")):
            continue  # pages contain programs with these words
        if not hers and (found := _NO_NUMBER.search(content)) is not None:
            at = found.start()
            yield Fault(what="no number", where=_kind_of(name), detail=repr(content[max(0, at - 150) : at + 60]))
        elif name.endswith(".json") or (name == "standard output" and "--json" in case.words and case.call is None):
            yield from _of_json(name, content)
    if sum(name.endswith(("strategies.csv", "strategies.parquet")) for name in outcome.written):
        for row in _strategies(outcome):
            wrong = [one for one in _NUMBERS if not abs(float(row[one])) < 1e300]
            if wrong:
                yield Fault(what="no number", where=f"strategies {wrong[0]}", detail=str(row))
                break


def _of_json(name: str, content: bytes) -> Iterator[Fault]:
    def refuse(word: str) -> Any:
        raise ValueError(word)

    if not content.startswith((b"{", b"[")):
        return  # the command has no answer, as with --help and --version
    try:
        json.loads(content, parse_constant=refuse)
    except ValueError as error:
        yield Fault(what="no JSON", where=_kind_of(name), detail=f"{error}: {content[:200]!r}")


def _innermost(text: str, error: str = "an error") -> str:
    """Return the exception, and the last file and function of the package that it passed."""
    steps = _FRAME.findall(text)
    ours = [(path, function) for path, function in steps if path.startswith(_PACKAGE)]
    if not ours:
        path, function = steps[-1] if steps else ("nowhere", "")
        return f"{error} in {path.rsplit('/', 1)[-1]}:{function}"
    path, function = ours[-1]
    return f"{error} in {path.removeprefix(_PACKAGE)}:{function}"


def _pattern(text: str) -> str:
    """Return the beginning of a message, without what may differ between inputs."""
    return re.sub(r"`[^`]*`|\d+|\S*/\S*", "_", text[:200])[:60].encode("ascii", "replace").decode()


def _kind_of(name: str) -> str:
    return re.sub(r"\d+", "", name.rsplit("/", 1)[-1])[:40]
