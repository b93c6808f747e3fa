"""Several recipients of one release: the strategies at which they look people up, and their stakes."""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace

import numpy as np

from gamedeid.arrays import IntArray, sealed
from gamedeid.capabilities import Operation, refuse_unsupported
from gamedeid.errors import InvalidScenarioError
from gamedeid.generalization.hierarchy import Hierarchy, level_of
from gamedeid.generalization.lattice import Lattice
from gamedeid.kernels.tables import NONE, RecipientTables
from gamedeid.reprs import frozen
from gamedeid.scenario.payoffs import Adversary, Payoffs
from gamedeid.scenario.recipients import (
    Recipient,
    active_recipients,
    decision_chances,
    sole_paper_adversary,
)


@frozen(eq=False)
class RecipientType:
    """A type of a recipient, by its knowledge, as in a Bayesian game: a recipient who may learn has two types."""

    name: str
    recipient: Recipient
    chance: float  # of this knowledge, in [0, 1]
    learned: bool


@frozen(eq=False)
class Recipients:
    """All recipients who may get the release and attack, R types.

    A type that has learned at a price is followed by the same recipient before learning.

    A type that knows attribute f from level k_f up confuses a record released at g with all people who agree with it at
    the greater of both levels in each attribute: it looks people up at the join of g and k.

    Parameters
    ----------
    nodes : (R, n) int64, for each strategy that may be released, the strategy at which each type looks people up; the
        numbers for recipients' own populations follow, see :mod:`gamedeid.population.choose`. (1, 0) for the paper's
        adversary, who looks people up at the released strategy, in a lattice of any size.
    levels : (R, a) int64, the least level at which each type knows each attribute.
    """

    types: tuple[RecipientType, ...]
    nodes: IntArray
    levels: IntArray

    @classmethod
    def compile(
        cls,
        recipients: Mapping[str, Recipient],
        hierarchies: Mapping[str, Hierarchy],
        lattice: Lattice,
        own: Sequence[str] = (),
        *,
        vary: bool = False,
    ) -> "Recipients":
        """Return the recipients with a probability above 0, or the paper's adversary if there is no other."""
        for name, recipient in recipients.items():
            _check_levels(name, recipient, hierarchies)
        if not vary and (not recipients or sole_paper_adversary(recipients) is not None):
            return cls(
                types=(RecipientType(name="adversary", recipient=Recipient(), chance=1.0, learned=False),),
                nodes=sealed(np.empty((1, 0)), np.int64),
                levels=sealed(np.zeros((1, lattice.attributes)), np.int64),
            )
        refuse_unsupported(Operation.AGAINST_RECIPIENTS, lattice.features)
        everything = lattice.levels(np.arange(lattice.size))
        tops = {name: hierarchy.levels - 1 for name, hierarchy in hierarchies.items()}
        types = [  # a recipient who learns for free decides afterwards; at a price, also whether to learn
            RecipientType(name=name, recipient=recipient, chance=chance, learned=learned)
            for name, recipient in active_recipients(recipients).items()
            for chance, learned in decision_chances(recipient)
        ]
        nodes, levels = [], []
        for one in types:
            known = one.recipient.levels_known(tops, learned=one.learned)
            levels.append([known[name] for name in hierarchies])
            nodes.append(
                _source(one, own, hierarchies.keys()) * lattice.size + lattice.nodes(np.maximum(everything, levels[-1]))
            )
        return cls(
            types=tuple(types), nodes=sealed(np.stack(nodes), np.int64), levels=sealed(np.array(levels), np.int64)
        )

    @property
    def is_paper_adversary(self) -> bool:
        """Whether there is only the paper's adversary, whose stakes are those of the question."""
        return not self.nodes.size

    @property
    def keys(self) -> tuple[tuple[str, bool], ...]:
        """Name of each type, and whether it has learned something."""
        return tuple((one.name, one.learned) for one in self.types)

    def lookup_nodes(self, nodes: IntArray) -> list[IntArray]:
        """Return the strategies, (R, k), at which each type looks people up if ``nodes``, (k,), are released."""
        return [nodes] if self.is_paper_adversary else [one[nodes] for one in self.nodes]

    def with_recipients(self, recipients: Mapping[str, Recipient]) -> "Recipients":
        """Return the same with other probabilities, stakes and shares by name, without those of probability 0."""
        decide = active_recipients(recipients)
        rows = [row for row, one in enumerate(self.types) if one.name in decide]
        types = [replace(self.types[row], recipient=decide[self.types[row].name]) for row in rows]
        nodes, levels = (sealed(array[rows], array.dtype) for array in (self.nodes, self.levels))
        return replace(self, types=tuple(types), nodes=nodes, levels=levels)

    def adversaries(self, payoffs: Payoffs) -> tuple[Adversary, ...]:
        """Return the adversaries; ``payoffs`` are the stakes of recipients that name none."""
        return tuple(Adversary.of(one.recipient, payoffs, one.chance, learned=one.learned) for one in self.types)

    @property
    def unlearned(self) -> IntArray:
        """Number of the same recipient before learning at a price, (R,) int64; -1 if none."""
        prices = [
            one.learned and one.recipient.learns is not None and bool(one.recipient.learns.price) for one in self.types
        ]
        return np.where(prices, np.arange(1, len(prices) + 1), NONE).astype(np.int64)

    def tables(self, payoffs: Payoffs) -> RecipientTables | None:
        """Return the same for the compiled loops; None for the paper's adversary, who needs no tables."""
        if self.is_paper_adversary:
            return None
        adversaries = self.adversaries(payoffs)
        return RecipientTables(
            nodes=self.nodes,
            attack_limits=np.array([one.attack_limit for one in adversaries], np.int64),
            losses=np.array([one.expected_loss for one in adversaries]),
            log_uncovered=np.array([one.log_uncovered for one in adversaries]),
            weighs_cost=np.array([one.weighs_cost for one in adversaries]),
            gains=np.array([one.gain for one in adversaries]),
            costs=np.array([one.cost for one in adversaries]),
            prices=np.array([one.price for one in adversaries]),
            learning_chances=np.array([one.learning_chance for one in adversaries]),
        )


def _source(one: RecipientType, own: Sequence[str], attributes: AbstractSet[str]) -> int:
    """Return the number of the population in which a type looks people up; 0 is that of the scenario."""
    if one.name in own:
        return 1 + own.index(one.name)
    if one.recipient.population is not None or not attributes >= set(one.recipient.knows or ()):
        raise InvalidScenarioError(
            f"recipients.{one.name}: the data were read without the people whom it looks up, as of a recipient with "
            "probability 0; set its probability above 0 in the scenario, and vary it then"
        )
    return 0


def _check_levels(name: str, recipient: Recipient, hierarchies: Mapping[str, Hierarchy]) -> None:
    """Check that every level that a recipient knows is one of its hierarchy's."""
    sections = [("levels", recipient.levels)]
    if recipient.learns is not None:
        sections.append(("learns.levels", recipient.learns.levels))
    for key, levels in sections:
        for attribute, level in levels.items():
            level_of(hierarchies[attribute], level, f"recipients.{name}.{key}.{attribute}")
