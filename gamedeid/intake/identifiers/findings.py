"""The kinds of identifiers that a rule lists, and findings of them in columns, without any value."""

from typing import ClassVar, Literal, TypeAlias

from gamedeid.choices import IdentifierRule
from gamedeid.reprs import frozen
from gamedeid.results.result import Count, Flag, Result, Share, Text


@frozen
class IdentifierKind:
    """One kind of identifier.

    Parameters
    ----------
    words : its name in results, and in scenarios that accept it.
    safe_harbor : its letter in 45 CFR 164.514(b)(2)(i); empty for free text, which may hold any of them.
    limited_data_set : its number in 45 CFR 164.514(e)(2); None if a limited data set may have it.
    """

    words: str
    safe_harbor: str
    limited_data_set: str | None
    advice: str = "drop the column"

    def place(self, rule: IdentifierRule) -> str | None:
        """Return the place of the kind in a rule: a letter, a number, "" for free text, None if not listed."""
        return self.safe_harbor if rule == "safe-harbor" else self.limited_data_set


_BY_ROLE = "drop the column, or make it an attribute of the role {}"

KINDS: dict[str, IdentifierKind] = {
    kind.words: kind
    for kind in (
        IdentifierKind(words="names", safe_harbor="A", limited_data_set="i"),
        IdentifierKind(words="street addresses", safe_harbor="B", limited_data_set="ii"),
        IdentifierKind(
            words="places", safe_harbor="B", limited_data_set=None, advice=_BY_ROLE.format('"zip", "city" or "county"')
        ),
        IdentifierKind(words="dates", safe_harbor="C", limited_data_set=None, advice=_BY_ROLE.format('"date"')),
        IdentifierKind(
            words="ages over 89", safe_harbor="C", limited_data_set=None, advice=_BY_ROLE.format('"age" or "date"')
        ),
        IdentifierKind(words="telephone numbers", safe_harbor="D", limited_data_set="iii"),
        IdentifierKind(words="fax numbers", safe_harbor="E", limited_data_set="iv"),
        IdentifierKind(words="e-mail addresses", safe_harbor="F", limited_data_set="v"),
        IdentifierKind(words="social security numbers", safe_harbor="G", limited_data_set="vi"),
        IdentifierKind(words="medical record numbers", safe_harbor="H", limited_data_set="vii"),
        IdentifierKind(words="health plan numbers", safe_harbor="I", limited_data_set="viii"),
        IdentifierKind(words="account numbers", safe_harbor="J", limited_data_set="ix"),
        IdentifierKind(words="licence numbers", safe_harbor="K", limited_data_set="x"),
        IdentifierKind(words="vehicle identifiers", safe_harbor="L", limited_data_set="xi"),
        IdentifierKind(words="device identifiers", safe_harbor="M", limited_data_set="xii"),
        IdentifierKind(words="web addresses", safe_harbor="N", limited_data_set="xiii"),
        IdentifierKind(words="IP addresses", safe_harbor="O", limited_data_set="xiv"),
        IdentifierKind(words="biometric identifiers", safe_harbor="P", limited_data_set="xv"),
        IdentifierKind(words="photographs", safe_harbor="Q", limited_data_set="xvi"),
        IdentifierKind(words="unique identifiers", safe_harbor="R", limited_data_set=None),
        IdentifierKind(
            words="free text",
            safe_harbor="",
            limited_data_set="",
            advice="drop the column, or read and clear its texts",
        ),
    )
}
"""Every kind by its words, in the order of Safe Harbor's letters."""


Evidence: TypeAlias = Literal["name", "values", "name and values"]
"""The evidence of a kind of identifier in a column."""

Part: TypeAlias = Literal["attribute", "kept"]
"""The part that a scenario gives a column that it does not drop."""


@frozen
class IdentifierFinding(Result):
    """A kind of identifier that a column may hold.

    Parameters
    ----------
    column : its name.
    kind : its name, one of :data:`kinds.KINDS`.
    share : share of the present values, in [0, 1], that look like the kind; None if only the name shows it.
    evidence : whether the column's name shows it, its values, or both.
    strong : whether the evidence can hardly be chance; otherwise it is worth a look.
    part : the column's part in the scenario; None without a scenario, or if it does not name the column.
    handled : the scenario's treatment of it, in words; None for no treatment.
    rows : number of rows with such values; None if only the name shows it, or if only some values were examined.
    """

    keys: ClassVar = (
        *("column", "kind", "safe_harbor", "limited_data_set", "share", "rows", "evidence", "strong", "part"),
        *("handled", "advice"),
    )

    column: Text
    kind: Text
    share: Share | None
    evidence: Evidence
    strong: Flag
    part: Part | None = None
    handled: Text | None = None
    rows: Count | None = None

    @property
    def safe_harbor(self) -> Text | None:
        """Safe Harbor's letter for the kind, "A" to "R"; None for free text."""
        return KINDS[self.kind].safe_harbor or None

    @property
    def limited_data_set(self) -> Text | None:
        """The number of the kind in the list of a limited data set; None if it may stay in one."""
        return KINDS[self.kind].limited_data_set or None

    @property
    def advice(self) -> Text:
        """The advice for the column."""
        return KINDS[self.kind].advice


@frozen
class IdentifierCheck(Result):
    """The findings in a table, without any single record.

    Parameters
    ----------
    rule : the rule whose list of identifiers was checked.
    rows_looked_at : number of examined rows; None if only names were examined.
    columns : number of examined columns; dropped ones are not examined.
    sampled : columns with too many distinct values to examine all.
    unread : columns whose name only was examined, since their values are bytes, or cannot be read.
    findings : in the order of the columns, strong evidence first.
    """

    document = "check"
    keys: ClassVar = ("rule", "rows_looked_at", "columns", "sampled", "unread", "unhandled", "findings")
    shown = ("rule", "rows_looked_at", "columns", "unhandled")
    table_of = "findings"

    rule: IdentifierRule
    rows_looked_at: Count | None
    columns: Count
    sampled: tuple[Text, ...]
    unread: tuple[Text, ...]
    findings: tuple[IdentifierFinding, ...]

    @property
    def open_findings(self) -> tuple[IdentifierFinding, ...]:
        """The findings that the scenario does not handle; all findings without a scenario."""
        return tuple(finding for finding in self.findings if finding.handled is None)

    @property
    def unhandled(self) -> Count:
        """Number of open findings."""
        return len(self.open_findings)
