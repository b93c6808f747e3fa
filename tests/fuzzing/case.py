"""One input: its files, the words or the call that use it, and the values that may never come out."""

import base64
import json
import zlib
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One input.

    Parameters
    ----------
    kind : what was drawn, such as "csv".
    words : of the command line, run in the folder of the files; empty where ``call`` says what is called instead.
    files : name -> content, written below a folder of its own; a name may have slashes.
    links : name -> where a symbolic link of that name points to.
    tokens : texts that no byte of files and output may hold.
    kept : text of a kept column, unique for each record, in input order: those withheld may not come out. Empty where
        a change of the table could have moved them.
    results : changes of a finished folder of results, called ``results``; see :mod:`fuzzing.stored_results`.
    replacement : at which call of a function of the package which file gets which other content.
    signal : the number of a signal and the second at which it comes, for a process of its own.
    call : of the Python API; see :mod:`fuzzing.frames`.
    """

    kind: str
    words: tuple[str, ...] = ()
    files: dict[str, bytes] = field(default_factory=dict)
    links: dict[str, str] = field(default_factory=dict)
    tokens: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()
    results: list[dict[str, Any]] | None = None
    replacement: dict[str, Any] | None = None
    signal: dict[str, Any] | None = None
    call: dict[str, Any] | None = None

    @property
    def replaced(self) -> set[str]:
        """The file that gets other content, if one does."""
        return set() if self.replacement is None else {self.replacement["file"]}

    def but(self, **changes: Any) -> "Case":
        """Return the same input with changes."""
        return replace(self, **changes)

    def write(self, folder: Path) -> None:
        """Write the files and links below a folder that exists."""
        for name, content in self.files.items():
            path = folder / name
            if "/" in name:
                path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        for name, target in self.links.items():
            (folder / name).symlink_to(target)

    def to_json(self) -> str:
        """Return the input as text; bytes that are no UTF-8 in base 64."""
        content = {key: value for key, value in asdict(self).items() if value not in ((), {}, None)}
        if self.results is not None:
            content["results"] = self.results
        if self.files:
            content["files"] = {name: _said(one) for name, one in self.files.items()}
        if self.replacement is not None:
            content["replacement"] = {**self.replacement, "content": _said(self.replacement["content"])}
        return json.dumps(content, indent=1) + "\n"

    @classmethod
    def from_json(cls, text: str) -> "Case":
        """Return the input that :meth:`to_json` wrote."""
        content = json.loads(text)
        for key in ("words", "tokens", "kept"):
            content[key] = tuple(content.get(key, ()))
        content["files"] = {name: _told_in_one_line(one) for name, one in content.get("files", {}).items()}
        if "replacement" in content:
            content["replacement"]["content"] = _told_in_one_line(content["replacement"]["content"])
        return cls(**content)

    @property
    def everything(self) -> bytes:
        """All content of the input, to decide whether a printed word was part of it."""
        said = [json.dumps([self.results, self.call], default=str, ensure_ascii=False).encode("utf-8", "replace")]
        said += [" ".join(self.words).encode("utf-8", "surrogateescape")]
        said += [name.encode("utf-8", "surrogateescape") for name in (*self.files, *self.links)]
        replacing = [self.replacement["content"]] if self.replacement is not None else []
        return b"\n".join([*said, *map(_unpacked, self.files.values()), *replacing])


def _unpacked(content: bytes) -> bytes:
    """Return the letters of a file, also of one that is zipped, or UTF-16."""
    if content[:2] == b"\x1f\x8b":
        with suppress(zlib.error):
            content = zlib.decompressobj(wbits=31).decompress(content)
    return content.replace(b"\0", b"")


def _said(content: bytes) -> str | dict[str, str]:
    try:
        return content.decode()
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(content).decode()}


def _told_in_one_line(content: str | dict[str, str]) -> bytes:
    return content.encode() if isinstance(content, str) else base64.b64decode(content["base64"])
