"""What the question of a run holds beyond one adversary and records that are decided one by one."""

from collections.abc import Mapping
from typing import Any

from gamedeid.choices import AWARE_GAMES, AwareGameName
from gamedeid.reprs import frozen


@frozen
class QuestionKind:
    """Which sentences hold of a run.

    Parameters
    ----------
    limits : whether there are limits on the whole dataset, so that the strategy of a record depends on the others'.
    recipients : whether there are recipients for whom the paper's one adversary does not stand.
    aware : which game against a recipient who knows the mechanism, with strategies for the whole population; None where
        the game is none of these.
    """

    limits: bool
    recipients: bool
    aware: AwareGameName | None

    @property
    def is_plain(self) -> bool:
        """Whether it is none of these: the question of the paper."""
        return not (self.limits or self.recipients or self.aware)


PLAIN = QuestionKind(limits=False, recipients=False, aware=None)
"""The kind of the paper's question."""


def kind_of(summary: Mapping[str, Any]) -> QuestionKind:
    """Return the kind of a run's question."""
    return QuestionKind(
        limits="limits" in summary,
        recipients="recipients" in summary,
        aware=next((game for game in AWARE_GAMES if game == summary["game"]), None),
    )
