"""The answer: what becomes of every record, and how that was found."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from os import PathLike
from typing import Any

import numpy as np
import pyarrow as pa

from gamedeid.arrays import BoolArray, FloatArray, IntArray
from gamedeid.choices import OUTCOMES, GameName, SolverName
from gamedeid.engines.contract import Answer
from gamedeid.engines.means import AS_SUITS, Means
from gamedeid.errors import InvalidScenarioError, nearest, quoted
from gamedeid.losses import information_loss
from gamedeid.payoffs import success_probability
from gamedeid.policies import PolicyFloors
from gamedeid.release import release_answer
from gamedeid.scenario import Scenario
from gamedeid.solvers import SOLVERS, WITHHELD, Choice, Progress
from gamedeid.study import Study


@dataclass(frozen=True, kw_only=True, eq=False)
class Solution:
    """What becomes of every record under one game or policy.

    Arrays are per profile, (q,); ``study.setting.profiles.of_record`` tells which profile a record has.

    Parameters
    ----------
    study : the question.
    name : of the game or policy.
    solver : how the strategies were found; None for a policy, which is applied as it is.
    choice : strategies, how many were searched, and whether they are proved to be the best.
    """

    study: Study
    name: str
    solver: SolverName | None
    choice: Choice

    @cached_property
    def withheld(self) -> BoolArray:
        """Whether the record is not released at all."""
        withheld: BoolArray = self.choice.nodes == WITHHELD
        return withheld

    @cached_property
    def levels(self) -> IntArray:
        """Chosen levels, (q, a) int64; the most general ones where the record is withheld."""
        lattice = self.study.setting.lattice
        return lattice.levels(np.where(self.withheld, lattice.most_general, self.choice.nodes))

    @cached_property
    def people(self) -> IntArray:
        """People who match the released record, n_p; 0 where nobody does or the record is withheld."""
        setting = self.study.setting
        released = np.flatnonzero(~self.withheld)
        people = np.zeros(setting.profiles.count, np.int64)
        people[released] = setting.people(released, self.choice.nodes[released])
        return people

    @cached_property
    def attacked(self) -> BoolArray:
        """Whether the adversary attacks; nobody attacks a withheld record."""
        return self.study.setting.payoffs.attacked(self.people)

    @cached_property
    def success_probability(self) -> FloatArray:
        """Chance that an attack names the right person, pi, in [0, 1]."""
        return success_probability(self.people)

    @cached_property
    def information_loss(self) -> FloatArray:
        """IL, in [0, 1]; 1 for a withheld record."""
        setting = self.study.setting
        return information_loss(setting.ladders, setting.profiles.codes, self.levels)

    @cached_property
    def generalization_intensity(self) -> FloatArray:
        """GI, in [0, 1]; 1 for a withheld record (wan2015, equation 5)."""
        intensity: FloatArray = self.levels.sum(axis=1) / self.study.setting.lattice.steps
        return intensity

    @cached_property
    def publisher_payoff(self) -> FloatArray:
        """Publisher's expected payoff, dollars; 0 for a withheld record."""
        setting = self.study.setting
        value = setting.payoffs.benefit * (1 - self.information_loss)
        return np.where(self.withheld, 0.0, setting.payoffs.publisher(value, self.people))

    @cached_property
    def adversary_payoff(self) -> FloatArray:
        """Adversary's expected payoff, dollars; 0 where she stays home."""
        return self.study.setting.payoffs.adversary(self.people)

    @cached_property
    def measures(self) -> dict[str, float | int]:
        """What the answer means for the dataset: means and shares over records, and their number."""
        weights = self.study.setting.profiles.records
        records = int(weights.sum())

        def mean(values: FloatArray | BoolArray) -> float:
            return float(np.sum(values * weights, dtype=float)) / records

        risk = self.success_probability * self.attacked
        attacks = int((self.attacked * weights).sum())
        reidentified = float((risk * weights).sum())
        return {
            "publisher_payoff": mean(self.publisher_payoff),
            "adversary_payoff": mean(self.adversary_payoff),
            "suppressed": mean(self.generalization_intensity == 1),
            "unmodified": mean(self.generalization_intensity == 0),
            "withheld": mean(self.withheld),
            "generalization_intensity": mean(self.generalization_intensity),
            "attacked": attacks / records,
            "reidentification_probability": reidentified / records,
            "reidentification_probability_attacked": reidentified / attacks if attacks else 0.0,
            "expected_reidentifications": reidentified,
            "records": records,
        }

    @cached_property
    def search(self) -> dict[str, Any]:
        """How the strategies were found: solver, mean and greatest number searched per record, and whether proved."""
        if self.solver is None:
            return {"solver": None, "searched": None, "searched_most": None, "proved": None}
        weights = self.study.setting.profiles.records
        return {
            "solver": self.solver,
            "searched": float((self.choice.searched * weights).sum() / weights.sum()),
            "searched_most": int(self.choice.searched.max()),
            "proved": self.choice.proved,
        }

    @cached_property
    def outcomes(self) -> Mapping[str, IntArray | FloatArray | BoolArray]:
        """What becomes of the records of each profile, (q,) each: the chosen level of each attribute, then outcomes.

        ``withheld``, ``attacked``, ``information_loss``, ``generalization_intensity``, ``success_probability``,
        ``publisher_payoff`` and ``adversary_payoff``.
        """
        levels = {name: self.levels[:, place] for place, name in enumerate(self.study.setting.hierarchies)}
        return levels | {name: getattr(self, name) for name in OUTCOMES}

    @property
    def strategies(self) -> Any:
        """The outcomes of every record, and its number from 0 where records have one.

        A pandas data frame in input order; where the records are a lazy frame, one of the same kind.
        """
        return self.study.rows.frame(self.strategies_answer)

    def release(self) -> Any:
        """Return the records as they may be published: the same kind of frame as the records came in, pandas for files.

        Attributes hold the published form of their group, kept columns are as they were, withheld records are absent.
        """
        return self.study.rows.frame(self.release_answer)

    def strategies_blocks(self, start: int = 0) -> Iterator[pa.Table]:
        """Yield the same as :attr:`strategies` in blocks, Arrow tables, from the one numbered ``start`` on."""
        return self.study.rows.blocks(self.strategies_answer, start)

    def release_blocks(self, start: int = 0) -> Iterator[pa.Table]:
        """Yield the same as :meth:`release` in blocks, Arrow tables, from the one numbered ``start`` on."""
        return self.study.rows.blocks(self.release_answer, start)

    @property
    def release_answer(self) -> Answer:
        """What the records get to become the release."""
        return release_answer(self.study, self.levels, self.withheld)

    @property
    def strategies_answer(self) -> Answer:
        """What the records get to become their strategies."""
        columns = {name: pa.array(column) for name, column in self.outcomes.items()}
        return Answer(
            columns=columns,
            left_out=np.zeros(self.study.setting.profiles.count, np.bool_),
            replaces=False,
            of_row=self.study.setting.profiles.of_record,
            profiles_of=self.study.profiles_of,
        )


def solve_study(
    study: Study, game: GameName = "basic", solver: SolverName = "exact", *, progress: Progress | None = None
) -> Solution:
    """Play one game on a prepared study.

    Raises
    ------
    InvalidScenarioError : no such game or solver.
    """
    if solver not in SOLVERS:
        raise InvalidScenarioError(f"there is no solver {quoted(solver)}{nearest(solver, SOLVERS)}")
    choice = SOLVERS[solver](study.setting, study.game(game), progress=progress)
    return Solution(study=study, name=game, solver=solver, choice=choice)


def policy_solution(study: Study, policy: PolicyFloors) -> Solution:
    """Return what becomes of every record under a policy as it is: nothing withheld, payoffs may be negative."""
    nodes = study.setting.lattice.nodes(policy.levels)
    choice = Choice(nodes=nodes, searched=np.zeros(len(nodes), np.int64), proved=False)
    return Solution(study=study, name=policy.name, solver=None, choice=choice)


def solve(
    scenario: Scenario | str | PathLike[str],
    records: Any = None,
    population: Any = None,
    *,
    game: GameName = "basic",
    solver: SolverName = "exact",
    means: Means = AS_SUITS,
) -> Solution:
    """Decide for every record how much of it to release.

    Parameters
    ----------
    scenario : a :class:`gamedeid.Scenario`, or the path of a scenario file.
    records, population : pandas, Polars, Arrow, DuckDB, Spark or Dask frames instead of the scenario's files. Lazy ones
        stay where they are: they are counted there, and the answer is joined to them there. Without any population the
        records are their own.
    game : "basic", "no-attack" or "sh-friendly".
    solver : "exact", "backward-induction" or "lattice-search".
    means : engine, memory and more for reading files; as suits their size unless given.

    Raises
    ------
    GamedeidError : what is wrong with which input, in one line.

    Examples
    --------
    >>> import pandas as pd
    >>> people = pd.DataFrame({"sex": ["Male"] * 3 + ["Female"], "age": [48, 48, 51, 93]})
    >>> scenario = Scenario.parse(
    ...     {
    ...         "attributes": {"age": {"hierarchy": "age"}, "sex": {"hierarchy": "sex"}},
    ...         "payoffs": {"benefit": 100, "loss": 90, "cost": 40},
    ...     }
    ... )
    >>> solve(scenario, people, game="no-attack").release()
        sex      age
    0  Male  [45-59]
    1  Male  [45-59]
    2  Male  [45-59]
    3     *        *
    """
    read = scenario if isinstance(scenario, Scenario) else Scenario.read(scenario)
    return solve_study(Study.prepare(read, records, population, means=means), game, solver)
