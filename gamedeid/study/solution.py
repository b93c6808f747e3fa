"""The solution of a game: the outcomes of every record, and how they were found."""

from collections.abc import Iterator, Mapping
from contextlib import nullcontext
from itertools import islice
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from gamedeid.arrays import ARRAY_ROWS, TABLE_ROWS, BoolArray, FloatArray, IntArray
from gamedeid.arrow import as_arrow
from gamedeid.capabilities import Feature, Features, Operation, refuse_unsupported, without_limits
from gamedeid.choices import OUTCOMES, Format, SearchName
from gamedeid.data.engines.options import spill_folder
from gamedeid.data.engines.rows import ColumnsByProfile
from gamedeid.game.measures import Totals
from gamedeid.game.outcomes import Outcomes, recipient_sums, strategy_totals
from gamedeid.game.solvers import Choice
from gamedeid.lazy_imports import LazyModule, registered_function
from gamedeid.parallel import cached_property
from gamedeid.progress import Phases, no_progress
from gamedeid.reprs import Shown, frozen
from gamedeid.results.folder import writing_folder
from gamedeid.results.manifest import ResultWarning
from gamedeid.results.tables import WriteOptions
from gamedeid.study.facts import study_warnings
from gamedeid.study.prepare import count_unmatched_by_recipient
from gamedeid.study.study import Study

if TYPE_CHECKING:
    from gamedeid.game.limits.within import WithinLimits
    from gamedeid.game.mechanism.plan import Plan
    from gamedeid.results import formulas
    from gamedeid.study import kept
    from gamedeid.study import release as released
else:  # no comparison releases rows
    formulas, kept = LazyModule("gamedeid.results.formulas"), LazyModule("gamedeid.study.kept")
    released = LazyModule("gamedeid.study.release")


@frozen(eq=False, slots=False)
class Solution(Shown):
    """The outcomes of every record under one game or policy.

    Arrays are per profile, (q,); ``study.instance.profiles.of_record`` has the profile of each record. Measures are
    over records, or over people if ``[records] person`` names the person of each record.

    Parameters
    ----------
    study : the question.
    name : name of the game or policy.
    solver : the solver that found the strategies; None for a policy.
    choice : strategies, how many were searched, and whether they are proved to be the best.
    applies : SHA-256 in hex of the manifest of the finished solution that it applies to new rows; None if it does not.
    limits : values reached for the scenario's limits on the whole dataset; None without limits, and for a policy.
    mechanism : the strategies of the whole population, if the game chooses them; else None.
    """

    shown = ("name", "solver", "study.records")
    table_of = "measures"
    card = "card"

    study: Study
    name: str
    solver: SearchName | None
    choice: Choice
    applies: str | None = None
    limits: "WithinLimits | None" = None
    mechanism: "Plan | None" = None

    @cached_property
    def _outcomes(self) -> Outcomes:
        instance = self.study.instance
        return Outcomes(instance=instance, profiles=instance.all_profiles, nodes=self.choice.nodes)

    @property
    def withheld(self) -> BoolArray:
        """Whether the record is not released at all."""
        return self._outcomes.withheld

    @property
    def levels(self) -> IntArray:
        """Chosen levels, (q, a) int64; the most general ones where the record is withheld."""
        return self._outcomes.levels

    @property
    def people(self) -> IntArray:
        """People who match the released record, n_p; 0 where no one does or the record is withheld."""
        return self._outcomes.people

    @property
    def unmatched(self) -> BoolArray:
        """Whether the record is released and matches no one in the population."""
        return self._outcomes.unmatched

    @property
    def attacked(self) -> BoolArray:
        """Whether the adversary attacks; a withheld record is not attacked."""
        return self._outcomes.attacked

    @property
    def success_probability(self) -> FloatArray:
        """Chance that an attack names the right person, pi, in [0, 1]."""
        return self._outcomes.success_probability

    @property
    def information_loss(self) -> FloatArray:
        """IL, in [0, 1]; 1 for a withheld record."""
        return self._outcomes.information_loss

    @property
    def generalization_intensity(self) -> FloatArray:
        """GI, in [0, 1]; 1 for a withheld record (wan2015, equation 5)."""
        return self._outcomes.generalization_intensity

    @property
    def publisher_payoff(self) -> FloatArray:
        """Publisher's expected payoff, dollars; 0 for a withheld record."""
        return self._outcomes.publisher_payoff

    @property
    def adversary_payoff(self) -> FloatArray:
        """Adversary's expected payoff, dollars; 0 without an attack."""
        return self._outcomes.adversary_payoff

    @property
    def measures(self) -> dict[str, float | int]:
        """The measures of the dataset: means and shares over records, and their number."""
        return self._totals.measures

    @property
    def marketer(self) -> dict[str, float]:
        """The expected successes if all released records are attacked, whether it pays or not: the marketer's risk.

        ``reidentifications``, the expected number, and their ``share`` of the released records that match a person.
        """
        return self._totals.marketer

    @cached_property
    def _totals(self) -> Totals:
        nodes, instance = self.choice.nodes, self.study.instance
        if len(nodes) <= ARRAY_ROWS:
            return self._outcomes.totals
        self.people  # noqa: B018  (counted for all together, before parts are looked up)
        return strategy_totals(instance, nodes)

    @property
    def features(self) -> Features:
        """Features that operations may refuse: those of its question; a policy has no limits."""
        found = dict(self.study.features if self.limits is not None else without_limits(self.study.features))
        if self.mechanism is not None:
            found[Feature.AWARE] = f"the game {self.name}"
        return found

    @cached_property
    def recipients(self) -> dict[str, dict[str, float]]:
        """The measures of each recipient, by name; empty for the paper's one adversary.

        ``probability`` of being present; ``attacked``, the share of records that the recipient then attacks;
        ``expected_reidentifications``, and means over records, dollars: ``publisher_loss`` and ``adversary_payoff``.
        The last three are weighted by the probability, and add up to the measures of all. For a recipient with an own
        population also ``unmatched_records``, the number of records that match no one in it, if they count as safe.
        """
        instance, asked = self.study.instance, self.study.scenario.recipients
        sums, records = recipient_sums(instance, self.choice.nodes), self._totals.records
        safe = count_unmatched_by_recipient(instance.data)
        return {
            name: {
                "probability": asked[name].probability,
                "attacked": found.attacks / records,
                "expected_reidentifications": found.reidentified,
                "publisher_loss": found.publisher_loss / records,
                "adversary_payoff": found.payoff / records,
                **({"unmatched_records": safe[name]} if name in safe else {}),
            }
            for name, found in sums.items()
        }

    @property
    def search(self) -> dict[str, Any]:
        """Facts about the search for the strategies, and how much better others could be.

        ``solver``; ``searched`` and ``searched_most``, mean and greatest number of strategies evaluated for a record;
        ``proved``, whether none permitted is better; ``gap`` and ``gap_most``, mean and greatest number of dollars per
        record by which the best payoff can exceed what was found. With limits on the whole dataset, ``searched`` counts
        the strategies that limits could be a reason for, and ``gap_most`` is the gap of the total.
        """
        if self.solver is None:
            return dict.fromkeys(("solver", "searched", "searched_most", "proved", "gap", "gap_most"))
        weights = self.study.instance.profiles.records
        found = {
            "solver": self.solver,
            "searched": float(np.multiply(self.choice.searched, weights, dtype=np.int64).sum() / weights.sum()),
            "searched_most": int(self.choice.searched.max()),
            "proved": self.choice.proved,
        }
        if self.limits is not None:  # strategies of records depend on each other: the gap is that of their total
            gap = self.limits.gap
            return {**found, "gap": gap / float(weights.sum()), "gap_most": gap}
        bounds = self.publisher_payoff if self.choice.bounds is None else self.choice.bounds
        gaps = np.maximum(bounds - self.publisher_payoff, 0)
        facts = None if self.mechanism is None else self.mechanism.facts
        gap = float((gaps * weights).sum() / weights.sum()) if facts is None else facts.gap
        return {**found, "gap": gap, "gap_most": float(gaps.max())}

    @cached_property
    def outcomes(self) -> Mapping[str, IntArray | FloatArray | BoolArray]:
        """The outcomes of the records of each profile, (q,) each: first the chosen level of each attribute.

        ``withheld``, ``attacked``, ``information_loss``, ``generalization_intensity``, ``success_probability``,
        ``publisher_payoff`` and ``adversary_payoff``.
        """
        levels = {name: self.levels[:, place] for place, name in enumerate(self.study.instance.hierarchies)}
        return levels | {name: getattr(self, name) for name in OUTCOMES}

    @property
    def strategies(self) -> Any:
        """The outcomes of every record, and its number from 0 if records have one.

        A pandas data frame in input order; for a lazy frame of records, a frame of the same kind.
        """
        return self.study.rows.frame(self.strategies_answer)

    def release(self, *, defuse: bool = False, keep_order: bool = False) -> Any:
        """Return the records as they may be published: the same kind of frame as the records came in, pandas for files.

        Attributes hold the labels of their groups, kept columns are unchanged, withheld records are absent. If
        ``[records] person`` names people, the first column is their pseudonyms, unless these are switched off. Rows are
        in the order of their values, which discloses nothing more; a lazy frame is sorted by its engine.

        Parameters
        ----------
        defuse : whether to prevent spreadsheets from reading a text or the name of a column as a formula.
        keep_order : whether rows are in the order of the records. That order can disclose by what the records are
            sorted, and link rows to those of another release of the same records.

        Raises
        ------
        InvalidScenarioError : ``defuse``, and the frame is a lazy one.
        InvalidDataError : ``defuse``, and two columns would have the same name.
        """
        frame = self.study.rows.frame(self.release_answer(keep_order=keep_order), keep_order=keep_order)
        if not defuse:
            return frame
        refuse_unsupported(Operation.DEFUSE, self.study.features)
        return formulas.defused_frame(frame)

    def strategies_blocks(self, start: int = 0) -> Iterator[pa.Table]:
        """Yield the same as :attr:`strategies` in blocks, Arrow tables, from number ``start`` on."""
        return self.study.rows.blocks(self.strategies_answer, start)

    def release_blocks(self, start: int = 0, *, defuse: bool = False, keep_order: bool = False) -> Iterator[pa.Table]:
        """Yield the same as :meth:`release` in blocks, Arrow tables, from number ``start`` on.

        If there is more than one block, rows are sorted in a file in the system's folder for temporary files.

        Parameters
        ----------
        start : number of the first block wanted, from 0.
        defuse : whether to prevent spreadsheets from reading a text or the name of a column as a formula.
        keep_order : whether rows are in the order of the records, as for :meth:`release`.
        """
        blocks = self.study.rows.blocks(self.release_answer(keep_order=keep_order), start if keep_order else 0)
        if defuse:
            blocks = map(formulas.defused_frame, blocks)
        return blocks if keep_order else islice(self._sorted(blocks), start, None)

    def _sorted(self, blocks: Iterator[pa.Table]) -> Iterator[pa.Table]:
        held = self.study.records <= TABLE_ROWS
        with nullcontext(Path()) if held else spill_folder(None) as folder:
            yield from released.sorted_release(blocks, folder)

    def write(
        self,
        folder: str | PathLike[str],
        *,
        form: Format = "csv",
        defuse: bool = False,
        keep_order: bool = False,
        report: bool = True,
        share: float = 0.95,
        overwrite: bool = False,
        progress: Phases = no_progress,
    ) -> dict[str, Any]:
        """Write the release and its documents, the same bytes as ``gamedeid run``.

        ``release``, ``strategies``, ``plan.csv`` of a game of the whole population, ``summary.json``, ``report.json``,
        ``report.html``, ``sensitivity.csv`` and ``manifest.json`` appear together when all are complete, or none does.
        Parquet of more than 8,388,608 records is written in parts; finished ones are kept in ``FOLDER.parts`` until all
        are finished, so that the same call resumes after an interruption if records, population and hierarchies are
        files.

        Parameters
        ----------
        folder : path of the folder, which must be new or empty and whose parent must exist.
        form : form of the release and the strategies, "csv" or "parquet".
        defuse : whether to prevent spreadsheets from reading a CSV cell as a formula.
        keep_order : whether the rows of the release are in the order of the records, as for :meth:`release` (default:
            in the order of their values). The strategies are always in the order of the records, with the row of each;
            for a lazy frame without row numbers, they are in the order of the release, withheld records last, unless
            the order is kept.
        report : whether to write ``report.json``, ``report.html`` and ``sensitivity.csv``; only for a game. With limits
            on the whole dataset, several recipients, or a game of the whole population, there are no numbers for other
            stakes, and no ``sensitivity.csv``.
        share : share of the records that keep their strategies in the report's robust ranges, in (0, 1].
        overwrite : whether to replace an earlier folder of results.
        progress : opens a phase by name, and returns its callback for (done, total).

        Returns
        -------
        the content of ``manifest.json``: the scenario as resolved, and the SHA-256 of every input and output.

        Raises
        ------
        InvalidScenarioError : an unknown form, ``defuse`` with Parquet, a share out of range, the report of a policy,
            or more strategies than a report can compare.
        InvalidDataError : an input file has changed since it was read.
        OutputError : the folder may not or cannot be written; then nothing is.
        """
        options = WriteOptions(form=form, defuse=defuse, keep_order=keep_order)
        with writing_folder(Path(folder), overwrite=overwrite) as writer:
            written = registered_function("run")(
                self,
                writer,
                Path(folder),
                options,
                report=report,
                share=share,
                progress=progress,
            )
        if written.finished is not None:
            written.finished.clear()
        made: dict[str, Any] = written.manifest
        return made

    @cached_property
    def kept_uniqueness(self) -> "kept.KeptUniqueness":
        """How many released rows and people are unique by the kept columns."""
        return kept.uniqueness_of_kept(self.study, self.withheld)

    def release_answer(self, *, keep_order: bool = False) -> ColumnsByProfile:
        """Return the changes that make the records the release: pseudonyms are drawn for people in the order of rows.

        Parameters
        ----------
        keep_order : whether the rows are in the order of the records.
        """
        by_value = not keep_order
        if by_value not in self._pseudonyms:
            drawn = released.assign_pseudonyms(self.study, self.levels, self.withheld, by_value=by_value)
            self._pseudonyms[by_value] = drawn
        return released.release_answer(self.study, self.levels, self.withheld, self._pseudonyms[by_value])

    @cached_property
    def _pseudonyms(self) -> dict[bool, IntArray | None]:
        """Whether by value -> the pseudonyms: drawn only once for each, since there may be no seed."""
        return {}

    @property
    def strategies_answer(self) -> ColumnsByProfile:
        """Return the columns that replace those of the records in the strategies."""
        columns = {name: as_arrow(column) for name, column in self.outcomes.items()}
        return ColumnsByProfile(
            columns=columns,
            left_out=np.zeros(self.study.instance.profiles.count, np.bool_),
            replaces=False,
            of_row=self.study.instance.profiles.of_record,
            profiles_of=self.study.profiles_of,
        )


def solution_warnings(solution: Solution) -> tuple[ResultWarning, ...]:
    """Return the warnings for the readers of one solution; see :func:`study_warnings`."""
    return study_warnings(solution.study, [solution.name], applied=solution.applies is not None)
