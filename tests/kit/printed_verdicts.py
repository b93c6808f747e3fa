"""Verdicts on releases with figures of any kind, and their sentences and tables."""

from dataclasses import replace
from typing import Any

from gamedeid.report.words.verdict import Verdict

SPREAD = {"at_least_one": 0.5, "low": 0, "high": 3, "highest": 0.25}
ALL = {"records": 100, "withheld": 0.0, "proved": True, "gap": 0.0, "attacked": 0.5, "spread": SPREAD}


def row(
    expected: float,
    payoff: float,
    *,
    all_attacked: float = 50.0,
    knows: float | None = None,
    highest: float | None = 1.0,
    **others: Any,
) -> dict[str, Any]:
    """Return the outcome of a policy or game; ``knows``: successes of a recipient who knows the method, or None."""
    aware = {"publisher_payoff": payoff - 1, "attacked": 0.25, "expected_reidentifications": knows, "spread": SPREAD}
    return {
        **ALL,
        "expected_reidentifications": expected,
        "publisher_payoff": payoff,
        "marketer": {"share": all_attacked / 100, "reidentifications": all_attacked, "spread": SPREAD},
        "aware": "the population is estimated" if knows is None else aware,
        "highest_risk": highest,
        **others,
    }


def on(policy: Any, game: Any, *, name: str = "safe-harbor", others: Any = None, **asked: Any) -> Verdict:
    """Return the verdict on the basic game, compared with a policy."""
    policies = {name: policy, "basic": game, **(others or {})}
    return Verdict(policies=policies, played="basic", policy=name, benefit=1200.0, **asked)


def lines_of(verdict: Verdict) -> list[str]:
    """Return the sentences of a new copy of a verdict, and its tables."""
    verdict = replace(verdict)
    tables = ((one.headings, *one.rows) for one in (verdict.recipients, verdict.games))
    figures, games = ([": ".join(cells) for cells in table] for table in tables)
    return [*verdict.sentences, *figures, verdict.games_heading, *games]


def unproved(**gap: Any) -> list[str]:
    """Return the sentences about strategies that are not proved optimal."""
    verdict = on(row(5.2, 800.0, proved=None, gap=None), row(6.6, 900.0, proved=False, **gap))
    return [one for one in verdict.sentences if "proved" in one] or ["nothing"]


WITHHELD = row(0.0, 0.0, all_attacked=0.0, withheld=1.0, highest=0.0)
VERDICTS = {
    "a verdict with the figures of all recipients": on(
        row(5.2, 800.0, knows=5.3, all_attacked=6.0),
        row(0.0, 900.0, knows=4.7, all_attacked=2.7),
        others={"no-attack": row(0.0, 870.0)},
    ),
    "a verdict with figures that were not computed": on(row(5.2, 800.0), row(6.6, 900.0)),
    "not computed of the game alone": on(row(5.2, 800.0, knows=5.3), row(6.6, 900.0)),
    "computed of both": on(row(5.2, 800.0, knows=5.3), row(6.6, 900.0, knows=7.0)),
    "many profiles": on(row(5.2, 800.0, highest=None), row(6.6, 900.0, highest=None)),
    "a verdict over regions": on(row(5.2, 800.0), row(6.6, 900.0, highest=None), regional=True),
    "a game that withholds every record": on(
        row(5.2, -10.0), WITHHELD, others={"sh-friendly": WITHHELD, "no-attack": row(0.0, 3.0)}
    ),
    "a policy that withholds every record": on(WITHHELD, row(6.6, 9.0)),
    "estimates, a policy with a name, people, several recipients": on(
        *(row(5.2, 800.0), row(6.6, 900.0)), name="counties", unit="person", estimated=True, several=True, unmet=()
    ),
    "a policy alone": Verdict(
        policies={"safe-harbor": row(0.0, 800.0), "basic": row(6.6, 900.0)},
        played="safe-harbor",
        policy="safe-harbor",
        benefit=1200.0,
    ),
}
