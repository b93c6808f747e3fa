"""What came of applying a finished solution to new rows, in lines of text."""

from collections.abc import Mapping
from typing import Any

from rich.console import Console

from gamedeid.amounts import number_of
from gamedeid.report.terminal.results import print_run
from gamedeid.study.applied import Applied


def print_applied(applied: Applied, summary: Mapping[str, Any], to: Console) -> None:
    """Print the answer for the new rows, and how many of them are new.

    Parameters
    ----------
    applied : the new rows with their strategies.
    summary : what ``summary.json`` says of them.
    to : where it is printed.
    """
    print_run(applied.solution, to, summary)
    rows, profiles = number_of(applied.rows, "row"), number_of(applied.profiles, "profile")
    if applied.seen_rows is None or applied.seen_profiles is None:
        to.print(f"{rows} of {profiles}; which of them were released before, only the original records can tell.")
        return
    if applied.seen_rows == applied.rows:
        to.print(f"{rows} of {profiles}, all released before.")
        return
    to.print(
        f"{rows} of {profiles}: {number_of(applied.seen_rows, 'row')} of {number_of(applied.seen_profiles, 'profile')} "
        f"released before, {number_of(applied.rows - applied.seen_rows, 'row')} of "
        f"{number_of(applied.profiles - applied.seen_profiles, 'new profile')}."
    )
