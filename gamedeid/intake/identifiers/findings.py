"""What was found of columns: kinds of identifiers, by what evidence, and what to do; never a value."""

from typing import Any, Literal, TypeAlias

from gamedeid.choices import IdentifierRule
from gamedeid.intake.identifiers.kinds import KINDS
from gamedeid.reprs import frozen, html_table, repr_of
from gamedeid.schema_names import KEY, schema_id

Evidence: TypeAlias = Literal["name", "values", "name and values"]
"""By what a kind of identifier was found in a column."""

Part: TypeAlias = Literal["attribute", "kept"]
"""What a scenario makes of a column that it does not drop."""


@frozen
class IdentifierFinding:
    """A kind of identifier that a column may hold.

    Parameters
    ----------
    column : its name.
    kind : what it is called, one of :data:`kinds.KINDS`.
    share : of the values that are there, in [0, 1], those that look like the kind; None where only the name tells it.
    evidence : whether the column's name tells it, its values, or both.
    strong : whether the evidence can hardly be chance; else it is worth a look.
    part : what the scenario makes of the column; None without a scenario, or where it says nothing of the column.
    handled : how the scenario takes care of it, in words; empty where it does not.
    rows : how many rows have such values; None where only the name tells it, or where some values only were looked at.
    """

    column: str
    kind: str
    share: float | None
    evidence: Evidence
    strong: bool
    part: Part | None = None
    handled: str = ""
    rows: int | None = None

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
            "safe_harbor": KINDS[self.kind].safe_harbor or None,
            "limited_data_set": KINDS[self.kind].limited_data_set or None,
            "share": self.share,
            "rows": self.rows,
            "evidence": self.evidence,
            "strong": self.strong,
            "part": self.part,
            "handled": self.handled or None,
            "advice": self.advice,
        }


@frozen
class IdentifierCheck:
    """What was found in a table; nothing of a single record.

    Parameters
    ----------
    rule : whose list of identifiers was checked.
    rows : how many rows were looked at; None where no column has values to look at, only names.
    columns : how many columns were looked at; dropped ones are not.
    sampled : columns of which not every distinct value was looked at, since they have too many.
    unread : columns of which only the name was looked at, since their values are bytes, or cannot be read.
    findings : in the order of the columns, strong evidence first.
    """

    rule: IdentifierRule
    rows: int | None
    columns: int
    sampled: tuple[str, ...]
    unread: tuple[str, ...]
    findings: tuple[IdentifierFinding, ...]

    @property
    def unhandled(self) -> tuple[IdentifierFinding, ...]:
        """The findings that the scenario does not take care of; all of them without a scenario."""
        return tuple(finding for finding in self.findings if not finding.handled)

    def __repr__(self) -> str:
        return repr_of(self, rule=self.rule, rows=self.rows, columns=self.columns, unhandled=len(self.unhandled))

    def _repr_html_(self) -> str:
        rows = [(one.column, one.kind, one.share, one.evidence, one.handled or one.advice) for one in self.findings]
        return html_table("Identifiers", ["column", "kind", "share", "evidence", "what to do"], rows)

    def as_dict(self) -> dict[str, Any]:
        """Return the same in plain values, for JSON."""
        return {
            KEY: schema_id("check"),
            "rule": self.rule,
            "rows_looked_at": self.rows,
            "columns": self.columns,
            "sampled": list(self.sampled),
            "unread": list(self.unread),
            "unhandled": len(self.unhandled),
            "findings": [finding.as_dict() for finding in self.findings],
        }
