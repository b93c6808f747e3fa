"""Several recipients: their stakes and knowledge, and the attacks of each."""

from collections.abc import Collection, Mapping
from itertools import chain
from typing import Any

from pydantic import TypeAdapter

from gamedeid.amounts import dollars, expectation, joined, money, number, percent, significant
from gamedeid.catalogue import sentence, sentences
from gamedeid.errors import shown
from gamedeid.report.words.measures import Grid
from gamedeid.scenario.payoffs import Adversary, Payoffs
from gamedeid.scenario.recipients import FurtherKnowledge, Recipient, active_recipients, kept_knowledge
from gamedeid.scenario.sections import Stakes

_RECIPIENTS = TypeAdapter(dict[str, Recipient])


def read_recipients(manifest: Mapping[str, Any]) -> dict[str, Recipient]:
    """Return the recipients of a stored scenario, by name."""
    return _RECIPIENTS.validate_python(manifest["scenario"].get("recipients") or {})


def gain_follows_loss(manifest: Mapping[str, Any]) -> bool:
    """Return whether a stored scenario gives no gain, neither under ``[payoffs]`` nor for its only recipient."""
    stakes = Stakes.model_validate(manifest["scenario"]["payoffs"])
    return Payoffs.of(stakes, read_recipients(manifest)).gain_follows_loss


def outcome_grid(found: Mapping[str, Any]) -> Grid:
    """Return the attacks of the recipients, a row each."""
    rows = [
        (
            shown(name),
            significant(one["probability"], 4),
            percent(one["attacked"]),
            number(one["expected_reidentifications"], 1),
            dollars(one["publisher_loss"]),
            dollars(one["adversary_payoff"]),
        )
        for name, one in found.items()
    ]
    expected = "expected re-identifications"
    heads = ("recipient", "probability", "attacks, if active", expected, "publisher\u2019s loss", "own payoff")
    return Grid(heads, rows)


def known_kept(manifest: Mapping[str, Any], recipients: Mapping[str, Recipient]) -> list[str]:
    """Return the kept columns that recipients of a stored scenario know."""
    keep = manifest["scenario"]["records"]["keep"]
    return list(dict.fromkeys(chain.from_iterable(kept_knowledge(recipients, keep).values())))


def stake_grid(recipients: Mapping[str, Recipient], payoffs: Mapping[str, Any], keep: Collection[str]) -> Grid:
    """Return the stakes and knowledge of the recipients, a row each, with further knowledge only if any may learn."""
    heads = ["recipient", "gain", "cost", "loss", "attacks if", "knows", "listed people"]
    learning = any(one.learns is not None for one in recipients.values())
    stakes, kept, rows = Payoffs(**payoffs), kept_knowledge(recipients, keep), []
    for name, recipient in recipients.items():
        one = Adversary.of(recipient, stakes)
        limit = one.attack_limit if one.weighs_cost else None
        facts = {"free": limit is None, "some": limit, "limit": limit}
        whom = "all people" if recipient.population is None else "a separate population"
        whom = "the people of the records" if name in kept else whom
        row = [
            shown(name),
            money(one.gain),
            money(one.cost),
            money(one.loss),
            sentence("recipients.attacks", facts),
            _knows_of(recipient),
            whom if recipient.covers == 1 else f"{percent(recipient.covers)} of {whom}",
        ]
        if learning:
            row.append("nothing" if recipient.learns is None else _further_knowledge_words(recipient.learns))
        rows.append(tuple(row))
    return Grid((*heads, "may learn") if learning else tuple(heads), rows)


def _knows_of(recipient: Recipient) -> str:
    """Return the initial knowledge of a recipient, at most as detailed as that of a separate population."""
    listed = {} if recipient.population is None else recipient.population.levels
    if recipient.knows_all:
        return _known(["all attributes"], listed)
    levels = dict(recipient.levels)
    levels |= {name: max(level, levels.get(name, 0)) for name, level in listed.items() if name in levels}
    levels |= {name: level for name, level in listed.items() if name in (recipient.knows or ())}
    return _known([name for name in recipient.knows or () if name not in levels], levels)


def _further_knowledge_words(learns: FurtherKnowledge) -> str:
    price = f", for {money(learns.price)} if that pays" if learns.price else ""
    return f"{_known([*learns.knows], learns.levels)} (with probability {significant(learns.probability, 4)}{price})"


def _known(names: list[str], levels: Mapping[str, int]) -> str:
    return ", ".join([*names, *(f"{name} at level {level}" for name, level in levels.items())])


def undeterred(recipients: Mapping[str, Recipient]) -> list[str]:
    """Return the recipients who attack at any chance of success, since an attack costs them nothing."""
    return [shown(name) for name, one in active_recipients(recipients).items() if one.cost == 0]


def with_population(recipients: Mapping[str, Recipient]) -> list[str]:
    """Return the recipients who look people up in a separate population."""
    return [shown(name) for name, one in active_recipients(recipients).items() if one.population is not None]


def background_words(recipients: Mapping[str, Recipient], found: Mapping[str, Any], game: str) -> list[str]:
    """Return sentences on the risk from recipients without a cost; empty if there are none."""
    names = undeterred(recipients)
    expected = sum(float(found[name]["expected_reidentifications"]) for name in found if shown(name) in names)
    facts = {
        "undeterred": bool(names),
        "no_attack": game == "no-attack",
        "names": names,
        "risk": expectation(expected, "no"),
    }
    return sentences("recipients.background", facts)


def together_words(found: Mapping[str, Any]) -> str:
    """Return a sentence on the share of each recipient in the verdict's figures."""
    expected = {shown(name): float(one["expected_reidentifications"]) for name, one in found.items()}
    each = joined((f"{name} {expectation(value)}" for name, value in expected.items()), "and")
    return sentence("recipients.together", {"single": len(expected) == 1, "only": next(iter(expected)), "each": each})
