"""The settings of the page: stakes, weights, policy and game."""

from collections.abc import Mapping
from typing import Any, get_args

from gamedeid.catalogue import catalogue, sentence
from gamedeid.choices import GAMES, GameName
from gamedeid.errors import GamedeidError, InvalidScenarioError, nearest_word_hint, quoted, refuse_unknown, shown
from gamedeid.game.policies import policy_names
from gamedeid.generalization.hierarchy import Hierarchy
from gamedeid.intake.identifiers.releases import check_release, identifier_warnings
from gamedeid.report.words.aware import with_unplayed
from gamedeid.report.words.run import data_words, known_earlier_words, person_words
from gamedeid.reprs import frozen
from gamedeid.scenario.scenario import Scenario
from gamedeid.scenario.sections import DOLLARS, RAW, WEIGHTS
from gamedeid.study.facts import read_facts, study_warnings
from gamedeid.study.study import Study
from gamedeid.study.warnings import warning_sentences

STAKES = ("benefit", "loss", "cost", "gain")
"""The stakes of a setting; a gain of None equals the loss."""


@frozen
class Setting:
    """A scenario, and the game on display.

    Parameters
    ----------
    scenario : the question with the setting's stakes, weights and policy.
    game : the game whose strategies are shown in detail.
    """

    scenario: Scenario
    game: GameName

    @classmethod
    def parse(cls, content: object, opened: Scenario) -> "Setting":
        """Read a setting from a request of the page; missing keys are those of the opened scenario."""
        if not isinstance(content, Mapping):
            raise InvalidScenarioError(f"setting: expected an object, not {quoted(content)}")
        known = (*STAKES, "weights", "policy", "game")
        for key in content:
            if key not in known:
                raise InvalidScenarioError(f"setting: unknown key {quoted(key)}{nearest_word_hint(key, known)}")
        game = content.get("game", game_to_show(opened))
        refuse_unknown("game", game, get_args(GameName), "setting: ")
        return cls(scenario=_changed(opened, content), game=game)

    def as_dict(self) -> dict[str, Any]:
        """Return the setting in the form of the page: stakes in dollars, weights by attribute, policy and game."""
        payoffs = self.scenario.payoffs
        return {
            **{name: getattr(payoffs, name) for name in STAKES},
            "weights": {name: attribute.weight for name, attribute in self.scenario.attributes.items()},
            "policy": self.scenario.floor,
            "game": self.game,
        }


def game_to_show(scenario: Scenario) -> GameName:
    """Return the game that the page shows first: the scenario's, or for an aware game the one that is like it."""
    return next((game for game in GAMES if scenario.game in {game, f"aware-{game}"}), "basic")


def _changed(opened: Scenario, content: Mapping[str, Any]) -> Scenario:
    """Return a scenario with the stakes, weights and policy of a setting, validated like a file."""
    sections = {name: getattr(opened, name) for name, field in Scenario.model_fields.items() if not field.exclude}
    stakes = {name: getattr(opened.payoffs, name) for name in opened.payoffs.model_fields_set}
    stakes |= {name: content[name] for name in STAKES if name in content}
    weights = _weights(content, opened)
    attributes: dict[str, Any] = {}
    for name, attribute in opened.attributes.items():
        attributes[name] = {key: getattr(attribute, key) for key in attribute.model_fields_set}
        if name in weights:
            attributes[name]["weight"] = weights[name]
    changes = {"payoffs": stakes, "attributes": attributes, "floor": content.get("policy", opened.floor)}
    return Scenario.parse({**sections, **changes}, where="setting", folder=opened.folder, overridden=opened.overridden)


def _weights(content: Mapping[str, Any], opened: Scenario) -> Mapping[str, Any]:
    """Return the weights of a setting, by attribute."""
    found = content.get("weights", {})
    if not isinstance(found, Mapping):
        raise InvalidScenarioError(f"setting: weights: expected an object, not {quoted(found)}")
    for name in found:
        refuse_unknown("attribute", name, opened.attributes, "setting: ")
    return found


def describe_question(study: Study, opened: Setting, ends: Mapping[str, tuple[float, float]]) -> dict[str, Any]:
    """Return the content of the page as opened, as plain values; it contains no value of a record.

    Parameters
    ----------
    ends : stake -> the ends of its slider, dollars.
    """
    scenario, data = study.scenario, read_facts(study)
    thresholds = scenario.thresholds
    warned = warning_sentences(with_unplayed(study_warnings(study), scenario))
    warnings = [*person_words(data), *known_earlier_words(scenario), *warned]
    return {
        "title": scenario.title,
        "setting": opened.as_dict(),
        "sliders": {name: {"least": least, "most": most} for name, (least, most) in ends.items()},
        "bounds": {"stakes": _bounds(*DOLLARS), "weights": _bounds(*WEIGHTS)},
        "policies": [name for name in policy_names(scenario) if name != RAW],
        "law": dict(catalogue("law")["lines"]),
        "games": list(GAMES),
        "thresholds": thresholds is not None and bool(thresholds.presets or thresholds.own),
        "attributes": [_attribute(name, hierarchy) for name, hierarchy in study.instance.hierarchies.items()],
        "data": data,
        "read": data_words(data),
        "warnings": [*varied_recipients_words(scenario), *warnings, *_identifiers(study)],
    }


def _bounds(least: float, most: float) -> dict[str, float]:
    return {"least": least, "most": most}


MOST_LISTED = 200
"""Most leaves of a hierarchy for the page to list them; leaves that come from the data are never listed, nor those that
are written in another form in the data, as ages are that stand for dates of birth."""


def _attribute(name: str, hierarchy: Hierarchy) -> dict[str, Any]:
    leaves = () if hierarchy.from_data or len(hierarchy.leaves) > MOST_LISTED else hierarchy.leaves
    return {
        "name": name,
        "title": hierarchy.title,
        "values": [leaf for code, leaf in enumerate(leaves) if hierarchy.code(leaf) == code],
        "levels": [_level(hierarchy, level) for level in range(hierarchy.levels)],
    }


def _level(hierarchy: Hierarchy, level: int) -> dict[str, Any]:
    """Return the number of groups of a level, and the label of one leaf unless the leaves come from the data."""
    middle = len(hierarchy.leaves) // 2
    return {
        "groups": int(hierarchy.group_counts[level]),
        "example": None if hierarchy.from_data else hierarchy.label(level, middle),
    }


def varied_recipients_words(scenario: Scenario) -> list[str]:
    """Return the recipients whose stakes the sliders change; empty if the scenario names none."""
    if not scenario.recipients:
        return []
    individual = {
        shown(name): [key for key in ("gain", "cost", "loss") if getattr(recipient, key) is not None]
        for name, recipient in scenario.recipients.items()
    }
    varied = sentence("recipients.turned", {"names": list(individual)})
    own = [
        sentence("recipients.unchanged", {"name": name, "stakes": keys}) for name, keys in individual.items() if keys
    ]
    return [" ".join([varied, *own])]


def _identifiers(study: Study) -> list[str]:
    """Return a sentence for each column that may hold identifiers; ``gamedeid run`` refuses plain ones."""
    try:
        found = check_release(study)
    except GamedeidError as error:
        return [str(error)]
    return warning_sentences(identifier_warnings(found, study.scenario))
