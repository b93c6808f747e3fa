"""The pictures in the pages: one of every kind, small, and up to date."""

import sys
from pathlib import Path
from typing import get_args

import pytest
from PIL import Image
from sample_pictures import quickstart

from gamedeid.choices import PictureKind

sys.path.append(str(Path(__file__).parents[1]))

from doc_pictures import ASKED, FOLDER, drawn

MOST_BYTES = 1_200_000


def test_the_pages_have_a_small_picture_of_every_kind():
    assert {*get_args(PictureKind)} == {*ASKED} == {path.stem for path in FOLDER.iterdir()}
    assert sum(path.stat().st_size for path in FOLDER.iterdir()) < MOST_BYTES


@pytest.mark.parametrize("kind", ["lattice", "strategies", "differences"])
def test_a_picture_in_the_pages_is_up_to_date(kind):
    shown = drawn(kind, quickstart())
    image = Image.open(FOLDER / f"{kind}.png")

    words = {"Title": shown.title, "Description": f"{shown.caption} {shown.finding}"}
    assert words == {name: image.text[name] for name in words}, "renew them: python tests/doc_pictures.py"
