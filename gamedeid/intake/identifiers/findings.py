"""What was found of a column: kinds of identifiers, by what evidence, and what to do; never a value."""

from typing import Any, Literal, TypeAlias

from gamedeid.intake.identifiers.kinds import KINDS
from gamedeid.reprs import frozen

Evidence: TypeAlias = Literal["name", "values", "name and values"]
"""By what a kind of identifier was found in a column."""


@frozen
class Finding:
    """A kind of identifier that a column may hold.

    Parameters
    ----------
    column : its name.
    kind : what it is called, one of :data:`kinds.KINDS`.
    share : of the values that are there, in [0, 1], those that look like the kind; None where only the name tells it.
    evidence : whether the column's name tells it, its values, or both.
    strong : whether the evidence can hardly be chance; else it is worth a look.
    """

    column: str
    kind: str
    share: float | None
    evidence: Evidence
    strong: bool

    @property
    def letter(self) -> str:
        """Safe Harbor's letter for the kind, "A" to "R"; empty for free text."""
        return KINDS[self.kind].safe_harbor

    @property
    def advice(self) -> str:
        """What to do with the column."""
        return KINDS[self.kind].advice

    def as_dict(self) -> dict[str, Any]:
        """Return the same in plain values, for JSON."""
        return {
            "column": self.column,
            "kind": self.kind,
            "letter": self.letter or None,
            "share": self.share,
            "evidence": self.evidence,
            "strong": self.strong,
            "advice": self.advice,
        }
