"""What the page shows of other stakes: ranges and pictures, as texts."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from gamedeid.amounts import exact_percent, money, range_words
from gamedeid.report.html.figures import Figure
from gamedeid.report.html.stake_words import BY_EXACT, STAKES
from gamedeid.report.policy_words import heading_words


def ranges_view(robustness: Mapping[str, Any]) -> dict[str, Any]:
    """Return how far each stake can move alone, as rows of a table."""
    rows = [
        (
            STAKES[name][0],
            money(stake_range["chosen"]),
            *(
                range_words(stake_range[key], stake_range["chosen"], stake_range[f"{key}_open"])
                for key in ("keeps", "ranking")
            ),
        )
        for name, stake_range in robustness["ranges"].items()
    ]
    order = [heading_words(name) for name in robustness["ranking"]]
    return {"share": exact_percent(robustness["share"]), "rows": rows, "order": order}


def figures_view(
    figures: Sequence[Figure], game: str, content: Mapping[str, Any], solver: str
) -> Iterator[dict[str, Any]]:
    """Yield the pictures, each with whether choices stand before it and whether it is the first to be shown."""
    chosen_among = False
    for figure in figures:
        played_by = None
        if content["best"]:
            played_by = BY_EXACT if figure.exact else f"The games are played by {solver}."
        first = figure.choice == game
        yield {**figure.shown, "choices_before": chosen_among, "first": first, "played_by": played_by}
        chosen_among = chosen_among or figure.choice is not None
