"""What commands print, whole: the numbers that pencil and paper give, and the words around them.

`PYTHONPATH=tests/kit python tests/cli/test_cli_printed.py` renews tests/gold/printed.txt: read the difference. A
command that is added there, as `$ gamedeid WORDS`, is tried too.
"""

from contextlib import chdir
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from command_files import write_command_files
from small_world import gamedeid_says

GOLD = Path(__file__).parents[1] / "gold" / "printed.txt"


STORED = dict(one.split("\n", 1) for one in GOLD.read_text("utf-8").split("$ gamedeid ")[1:])


def printed_by(words: str) -> str:
    said = gamedeid_says(*words.split())
    assert "" == said.err, words
    return said.out.replace(f"{Path.cwd()}/", "") + f"[exit code {said.code}]\n" * (said.code != 0)


@pytest.mark.usefixtures("folder_of_commands")
@pytest.mark.parametrize("words", STORED)
def test_a_command_prints_what_was_read_once(words):
    assert STORED[words] == printed_by(words)


if __name__ == "__main__":
    with TemporaryDirectory() as folder, chdir(folder):
        write_command_files(Path(folder))
        GOLD.write_text("".join(f"$ gamedeid {words}\n{printed_by(words)}" for words in STORED), "utf-8")
