"""The joint risk of several finished releases of the same people, and the risk of the last one alone."""

from collections.abc import Sequence
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, cast

import numpy as np

from gamedeid.arrays import BoolArray, FloatArray, IntArray, sealed
from gamedeid.data.engines.options import AUTOMATIC, ReadOptions
from gamedeid.errors import InvalidScenarioError, refuse_text
from gamedeid.game.outcomes import Outcomes
from gamedeid.kernels.tables import WITHHELD
from gamedeid.progress import Phases, no_progress
from gamedeid.reprs import frozen
from gamedeid.results.manifest import ResultWarning
from gamedeid.results.result import Count, Number, Result
from gamedeid.results.stored import StoredResults
from gamedeid.scenario.contradictions import earlier_faults
from gamedeid.scenario.earlier import Earlier, EarlierRelease, earlier_release_name
from gamedeid.scenario.scenario import Scenario, ScenarioLike
from gamedeid.study import finished as finished_run
from gamedeid.study.column_groups import one_of_each
from gamedeid.study.facts import study_warnings
from gamedeid.study.study import Study

if TYPE_CHECKING:
    from gamedeid.study.earlier import EarlierClasses


@frozen(eq=False)
class JointRisk(Result):
    """The records of a release that a recipient sees together with earlier releases.

    If the scenario names persons, each figure counts people, once with all their records.

    Parameters
    ----------
    records : number of released records.
    in_earlier : number of records, withheld ones included, of people with an earlier released row.
    changed : number of these that have a value that an earlier row rules out; nothing follows from that value.
    smaller : how many released records have fewer people in question together than alone.
    fewest_people, fewest_people_together : people in question of the record that has the fewest, alone and together.
    attacked, attacked_together : how many records the recipient attacks, alone and together.
    expected_reidentifications, expected_reidentifications_together : those of these attacks.
    warnings : those of the data and of the game.
    unit : the counted unit, ``record`` or ``person``.
    is_own_population : whether the records are their own population.
    has_recipients : whether the scenario names recipients, some of whom may know fewer attributes.
    people, people_together : (r,) int64, people in question for each record in input order, -1 where it is withheld.
    attacks, attacks_together : (r,) bool, whether the record is attacked.
    """

    document = "joint-risk"
    keys: ClassVar[tuple[str, ...]] = (
        *("records", "in_earlier", "changed", "smaller", "fewest_people", "fewest_people_together"),
        *("attacked", "attacked_together"),
        *("expected_reidentifications", "expected_reidentifications_together", "warnings"),
    )

    records: Count
    in_earlier: Count
    changed: Count
    smaller: Count
    fewest_people: Count | None
    fewest_people_together: Count | None
    attacked: Count
    attacked_together: Count
    expected_reidentifications: Number
    expected_reidentifications_together: Number
    warnings: tuple[ResultWarning, ...]
    unit: str
    is_own_population: bool
    has_recipients: bool
    people: IntArray
    people_together: IntArray
    attacks: BoolArray
    attacks_together: BoolArray

    @property
    def per_record(self) -> Any:
        """A pandas data frame with a row for each record in input order: people and attacks, alone and together."""
        import pandas as pd  # noqa: PLC0415  (slow to import, and the command line does without)

        columns = ("people", "people_together", "attacks", "attacks_together")
        return pd.DataFrame({"record": np.arange(len(self.people)), **{name: getattr(self, name) for name in columns}})


def joint_risk(
    folder: str | PathLike[str],
    earlier: Sequence[str | PathLike[str]],
    scenario: ScenarioLike | None = None,
    *,
    key: str | None = None,
    read_options: ReadOptions = AUTOMATIC,
    progress: Phases = no_progress,
) -> JointRisk:
    """Return the risk of a finished release from a recipient who has earlier ones too, and from one who has none.

    The people in question for a record are those who match its row and all earlier rows of the same person. Each
    record is attacked as in the game: if the gain times the chance exceeds the cost.

    Parameters
    ----------
    folder : a folder that ``gamedeid run -o`` or ``Solution.write`` has written.
    earlier : folders of the earlier releases, written in the same way.
    scenario : the question of ``folder``, which gives the paths of the files; without it, they are searched for from
        the current folder, by their names in the manifest.
    key : column whose equal values are one person in all extracts (default: ``earlier.key`` of the scenario, else
        ``records.person``).
    read_options : how files are read (default: as suits their size).
    progress : opens a phase by name, and returns its callback for (done, total).

    Raises
    ------
    OutputError : a folder holds no results of a run, or they have changed.
    InvalidScenarioError : the scenario differs; or it does not permit earlier releases.
    InvalidDataError : an input is missing or differs.
    """
    refuse_text("earlier", earlier)
    finished = finished_run.FinishedRun.read(folder)
    question = finished.same_question(scenario)
    both = _with_earlier(question, earlier, key)
    together = Study.prepare(both, read_options=read_options, progress=progress)
    known = 0 if question.earlier is None else len(question.earlier.releases)
    further = {earlier_release_name(known + number) for number in range(len(earlier))}
    digests = {name: digest for name, digest in together.inputs.digests.items() if name not in further}
    finished.refuse_other_inputs(digests, records=True)
    alone = together.without_earlier()
    (people, attacks, named), (people_together, attacks_together, named_together) = (
        _risks_of_records(study, finished.stored) for study in (alone, together)
    )
    classes, counted = cast("EarlierClasses", together.earlier), one_of_each(together)
    released = people[counted][people[counted] >= 0]
    released_together = people_together[counted][people_together[counted] >= 0]
    return JointRisk(
        records=len(released),
        in_earlier=int(classes.found[counted].sum()),
        changed=int(classes.changed[counted].sum()),
        smaller=int((released_together < released).sum()),
        fewest_people=int(released.min()) if len(released) else None,
        fewest_people_together=int(released_together.min()) if len(released) else None,
        attacked=int(attacks[counted].sum()),
        attacked_together=int(attacks_together[counted].sum()),
        expected_reidentifications=float(named[counted].sum()),
        expected_reidentifications_together=float(named_together[counted].sum()),
        warnings=study_warnings(together, [finished.game]),
        unit=together.instance.profiles.unit,
        is_own_population=together.is_own_population,
        has_recipients=not together.instance.recipients.is_paper_adversary,
        people=sealed(people, np.int64),
        people_together=sealed(people_together, np.int64),
        attacks=sealed(attacks, np.bool_),
        attacks_together=sealed(attacks_together, np.bool_),
    )


def _with_earlier(question: Scenario, folders: Sequence[str | PathLike[str]], key: str | None) -> Scenario:
    """Return a question with further earlier releases."""
    before = question.earlier
    releases = (
        *(() if before is None else before.releases),
        *(EarlierRelease(folder=Path(one).absolute()) for one in folders),
    )
    if not releases:
        raise InvalidScenarioError("earlier: expected at least one folder of an earlier release")
    earlier = Earlier(releases=releases, key=key if key is not None or before is None else before.key)
    both = question.model_copy(update={"earlier": earlier})
    for fault in earlier_faults(both):
        raise InvalidScenarioError(fault)
    return both


def _risks_of_records(study: Study, stored: StoredResults) -> tuple[IntArray, BoolArray, FloatArray]:
    """Return people in question, whether attacked, and expected right names, (r,) each, of the stored strategies."""
    profiles, instance = study.instance.profiles, study.instance
    levels, withheld, _ = stored.strategies(list(instance.hierarchies), len(profiles.of_record))
    fixed = instance.lattice.attributes - levels.shape[1]
    nodes = instance.lattice.nodes(np.pad(levels, ((0, 0), (0, fixed))))
    found = Outcomes(instance=instance, profiles=profiles.of_record, nodes=np.where(withheld, WITHHELD, nodes))
    people = np.where(withheld, -1, found.people)
    return people, found.attacked, np.where(found.attacked, found.success_probability, 0.0)
