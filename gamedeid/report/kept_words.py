"""What is wrong with kept columns, in sentences."""

from collections.abc import Mapping
from typing import Any

from gamedeid.amounts import number_of, percent


def kept_words(kept: Mapping[str, Any], records: int) -> list[str]:
    """Return a sentence for each warning; none where there is nothing to warn of.

    Parameters
    ----------
    kept : what ``summary.json`` has under ``kept_columns``.
    records : how many there are.
    """
    rows = kept["rows_looked_at"]
    words = [_sentence(one) for one in kept["warnings"]]
    if kept["columns"] and rows is None:
        words.append("Whether kept columns give back what was generalized was not checked: rows stay where they are.")
    elif kept["warnings"] and rows != records:
        words.append(f"Shares of kept columns are of what is released of the first {number_of(rows, 'record')}.")
    return words


def _sentence(warning: Mapping[str, Any]) -> str:
    column, share = f"Kept column {warning['column']}", warning["share"]
    among = "" if share is None else f"{percent(share)} of the released rows"
    match warning["why"]:
        case "gives back":
            return f"{column} gives {warning['attribute']} back in {among}, where it was generalized."
        case "unique":
            return f"{column} has a value that no other row has in {among}: it can name their people."
        case _:
            where = f", with a value in {among}" if among else ""
            return f"{column} looks like a direct identifier by its name{where}."
