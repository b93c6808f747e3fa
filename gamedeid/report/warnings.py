"""What the reader of a run is warned of: of its data, its kept columns, its recipients and of identifiers."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from gamedeid.amounts import number_of, percent
from gamedeid.analysis.comparison import Comparison
from gamedeid.analysis.robustness import Robustness
from gamedeid.analysis.summary import Summary, run_summary
from gamedeid.intake.identifiers.findings import IdentifierCheck
from gamedeid.intake.identifiers.releases import check_release, identifier_warnings
from gamedeid.report.words.recipients import not_found_words
from gamedeid.results.manifest import ResultWarning
from gamedeid.study.solution import Solution
from gamedeid.study.warnings import data_warnings


def warned_summary(
    solution: Solution,
    identifiers: IdentifierCheck | None = None,
    robustness: Robustness | None = None,
    comparison: Comparison | None = None,
) -> Summary:
    """Return what a run found, with everything that its reader is warned of.

    Parameters
    ----------
    solution : what becomes of every record.
    identifiers : what the release was checked for; None where that is to be done.
    robustness, comparison : as for :func:`gamedeid.analysis.summary.run_summary`.

    Raises
    ------
    GamedeidError : as there, and as :func:`gamedeid.intake.identifiers.releases.check_release` does.
    """
    study = solution.study
    found = identifiers if identifiers is not None else check_release(study)
    summary = run_summary(solution, robustness, comparison)
    return replace(summary, warnings=(*identifier_warnings(found, study.scenario), *warnings_of(summary.as_dict())))


def warnings_of(summary: Mapping[str, Any]) -> list[ResultWarning]:
    """Return the warnings that follow from other parts of a summary: all but those of identifiers.

    Parameters
    ----------
    summary : what ``summary.json`` holds.
    """
    kept = kept_words(summary["kept_columns"], summary["data"]["records"])
    of_kept = [ResultWarning(kind="kept-column", says=words) for words in kept]
    lists = not_found_words(summary.get("recipients", {}))
    of_recipients = [ResultWarning(kind="unmatched-by-recipient", says=words) for words in lists]
    return [*of_kept, *data_warnings(summary["data"]), *of_recipients]


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
