"""The answer: what becomes of every record, and how that was found."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from os import PathLike
from typing import Any

import numpy as np

from gamedeid.arrays import BoolArray, FloatArray, IntArray
from gamedeid.choices import OUTCOMES, GameName, SolverName
from gamedeid.errors import InvalidScenarioError, nearest, quoted
from gamedeid.losses import information_loss
from gamedeid.payoffs import success_probability
from gamedeid.policies import PolicyFloors
from gamedeid.release import released_frame
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
        """How the strategies were found, and how much better others could be.

        ``solver``; ``searched`` and ``searched_most``, mean and greatest number of strategies evaluated for a record;
        ``proved``, whether none permitted is better; ``gap`` and ``gap_most``, mean and greatest number of dollars per
        record by which the best payoff can exceed what was found.
        """
        if self.solver is None:
            return dict.fromkeys(("solver", "searched", "searched_most", "proved", "gap", "gap_most"))
        weights = self.study.setting.profiles.records
        bounds = self.publisher_payoff if self.choice.bounds is None else self.choice.bounds
        gaps = np.maximum(bounds - self.publisher_payoff, 0)
        return {
            "solver": self.solver,
            "searched": float((self.choice.searched * weights).sum() / weights.sum()),
            "searched_most": int(self.choice.searched.max()),
            "proved": self.choice.proved,
            "gap": float((gaps * weights).sum() / weights.sum()),
            "gap_most": float(gaps.max()),
        }

    def per_record(self) -> Mapping[str, IntArray | FloatArray | BoolArray]:
        """Return the columns of ``strategies.csv``, (r,) each, in input order.

        ``record``, the chosen level of each attribute, ``withheld``, ``attacked``, ``information_loss``,
        ``generalization_intensity``, ``success_probability``, ``publisher_payoff`` and ``adversary_payoff``.
        """
        of_record = self.study.setting.profiles.of_record
        columns: dict[str, IntArray | FloatArray | BoolArray] = {"record": np.arange(len(of_record))}
        for place, attribute in enumerate(self.study.setting.hierarchies):
            columns[attribute] = self.levels[of_record, place]
        for name in OUTCOMES:
            columns[name] = getattr(self, name)[of_record]
        return columns

    @property
    def strategies(self) -> Any:
        """The same as a pandas data frame, one row per record."""
        import pandas as pd  # noqa: PLC0415  (slow to import, and the command line does without)

        return pd.DataFrame(dict(self.per_record()))

    def release(self) -> Any:
        """Return the records as they may be published: the same kind of frame as the records came in, pandas for files.

        Attributes hold the published form of their group, kept columns are as they were, withheld records are absent.
        """
        return released_frame(self.study, self.levels, self.withheld)


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
) -> Solution:
    """Decide for every record how much of it to release.

    Parameters
    ----------
    scenario : a :class:`gamedeid.Scenario`, or the path of a scenario file.
    records, population : pandas, Polars or Arrow frames instead of the scenario's files. Without any population the
        records are their own.
    game : "basic", "no-attack" or "sh-friendly".
    solver : "exact", "backward-induction" or "lattice-search".

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
    return solve_study(Study.prepare(read, records, population), game, solver)
