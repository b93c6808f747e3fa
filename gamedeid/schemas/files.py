"""What the commands print that make or describe single files: drafts, pages, pictures, hierarchies, scenarios."""

from typing import Any

from gamedeid.choices import PictureKind
from gamedeid.generalization.hierarchy import Role
from gamedeid.intake.drafting.parts import Part
from gamedeid.intake.recognition.recognise import Kind
from gamedeid.results.quantities import Count, Digest, FilePath, Flag, Level, OneOrMore, Text
from gamedeid.results.shapes import Shape

DRAFT: Shape = {
    "rows": Count,
    "encoding": (Text, None),
    "delimiter": (Text, None),
    "questions": Count,
    "columns": [{"name": Text, "kind": Kind, "part": Part, "doubtful": Flag, "reason": Text}],
    "scenario": (FilePath, None),
}
"""What ``init --json`` prints."""

SCENARIOS: Shape = {
    "scenarios": [{"name": Text, "title": Text, "path": FilePath, "absent": [FilePath]}],
}
"""What ``scenarios --json`` prints."""

PAGE: Shape = {"path": FilePath, "sha256": Digest}
"""What ``report --json`` prints."""

DETERMINATION: Shape = {"path": FilePath, "sha256": Digest, "to_fill_in": [Text]}
"""What ``determination --json`` prints."""

SIGNATURE: Shape = {"path": FilePath}
"""What ``sign --json`` prints."""

DATASET: Shape = {
    "dataset": Text,
    "path": FilePath,
    "sha256": Digest,
    "already_there": Flag,
}
"""What ``fetch --json`` prints."""

PICTURE: Shape = {
    "kind": PictureKind,
    "title": Text,
    "caption": Text,
    "finding": Text,
    "table": {str: [Any]},
}
"""What the commands under ``plot`` print."""

_HIERARCHY: Shape = {"name": Text, "title": Text, "role": (Role, None), "unlisted": (Text, None)}

HIERARCHY: Shape = (
    {**_HIERARCHY, "open": Flag, "leaves": None, "rule": {str: Any}},
    {
        **_HIERARCHY,
        "open": Flag,
        "integer": Flag,
        "leaves": OneOrMore,
        "levels": [{"level": Level, "groups": OneOrMore, "smallest": OneOrMore, "largest": OneOrMore, "example": Text}],
        "groups?": [{"label": Text, "size": OneOrMore}],
    },
)
"""What ``hierarchy show --json`` prints: a rule whose leaves come from the data, or a ladder."""

HIERARCHY_FILE: Shape = {
    "output": FilePath,
    "name": Text,
    "leaves": OneOrMore,
    "levels": OneOrMore,
}
"""What ``hierarchy write --json`` prints."""

HIERARCHY_FILES: Shape = {
    "files": [
        {"path": FilePath, "name": Text, "leaves": (OneOrMore, None), "levels": (OneOrMore, None), "faults": [Text]}
    ],
}
"""What ``hierarchy check --json`` prints."""
