"""(d) How many strategies each solver looks up per record, and its results.

Nothing is timed here: the figures are exact and the same on every machine.

Run: ``python benchmarks/search.py [--smoke]``
"""

from measure import arguments
from subjects import Subject, measured_scenarios

from gamedeid.game.rules import GAMES
from gamedeid.game.solvers import SOLVERS
from gamedeid.study.solve import solve


def main() -> None:
    """Print one row per scenario, game and solver."""
    options = arguments(__doc__).parse_args()
    print("| scenario | game | solver | strategies | looked up per record | most | proved | mean payoff |")
    print("|---|---|---|---|---|---|---|---|")
    for name in measured_scenarios(smoke=options.smoke):
        study = Subject.load(name).study
        for game in GAMES:
            for solver in SOLVERS:
                solution = solve(study, game=game, solver=solver)
                search = solution.search
                print(
                    f"| {name} | {game} | {solver} | {study.instance.lattice.size} | {search['searched']:.2f} "
                    f"| {search['searched_most']} | {'yes' if search['proved'] else 'no'} "
                    f"| {solution.measures['publisher_payoff']:.4f} |"
                )


if __name__ == "__main__":
    main()
