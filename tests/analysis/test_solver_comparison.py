import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracle_worlds import LAYOUTS, instance_of
from worlds import chains, worlds

from gamedeid import InvalidScenarioError, compare_solvers, solve
from gamedeid.analysis import solver_comparison
from gamedeid.choices import GAMES, SolverName
from gamedeid.game.solvers import SOLVERS
from gamedeid.progress import Progress, unreported
from gamedeid.scenario.grid import STAKES


@pytest.mark.parametrize("game", GAMES)
def test_each_row_has_the_solvers_results_record_by_record(study, game):
    found = compare_solvers(study, game)
    solutions = {name: solve(study, game=game, solver=name) for name in solver_comparison.DEFAULT_SOLVERS}
    of_record = study.instance.profiles.of_record
    best = solutions["backward-induction"]

    assert list(solver_comparison.DEFAULT_SOLVERS) == [row["solver"] for row in found.rows] == list(found.seconds)
    assert "backward-induction" == found.reference
    for row in found.rows:
        one = solutions[row["solver"]]
        pairs = [
            (one.publisher_payoff[p] - best.publisher_payoff[p], one.adversary_payoff[p] - best.adversary_payoff[p])
            for p in of_record
        ]
        expected = {
            **dict(zip(STAKES, (1200.0, 2000.0, 20.0, 2000.0), strict=True)),
            "publisher_payoff": one.measures["publisher_payoff"],
            "adversary_payoff": one.measures["adversary_payoff"],
            "publisher_difference": pytest.approx(sum(abs(p) for p, _ in pairs) / len(pairs)),
            "adversary_difference": pytest.approx(sum(abs(a) for _, a in pairs) / len(pairs)),
            "optimal": pytest.approx(sum(p > -1.2e-6 for p, _ in pairs) / len(pairs)),
            "searched": one.search["searched"],
        }
        assert expected == {name: value for name, value in row.items() if name != "solver"}


def test_here_lattice_search_misses_the_optimum_and_other_solvers_do_not(study):
    rows = {row["solver"]: row for row in compare_solvers(study, "basic").rows}

    for name in ("backward-induction", "exact"):
        assert (0.0, 0.0, 1.0) == tuple(
            rows[name][key] for key in ("publisher_difference", "adversary_difference", "optimal")
        )
    assert rows["lattice-search"]["publisher_difference"] > 0
    assert rows["lattice-search"]["optimal"] < 1


def test_without_backward_induction_the_reference_is_exact_which_is_equal(study):
    whole = compare_solvers(study, "basic")
    for solvers in (("lattice-search",), ("exact", "lattice-search")):
        found = compare_solvers(study, "basic", solvers=solvers)
        assert "exact" == found.reference
        assert [row for row in whole.rows if row["solver"] in solvers] == found.rows


def test_times_are_of_all_records_and_of_one(study):
    found = compare_solvers(study, "basic", solvers=["exact"])
    (row,) = found.timed_rows()

    assert found.seconds["exact"] == row["seconds"] > 0
    assert row["seconds"] * 1000 / 400 == pytest.approx(row["milliseconds_per_record"])
    assert "seconds" not in found.rows[0]


def test_nothing_is_rolled_up_when_a_solver_starts(study, monkeypatch):
    counted: dict[SolverName, list[int]] = {}

    def listening(name: SolverName) -> object:
        def solver(instance: object, game: object, *, progress: Progress = unreported) -> object:
            counted.setdefault(name, []).append(int((instance.counts.tables.offsets >= 0).sum()))  # type: ignore[attr-defined]
            return SOLVERS[name](instance, game, progress=progress)  # type: ignore[arg-type]

        return solver

    monkeypatch.setattr(solver_comparison, "SOLVERS", {name: listening(name) for name in SOLVERS})
    for _ in range(2):
        compare_solvers(study, "basic")

    assert dict.fromkeys(solver_comparison.DEFAULT_SOLVERS, [1] * 4) == counted


@given(world=st.one_of(worlds(), chains()), layout=st.sampled_from(LAYOUTS))
def test_counts_made_again_count_as_those_before(world, layout):
    instance = instance_of(world, layout)
    profiles = instance.all_profiles
    nodes = instance.lattice.nodes(instance.base)
    top = nodes * 0 + instance.lattice.most_general
    expected = [instance.people(profiles, where).tolist() for where in (nodes, top)]
    anew = dataclasses.replace(instance, data=instance.data.uncounted())
    counts = anew.counts

    if counts.scanned is None:
        assert {"dense": 1, "sparse": 0}[layout] == (counts.tables.offsets >= 0).sum()
    assert expected[::-1] == [anew.people(profiles, where).tolist() for where in (top, nodes)]
    assert expected == [instance.people(profiles, where).tolist() for where in (nodes, top)]


@pytest.mark.parametrize(
    ("solvers", "says"), [((), "no solver takes part"), (("exat",), "no solver `exat`; did you mean `exact`")]
)
def test_an_unknown_solver_is_named_in_the_error(study, solvers, says):
    with pytest.raises(InvalidScenarioError, match=says):
        compare_solvers(study, "basic", solvers=solvers)
