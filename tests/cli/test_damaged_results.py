"""Messages of every command that reads a folder of results on special files and on truncated documents."""

import errno
import json
import os
import shutil
import signal
from contextlib import contextmanager
from itertools import product
from pathlib import Path

import pytest
from depth import tries
from registry import registry
from small_world import gamedeid_says
from tampering import digest, write

from gamedeid import new_signing_key, sign, solve

READERS = {
    "verify": "verify results scenario.toml",
    "attack": "attack results scenario.toml --repeats 1",
    "audit": "audit results scenario.toml",
    "apply": "apply results new.csv --scenario scenario.toml",
    "report": "report results -o page.html --overwrite",
    "changes": "report results results",
    "certificate": "certificate results -o certificate.html --overwrite",
    "determination": "determination results -o draft.md --overwrite",
    "risk release": "risk release results",
    "codebook": "codebook results scenario.toml",
    "utility": "utility results scenario.toml --model stay~age",
    "next": "next results scenario.toml",
    "sign": "sign results --key key --overwrite",
}
FILES = ("manifest.json", "summary.json", "report.json", "release.csv", "strategies.csv", "report.html")


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """Return a folder with a question, its finished results, and all other input of commands."""
    place = registry(tmp_path_factory.mktemp("place") / "registry", unmatched="error").parent
    solve(place / "scenario.toml").write(place / "results")
    (place / "new.csv").write_text("".join((place / "records.csv").read_text().splitlines(keepends=True)[:7]))
    new_signing_key(place / "key")
    return place


@pytest.fixture
def place(finished, tmp_path, monkeypatch):
    """Yield the folder ``results`` of a copy; commands run in its parent."""
    shutil.copytree(finished, tmp_path / "place")
    monkeypatch.chdir(tmp_path / "place")
    yield tmp_path / "place" / "results"
    shutil.rmtree(tmp_path / "place")  # only this process reads its pipes


@contextmanager
def seconds(most):
    """Raise if the block takes longer, for example because it waits for a pipe."""

    def late(*_):
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(most)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def says_in_one_line(command):
    """Return the exit code, after a check that an error is one line without a traceback."""
    with seconds(30):
        said = gamedeid_says(*READERS[command].split())
    assert "Traceback" not in said.err
    if said.code == 2:
        assert (1, True) == (said.err.count("\n"), said.err.startswith("gamedeid: ")), said.err
    return said.code


def put_in_place_of(path, kind):
    """Replace a regular file by a special one."""
    path.unlink()
    if kind == "folder":
        path.mkdir()
    elif kind == "pipe":
        os.mkfifo(path)
    else:
        os.mkfifo(path.parent.parent / "pipe")
        path.symlink_to(path.parent.parent / "pipe")


def each_with_each(*many):
    """Return combinations of options, one from each list: they cover all pairs, and in a deep run all combinations."""
    first, second, third = many
    few = [(one, two, third[(i + j) % len(third)]) for i, one in enumerate(first) for j, two in enumerate(second)]
    return tries(few, list(product(*many)))


CODES = {
    **{("verify", name): 3 for name in FILES},
    **dict.fromkeys([("attack", "release.csv"), ("attack", "strategies.csv")], 2),
    **{(command, name): 2 for command in ("report", "determination") for name in ("summary.json", "report.json")},
    **{(command, "manifest.json"): 2 for command in READERS},
}
"""Command and file that it needs -> its exit code without that file; other commands do not need it."""


@pytest.mark.parametrize(
    ("command", "name", "kind"), each_with_each(READERS, FILES, ("pipe", "link to a pipe", "folder"))
)
def test_a_special_file_is_refused_without_waiting(place, command, name, kind):
    put_in_place_of(place / name, kind)
    code = says_in_one_line(command)

    assert code == CODES.get((command, name), code)


def refused_to(path):
    """Return ``os.open`` and ``Path.open`` as they are for a user who may not read a file."""

    def refusing(opened):
        def open_other(name, *how, **more):
            if os.fspath(name) == os.fspath(path):
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), os.fspath(name))
            return opened(name, *how, **more)

        return open_other

    return refusing(os.open), refusing(Path.open)


@pytest.mark.parametrize("name", ["report.json", "manifest.json.sig"])
def test_an_unreadable_file_is_reported_with_what_to_do(place, monkeypatch, name):
    signed = ["--public-key", place.parent / "key.pub"]
    sign(place, place.parent / "key")
    by_system, by_path = refused_to(place / name)
    monkeypatch.setattr(os, "open", by_system)
    monkeypatch.setattr(Path, "open", by_path)
    said = gamedeid_says("verify", place, place.parent / "scenario.toml", *signed).out
    assert f"{name}: may not be read by you; give yourself permission to read it" in " ".join(said.split())
    assert "regular file" not in said


CUT = ("{", "[]", '{"measures": 1}', "[" * 100_000, "\udc80", "1" * 5000, "", *tries((), ("null", "{}")))


@pytest.mark.parametrize(
    ("command", "text", "name"), each_with_each(READERS, CUT, ("summary.json", "report.json", "manifest.json"))
)
def test_a_truncated_document_with_a_fitting_digest_is_one_line(place, command, text, name):
    content = text.encode(errors="surrogateescape")
    manifest = json.loads((place / "manifest.json").read_bytes())
    manifest["outputs"][name] = digest(content)
    (place / "manifest.json").write_text(json.dumps(manifest))
    (place / name).write_bytes(content)
    code = says_in_one_line(command)

    if name == "manifest.json" or (command, name) == ("audit", "summary.json") or command in {"report", "risk release"}:
        assert 2 == code
    if (command, name) in {("verify", "summary.json"), ("verify", "report.json")}:
        assert 3 == code


@pytest.mark.parametrize("name", ["release.csv", "strategies.csv", "sensitivity.csv"])
@pytest.mark.parametrize("command", ["report", "changes", "determination", "risk release"])
def test_a_changed_table_is_refused_and_a_missing_one_is_not_needed(place, command, name):
    (place / name).write_text((place / name).read_text().replace("\n", "\r\n"))
    said = gamedeid_says(*READERS[command].split())
    complaint = f"results/{name} is not as manifest.json has it; it was changed after the run: restore it, or run again"
    assert (2, complaint) == (said.code, said.complaint)
    (place / name).unlink()
    assert 0 == says_in_one_line(command)


@pytest.mark.parametrize("command", ["verify", "attack"])
def test_a_release_with_a_column_twice_is_refused(place, command):
    header, *rows = (place / "release.csv").read_text().splitlines()
    doubled = "\n".join([f"{header},age", *(f"{row},*" for row in rows)]) + "\n"
    write(place, "release.csv", doubled)

    assert {"verify": 3, "attack": 2}[command] == says_in_one_line(command)
