"""The values that the compiled loops share: stakes, hierarchies, counts, cells of the population and frontiers."""

from typing import Generic, NamedTuple, TypeVar

from gamedeid.arrays import BoolArray, FloatArray, IntArray
from gamedeid.reprs import brief

WITHHELD = -1
"""The strategy, or the entry of a frontier, of a withheld record."""

NONE = -1
"""No strategy to be counted, or no attribute to be raised."""

INDIFFERENCE = 1e-12
"""A gain above the expected cost by no more than this share of it is a tie, so that rounding starts no attack."""

NO_MATCH = 2**63 - 1
"""The people of a frontier's entry that matches no one; greater than every attack limit."""


class CompiledStakes(NamedTuple):
    """The stakes of the players, in dollars."""

    benefit: float
    loss: float
    attack_limit: int  # the adversary attacks groups of 1..attack_limit people
    tolerance: float  # payoffs closer than this are equal


@brief
class RecipientTables(NamedTuple):
    """Several adversaries, R of them; without these tables, there is only the one of the stakes, who knows all.

    An adversary who knows an attribute only at a level looks people up at a strategy more general than the released.
    """

    nodes: IntArray  # (R, n) int64: of each released strategy, the one at which people are counted
    attack_limits: IntArray  # (R,) int64: groups of 1..limit people are attacked
    losses: FloatArray  # (R,): the publisher's, dollars, times the probability of the recipient
    log_uncovered: FloatArray  # (R,): ln of the share of people who are not on the list; -inf where all are
    weighs_cost: BoolArray  # (R,): whether an attack costs anything, so that a release can deter it
    gains: FloatArray  # (R,): gain of the recipient from a re-identified record, dollars
    costs: FloatArray  # (R,): of an attack, dollars
    prices: FloatArray  # (R,): price of learning; if above 0, the next is the same recipient before learning
    learning_chances: FloatArray  # (R,): chance that a recipient who pays succeeds


@brief
class HierarchyTables(NamedTuple):
    """All hierarchies as padded tables: a attributes, h the most levels, l the most leaves plus the missing one.

    The tables with a row for each of the n nodes are empty where the lattice is large.
    """

    heights: IntArray  # (a,) int64: levels of each attribute
    strides: IntArray  # (a,) int64: step of a node number for one level more
    levels: IntArray  # (n, a) int8: levels of each node
    walk_keys: IntArray  # (n,) int64: order nodes by sum of levels, then lexicographically
    groups: IntArray  # (a, h, l) int32: group of a leaf at a level
    raw_losses: FloatArray  # (a, h, l): weight x ln(group size)
    total_loss: float  # the raw loss of the whole domain


@brief
class CountTables(NamedTuple):
    """The places of population counts; ``dense`` selects the fields in use."""

    dense: bool
    cells: IntArray  # dense: (total,) int64, the roll-ups one after another
    offsets: IntArray  # (n,) int64: start of a node's roll-up in cells, or its row in rows; -1 while not counted
    steps: IntArray  # dense: (n, a) int64: distance of neighbouring groups of an attribute in a node's roll-up
    rows: IntArray  # sparse: (k, q) int64, people per counted node and profile
    least: int  # no count is below this: 1 if a record without a match counts as unique


@brief
class ScannedPopulation(NamedTuple):
    """The population's distinct cells: c cells, a attributes, h the most levels, u the most leaves in use."""

    codes: IntArray  # (c, a) int32: which of the leaves in use
    people: IntArray  # (c,) int64
    used: IntArray  # (a,) int64: how many leaves are in use
    groups: IntArray  # (a, h, u) int32: group of each leaf in use at a level
    least: int  # no count is below this


CountsOrScanned = TypeVar("CountsOrScanned", CountTables, ScannedPopulation)


@brief
class PlayedGame(NamedTuple, Generic[CountsOrScanned]):
    """One game against the adversaries: q profiles, a attributes."""

    counts: CountsOrScanned  # tables with the people of strategies, or the people for scans
    hierarchies: HierarchyTables
    codes: IntArray  # (q, a) leaf codes
    floors: IntArray  # (q, a) int8: the least levels permitted
    stakes: CompiledStakes
    recipients: RecipientTables | None
    forbids_attack: bool


@brief
class BestFirstLists(NamedTuple):
    """Strategies of each kind of profile from the greatest v(g) down, in walk order among equals."""

    nodes: IntArray  # (k, limit) int64
    values: FloatArray  # (k, limit), v(g) as a share of the benefit
    lengths: IntArray  # (k,) int64, how many are listed
    complete: bool  # whether all strategies are listed


@brief
class Entries(NamedTuple):
    """Frontiers of all profiles one after another, each from the least information loss up; f entries in all."""

    starts: IntArray  # (q + 1,) int64: where each profile's entries begin
    benefit_share: FloatArray  # (f,) v(g) / V = 1 - IL(g), falling within a profile
    people: IntArray  # (f,) int64: n_p(g); ``NO_MATCH`` where no one matches
    walk_keys: IntArray  # (f,) int64: order in which equals are taken
    hull: BoolArray  # (f,) whether it can be best while attacked
