"""The complete output of commands, and the line with which they refuse invalid words.

`PYTHONPATH=tests/kit python tests/cli/test_cli_printed.py` renews tests/gold/printed.txt: read the difference. A
command that is added there or to tests/gold/refused.txt, as `$ gamedeid WORDS`, is tried too.
"""

from collections.abc import Iterator
from contextlib import chdir, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from command_files import write_command_files
from small_world import contents, gamedeid_prints, gamedeid_says, reads_as, refused

GOLD, REFUSED = (Path(__file__).parents[1] / "gold" / name for name in ("printed.txt", "refused.txt"))


def stored(gold: Path) -> dict[str, str]:
    """Return the words of each command -> its stored output."""
    return dict(one.split("\n", 1) for one in gold.read_text("utf-8").split("$ gamedeid ")[1:])


STORED, COMPLAINTS = stored(GOLD), stored(REFUSED)


def printed_by(line: str) -> str:
    """Return the output of a command, and the contents of the files that ``&& cat FILE`` names after it."""
    words, _, files = line.partition(" && cat ")
    said = gamedeid_says(*words.split())
    assert "" == said.err, words
    written = "".join(Path(name).read_text("utf-8") for name in files.split())
    return said.out.replace(f"{Path.cwd()}/", "") + written + f"[exit code {said.code}]\n" * (said.code != 0)


@contextmanager
def standing_in(folder: Path) -> Iterator[None]:
    """Change into a folder with input for every command, including results of a run in `finished`."""
    write_command_files(folder)
    with chdir(folder):
        gamedeid_prints("run", "scenario.toml", "--game", "no-attack", "-o", "finished")
        yield


@pytest.fixture(scope="module")
def _folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with standing_in(tmp_path_factory.mktemp("commands")):
        yield


@pytest.mark.usefixtures("_folder")
@pytest.mark.parametrize("words", STORED)
def test_a_command_prints_the_reviewed_text(words):
    assert STORED[words] == printed_by(words)


@pytest.fixture(scope="module")
def _second_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with standing_in(tmp_path_factory.mktemp("commands_on_a_terminal")):
        yield


@pytest.mark.usefixtures("_second_folder")
@pytest.mark.parametrize("words", [words for words in STORED if "--json" not in words])
def test_no_line_is_wider_than_a_terminal(words):
    said = gamedeid_says(*words.partition(" && cat ")[0].split(), terminal_columns=80)
    lines = [line for line in said.out.splitlines() if not line.startswith("gamedeid ")]  # to be copied as one line

    assert [] == [line for line in lines if len(line) > 80 and " " in line.strip()]


@pytest.mark.usefixtures("folder_of_commands")
@pytest.mark.parametrize("words", COMPLAINTS)
def test_a_command_is_refused_in_one_line_and_writes_nothing(tmp_path, words):
    before = contents(tmp_path)

    assert reads_as(COMPLAINTS[words].rstrip("\n"), refused(*words.split()))
    assert before == contents(tmp_path)


if __name__ == "__main__":
    with TemporaryDirectory() as name, standing_in(Path(name)):
        GOLD.write_text("".join(f"$ gamedeid {words}\n{printed_by(words)}" for words in STORED), "utf-8")
