"""The errors of the estimators of uniqueness for a known population: samples are drawn, estimated and compared."""

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing.connection import wait
from pathlib import Path
from typing import Any

import numpy as np

from gamedeid.amounts import number_of
from gamedeid.arrays import FloatArray
from gamedeid.choices import ESTIMATORS, EstimatorName
from gamedeid.errors import InvalidDataError, InvalidScenarioError
from gamedeid.extras import require
from gamedeid.lazy_imports import registered_function
from gamedeid.progress import Progress, unreported
from gamedeid.reprs import Shown, frozen
from gamedeid.results.folder import FolderWriter, write_result
from gamedeid.results.result import Mean, Number, OneOrMore, Result, Share
from gamedeid.results.resume import FinishedParts
from gamedeid.results.tables import csv_bytes
from gamedeid.risk.uniqueness.classes import ClassSizes
from gamedeid.risk.uniqueness.estimates import estimate_uniqueness, pitman_given
from gamedeid.safe_path import safe_path

FRACTIONS = (0.01, 0.05, 0.1, 0.3, 0.5, 0.7, 0.9)
"""Sampling fractions of dankar2012."""

STUDIED: tuple[EstimatorName, ...] = (*ESTIMATORS, "pitman_given")
"""The compared estimators: those of the paper with its rule, and Pitman's model given the sample."""

BATCH = 20
"""Samples of a block, which is drawn together and stored for a run that resumes later."""

Block = tuple[int, int, int]
"""Samples that are drawn together: the people of each, the number of the first, and that after the last."""


@frozen
class StudyPlan:
    """The samples to be drawn.

    Parameters
    ----------
    population : classes of all people, by size.
    fractions : sampling fractions, between 0 and 1, each once.
    samples : number of samples of each fraction, at least 1.
    seed : of the random numbers, at least 0. Each sample has a separate stream, made of the seed, the number of
        people drawn and the number of the sample: other samples and the number of workers do not change it.

    Raises
    ------
    InvalidScenarioError : one of these is out of its range, or a fraction of the population is no one or all.
    InvalidDataError : no one in the population is unique, so that no relative bias is defined.
    """

    population: ClassSizes
    fractions: tuple[float, ...] = FRACTIONS
    samples: int = 1000
    seed: int = 1

    def __post_init__(self) -> None:
        check_fractions(self.fractions)
        if self.samples < 1:
            raise InvalidScenarioError(f"samples must be at least 1, not {self.samples}")
        if self.seed < 0:
            raise InvalidScenarioError(f"the seed must be at least 0, not {self.seed}")
        people = self.population.people
        all_of_them = number_of(people, "person")
        if not self.population.of_size(1):
            raise InvalidDataError(
                f"{all_of_them}: none is unique in these attributes, so that there is no "
                "uniqueness to estimate; name more attributes"
            )
        for fraction in self.fractions:
            if not 0 < self.size(fraction) < people:
                raise InvalidScenarioError(
                    f"{fraction:g} of {all_of_them} is {self.size(fraction):,}: nothing to estimate from, or "
                    "nothing to estimate; choose another fraction"
                )

    def size(self, fraction: float) -> int:
        """Return how many people a sample has, rounded.

        Parameters
        ----------
        fraction : sampling fraction, between 0 and 1.
        """
        return round(fraction * self.population.people)

    @property
    def truth(self) -> float:
        """Share of the population that is unique, lambda_3."""
        return self.population.of_size(1) / self.population.people

    def parts(self, folder: Path) -> FinishedParts:
        """Return the store of finished parts of this study, which are estimates and not values of persons.

        Parameters
        ----------
        folder : folder of the parts; created with the first part.

        Raises
        ------
        OutputError : the folder is a symbolic link, no folder, or that of another user.
        """
        return FinishedParts(folder, f"{self.population.as_text()}\n{self.seed}")


def check_fractions(fractions: Sequence[float]) -> None:
    """Check that there are fractions, each between 0 and 1 and once."""
    if not fractions:
        raise InvalidScenarioError("fractions: expected numbers between 0 and 1, such as .01,.1,.5")
    for place, fraction in enumerate(fractions):
        if not 0 < fraction < 1:
            raise InvalidScenarioError(f"fractions: {fraction:g} is not between 0 and 1")
        if fraction in fractions[:place]:
            raise InvalidScenarioError(f"fractions: {fraction:g} is given twice; give each once")


@frozen
class StudyRow(Result):
    """The errors of one estimator at one fraction: quantiles of its relative bias, None if it never had a solution."""

    fraction: Share
    sample_size: OneOrMore
    estimator: EstimatorName
    samples: OneOrMore
    no_solution: Share
    median_relative_bias: Number | None
    lower_quartile: Number | None
    upper_quartile: Number | None
    interquartile_range: Mean | None
    median_absolute_error: Mean | None
    used_by_e1: Share | None


@frozen
class UniquenessStudyFacts(Result):
    """The document of ``gamedeid risk uniqueness-study --json``: the true share of unique people, and the rows."""

    document = "uniqueness-study"

    truth: Share
    rows: tuple[StudyRow, ...]


@frozen
class UniquenessStudy(Shown):
    """The results of a study of uniqueness.

    Parameters
    ----------
    plan : the samples.
    rows : one for each fraction and estimator, with the columns of ``study.csv``.
    """

    shown = ("plan",)
    table_of = "rows"

    plan: StudyPlan
    rows: tuple[Mapping[str, Any], ...]

    @property
    def table(self) -> Any:
        """The rows as a pandas data frame."""
        import pandas as pd  # noqa: PLC0415  (slow to import, and the command line does without)

        return pd.DataFrame(self.rows)

    @property
    def facts(self) -> UniquenessStudyFacts:
        """The rows, and the truth with which they are compared."""
        return UniquenessStudyFacts(truth=self.plan.truth, rows=tuple(StudyRow(**row) for row in self.rows))

    write = write_result

    def _write_into(self, folder: FolderWriter) -> dict[str, Any]:
        plan, population = self.plan, self.plan.population
        folder.write_bytes("study.csv", csv_bytes(self.rows))
        folder.write_bytes("study.svg", registered_function("picture")(self, "uniqueness"))
        return folder.write_manifest(
            scenario={**population.asked, "fractions": list(plan.fractions), "samples": plan.samples},
            inputs=population.inputs,
            seed=plan.seed,
        )


def study_uniqueness(
    plan: StudyPlan,
    *,
    workers: int = 1,
    parts: FinishedParts | None = None,
    progress: Progress = unreported,
) -> UniquenessStudy:
    """Draw samples of a known population, estimate its uniqueness from each, and measure the errors.

    Parameters
    ----------
    plan : the samples to draw.
    workers : processes that share the work, at least 1; they change no digit. A script that uses several must do so
        below ``if __name__ == "__main__":``, since each process imports it.
    parts : the store of finished parts, from :meth:`StudyPlan.parts`; None stores nothing.
    progress : called with (samples done, all samples).

    Returns
    -------
    the errors of each estimator at each fraction: the median of its relative bias, and the quartiles.

    Raises
    ------
    OutputError : a part cannot be stored.
    MissingExtraError : scipy is not installed.

    References
    ----------
    dankar2012, "Empirical evaluation", "Measurement", Figures 3 to 5.
    """
    require("risk", "the estimate of uniqueness")
    blocks = [
        (plan.size(fraction), start, min(start + BATCH, plan.samples))
        for fraction in plan.fractions
        for start in range(0, plan.samples, BATCH)
    ]
    total, done = plan.samples * len(plan.fractions), 0
    progress(0, total)
    found: dict[Block, list[Any]] = {}
    for block, rows in _drawn(plan, blocks, workers, parts):
        found[block] = rows
        done += len(rows)
        progress(done, total)
    rows_of = {
        fraction: [row for block in blocks if block[0] == plan.size(fraction) for row in found[block]]
        for fraction in plan.fractions
    }
    return UniquenessStudy(
        plan=plan,
        rows=tuple(row for fraction, drawn in rows_of.items() for row in _summary(plan, fraction, drawn)),
    )


def draw_block(population: ClassSizes, seed: int, block: Block) -> list[list[Any]]:
    """Return the estimates for each of some samples: shares in the order of ``STUDIED``, and E1's choice."""
    size, start, stop = block
    each = population.each()
    rows = []
    for number in range(start, stop):
        generator = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(size, number)))
        drawn = ClassSizes.of(generator.multivariate_hypergeometric(each, size, method="marginals"))
        estimated = estimate_uniqueness(drawn, population.people)
        given = pitman_given(drawn, population.people)
        shares = [*(estimated.estimates[name] for name in ESTIMATORS), None if isinstance(given, str) else given]
        rows.append([*shares, estimated.e1_uses])
    return rows


def _drawn(
    plan: StudyPlan, blocks: Sequence[Block], workers: int, parts: FinishedParts | None
) -> Iterator[tuple[Block, list[Any]]]:
    """Yield each block with its rows: first the stored ones, then the others, which are then stored."""
    names, left = {block: "-".join(map(str, block)) + ".json" for block in blocks}, []
    for block in blocks:
        rows = None if parts is None else parts.read_values(names[block])
        if isinstance(rows, list) and len(rows) == block[2] - block[1]:
            yield block, rows
        else:
            left.append(block)
    population = ClassSizes(sizes=plan.population.sizes, classes=plan.population.classes)  # nothing of the file
    for place, rows in run_tasks(draw_block, [(population, plan.seed, block) for block in left], workers):
        if parts is not None:
            parts.write_values(names[left[place]], rows)
        yield left[place], rows


def _summary(plan: StudyPlan, fraction: float, drawn: Sequence[Sequence[Any]]) -> Iterator[dict[str, Any]]:
    for place, name in enumerate(STUDIED):
        shares = [row[place] for row in drawn if row[place] is not None]
        yield {
            "fraction": fraction,
            "sample_size": plan.size(fraction),
            "estimator": name,
            "samples": len(drawn),
            "no_solution": 1 - len(shares) / len(drawn),
            **_bias(np.array(shares) / plan.truth - 1),
            "used_by_e1": sum(row[-1] == name for row in drawn) / len(drawn) if name in ESTIMATORS[:-1] else None,
        }


def _bias(bias: FloatArray) -> dict[str, float | None]:
    """Return quantiles of relative biases, (k,), and the median of their sizes; None if there are no biases."""
    names = ("median_relative_bias", "lower_quartile", "upper_quartile", "interquartile_range", "median_absolute_error")
    if not len(bias):
        return dict.fromkeys(names)
    low, middle, high = np.quantile(bias, [0.25, 0.5, 0.75]).tolist()
    return dict(zip(names, (middle, low, high, high - low, float(np.median(np.abs(bias)))), strict=True))


def run_tasks(
    function: Callable[..., Any], tasks: Sequence[tuple[Any, ...]], workers: int
) -> Iterator[tuple[int, Any]]:
    """Yield (place of a task, its result), each as soon as it is done.

    If the loop ends early, tasks not yet begun are dropped. No more of the ``workers``, processes, are started than
    there are tasks, and none for one worker.
    """
    workers = min(workers, len(tasks))
    if workers <= 1:
        for place, task in enumerate(tasks):
            yield place, function(*task)
        return
    with safe_path():  # its queues start a process
        pool = ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"), initializer=_prepare_worker)
    try:
        with safe_path():  # and so does work that is handed in
            places = {pool.submit(function, *task): place for place, task in enumerate(tasks)}
        for done in as_completed(places):
            yield places[done], done.result()
    finally:
        pool.shutdown(cancel_futures=True)


def _prepare_worker() -> None:
    """Leave Ctrl-C to the parent process, and end when it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_exit_after, args=(parent.sentinel,), daemon=True).start()


def _exit_after(sentinel: int) -> None:
    wait([sentinel])
    os._exit(1)
