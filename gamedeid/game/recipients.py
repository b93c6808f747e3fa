"""Several recipients of one release: at which strategy each of them looks people up, and what each plays for."""

from collections.abc import Iterator, Mapping

import numpy as np

from gamedeid.arrays import IntArray, sealed
from gamedeid.generalization.hierarchy import Hierarchy, level_of
from gamedeid.generalization.lattice import Lattice
from gamedeid.kernels.tables import RecipientTables
from gamedeid.reprs import frozen
from gamedeid.scenario.payoffs import Adversary, Payoffs
from gamedeid.scenario.recipients import Recipient, lone_adversary, taking_part


@frozen(eq=False)
class Party:
    """A recipient by what she knows when she decides: one who may learn something is two of these.

    Parameters
    ----------
    name : the recipient's.
    recipient : as the scenario has her.
    chance : that she knows what she then knows, in (0, 1].
    """

    name: str
    recipient: Recipient
    chance: float


@frozen(eq=False)
class Recipients:
    """Everybody who may get the release and come to be an adversary, R of them by what they know.

    One who knows attribute f from level k_f up confuses a record released at g with all people who agree with it at the
    greater of both levels in each attribute: she looks people up at the join of g and k.

    Parameters
    ----------
    parties : who they are.
    nodes : (R, n) int64, of each strategy that may be released, the one at which each looks people up.
    """

    parties: tuple[Party, ...]
    nodes: IntArray

    @classmethod
    def compile(
        cls, recipients: Mapping[str, Recipient], hierarchies: Mapping[str, Hierarchy], lattice: Lattice
    ) -> "Recipients | None":
        """Return the recipients of a scenario; None where the paper's one adversary stands for them.

        Parameters
        ----------
        recipients : name -> recipient, as the scenario has them.
        hierarchies : attribute -> its hierarchy.
        lattice : their strategies.

        Raises
        ------
        InvalidScenarioError : a level that its hierarchy does not have, or too many strategies.
        """
        for name, recipient in recipients.items():
            _check_levels(name, recipient, hierarchies)
        decide = taking_part(recipients)
        if not recipients or lone_adversary(recipients) is not None:
            return None
        lattice.check_tables("recipients are played with", "use fewer attributes or levels")
        everything = lattice.levels(np.arange(lattice.size))
        tops = {name: hierarchy.levels - 1 for name, hierarchy in hierarchies.items()}
        parties, nodes = [], []
        for party, learned in _parties(decide):
            known = party.recipient.levels_known(tops, learned=learned)
            parties.append(party)
            nodes.append(lattice.nodes(np.maximum(everything, [known[name] for name in hierarchies])))
        return cls(parties=tuple(parties), nodes=sealed(np.stack(nodes), np.int64))

    def adversaries(self, payoffs: Payoffs) -> tuple[Adversary, ...]:
        """Return what each plays for, beside stakes that hold where she has none of her own."""
        return tuple(Adversary.of(party.recipient, payoffs, party.chance) for party in self.parties)

    def tables(self, payoffs: Payoffs) -> RecipientTables:
        """Return the same for the compiled loops."""
        adversaries = self.adversaries(payoffs)
        return RecipientTables(
            nodes=self.nodes,
            attack_limits=np.array([one.attack_limit for one in adversaries], np.int64),
            losses=np.array([one.expected_loss for one in adversaries]),
            log_uncovered=np.array([one.log_uncovered for one in adversaries]),
            weighs_cost=np.array([one.weighs_cost for one in adversaries]),
        )


def _parties(recipients: Mapping[str, Recipient]) -> Iterator[tuple[Party, bool]]:
    """Yield who decides, and whether she has learned what she may: who learns for free decides when she knows."""
    for name, recipient in recipients.items():
        learns = 0.0 if recipient.learns is None else recipient.learns.probability
        for chance, learned in ((learns, True), (1 - learns, False)):
            if chance > 0:
                yield Party(name=name, recipient=recipient, chance=chance), learned


def _check_levels(name: str, recipient: Recipient, hierarchies: Mapping[str, Hierarchy]) -> None:
    """Check that every level that a recipient knows is one of its hierarchy's."""
    sections = [("levels", recipient.levels)]
    if recipient.learns is not None:
        sections.append(("learns.levels", recipient.learns.levels))
    for key, levels in sections:
        for attribute, level in levels.items():
            level_of(hierarchies[attribute], level, f"recipients.{name}.{key}.{attribute}")
