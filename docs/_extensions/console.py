"""How typed and shown lines are told apart in a ```console block: only a line that begins with `$ ` was typed."""

from collections.abc import Iterator
from typing import Any

from pygments.lexer import Lexer
from pygments.lexers.shell import BashLexer
from pygments.token import Comment, Generic, _TokenType

Token = tuple[int, _TokenType, str]


class ConsoleLexer(Lexer):
    """Reads prompts as the tests of the examples do: `# ...`, `% ...` and `> ...` in an output are no prompts.

    A line of three dots stands for lines that a page leaves out.
    """

    name = "Commands of gamedeid and what they show"

    def get_tokens_unprocessed(self, text: str) -> Iterator[Token]:
        """Yield place, kind and text of each piece."""
        place = 0
        for line in text.splitlines(keepends=True):
            if line.startswith("$ "):
                yield place, Generic.Prompt, "$ "
                for at, kind, piece in BashLexer(**self.options).get_tokens_unprocessed(line[2:]):
                    yield place + 2 + at, kind, piece
            elif line.rstrip() == "...":
                yield place, Comment, line
            else:
                yield place, Generic.Output, line
            place += len(line)


def setup(app: Any) -> dict[str, bool]:
    """Tell Sphinx which blocks the lexer reads."""
    app.add_lexer("console", ConsoleLexer)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
