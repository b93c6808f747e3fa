"""The section of a scenario that divides its data into regions."""

from gamedeid.scenario.sections import Level, Section


class Regions(Section):
    """In what the Parquet files of records and population differ: each pair of the same name is a region."""

    attribute: str
    """The attribute in which regions differ."""
    level: Level
    """Of its hierarchy; no two regions share a group there."""
