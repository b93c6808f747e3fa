"""The straightforward vectorised way: one ``np.unique`` over records and cells per strategy, no profiles, no roll-up.

Benchmarks compare the package with this. It answers the same question in the plainest numpy that is not slow on
purpose: records and cells are coded, each strategy is counted anew, every record's better payoff is kept.
"""

from collections.abc import Mapping
from itertools import product

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]


def straightforward(
    records: Ints,
    cells: Ints,
    people: Ints,
    ladders: Mapping[str, Ints],
    weights: Mapping[str, float],
    policy: Ints,
    *,
    benefit: float,
    loss: float,
    cost: float,
) -> dict[str, float]:
    """Return the publisher's mean payoff in the three games and under the policy.

    Parameters
    ----------
    records : (r, a) leaf codes.
    cells, people : (c, a) leaf codes and (c,) counts of the population.
    ladders : attribute -> (levels, leaves) group of each leaf at each level.
    weights : attribute -> weight in the information loss.
    policy : (r, a) levels of the policy.
    """
    names = list(ladders)
    most = sum(weights[name] * np.log(ladders[name].shape[1]) for name in names)
    best = {game: np.full(len(records), -np.inf) for game in ("basic", "no-attack", "sh-friendly", "policy")}
    for levels in product(*(range(len(ladders[name])) for name in names)):
        record_keys = np.zeros(len(records), np.int64)
        cell_keys = np.zeros(len(cells), np.int64)
        raw = np.zeros(len(records))
        above = np.ones(len(records), np.bool_)
        at_policy = np.ones(len(records), np.bool_)
        for place, (name, level) in enumerate(zip(names, levels, strict=True)):
            groups = ladders[name][level]
            record_groups = groups[records[:, place]]
            record_keys = record_keys * (groups.max() + 1) + record_groups
            cell_keys = cell_keys * (groups.max() + 1) + groups[cells[:, place]]
            raw += weights[name] * np.log(np.bincount(groups)[record_groups])
            above &= policy[:, place] <= level
            at_policy &= policy[:, place] == level
        keys, inverse = np.unique(np.concatenate([record_keys, cell_keys]), return_inverse=True)
        counts = np.bincount(inverse[len(records) :], weights=people, minlength=len(keys))[inverse[: len(records)]]
        value = benefit * (1 - raw / most)
        attacked = loss > cost * counts
        payoff = np.where(attacked, value - loss / counts, value)
        best["basic"] = np.maximum(best["basic"], payoff)
        best["no-attack"] = np.where(attacked, best["no-attack"], np.maximum(best["no-attack"], value))
        best["sh-friendly"] = np.where(above, np.maximum(best["sh-friendly"], payoff), best["sh-friendly"])
        best["policy"] = np.where(at_policy, payoff, best["policy"])
    return {game: float(np.mean(payoffs)) for game, payoffs in best.items()}
