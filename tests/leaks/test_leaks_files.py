"""Released files do not show who made them, where and when: no folder, user, computer or date."""

import os
import re
import socket
import sys
import tempfile
import zipfile
from getpass import getuser
from pathlib import Path

import pytest
from leak_marks import png_chunks, views

import gamedeid
from gamedeid.pictures.saving import FORMS, picture_content

KINDS = (
    *("lattice", "strategies", "record-map"),  # of one record
    *("differences", "scatter", "map", "lines", "deviation", "frontier"),
)
LEAST = 5  # letters of a name that is not a common word


def names_of_here() -> set[bytes]:
    """Return the texts that identify this computer, user and folder."""
    paths = {
        Path.home(),
        Path.cwd(),
        Path(sys.executable).parent,
        Path(tempfile.gettempdir()),
        Path(gamedeid.__file__).parent,
    }
    names = {socket.gethostname(), getuser(), *map(str, paths), os.environ.get("USER", "")}
    return {name.encode() for name in names if len(name) >= LEAST}


def assert_of_nowhere(content: bytes, name: str) -> None:
    for place, view in views(content, name):
        for found in names_of_here():
            assert found not in view, f"{name}{place}: {found!r}"


def drawn(made, kind: str) -> gamedeid.pictures.Picture:
    of_one = kind in KINDS[:3]
    vary = {"map": ["loss=1000:5000:2000"], "lines": ["loss=1000:5000:2000"], "deviation": ["loss=1000:5000:2000"]}
    return gamedeid.plot(made.one if of_one else made.study, kind, vary=vary.get(kind, ()))


def test_a_picture_names_the_program_that_drew_it_and_nothing_else(made):
    picture = drawn(made, "lines")
    png, svg = picture_content(picture, "png"), picture_content(picture, "svg").decode()
    chunks = list(png_chunks(png))

    texts = {"tEXt", "iTXt"}  # Latin letters, and any
    assert {"IHDR", "IDAT", "IEND", "pHYs", *texts} >= {kind for kind, _ in chunks}
    assert {b"Software", b"Title", b"Description"} >= {
        part.partition(b"\0")[0] for kind, part in chunks if kind in texts
    }
    assert "dc:date" not in svg
    assert not re.search(r"20\d\d-\d\d-\d\d", svg)
    for form in FORMS:
        assert_of_nowhere(picture_content(picture, form), f"lines.{form}")


@pytest.mark.parametrize("kind", KINDS)
def test_the_data_of_a_picture_are_of_nowhere(kind, made):
    assert_of_nowhere(picture_content(drawn(made, kind), "html"), f"{kind}.html")


def test_results_are_of_nowhere(made):
    for path in sorted(made.out.iterdir()):
        assert_of_nowhere(path.read_bytes(), path.name)


def test_a_determination_for_word_processors_names_no_author_and_no_day(made):
    path = made.folder / "determination.docx"
    gamedeid.write_determination(made.out, path, overwrite=True)
    assert_of_nowhere(path.read_bytes(), path.name)
    with zipfile.ZipFile(path) as archive:
        core = archive.read("docProps/core.xml").decode()
        days = {entry.date_time[:3] for entry in archive.infolist()}

    said = dict(re.findall(r"<(?:dc|cp|dcterms):(\w+)[^>]*>([^<]+)<", core))
    assert {"title", "creator"} == said.keys()
    assert "gamedeid" == said["creator"]
    assert {(1980, 1, 1)} == days
