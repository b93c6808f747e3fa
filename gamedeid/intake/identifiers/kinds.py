"""The kinds of identifiers that Safe Harbor and the limited data set list, and what to do with each."""

from gamedeid.choices import IdentifierRule
from gamedeid.errors import InvalidScenarioError, did_you_mean, quoted
from gamedeid.reprs import frozen

DROP = "drop the column"


@frozen
class IdentifierKind:
    """One kind of identifier.

    Parameters
    ----------
    words : what it is called in results, and in scenarios that accept it.
    safe_harbor : its letter in 45 CFR 164.514(b)(2)(i); empty for free text, which may hold any of them.
    limited_data_set : its number in 45 CFR 164.514(e)(2); None where a limited data set may have it.
    advice : what to do with a column that holds it.
    """

    words: str
    safe_harbor: str
    limited_data_set: str | None
    advice: str = DROP

    def place(self, rule: IdentifierRule) -> str | None:
        """Return where a rule lists the kind: a letter, a number, "" for free text, None where it does not."""
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
        IdentifierKind(words="ages over 89", safe_harbor="C", limited_data_set=None, advice=_BY_ROLE.format('"age"')),
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


def kind_called(words: str, where: str) -> IdentifierKind:
    """Return the kind that is called so.

    Parameters
    ----------
    words : such as "telephone numbers".
    where : which key speaks of it, for messages.

    Raises
    ------
    InvalidScenarioError : there is no such kind.
    """
    if words not in KINDS:
        raise InvalidScenarioError(
            f"{where}: {quoted(words)} is no kind of identifier{did_you_mean(words, KINDS)}; the kinds are "
            f"{', '.join(KINDS)}"
        )
    return KINDS[words]
