"""The first words of the explorer: the data that were read, and the warnings of a run's first screen."""

from typing import Any

from gamedeid.catalogue import sentence
from gamedeid.errors import GamedeidError, shown
from gamedeid.intake.identifiers.releases import check_release, identifier_warnings
from gamedeid.report.words.data import data_words, person_words
from gamedeid.scenario.scenario import Scenario
from gamedeid.study.facts import data_of
from gamedeid.study.study import Study
from gamedeid.study.warnings import as_values, data_warnings, said


def opening_words(study: Study) -> dict[str, Any]:
    """Return ``read``, a line on the data, and ``warnings``, a list of sentences without any value of the data."""
    data = data_of(study)
    warnings = [*person_words(data), *said(as_values(data_warnings(data)))]
    return {"read": data_words(data), "warnings": [*turned_words(study.scenario), *warnings, *_identifiers(study)]}


def turned_words(scenario: Scenario) -> list[str]:
    """Return the recipients whose stakes the sliders change; nothing where there is the one adversary."""
    if not scenario.recipients:
        return []
    individual = {
        shown(name): [key for key in ("gain", "cost", "loss") if getattr(recipient, key) is not None]
        for name, recipient in scenario.recipients.items()
    }
    turned = sentence("recipients.turned", {"names": list(individual)})
    own = [
        sentence("recipients.unchanged", {"name": name, "stakes": keys}) for name, keys in individual.items() if keys
    ]
    return [" ".join([turned, *own])]


def _identifiers(study: Study) -> list[str]:
    """Return a sentence for each column that may hold identifiers; plain ones ``gamedeid run`` refuses to release."""
    try:
        found = check_release(study)
    except GamedeidError as error:
        return [str(error)]
    return said(as_values(identifier_warnings(found, study.scenario)))
