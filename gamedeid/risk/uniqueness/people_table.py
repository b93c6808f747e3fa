"""Which people of a table are compared, and in which columns: what was asked of a file."""

from collections.abc import Mapping
from dataclasses import field

from gamedeid.errors import InvalidScenarioError, did_you_mean, quoted
from gamedeid.file_identity import Inputs
from gamedeid.reprs import frozen


@frozen(eq=False)
class PeopleTable:
    """A file of people, and what makes two of them alike.

    Parameters
    ----------
    inputs : the file, under "data", as it was before it was opened.
    attributes : the columns in which people are compared, at least one, each once.
    count : the column that says how many people a row stands for; None makes every row one person.
    columns : names of the columns where the first row of a CSV file does not give them, each once.
    widths : attribute -> how many whole numbers count as one value, at least 1: with 5, ages 20 to 24 are alike.

    Raises
    ------
    InvalidScenarioError : no attribute or one that is named twice, a count that is an attribute, or a width that is
        none or of no attribute.
    """

    inputs: Inputs
    attributes: tuple[str, ...]
    count: str | None = None
    columns: tuple[str, ...] | None = None
    widths: Mapping[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not self.attributes:
            raise InvalidScenarioError(
                "attributes: no column is named in which people are compared; name one", arguments=["attributes"]
            )
        _refuse_repeated(self.attributes, "attribute")
        _refuse_repeated(self.columns or (), "column")
        if self.count in self.attributes:
            raise InvalidScenarioError(
                f"count: {quoted(self.count)} is an attribute; a column can be only one of them", arguments=["count"]
            )
        for name, width in self.widths.items():
            if name not in self.attributes:
                raise InvalidScenarioError(
                    f"widths: {quoted(name)} is none of the attributes{did_you_mean(name, self.attributes)}",
                    arguments=["widths"],
                )
            if width < 1:
                raise InvalidScenarioError(
                    f"widths: that of {quoted(name)} must be at least 1, not {width}", arguments=["widths"]
                )

    def as_dict(self) -> dict[str, object]:
        """Return plain values for a manifest; the file goes by its bare name."""
        return {
            "data": self.inputs.files["data"].path.name,
            "attributes": list(self.attributes),
            "count": self.count,
            "columns": None if self.columns is None else list(self.columns),
            "widths": dict(self.widths),
        }


def _refuse_repeated(names: tuple[str, ...], what: str) -> None:
    for place, name in enumerate(names):
        if name in names[:place]:
            raise InvalidScenarioError(f"the {what} {quoted(name)} is named twice; name it once")
