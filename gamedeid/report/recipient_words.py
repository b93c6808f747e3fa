"""What is said of several recipients: who they are, what each plays for and knows, and what each comes to."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pydantic import TypeAdapter, ValidationError

from gamedeid.amounts import dollars, joined, money, number, number_of, percent
from gamedeid.errors import OutputError, shown
from gamedeid.scenario.payoffs import Adversary, Payoffs
from gamedeid.scenario.recipients import Learns, Recipient

OUTCOME_COLUMNS = (
    "recipient",
    "comes to be",
    "attacks, if so",
    "expected re-identifications",
    "publisher\u2019s loss",
    "own payoff",
)
"""Names of the columns of the table of what recipients do."""

STAKE_COLUMNS = ("recipient", "gain", "cost", "loss", "attacks where", "knows", "on her list", "may learn besides")
"""Names of the columns of the table of who they are."""

OUTCOME_NOTE = (
    "Attacks are shares of the records, if the recipient comes to be. The other columns take into account that she may "
    "not; dollars are per record. They add up to the figures of all recipients together."
)
"""What the table of what recipients do counts."""

OWN_STAKES = (
    "Loss, gain and cost are those of recipients without a figure of their own; the table below has each with hers. "
    "A recipient attacks where her gain, times the chance of naming the right one of those who match what she knows, "
    "is larger than her cost."
)
"""What the stakes of the scenario mean where there are recipients."""

ALL_MEANINGS: Mapping[str, str] = {
    "adversary_payoff": (
        "What a record brings all recipients together on average, if each who comes to be attacks only where it pays; "
        "costs are taken off."
    ),
    "attacked": "Share of the records on which an attack would pay for at least one recipient who may come to be.",
    "reidentification_probability": (
        "Expected re-identifications by all recipients together, for each record; those by two of them count twice."
    ),
    "reidentification_probability_attacked": (
        "The same for each record that is worth attacking to at least one of them."
    ),
    "expected_reidentifications": (
        "How many re-identifications by all recipients together must be expected, if each who comes to be makes every "
        "attack that pays her; those of one record by two of them count twice."
    ),
}
"""What measures tell where there are several recipients."""

_PARTIES = TypeAdapter(dict[str, Recipient])


def recipients_of(manifest: Mapping[str, Any]) -> dict[str, Recipient]:
    """Return the recipients of a stored scenario, by name.

    Parameters
    ----------
    manifest : what ``manifest.json`` holds.

    Raises
    ------
    OutputError : the manifest does not hold what gamedeid wrote.
    """
    try:
        return _PARTIES.validate_python(manifest["scenario"].get("recipients") or {})
    except ValidationError:
        raise OutputError("manifest.json is not as gamedeid wrote it (at `scenario.recipients`); run again") from None


def outcome_rows(summary: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    """Yield a text for each of ``OUTCOME_COLUMNS``, for each recipient who may come to be.

    Parameters
    ----------
    summary : what ``summary.json`` holds.
    """
    for name, found in summary["recipients"].items():
        yield (
            shown(name),
            chance_words(found["probability"]),
            percent(found["attacked"]),
            number(found["expected_reidentifications"], 1),
            dollars(found["publisher_loss"]),
            dollars(found["adversary_payoff"]),
        )


def stake_rows(recipients: Mapping[str, Recipient], payoffs: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    """Yield a text for each of ``STAKE_COLUMNS``, for each recipient.

    Parameters
    ----------
    recipients : as the scenario has them.
    payoffs : the section ``[payoffs]`` of the scenario: what holds for those without a figure of their own.
    """
    stakes = Payoffs(**payoffs)
    for name, recipient in recipients.items():
        one = Adversary.of(recipient, stakes)
        yield (
            shown(name),
            money(one.gain),
            money(one.cost),
            money(one.loss),
            _attacks_words(one),
            _knows_of(recipient),
            _list_words(recipient),
            "nothing" if recipient.learns is None else _learns_words(recipient.learns),
        )


def chance_words(probability: float) -> str:
    """Return how probable it is that a recipient comes to be.

    Examples
    --------
    >>> chance_words(1.0), chance_words(0.001), chance_words(0.0)
    ('surely', 'with 0.1%', 'never')
    """
    return {0.0: "never", 1.0: "surely"}.get(probability) or f"with {100 * probability:.4g}%"


def _attacks_words(one: Adversary) -> str:
    """Return how many people may match a record that she attacks."""
    limit = one.attack_limit
    if not one.weighs_cost:
        return "anybody matches: it costs her nothing"
    return "nobody: it never pays" if not limit else f"at most {number_of(limit, 'person')} match"


def _knows_of(recipient: Recipient) -> str:
    """Return what she knows from the beginning; no better than what a population of her own has."""
    listed = {} if recipient.population is None else recipient.population.levels
    if recipient.knows_all:
        return ", ".join(filter(None, ["all attributes", _knows_words((), listed)]))
    levels = dict(recipient.levels)
    levels |= {name: max(level, levels.get(name, 0)) for name, level in listed.items() if name in levels}
    levels |= {name: level for name, level in listed.items() if name in (recipient.knows or ())}
    return _knows_words([name for name in recipient.knows or () if name not in levels], levels)


def _knows_words(knows: Sequence[str] | None, levels: Mapping[str, int]) -> str:
    return ", ".join([*(knows or ()), *(f"{name} at level {level}" for name, level in levels.items())])


def _list_words(recipient: Recipient) -> str:
    whom = "people" if recipient.population is None else "a population of her own"
    if recipient.covers < 1:
        return f"{percent(recipient.covers)} of {'all ' * (recipient.population is None)}{whom}"
    return "everybody" if recipient.population is None else whom


def _learns_words(learns: Learns) -> str:
    price = f", for {money(learns.price)} where that is worth it to her" if learns.price else ""
    return f"{_knows_words(learns.knows, learns.levels)} ({chance_words(learns.probability)}{price})"


def thieves(recipients: Mapping[str, Recipient]) -> list[str]:
    """Return who attacks whatever the chance of success is, since it costs nothing.

    Parameters
    ----------
    recipients : as the scenario has them.
    """
    return [shown(name) for name, one in recipients.items() if one.cost == 0 and one.probability > 0]


def background_words(recipients: Mapping[str, Recipient], found: Mapping[str, Any], game: str) -> list[str]:
    """Return what is said of recipients whom no cost deters; nothing where there are none.

    Parameters
    ----------
    recipients : as the scenario has them.
    found : what ``summary.json`` holds under ``recipients``.
    game : that was played.
    """
    names = thieves(recipients)
    if not names:
        return []
    expected = sum(float(found[name]["expected_reidentifications"]) for name in found if shown(name) in names)
    who, she = ("the recipient", "she attacks") if len(names) == 1 else ("the recipients", "they attack")
    costs = (
        f"An attack costs {who} {joined(names, 'and')} nothing: {she} all that is released and matches somebody, "
        "whatever is done"
    )
    risk = number(expected, 1).replace("<", "fewer than ")
    said = f"{costs}. This is background risk, {risk} of the expected re-identifications."
    if game == "no-attack":
        said += " The no-attack game does not rule it out, since only withholding could."
    return [said]


def not_found_words(found: Mapping[str, Any]) -> list[str]:
    """Return which recipients do not find records in populations of their own; nothing where there are none.

    Parameters
    ----------
    found : what ``summary.json`` holds under ``recipients``.
    """
    said = []
    for name, one in found.items():
        if count := one.get("unmatched_records"):
            match, they_are = ("matches", "it is") if count == 1 else ("match", "they are")
            said.append(
                f"{number_of(count, 'record')} {match} nobody in the population of {shown(name)}, as {they_are}: she "
                "finds nobody there."
            )
    return said


def together_words(found: Mapping[str, Any]) -> str:
    """Return whose figures the verdict's are.

    Parameters
    ----------
    found : what ``summary.json`` holds under ``recipients``.
    """
    parts = [f"{shown(name)} {_number_of(one)}" for name, one in found.items()]
    if len(parts) == 1:
        return f"There is one recipient, {shown(next(iter(found)))}, as the scenario describes her."
    return (
        "These figures are of all recipients together, each with the probability that she comes to be. Expected "
        f"re-identifications by each: {joined(parts, 'and')}."
    )


def _number_of(found: Mapping[str, Any]) -> str:
    expected = float(found["expected_reidentifications"])
    return number(expected, 1) if expected else "none"
