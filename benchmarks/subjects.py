"""The subjects of the benchmarks: a scenario's data, coded and in memory."""

import dataclasses
from dataclasses import dataclass

import numpy as np
from measure import ROOT
from straightforward import Ints, straightforward

from gamedeid.data.encode import encode
from gamedeid.data.profiles import PopulationCells, Profiles
from gamedeid.data.tables import read_population
from gamedeid.game.compiled_data import CompiledData
from gamedeid.game.instance import Instance
from gamedeid.game.policies import AppliedPolicy, compile_policy
from gamedeid.game.replies import Replies
from gamedeid.game.rules import GAMES, Game
from gamedeid.game.solvers import SOLVERS, Choice
from gamedeid.population.choose import CountedPopulation
from gamedeid.scenario.scenario import Scenario
from gamedeid.study.study import Study


@dataclass(frozen=True, kw_only=True)
class Subject:
    """One scenario's data in memory: leaf codes of records and cells."""

    name: str
    study: Study
    record_codes: Ints  # (r, a)
    cells: PopulationCells
    policy: AppliedPolicy

    @classmethod
    def load(cls, name: str) -> "Subject":
        """Read and code a scenario of the repository."""
        scenario = Scenario.read(ROOT / "scenarios" / f"{name}.toml")
        study = Study.prepare(scenario)
        assert scenario.population is not None
        profiles = study.instance.profiles
        population = read_population(scenario, scenario.population)
        codes = encode(population.columns, study.instance.hierarchies, table_name="population", allow_missing=False)
        return cls(
            name=name,
            study=study,
            record_codes=profiles.codes[profiles.of_record].astype(np.int64),
            cells=PopulationCells.of(codes, population.people, list(study.instance.hierarchies.values())),
            policy=study.scenario_policy,
        )

    def ours(self) -> dict[str, float]:
        """Play everything with the package from the coded data on; return the publisher's mean payoffs."""
        instance, policy, choices = self.games()
        weights = instance.profiles.records
        payoffs = {name: self._mean(instance, choice.nodes, weights) for name, choice in choices.items()}
        return payoffs | {"policy": self._mean(instance, instance.lattice.nodes(policy.levels), weights)}

    def games(self) -> tuple[Instance, AppliedPolicy, dict[str, Choice]]:
        """Find profiles, count, and solve the three games exactly."""
        instance = self.new_instance()
        scenario = self.study.scenario
        compiled = compile_policy(scenario.floor, scenario, instance.hierarchies, self.study.restricted)
        policy = compiled.apply(instance.profiles)
        choices = {name: SOLVERS["exact"](instance, Game.of(name, instance, policy.levels)) for name in GAMES}
        return instance, policy, choices

    def new_study(self) -> Study:
        """Return the study as it is after reading: nothing counted, nothing prepared for later."""
        return dataclasses.replace(self.study, instance=self.new_instance())

    def new_instance(self) -> Instance:
        """Find profiles and prepare the tables; no people are counted yet."""
        scenario, hierarchies = self.study.scenario, self.study.instance.hierarchies
        data = CompiledData.compile(
            hierarchies,
            weights={name: attribute.weight for name, attribute in scenario.attributes.items()},
            profiles=Profiles.of(self.record_codes, list(hierarchies.values())),
            population=CountedPopulation(cells=self.cells),
        )
        return Instance.of(data, self.study.instance.payoffs)

    def straightforward(self) -> dict[str, float]:
        """Play everything the straightforward way from the same coded data on."""
        instance = self.study.instance
        return straightforward(
            self.record_codes,
            self.cells.codes.astype(np.int64),
            self.cells.people,
            {name: hierarchy.groups for name, hierarchy in instance.hierarchies.items()},
            {name: attribute.weight for name, attribute in self.study.scenario.attributes.items()},
            self.policy.levels[instance.profiles.of_record],
            benefit=instance.payoffs.benefit,
            loss=instance.payoffs.loss,
            cost=instance.payoffs.cost,
        )

    @staticmethod
    def _mean(instance: Instance, nodes: Ints, weights: Ints) -> float:
        released = np.flatnonzero(nodes >= 0)
        people = instance.people(released, nodes[released])
        replies = Replies(adversaries=instance.adversaries, people=(people,))
        payoff = instance.publisher_payoffs(released, nodes[released], replies)
        return float((payoff * weights[released]).sum() / weights.sum())


def measured_scenarios(*, smoke: bool) -> list[str]:
    """Return the names of the shipped scenarios that are measured, the smallest first."""
    return ["quickstart"] if smoke else ["quickstart", "adult_tn"]


def agree(ours: dict[str, float], theirs: dict[str, float]) -> None:
    """Stop if two ways to compute the same payoffs disagree: a fast wrong answer is worthless."""
    for name, payoff in theirs.items():
        if abs(ours[name] - payoff) > 1e-6:
            raise SystemExit(f"{name}: {ours[name]} against {payoff}")
