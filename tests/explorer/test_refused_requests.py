"""Requests that the explorer cannot answer: one line gives the reason, and nothing is written anywhere."""

import pytest
from explorer_client import client_in
from small_world import reads_as

ODD_AMOUNT = "setting: payoffs.cost: expected a number of dollars from 1e-06 to 1e+12, not `10000000000000.0`"
UNSAVED = "save the scenario first: a release names the scenario that it follows from"
NO_VALUES = "...values: expected an object with a text for each attribute..."
REQUESTS = {
    "answer": [
        ({"setting": {"loss": -1}}, "setting: payoffs.loss: expected a number above 0, not `-1`"),
        ({"setting": {"benefit": "1"}}, "setting: payoffs.benefit: expected a number, not the text `1`"),
        ({"setting": {"cost": 1e13}}, ODD_AMOUNT),
        ({"setting": {"policy": "pears"}}, "setting: floor names no policy: `pears`; did you mean `pairs`?"),
        ({"setting": {"game": "basics"}}, "setting: there is no game `basics`; did you mean `basic`?"),
        ({"setting": {"weights": {"agee": 1}}}, "setting: there is no attribute `agee`; did you mean `age`?"),
        *(({"setting": odd}, "...") for odd in ({"weights": {"age": 0, "sex": 0}}, {"stake": 1}, [], "x")),
    ],
    "person": [
        ({"setting": {}, "values": {"age": "50"}}, "...sex..."),
        ({"setting": {}, "values": {"age": "50", "sex": "Female", "zip": "1"}}, "...zip..."),
        ({"setting": {}, "values": {"age": "500", "sex": "Female"}}, "...500..."),
        ({"setting": {}, "values": {"age": 50, "sex": "Female"}}, NO_VALUES),
        ({"setting": {}, "values": []}, NO_VALUES),
        ({"setting": {}, "values": {"age": "41", "sex": "Female"}}, "...matches no one..."),
    ],
    "breakpoints": [
        ({"setting": {}, "stake": "los"}, "...did you mean `loss`?..."),
        ({"setting": {}}, "the request lacks the key `stake`"),
    ],
    "map": [
        ({"setting": {}, "key": None, "have": have}, "...map: have: expected a number of rows...")
        for have in (-1, 1.5, True, "1", None)
    ],
    "suggestions": [({"setting": {}}, "...thresholds: no threshold is named...")],
    "save": [
        ({"setting": {"loss": -1}, "path": "bad.toml", "overwrite": False}, "..."),
        ({"setting": {}, "path": "bad.toml", "overwrite": "yes"}, "..."),
        ({"setting": {}, "path": "people.csv", "overwrite": True}, "..."),
        *(
            ({"setting": {}, "path": path, "overwrite": True}, "...")
            for path in (
                *("../out.toml", "/out.toml", "a/../../out.toml", "no/such/folder.toml", "", " ", ".", "..", "mine"),
                *("mine.csv", "a\0.toml", None, 3, ["x.toml"], "link/out.toml", "link.toml", "circle/out.toml"),
                *(f"{'x' * letters}.toml" for letters in (251, 300, 5000)),
                *(f"{'x' * letters}/mine.toml" for letters in (256, 300, 5000)),
            )
        ),
    ],
    "write": [
        ({"setting": {"loss": 61}, "folder": "unsaved", "overwrite": False}, UNSAVED),
        *(
            ({"setting": {}, "folder": folder, "overwrite": True}, "...")
            for folder in (
                "../out",
                "/out",
                "no/such/folder",
                "",
                None,
                ".",
                "theirs",
                "x" * 256,
                "x" * 300,
                "x" * 5000,
            )
        ),
    ],
}
"""Request -> its content, and part of the error: an invalid name, a place elsewhere, a forbidden request."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return a folder in which the page may write, with links out of it and a folder of another user."""
    around = tmp_path_factory.mktemp("around")
    (around / "root" / "theirs").mkdir(parents=True)
    (around / "root" / "theirs" / "file").write_text("theirs")
    (around / "elsewhere").mkdir()
    for name, target in (("link", "elsewhere"), ("link.toml", "elsewhere/target.toml"), ("circle", "root/circle")):
        (around / "root" / name).symlink_to(around / target)
    return around / "root"


@pytest.fixture(scope="module")
def client(folder):
    return client_in(folder)


def times_below(folder):
    return {path: path.lstat().st_mtime_ns for path in folder.rglob("*")}


@pytest.mark.parametrize(("name", "content", "says"), [(name, *one) for name, of in REQUESTS.items() for one in of])
def test_a_request_is_refused_in_one_line_and_nothing_is_written(client, folder, name, content, says):
    before = times_below(folder.parent)

    assert reads_as(says, client.refused(name, **content))
    assert before == times_below(folder.parent)
