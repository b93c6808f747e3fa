"""Ask a finished question of other rows, where the strategy of a row does not depend on the rows beside it."""

from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

from gamedeid.capabilities import Operation, check
from gamedeid.data.profiles import Profiles
from gamedeid.data.tables import read_records
from gamedeid.study.study import Study

if TYPE_CHECKING:
    from gamedeid.data.engines.contract import Rows


def study_of_rows(study: Study, records: Any) -> Study:
    """Return the same question about other rows, in the same population and with the same hierarchies."""
    check(Operation.OTHER_ROWS, study.features)
    table = read_records(study.scenario, records)
    hierarchies = list(study.instance.hierarchies.values())
    profiles = Profiles.of(study.encoded(table.columns), hierarchies, table.counted)
    instance = study.instance.about(profiles)
    instance.data.check_matches()
    rows = cast("Rows", table.rows)
    return replace(study, instance=instance, rows=rows, unmatched_records=0, repeated_keys=table.repeated_keys)
