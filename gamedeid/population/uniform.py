"""How many people match a profile in more detail than the population is known in: an estimate, by even spreading."""

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from gamedeid.arrays import ROUNDING, FloatArray, IntArray
from gamedeid.data.profiles import Profiles
from gamedeid.generalization.hierarchy import Hierarchy
from gamedeid.generalization.lattice import Lattice
from gamedeid.population.contract import Counts


def occupied_bins(people: npt.ArrayLike, bins: npt.ArrayLike) -> FloatArray:
    """Return how many of b equally likely bins are expected to hold some of n people: b (1 - (1 - 1/b)^n).

    Parameters
    ----------
    people : n >= 0.
    bins : b >= 1, where fractions are allowed.

    Returns
    -------
    float64 of the common shape; no power overflows, and none is lost where b is large.

    References
    ----------
    Benitez and Malin (2010), equation 4.
    """
    n, b = np.asarray(people, np.float64), np.asarray(bins, np.float64)
    several = b > 1
    expected = -b * np.expm1(n * np.log1p(-1 / np.where(several, b, 2.0)))
    found: FloatArray = np.where(several, expected, np.minimum(n, 1.0))  # one bin would be the logarithm of 0
    return found


def people_alike(people: IntArray, bins: IntArray) -> IntArray:
    """Return n_p, int64, of somebody among n people over b equally likely bins.

    It is the number whose inverse is the chance of a right guess, the expected occupied bins over n, rounded down: the
    game then never takes a record for safer than the estimate does. It is n itself for one bin, 0 for nobody, else at
    least 1; and it never falls as n rises, nor as b falls.
    """
    means = people / np.maximum(occupied_bins(people, bins), ROUNDING)
    # logarithms may take a little from a whole number before it is rounded down
    rounded = np.floor(means * (1 + ROUNDING)).astype(np.int64)
    alike: IntArray = np.where(bins == 1, people, np.maximum(rounded, np.minimum(people, 1)))
    return alike


class EvenSpread:
    """Over how many equally likely groups people are spread of whom an attribute is known at a level only.

    Parameters
    ----------
    hierarchies : attribute -> its hierarchy.
    known : attribute -> level at which the population has it; those that are not named it has as they are.
    """

    def __init__(self, hierarchies: Mapping[str, Hierarchy], known: Mapping[str, int]) -> None:
        self._known = np.array([known.get(attribute, 0) for attribute in hierarchies], np.int8)
        self._bins = [
            _bins(hierarchy, level) for hierarchy, level in zip(hierarchies.values(), self._known, strict=True)
        ]

    def known_levels(self, levels: IntArray) -> IntArray:
        """Return the finest levels at or above ``levels``, (k, a) both, at which the population is known."""
        return np.maximum(levels, self._known)

    def bins(self, codes: IntArray, levels: IntArray) -> IntArray:
        """Return for leaf codes, (k, a), over how many groups of ``levels``, (k, a), their people are spread.

        Returns
        -------
        (k,) int64, >= 1; 1 where all is known.
        """
        bins = np.ones(len(codes), np.int64)
        for place, table in enumerate(self._bins):
            bins *= table[levels[:, place], codes[:, place]]
        return bins


class UniformCounter:
    """Estimated counts of a population that has some attributes at a level only, spread evenly over what is finer.

    Parameters
    ----------
    counts : of the population, where a group of such an attribute stands under its first leaf.
    profiles : who will be looked up.
    lattice : the strategies.
    spread : what is known of each attribute.
    """

    def __init__(self, counts: Counts, profiles: Profiles, lattice: Lattice, spread: EvenSpread) -> None:
        self._counts = counts
        self._profiles = profiles
        self._lattice = lattice
        self._spread = spread

    def people_at(self, nodes: IntArray) -> IntArray:
        """Return the estimated n_p, (k, q) int64, of every profile at some nodes, (k,)."""
        return np.stack([self._estimated_at(node) for node in nodes.tolist()])

    def _estimated_at(self, node: int) -> IntArray:
        everyone = np.arange(self._profiles.count)
        levels = np.tile(self._lattice.levels_of(node), (len(everyone), 1))
        known = self._lattice.nodes(self._spread.known_levels(levels))
        people = self._counts.people(self._profiles, everyone, known)
        return people_alike(people, self._spread.bins(self._profiles.codes, levels))

    def of(self, profiles: Profiles) -> "UniformCounter":
        """Return the same for other profiles."""
        return UniformCounter(self._counts.of(profiles), profiles, self._lattice, self._spread)


def _bins(hierarchy: Hierarchy, known: int) -> IntArray:
    """Return for each level and leaf, (h, l + 1) int64, among how many groups there its group at ``known`` is spread.

    The last leaf stands for a missing value, which nobody has to guess.
    """
    bins = np.ones((hierarchy.levels, len(hierarchy.leaves) + 1), np.int64)
    groups = hierarchy.groups
    for level in range(known):
        first = np.flatnonzero(np.diff(groups[level], prepend=-1))
        bins[level, :-1] = np.bincount(groups[known][first])[groups[known]]
    return bins
