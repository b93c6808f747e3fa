"""What commands print, whole: the numbers that pencil and paper give, and the words around them.

`PYTHONPATH=tests/kit python tests/cli/test_cli_printed.py` renews tests/gold/printed.txt: read the difference. A
command that is added there, as `$ gamedeid WORDS`, is tried too.
"""

from collections.abc import Iterator
from contextlib import chdir, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from command_files import write_command_files
from small_world import gamedeid_prints, gamedeid_says

GOLD = Path(__file__).parents[1] / "gold" / "printed.txt"


STORED = dict(one.split("\n", 1) for one in GOLD.read_text("utf-8").split("$ gamedeid ")[1:])


def printed_by(words: str) -> str:
    said = gamedeid_says(*words.split())
    assert "" == said.err, words
    return said.out.replace(f"{Path.cwd()}/", "") + f"[exit code {said.code}]\n" * (said.code != 0)


@contextmanager
def standing_in(folder: Path) -> Iterator[None]:
    """Stand in a folder in which every command has something to read, results of a run in `finished` among it."""
    write_command_files(folder)
    with chdir(folder):
        gamedeid_prints("run", "scenario.toml", "--game", "no-attack", "-o", "finished")
        yield


@pytest.fixture(scope="module", autouse=True)
def _folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with standing_in(tmp_path_factory.mktemp("commands")):
        yield


@pytest.mark.parametrize("words", STORED)
def test_a_command_prints_what_was_read_once(words):
    assert STORED[words] == printed_by(words)


if __name__ == "__main__":
    with TemporaryDirectory() as name, standing_in(Path(name)):
        GOLD.write_text("".join(f"$ gamedeid {words}\n{printed_by(words)}" for words in STORED), "utf-8")
