"""Documents that commands print for subjects without a result class: files, hierarchies, scenarios."""

from collections.abc import Mapping
from typing import Any

from gamedeid.choices import Role
from gamedeid.reprs import frozen
from gamedeid.results.result import Digest, FilePath, Flag, Level, OneOrMore, Result, Text


@frozen
class ShippedFacts(Result):
    """A scenario that comes with gamedeid, and its missing files."""

    name: Text
    title: Text
    path: FilePath
    absent: tuple[FilePath, ...]


@frozen
class ScenariosFacts(Result):
    """The output of ``scenarios --json``."""

    document = "scenarios"

    scenarios: tuple[ShippedFacts, ...]


@frozen
class PageFacts(Result):
    """The output of ``report --json`` and ``certificate --json``."""

    document = "page"

    path: FilePath
    sha256: Digest


@frozen
class DeterminationFacts(Result):
    """The output of ``determination --json``; ``to_fill_in`` lists the missing facts."""

    document = "determination"

    path: FilePath
    sha256: Digest
    to_fill_in: tuple[Text, ...]


@frozen
class SignatureFacts(Result):
    """The output of ``sign --json``."""

    document = "signature"

    path: FilePath


@frozen
class DatasetFacts(Result):
    """The output of ``fetch --json``."""

    document = "dataset"

    dataset: Text
    path: FilePath
    sha256: Digest
    already_there: Flag


@frozen
class NamedHierarchy(Result):
    """The output of ``hierarchy show --json`` for any hierarchy."""

    document = "hierarchy"

    name: Text
    title: Text
    role: Role | None
    unlisted: Text | None
    open: Flag


@frozen
class HierarchyFacts(NamedHierarchy):
    """The output for a hierarchy by a rule, whose leaves come from the data."""

    leaves: None
    rule: Mapping[str, Any]


@frozen
class LevelFacts(Result):
    """A level of a hierarchy: the number of its groups, smallest and largest size, and the label of one leaf."""

    level: Level
    groups: OneOrMore
    smallest: OneOrMore
    largest: OneOrMore
    example: Text


@frozen
class GroupFacts(Result):
    """A group of a level: its label, and its number of leaves."""

    label: Text
    size: OneOrMore


@frozen
class ClosedHierarchyFacts(NamedHierarchy):
    """The output for a hierarchy with known leaves."""

    integer: Flag
    leaves: OneOrMore
    levels: tuple[LevelFacts, ...]
    groups: tuple[GroupFacts, ...] | None = None


@frozen
class HierarchyFileFacts(Result):
    """The output of ``hierarchy write --json``."""

    document = "hierarchy-file"

    output: FilePath
    name: Text
    leaves: OneOrMore
    levels: OneOrMore


@frozen
class CheckedFile(Result):
    """A hierarchy file: its numbers of leaves and levels, or its faults."""

    path: FilePath
    name: Text
    leaves: OneOrMore | None
    levels: OneOrMore | None
    faults: tuple[Text, ...]


@frozen
class HierarchyFilesFacts(Result):
    """The output of ``hierarchy check --json``."""

    document = "hierarchy-files"

    files: tuple[CheckedFile, ...]
