"""What is declared of a column: by the data dictionary of a project, or by a file that has labels."""

from collections.abc import Mapping
from dataclasses import field
from typing import Literal, TypeAlias

from gamedeid.reprs import frozen

Declared: TypeAlias = Literal["", "key", "identifier", "free text", "date", "ZIP code", "number", "codes"]
"""What the values of a column are declared to be; empty where nothing is said."""

_LONGEST_LABEL = 6
"""Words of a label that names what a column holds; a longer one is a question, whose words can mean other things."""


@frozen
class DeclaredColumn:
    """What is declared of a column.

    Parameters
    ----------
    label : what it is called for people; empty where nothing is said.
    value_labels : code, as text -> its label.
    left_out : why the column is dropped, whatever it holds; empty where it need not be.
    day_first : of dates, whether the day stands before the month; None where nothing is said.
    """

    label: str = ""
    value_labels: Mapping[str, str] = field(default_factory=dict)
    kind: Declared = ""
    because: str = ""
    left_out: str = ""
    day_first: bool | None = None

    @property
    def second_name(self) -> str:
        """The label, where it is short enough to be read as a name."""
        return self.label if len(self.label.split()) <= _LONGEST_LABEL else ""


UNDECLARED = DeclaredColumn()
"""Nothing is said of a column."""
