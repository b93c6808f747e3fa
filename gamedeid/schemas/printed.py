"""Documents that commands print of what has no result of its own: files, pictures, hierarchies and scenarios."""

from collections.abc import Mapping
from typing import Any

from gamedeid.choices import PictureKind
from gamedeid.generalization.hierarchy import Role
from gamedeid.reprs import frozen
from gamedeid.results.result import Digest, FilePath, Flag, Level, OneOrMore, Result, Text


@frozen
class ShippedFacts(Result):
    """A scenario that comes with gamedeid, and which of its files are absent."""

    name: Text
    title: Text
    path: FilePath
    absent: tuple[FilePath, ...]


@frozen
class ScenariosFacts(Result):
    """What ``scenarios --json`` prints."""

    document = "scenarios"

    scenarios: tuple[ShippedFacts, ...]


@frozen
class PageFacts(Result):
    """What ``report --json`` and ``certificate --json`` print."""

    document = "page"

    path: FilePath
    sha256: Digest


@frozen
class DeterminationFacts(Result):
    """What ``determination --json`` prints; ``to_fill_in`` are the facts that are left."""

    document = "determination"

    path: FilePath
    sha256: Digest
    to_fill_in: tuple[Text, ...]


@frozen
class SignatureFacts(Result):
    """What ``sign --json`` prints."""

    document = "signature"

    path: FilePath


@frozen
class DatasetFacts(Result):
    """What ``fetch --json`` prints."""

    document = "dataset"

    dataset: Text
    path: FilePath
    sha256: Digest
    already_there: Flag


@frozen
class PictureFacts(Result):
    """What the commands under ``plot`` print: a picture in words, and the columns of numbers behind it."""

    document = "picture"

    kind: PictureKind
    title: Text
    caption: Text
    finding: Text
    table: Mapping[str, list[Any]]


@frozen
class NamedHierarchy(Result):
    """What ``hierarchy show --json`` prints of any hierarchy."""

    document = "hierarchy"

    name: Text
    title: Text
    role: Role | None
    unlisted: Text | None
    open: Flag


@frozen
class HierarchyFacts(NamedHierarchy):
    """The same, and what is known of a rule whose leaves come from the data."""

    leaves: None
    rule: Mapping[str, Any]


@frozen
class LevelFacts(Result):
    """A level of a hierarchy: its groups, the sizes of the smallest and the largest, and the label of one leaf."""

    level: Level
    groups: OneOrMore
    smallest: OneOrMore
    largest: OneOrMore
    example: Text


@frozen
class GroupFacts(Result):
    """A group of a level: its label, and how many leaves it has."""

    label: Text
    size: OneOrMore


@frozen
class ClosedHierarchyFacts(NamedHierarchy):
    """The same, and what is known of a hierarchy whose leaves are known."""

    integer: Flag
    leaves: OneOrMore
    levels: tuple[LevelFacts, ...]
    groups: tuple[GroupFacts, ...] | None = None


@frozen
class HierarchyFileFacts(Result):
    """What ``hierarchy write --json`` prints."""

    document = "hierarchy-file"

    output: FilePath
    name: Text
    leaves: OneOrMore
    levels: OneOrMore


@frozen
class CheckedFile(Result):
    """A hierarchy file: how many leaves and levels it has, or its faults."""

    path: FilePath
    name: Text
    leaves: OneOrMore | None
    levels: OneOrMore | None
    faults: tuple[Text, ...]


@frozen
class HierarchyFilesFacts(Result):
    """What ``hierarchy check --json`` prints."""

    document = "hierarchy-files"

    files: tuple[CheckedFile, ...]
