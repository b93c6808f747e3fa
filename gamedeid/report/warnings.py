"""What the reader of a run is warned of: of its data, its kept columns, its recipients and of identifiers."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from gamedeid.analysis.comparison import Comparison
from gamedeid.analysis.robustness import Robustness
from gamedeid.analysis.summary import Summary, run_summary
from gamedeid.catalogue import sentences
from gamedeid.errors import shown
from gamedeid.intake.identifiers.findings import IdentifierCheck
from gamedeid.intake.identifiers.releases import check_release, identifier_warnings
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
    rows, warnings = kept["rows_looked_at"], kept["warnings"]
    facts = {
        "unchecked": bool(kept["columns"]) and rows is None,
        "partial": bool(warnings) and rows not in {None, records},
        "rows": rows,
    }
    return [
        *(words for one in warnings for words in sentences("warnings.kept", _kept_facts(one))),
        *sentences("warnings.kept_rows", facts),
    ]


def _kept_facts(warning: Mapping[str, Any]) -> dict[str, Any]:
    why, seen = warning["why"], warning["share"] is not None
    return {
        **warning,
        "gives_back": why == "gives back",
        "unique": why == "unique",
        "name_and_values": why == "identifier" and seen,
        "name_alone": why == "identifier" and not seen,
    }


def not_found_words(found: Mapping[str, Any]) -> list[str]:
    """Return which recipients do not find records in separate populations; nothing where there are none.

    Parameters
    ----------
    found : ``recipients`` of ``summary.json``.
    """
    return [
        words
        for name, one in found.items()
        for words in sentences("warnings.not_found", {"count": one.get("unmatched_records") or 0, "name": shown(name)})
    ]
