"""Examples: people of the population before and after a release, chosen without regard to the records."""

import re
from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from gamedeid.capabilities import Feature, Operation, refusal_words
from gamedeid.catalogue import sentence
from gamedeid.choices import GAMES
from gamedeid.data.profiles import Profiles
from gamedeid.generalization.hierarchy import Hierarchy
from gamedeid.reprs import frozen
from gamedeid.results.result import Count, Flag, Level, Result, Text
from gamedeid.study.solution import Solution
from gamedeid.study.solve import solve_again

ROWS = 10
"""Most rows of the population that are shown."""


@frozen
class ExampleRow(Result):
    """A row of the population, and how a record with its values would be released.

    Parameters
    ----------
    before : attribute -> the value; its characters are hidden if the domain consists of values in the data.
    levels, released : attribute -> the level of its release, and the label there, shown as the value is.
    withheld : whether such a record would not be released.
    people : number of people who match its release.
    """

    before: Mapping[str, Text]
    levels: Mapping[str, Level]
    released: Mapping[str, Text]
    withheld: Flag
    people: Count


def example_rows(solution: Solution) -> tuple[ExampleRow, ...] | str:
    """Return rows of the population with their releases; or a sentence with the reason for none.

    The rows are evenly spaced among the sorted distinct rows of the population: the choice and each release depend on
    the population, the scenario and the game, and on no record.

    Parameters
    ----------
    solution : of a game.
    """
    study = solution.study
    hierarchies, cells, features = study.instance.hierarchies, study.population.cells, study.features
    leaves = [len(one.leaves) for one in hierarchies.values()]
    known = (cells.people > 0) & (cells.codes[:, : len(leaves)] < leaves).all(axis=1)
    facts = {
        "own": study.is_own_population,
        "coarse": study.population.estimate is not None or not known.any(),
        "planned": solution.name not in GAMES,
        "refused": refusal_words(Operation.ONE_PERSON, features) is not None or Feature.OWN_LISTS in features,
    }
    if why := sentence("certificate.no_examples", facts):
        return why
    listed = list(hierarchies.values())
    codes = Profiles.of(cells.codes[known], listed).codes
    places = np.unique(np.linspace(0, len(codes) - 1, min(ROWS, len(codes))).round().astype(np.int64))
    instance = study.instance.for_profiles(Profiles.of(codes[places], listed))
    people = solve_again(replace(study, instance=instance, persons=None), solution.name, solution.solver)
    return tuple(_example(people, row) for row in range(instance.profiles.count))


def _example(people: Solution, row: int) -> ExampleRow:
    """Return a row of the population, released as in the solution for such rows."""
    hierarchies = people.study.instance.hierarchies
    codes = dict(zip(hierarchies, people.study.instance.profiles.codes[row].tolist(), strict=True))
    levels = dict(zip(hierarchies, people.levels[row].tolist(), strict=True))
    return ExampleRow(
        before={name: display_label(hierarchies[name], 0, code) for name, code in codes.items()},
        levels=levels,
        released={name: display_label(hierarchies[name], levels[name], code) for name, code in codes.items()},
        withheld=bool(people.withheld[row]),
        people=int(people.people[row]),
    )


def display_label(hierarchy: Hierarchy, level: int, code: int) -> str:
    """Return a label as a report may show it: letters and digits of values found in the data are hidden."""
    label = hierarchy.label(level, code)
    return re.sub(r"\w", "#", label) if hierarchy.from_data else label
