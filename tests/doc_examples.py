"""Finds and runs the examples of a page; `python tests/doc_examples.py PAGE...` renews what its commands show."""

import doctest
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import chdir
from difflib import get_close_matches
from pathlib import Path
from typing import Any, NamedTuple

sys.path.append(str(Path(__file__).parent / "kit"))

from forked_runs import ForkedRuns

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = sorted(
    [ROOT / "README.md", *DOCS.rglob("*.md"), *ROOT.glob("scenarios/*.md"), *ROOT.glob("hierarchies/*.md")],
    key=lambda page: page.relative_to(ROOT).as_posix(),
)
BAD_INPUT = 2
FENCE = re.compile(r"^(?P<fence>```+)(?P<info>[^`\n]*)\n(?P<text>.*?)^(?P=fence)$", re.MULTILINE | re.DOTALL)
CAPTION = re.compile(r"\A:caption: (?P<name>\S+)\n+")


class Block(NamedTuple):
    """A fenced block; ```{code-block} LANGUAGE may start with `:caption: FILE`, and then is that file's content."""

    line: int
    language: str
    caption: str | None
    text: str


def blocks(page: Path) -> Iterator[Block]:
    content = page.read_text("utf-8")
    for match in FENCE.finditer(content):
        language = match["info"].strip().removeprefix("{code-block}").strip()
        text, line = match["text"], content.count("\n", 0, match.start("text")) + 1
        caption = CAPTION.match(text)
        yield Block(line, language, caption["name"] if caption else None, text[caption.end() :] if caption else text)


def make_copy(folder: Path) -> Path:
    """Return a reader's copy of the repository, and the command next to it."""
    here = folder / "gamedeid"
    for shipped in ("scenarios", "hierarchies"):
        shutil.copytree(ROOT / shipped, here / shipped)
    commands = folder / "commands"
    commands.mkdir()
    for name, words in (("gamedeid", "-m gamedeid "), ("python", "")):
        (commands / name).write_text(f'#!/bin/sh\nexec "{sys.executable}" {words}"$@"\n')
        (commands / name).chmod(0o755)
    return here


def environment(here: Path) -> dict[str, str]:
    kept = {key: value for key, value in os.environ.items() if key not in {"FORCE_COLOR", "CLICOLOR_FORCE"}}
    path = f"{here.parent / 'commands'}{os.pathsep}{os.environ['PATH']}"
    fixed = {"COLUMNS": "80", "NO_COLOR": "1", "TERM": "dumb", "PYTHONIOENCODING": "utf-8"}
    return kept | fixed | {"PATH": path, "PYTHONPATH": str(ROOT)}


def run_examples(page: Path, here: Path, forked: ForkedRuns | None = None) -> Iterator[tuple[Block, str, list[str]]]:
    """Run a page's examples in order in the folder ``here``; yield each command with its block and what it shows.

    Python blocks raise their errors. A command that needs no shell is a separate process only without a server to
    fork it.
    """
    names: dict[str, Any] = {"__name__": "docs"}
    for block in blocks(page):
        where = f"{page.relative_to(ROOT)}:{block.line}"
        if block.caption is not None:
            (here / block.caption).write_text(block.text, "utf-8")
        elif block.language == "python":
            with chdir(here):
                _run_python(block, names, where)
        elif block.language == "console":
            for command, expected in commands_of(block):
                shown, code = _run_command(command, here, forked)
                wanted = BAD_INPUT if any(line.startswith("gamedeid: ") for line in shown) else 0
                if code != wanted:
                    raise AssertionError(f"{where}: $ {command}\nexit code {code}\n" + "\n".join(shown))
                yield block._replace(text="\n".join(expected)), command, shown


def _run_python(block: Block, names: dict[str, Any], where: str) -> None:
    if not block.text.lstrip().startswith(">>>"):
        exec(compile(block.text, where, "exec"), names)  # noqa: S102  (running them is the point)
        return
    test = doctest.DocTestParser().get_doctest(block.text, names, where, where, block.line)
    said: list[str] = []
    doctest.DocTestRunner(verbose=False, optionflags=doctest.ELLIPSIS).run(test, out=said.append, clear_globs=False)
    names.update(test.globs)
    if said:
        raise AssertionError("".join(said))


def _run_command(command: str, here: Path, forked: ForkedRuns | None) -> tuple[list[str], int]:
    asked, _, file = command.partition(" > ")
    if forked is not None and (words := _words_for_us(asked)) is not None and re.fullmatch(r"[\w.-]*", file):
        ended = forked.run(words, here, variables=environment(here), merged=not file)
        said, code = ended["out"], ended["code"]
        if file:
            (here / file).write_text(said, "utf-8")
            said = ended["err"]
    else:
        done = subprocess.run(
            ["sh", "-c", command],
            cwd=here,
            env=environment(here),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            check=False,
        )
        said, code = done.stdout, done.returncode
    shown = said.replace(f"{here}{os.sep}", "")  # a reader has another folder
    return [line.rstrip() for line in shown.splitlines()], code


def _words_for_us(command: str) -> list[str] | None:
    """Return the words after `gamedeid`, None if the command is another or means something to a shell."""
    if set(re.sub(r"'[^']*'|\"[^\"$`\\]*\"", "", command)) & set("|&;<>$`*?~#(){}[]!\\\n"):
        return None
    first, *words = shlex.split(command)
    return words if first == "gamedeid" else None


def commands_of(block: Block) -> list[tuple[str, list[str]]]:
    """Return each command of a console block with the lines that it shows."""
    found: list[tuple[str, list[str]]] = []
    for line in block.text.splitlines():
        if line.startswith("$ "):
            found.append((line[2:], []))
        else:
            found[-1][1].append(line.rstrip())
    return found


def matches(expected: list[str], shown: list[str]) -> bool:
    """Compare lines; a line `...` is any number of lines. Widths of columns and trailing blank lines do not count."""
    pattern = "".join(r"(?:.*\n)*?" if line == "..." else re.escape(_narrow(line)) + r"\n" for line in expected)
    return re.fullmatch(pattern + r"\n*", "".join(f"{_narrow(line)}\n" for line in shown)) is not None


def _narrow(line: str) -> str:
    return re.sub(r"(?<=\S) {2,}(?=\S)|(?<=[━─]{2})[━─]+", " ", line)


def _renewed(expected: list[str], shown: list[str]) -> list[str]:
    """Return the lines that a page should show: all of them, or those nearest to the ones of an excerpt."""
    if "..." not in expected:
        return shown
    return [line if line == "..." else next(iter(get_close_matches(line, shown, 1, 0.5)), line) for line in expected]


def _renew(page: Path) -> None:
    with tempfile.TemporaryDirectory() as folder:
        content = page.read_text("utf-8")
        for block, command, shown in run_examples(page, make_copy(Path(folder))):
            expected = block.text.splitlines()
            if not matches(expected, shown):
                old = "".join(f"{line}\n" for line in [f"$ {command}", *expected])
                new = "".join(f"{line}\n" for line in [f"$ {command}", *_renewed(expected, shown)]).rstrip("\n") + "\n"
                content = content.replace(old, new, 1)
        page.write_text(content, "utf-8")


if __name__ == "__main__":
    for name in sys.argv[1:]:
        _renew(Path(name).resolve())
