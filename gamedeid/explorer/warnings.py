"""What whoever opens a scenario should know first: what was read, and what the first screen of a run warns of."""

from typing import Any

from gamedeid.amounts import joined
from gamedeid.errors import GamedeidError, shown
from gamedeid.intake.identifiers.releases import check_release, identifier_warnings
from gamedeid.report.data_words import data_words, person_words
from gamedeid.scenario.scenario import Scenario
from gamedeid.study.facts import data_of
from gamedeid.study.study import Study
from gamedeid.study.warnings import as_values, data_warnings, said


def opening_words(study: Study) -> dict[str, Any]:
    """Return what was read in a line, ``read``, and a list of ``warnings``, each a sentence without any value.

    Parameters
    ----------
    study : the question as opened.
    """
    data = data_of(study)
    warnings = [*person_words(data), *said(as_values(data_warnings(data)))]
    return {"read": data_words(data), "warnings": [*turned_words(study.scenario), *warnings, *_identifiers(study)]}


def turned_words(scenario: Scenario) -> list[str]:
    """Return whose stakes the sliders turn where there are recipients; nothing where there is the one adversary.

    Parameters
    ----------
    scenario : as opened.
    """
    if not scenario.recipients:
        return []
    parts = []
    for name, recipient in scenario.recipients.items():
        if own := [f"a {key}" for key in ("gain", "cost", "loss") if getattr(recipient, key) is not None]:
            parts.append(f"{shown(name)} has {joined(own, 'and')} of her own, which no slider turns.")
    everybody = joined([shown(name) for name in scenario.recipients], "and")
    who = "recipient" if len(scenario.recipients) == 1 else "recipients"
    return [" ".join([f"The sliders turn the stakes of the {who} {everybody}.", *parts])]


def _identifiers(study: Study) -> list[str]:
    """Return a sentence for each column that may hold identifiers; plain ones ``gamedeid run`` refuses to release."""
    try:
        found = check_release(study)
    except GamedeidError as error:
        return [str(error)]
    return said(as_values(identifier_warnings(found, study.scenario)))
