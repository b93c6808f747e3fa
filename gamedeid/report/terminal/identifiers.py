"""Which columns may hold identifiers, as a table on a terminal."""

from collections.abc import Mapping
from typing import Any

from rich.console import Console

from gamedeid.amounts import number_of, percent
from gamedeid.errors import shown
from gamedeid.report.law_words import LINES
from gamedeid.report.terminal.console import new_table, print_table

_RULES = {
    "safe-harbor": ("the 18 identifiers of Safe Harbor (45 CFR 164.514(b)(2)(i))", "letter", "safe_harbor"),
    "limited-data-set": (
        "the 16 identifiers of the limited data set (45 CFR 164.514(e)(2))",
        "number",
        "limited_data_set",
    ),
}


def print_findings(content: Mapping[str, Any], to: Console) -> None:
    """Print what a check found: what is not taken care of first.

    Parameters
    ----------
    content : of :meth:`gamedeid.intake.IdentifierCheck.as_dict`.
    to : where it is printed.
    """
    words, called, place = _RULES[content["rule"]]
    to.print(f"{number_of(content['rows_looked_at'], 'row')}, {number_of(content['columns'], 'column')}: {words}")
    if content["findings"]:
        table = new_table("column", "kind", called, "share", "evidence", "what to do", left=6)
        for one in sorted(content["findings"], key=lambda one: (one["handled"] is not None, not one["strong"])):
            share = "" if one["share"] is None else percent(one["share"])
            evidence = one["evidence"] if one["strong"] else f"{one['evidence']} (weak)"
            advice = one["advice"] if one["part"] is None else f"{one['advice']}, or accept it by name in the scenario"
            table.add_row(shown(one["column"]), one["kind"], one[place], share, evidence, one["handled"] or advice)
        print_table(table, to)
    for key, what in (
        ("sampled", "so many distinct values that some of them were looked at, evenly spaced"),
        ("unread", "values that are bytes, or cannot be read; only the name was looked at"),
    ):
        if content[key]:
            to.print(f"{', '.join(map(shown, content[key]))}: {what}.")
    to.print(LINES[content["rule"]])
    left = content["unhandled"]
    to.print(f"{number_of(left, 'finding')} not taken care of." if left else "Nothing found that is not taken care of.")
