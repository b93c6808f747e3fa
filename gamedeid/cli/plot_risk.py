"""The commands ``gamedeid plot demographics`` and ``gamedeid plot uniqueness``: pictures of tables of people."""

from gamedeid.cli.options import Json
from gamedeid.cli.plot_options import File, OverwriteFile, check_file, write_picture
from gamedeid.cli.progress import progress
from gamedeid.cli.risk.demographics_options import (
    Age,
    AskedOfCounts,
    BoundaryName,
    CountColumn,
    Counts,
    Drop,
    Known,
    Lifetime,
    OpenYears,
    Place,
    State,
    UniformAges,
    count_people,
    lifetime_asked,
)
from gamedeid.cli.risk.table_options import Attributes, Columns, Count, Width, people_table
from gamedeid.cli.risk.uniqueness_study import (
    FRACTIONS,
    Fractions,
    Population,
    Samples,
    Seed,
    Workers,
    known_workers,
    parse_fractions,
)
from gamedeid.risk.census.age_groups import OPEN_YEARS


def plot_demographics(
    counts: Counts,
    *,
    place: Place,
    detail: Known,
    output: File,
    state: State = None,
    age: Age = None,
    count: CountColumn = None,
    drop: Drop = None,
    boundary: BoundaryName = "at-most",
    open_years: OpenYears = OPEN_YEARS,
    uniform_ages: UniformAges = False,
    lifetime: Lifetime = None,
    overwrite: OverwriteFile = False,
    as_json: Json = False,
) -> None:
    """Draw who is likely unique by place, sex and birth, from a census table: by age group, and from place to place."""
    from gamedeid.pictures.demographics import demographics_picture

    check_file(output)
    asked: AskedOfCounts = {
        "place": place,
        "detail": detail,
        "state": state,
        "drop": drop or [],
        "age": age,
        "count": count,
        "boundary": boundary,
        "open_years": open_years,
    }
    found = count_people(counts, asked, lifetime_asked(lifetime, uniform_ages=uniform_ages))
    write_picture(demographics_picture(found, place), output, overwrite=overwrite, as_json=as_json)


def plot_uniqueness(
    data: Population,
    *,
    output: File,
    attributes: Attributes = None,
    fractions: Fractions = FRACTIONS,
    samples: Samples = 100,
    seed: Seed = 1,
    workers: Workers = None,
    count: Count = None,
    columns: Columns = None,
    width: Width = None,
    overwrite: OverwriteFile = False,
    as_json: Json = False,
) -> None:
    """Draw how far the estimators of uniqueness are off, by samples of a population that is known."""
    from gamedeid.pictures.uniqueness import uniqueness_picture
    from gamedeid.risk.uniqueness.classes import read_class_sizes
    from gamedeid.risk.uniqueness.simulation import StudyPlan, study_uniqueness

    check_file(output)
    processes, chosen = known_workers(workers), parse_fractions(fractions)
    table = people_table(attributes, count, columns, width)
    with progress() as phase:
        phase("reading the data")
        plan = StudyPlan(population=read_class_sizes(data, **table), fractions=chosen, samples=samples, seed=seed)
        study = study_uniqueness(plan, workers=processes, progress=phase("samples"))
    write_picture(uniqueness_picture(study.rows, plan.truth), output, overwrite=overwrite, as_json=as_json)
