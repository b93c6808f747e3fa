"""Several recipients of one release: at which strategy each of them looks people up, and what each plays for."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from gamedeid.arrays import IntArray, sealed
from gamedeid.capabilities import Operation, check
from gamedeid.errors import InvalidScenarioError
from gamedeid.generalization.hierarchy import Hierarchy, level_of
from gamedeid.generalization.lattice import Lattice
from gamedeid.kernels.tables import NONE, RecipientTables
from gamedeid.reprs import frozen
from gamedeid.scenario.payoffs import Adversary, Payoffs
from gamedeid.scenario.recipients import Recipient, decisions, lone_adversary, own_population, taking_part


@frozen(eq=False)
class Party:
    """A recipient by what she knows when she decides: one who may learn something is two of these.

    Parameters
    ----------
    name : the recipient's.
    recipient : as the scenario has her.
    chance : that she knows what she then knows, in [0, 1].
    learned : whether that is what she may come to know.
    """

    name: str
    recipient: Recipient
    chance: float
    learned: bool


@frozen(eq=False)
class Recipients:
    """Everybody who may get the release and come to be an adversary, R of them by what they know.

    After one who has learned something at a price comes the same recipient as she is before.

    One who knows attribute f from level k_f up confuses a record released at g with all people who agree with it at the
    greater of both levels in each attribute: she looks people up at the join of g and k.

    Parameters
    ----------
    parties : who they are.
    nodes : (R, n) int64, of each strategy that may be released, the one at which each looks people up; those in the
        populations of recipients' own are numbered on, as :mod:`gamedeid.population.several` has it.
    levels : (R, a) int64, the least level at which each knows each attribute.
    """

    parties: tuple[Party, ...]
    nodes: IntArray
    levels: IntArray

    @classmethod
    def compile(
        cls,
        recipients: Mapping[str, Recipient],
        hierarchies: Mapping[str, Hierarchy],
        lattice: Lattice,
        own: Sequence[str] = (),
    ) -> "Recipients | None":
        """Return the recipients of a scenario; None where the paper's one adversary stands for them.

        Parameters
        ----------
        recipients : name -> recipient, as the scenario has them.
        hierarchies : attribute -> its hierarchy.
        lattice : their strategies.
        own : names of those whose own people are counted, in the order in which these are.

        Raises
        ------
        InvalidScenarioError : a level that its hierarchy does not have, too many strategies, or a population of a
            recipient's own that is not counted.
        """
        for name, recipient in recipients.items():
            _check_levels(name, recipient, hierarchies)
        if not recipients or lone_adversary(recipients) is not None:
            return None
        return cls.of(recipients, hierarchies, lattice, own)

    @classmethod
    def of(
        cls,
        recipients: Mapping[str, Recipient],
        hierarchies: Mapping[str, Hierarchy],
        lattice: Lattice,
        own: Sequence[str] = (),
    ) -> "Recipients":
        """Return those who may come to be, also where there is one alone who is the paper's adversary.

        Parameters
        ----------
        recipients, hierarchies, lattice, own : as in :meth:`compile`; every level is one of its hierarchy's.

        Raises
        ------
        InvalidScenarioError : too many strategies, or a population of a recipient's own that is not counted.
        """
        check(Operation.AGAINST_RECIPIENTS, lattice.features)
        everything = lattice.levels(np.arange(lattice.size))
        tops = {name: hierarchy.levels - 1 for name, hierarchy in hierarchies.items()}
        parties, nodes, levels = [], [], []
        for party in _parties(taking_part(recipients)):
            known = party.recipient.levels_known(tops, learned=party.learned)
            parties.append(party)
            first = _source(party, own) * lattice.size
            levels.append([known[name] for name in hierarchies])
            nodes.append(first + lattice.nodes(np.maximum(everything, levels[-1])))
        return cls(
            parties=tuple(parties), nodes=sealed(np.stack(nodes), np.int64), levels=sealed(np.array(levels), np.int64)
        )

    def playing_for(self, recipients: Mapping[str, Recipient]) -> "Recipients":
        """Return the same with other probabilities, stakes and shares, without those who no longer come to be.

        Parameters
        ----------
        recipients : name -> recipient, who knows what she knew.
        """
        decide = taking_part(recipients)
        rows = [row for row, party in enumerate(self.parties) if party.name in decide]
        parties = [replace(self.parties[row], recipient=decide[self.parties[row].name]) for row in rows]
        return replace(self, parties=tuple(parties), nodes=self.nodes[rows], levels=self.levels[rows])

    def adversaries(self, payoffs: Payoffs) -> tuple[Adversary, ...]:
        """Return what each plays for, beside stakes that hold where she has none of her own."""
        return tuple(
            Adversary.of(party.recipient, payoffs, party.chance, learned=party.learned) for party in self.parties
        )

    @property
    def unlearned(self) -> IntArray:
        """Number of the same recipient as she is before she learns at a price, (R,) int64; -1 where there is none."""
        prices = [
            party.learned and party.recipient.learns is not None and bool(party.recipient.learns.price)
            for party in self.parties
        ]
        return np.where(prices, np.arange(1, len(prices) + 1), NONE).astype(np.int64)

    def tables(self, payoffs: Payoffs) -> RecipientTables:
        """Return the same for the compiled loops."""
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


def _source(party: Party, own: Sequence[str]) -> int:
    """Return the number of the population in which somebody looks people up; 0 is that of the scenario."""
    if party.recipient.population is None:
        return 0
    if party.name not in own:
        raise InvalidScenarioError(
            f"{own_population(party.name)}: no people are read for a question that is already compiled; prepare it anew"
        )
    return 1 + own.index(party.name)


def _parties(recipients: Mapping[str, Recipient]) -> Iterator[Party]:
    """Yield who decides: who learns for free decides when she knows; at a price, whether to learn, and then again."""
    for name, recipient in recipients.items():
        for chance, learned in decisions(recipient):
            yield Party(name=name, recipient=recipient, chance=chance, learned=learned)


def _check_levels(name: str, recipient: Recipient, hierarchies: Mapping[str, Hierarchy]) -> None:
    """Check that every level that a recipient knows is one of its hierarchy's."""
    sections = [("levels", recipient.levels)]
    if recipient.learns is not None:
        sections.append(("learns.levels", recipient.learns.levels))
    for key, levels in sections:
        for attribute, level in levels.items():
            level_of(hierarchies[attribute], level, f"recipients.{name}.{key}.{attribute}")
