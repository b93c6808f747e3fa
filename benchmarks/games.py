"""(a) All three games and the policy, from coded data in memory on, compared with the straightforward vectorised way.

Run: ``python benchmarks/games.py [--rounds 5] [--smoke]``
"""

from measure import arguments, in_turn, peak_memory, rounds_of
from subjects import Subject, agree, measured_scenarios


def main() -> None:
    """Print one row per scenario: seconds of both ways, their ratio, and peak memory of both."""
    options = arguments(__doc__, rounds=5).parse_args()
    rounds = rounds_of(options)
    print("| scenario | ours, s | straightforward, s | ratio | our peak, MiB | its peak, MiB |")
    print("|---|---|---|---|---|---|")
    for name in measured_scenarios(smoke=options.smoke):
        subject = Subject.load(name)
        agree(subject.ours(), subject.straightforward())
        pair = in_turn(subject.games, subject.straightforward, rounds)
        ours, theirs = pair.medians
        memory = [peak_memory(work) for work in (subject.games, subject.straightforward)]
        print(f"| {name} | {ours:.4f} | {theirs:.3f} | {pair.ratio:.0f} | {memory[0]:.0f} | {memory[1]:.0f} |")


if __name__ == "__main__":
    main()
