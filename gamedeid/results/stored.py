"""A stored folder of results: its manifest, and the other files that the manifest names."""

import io
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from hashlib import sha256
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from gamedeid._version import __version__
from gamedeid.arrays import BoolArray, IntArray
from gamedeid.choices import AWARE_GAMES, PLAN, PLAYED_GAMES, RELEASE_ROW, SearchName
from gamedeid.errors import GamedeidError, OutputError, quoted
from gamedeid.file_identity import digest_file
from gamedeid.reprs import brief, frozen
from gamedeid.results.file import is_regular, read_regular, unreadable_words, write_file
from gamedeid.results.formulas import defused
from gamedeid.results.manifest import MANIFEST, RUN_KEYS, SIGNATURE, is_document, json_text
from gamedeid.results.row_order import released_records

SUMMARY, CONTENT, REPORT, GRID = "summary.json", "report.json", "report.html", "sensitivity.csv"
RELEASE, STRATEGIES = "release", "strategies"
"""Names of a run's tables, without the number of a part and the format."""

OF_STRATEGIES = (STRATEGIES, PLAN)
"""Beginnings of the names of outputs with people's strategies, whose digests stay in the manifest."""

_PROVING = ("exact", "backward-induction")
"""Solvers that prove the best strategies."""

_SECTIONS = {"scenario": dict, "inputs": dict, "outputs": dict, "overridden": list, "gamedeid": str}


@brief
class StoredStrategies(NamedTuple):
    """The strategies of the records of a stored run, and the record of each released row.

    Parameters
    ----------
    levels : (n, a) int64.
    withheld : (n,) whether the record has no row.
    released : (m,) int64, the number of the record of each released row.
    """

    levels: IntArray
    withheld: BoolArray
    released: IntArray


@frozen(eq=False)
class StoredResults:
    """A folder of results with its manifest."""

    folder: Path
    manifest: Mapping[str, Any]
    digest: str

    @classmethod
    def read(cls, folder: str | PathLike[str]) -> "StoredResults":
        """Read the manifest of a folder; no other file is read."""
        folder = Path(folder)
        try:
            content = read_regular(folder / MANIFEST)
        except FileNotFoundError:
            why = f"it has no {MANIFEST}" if folder.is_dir() else "there is no such folder"
            why = "it is no folder" if folder.is_file() else why
            raise OutputError(f"{folder} holds no results of gamedeid: {why}") from None
        found = parse_json(content, folder / MANIFEST)
        if not isinstance(found, dict) or not _is_manifest(found):
            raise OutputError(f"{folder} holds no results of gamedeid: its {MANIFEST} is not as gamedeid writes it")
        return cls(folder=folder, manifest=found, digest=sha256(content).hexdigest())

    @classmethod
    def read_run(cls, folder: str | PathLike[str]) -> "StoredResults":
        """Read the manifest of a run of this version."""
        found = cls.read(folder)
        found.check_run()
        return found

    def check_run(self) -> None:
        """Refuse results other than a run of this version."""
        if SUMMARY not in self.outputs or not {"game", "solver"} <= self.manifest["scenario"].keys():
            raise OutputError(
                f"{self.folder} holds no results of a run: its {MANIFEST} names no {SUMMARY}, game and solver"
            )
        if not self.is_of_this_version:
            version = quoted(self.manifest["gamedeid"])
            raise OutputError(
                f"{self.folder} holds results of gamedeid {version}, this is {__version__}; install that version, or "
                "run again"
            )

    @property
    def outputs(self) -> Mapping[str, str]:
        """Name of each file -> its SHA-256 in hex, as stated in the manifest."""
        named: Mapping[str, str] = self.manifest["outputs"]
        return named

    @property
    def input_digests(self) -> Mapping[str, str]:
        """Name of each input -> its SHA-256 in hex, as stated in the manifest."""
        return {name: one["sha256"] for name, one in self.manifest["inputs"].items()}

    @property
    def overridden(self) -> tuple[str, ...]:
        """Keys of the scenario that were changed for the run."""
        return tuple(map(str, self.manifest["overridden"]))

    @property
    def question(self) -> dict[str, Any]:
        """The scenario of a run, without the options of the run."""
        return {key: value for key, value in self.manifest["scenario"].items() if key not in RUN_KEYS}

    @property
    def is_of_this_version(self) -> bool:
        """Whether this version of gamedeid wrote the folder."""
        return bool(self.manifest["gamedeid"] == __version__)

    @property
    def is_run(self) -> bool:
        """Whether the folder holds a run: it has strategies."""
        return bool(self.parts(STRATEGIES))

    @property
    def is_of_one_person(self) -> bool:
        """Whether a run was about one person, and not about all records."""
        return bool(self.manifest["scenario"].get("one_person"))

    @property
    def game(self) -> str:
        """The game or policy of a run."""
        return str(self.manifest["scenario"].get("game"))

    @property
    def solver(self) -> SearchName | None:
        """The solver of a run; None for a policy."""
        found: SearchName | None = self.manifest["scenario"].get("solver")
        return found

    @property
    def is_game(self) -> bool:
        """Whether the run solved a game, not a policy."""
        return self.game in PLAYED_GAMES

    @property
    def knows_mechanism(self) -> bool:
        """Whether the game is against an adversary who knows the mechanism."""
        return self.game in AWARE_GAMES

    @property
    def is_proved(self) -> bool:
        """Whether the solver of the run proves that its strategies are the best."""
        return self.is_game and self.solver in _PROVING

    @property
    def defused(self) -> bool:
        """Whether formulas are defused in the tables."""
        return self.manifest["scenario"].get("defuse") is True

    @property
    def published(self) -> Callable[[str], str]:
        """The function from a text, such as a label or a column's name, to its text in the tables."""
        return defused if self.defused else str

    @property
    def keeps_order(self) -> bool:
        """Whether the rows of the release are in the order of the records, not of their values."""
        return self.manifest["scenario"].get("keep_order") is True

    @property
    def is_applied(self) -> bool:
        """Whether the run applies a finished one to other rows."""
        return self.manifest["scenario"].get("applies") is not None

    @property
    def signer(self) -> Mapping[str, str]:
        """The signer of the folder (``by``) and the date (``on``), as in the manifest; empty if none is named."""
        found: Mapping[str, str] = self.manifest.get("signed", {})
        return found

    def parts(self, stem: str) -> list[str]:
        """Return the files of a table, in order: one, or the numbered parts of a long one."""
        tables = (name for name in self.outputs if name.endswith((".csv", ".parquet")))
        return sorted(name for name in tables if name.startswith((f"{stem}.", f"{stem}-")))

    def content(self, name: str) -> bytes:
        """Return the content of a file of the folder, without checking its digest."""
        return read_regular(self.folder / name)

    def verified(self, name: str) -> bytes:
        """Return the content of a file that the manifest names, after checking its digest."""
        try:
            content = self.content(name)
        except FileNotFoundError as error:
            raise OutputError(f"{self.folder / name} cannot be read ({error.strerror}); run again") from None
        self._check_digest(name, sha256(content).hexdigest())
        return content

    def refuse_changed_tables(self) -> None:
        """Refuse a table that was changed after the run; tables handed over may be absent."""
        for name in self.outputs:
            if name.endswith((".csv", ".parquet")) and is_regular(self.folder / name):
                self._check_digest(name, digest_file(self.folder / name))

    def _check_digest(self, name: str, digest: str) -> None:
        if digest != self.outputs.get(name):
            raise OutputError(
                f"{self.folder / name} is not as {MANIFEST} has it; it was changed after the run: restore it, or run "
                "again"
            )

    def columns(self, stem: str, types: pa.Schema) -> pa.Table:
        """Return columns of a table, from all its parts, after checking their digests."""
        import pyarrow.csv  # noqa: PLC0415  (slow to import, as the next)
        import pyarrow.parquet  # noqa: PLC0415

        parse = pyarrow.csv.ParseOptions(newlines_in_values=True)
        convert = pyarrow.csv.ConvertOptions(column_types=types, include_columns=types.names)
        read = []
        for part in self.parts(stem):
            content = io.BytesIO(self.verified(part))
            if part.endswith(".parquet"):
                read.append(pyarrow.parquet.read_table(content, columns=types.names).select(types.names).cast(types))
            else:
                read.append(pyarrow.csv.read_csv(content, parse_options=parse, convert_options=convert))
        return pa.concat_tables(read)

    def strategies(self, attributes: Sequence[str], records: int | None = None) -> StoredStrategies:
        """Return the strategies of the records of a run, in the order of these attributes.

        Parameters
        ----------
        records : their expected number; None if not known.

        Raises
        ------
        OutputError : the tables are not as the manifest states.
        """
        wrong = OutputError(f"{self.folder}: its strategies are not as {MANIFEST} has them; run again")
        places = {} if self.keeps_order else {RELEASE_ROW: pa.int64()}
        types = pa.schema(dict.fromkeys(attributes, pa.int64()) | {"withheld": pa.bool_()} | places)
        try:
            table = self.columns(STRATEGIES, types)
            columns = [table.column(name).to_numpy().astype(np.int64) for name in attributes]
            withheld = table.column("withheld").to_numpy().astype(np.bool_)
            released: IntArray | None = np.flatnonzero(~withheld)
            if places:
                released = released_records(withheld, table.column(RELEASE_ROW).fill_null(-1).to_numpy())
        except (pa.ArrowException, KeyError, ValueError):
            raise wrong from None
        if released is None or (records is not None and len(withheld) != records):
            raise wrong
        return StoredStrategies(levels=np.stack(columns, axis=1), withheld=withheld, released=released)

    def document(self, name: str) -> Any:
        """Return a JSON file that the manifest names, as plain values."""
        return parse_json(self.verified(name), self.folder / name)

    def changes(self) -> Iterator[tuple[str, str]]:
        """Yield the name of each file that differs from the manifest, and a description of the difference."""
        for name, digest in self.outputs.items():
            if Path(name).name != name:
                yield MANIFEST, f"names {quoted(name)}, which is no file of this folder"
                continue
            try:
                found = digest_file(self.folder / name) if is_regular(self.folder / name) else None
            except GamedeidError as error:
                yield name, unreadable_words(error)
                continue
            if found is None:
                yield name, f"is named in {MANIFEST}, and is not there"
            elif found != digest:
                filled_in = "; if it was filled in, sign the folder" if is_document(name) else ""
                yield name, f"has another digest than {MANIFEST} states: expected {digest}, found {found}{filled_in}"


def state_outputs(
    folder: Path, manifest: Mapping[str, Any], digests: Mapping[str, str], signed: Mapping[str, str] | None = None
) -> None:
    """State the digests of added or changed files in the manifest of a folder; no other file is changed.

    Parameters
    ----------
    digests : name of each such file -> its SHA-256 in hex.
    signed : the new signer of the folder and the date; empty if no signer is named, None if the folder is not signed
        again.

    Raises
    ------
    OutputError : the manifest would change, but the folder is signed and is not signed again.
    """
    renewed = {**manifest, "outputs": dict(sorted({**manifest["outputs"], **digests}.items()))}
    if signed is not None:
        renewed.pop("signed", None)
        renewed |= {"signed": signed} if signed else {}
    if renewed == manifest:
        return
    if signed is None:
        for name in digests:
            refuse_signed(folder, folder / name)
    write_file(folder / MANIFEST, json_text(renewed), overwrite=True, follow_links=False)


def is_signed(folder: Path) -> bool:
    """Return whether a folder of results has a signature, without checking it."""
    return is_regular(folder / SIGNATURE)


def refuse_signed(folder: Path, output: Path) -> None:
    """Refuse to write a file of a signed folder whose digest the manifest would have to state again."""
    if is_signed(folder):
        raise OutputError(
            f"{output} is not written, because {folder} is signed and its signature would not hold; remove "
            f"{SIGNATURE} and sign again, or write the file elsewhere"
        )


def parse_json(content: bytes, path: Path) -> Any:
    """Return a JSON document as plain values."""
    try:
        found = json.loads(content.decode(), parse_constant=_refuse_constant)
        if b"\\ud" in content.lower():  # an unpaired surrogate is not valid text
            json.dumps(found, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        raise OutputError(f"{path} is not JSON as gamedeid writes it; run again") from None
    return found


def _is_manifest(found: Mapping[str, Any]) -> bool:
    if any(not isinstance(found.get(key), kind) for key, kind in _SECTIONS.items()):
        return False
    signed = found.get("signed", {"by": "", "on": ""})
    if not isinstance(signed, dict) or [*signed] != ["by", "on"]:
        return False
    return all(isinstance(one, str) for one in (*found["outputs"].values(), *signed.values())) and all(
        isinstance(one, dict) and isinstance(one.get("sha256"), str) and isinstance(one.get("path"), str)
        for one in found["inputs"].values()
    )


def _refuse_constant(name: str) -> None:
    raise ValueError(name)
