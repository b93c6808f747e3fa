"""The command ``gamedeid risk bins``: one group of people over equally likely values."""

from typing import Annotated, Any

import typer

from gamedeid.cli.options import Json, print_json
from gamedeid.cli.risk.options import Distinct, ListPrice, group_sizes


def bins(
    *,
    people: Annotated[int, typer.Option(metavar="NUMBER", help="People in the group.")],
    bins: Annotated[
        int, typer.Option(metavar="NUMBER", help="Equally likely values among them, such as 365 birthdays.")
    ],
    sampled: Annotated[
        int | None, typer.Option(metavar="NUMBER", help="How many of them are in the release; all unless given.")
    ] = None,
    distinct: Distinct = "1,5",
    list_price: ListPrice = None,
    as_json: Json = False,
) -> None:
    """Estimate how many people of one group are distinct when their finer value is one of many equally likely ones."""
    from gamedeid.risk.bins import distinct_people, price_per_reidentification, total_risk

    sizes = group_sizes(distinct)
    expected = distinct_people(people, bins, sizes, sampled).tolist()
    risk = float(total_risk(people, bins, sampled))
    found: dict[str, Any] = {
        "distinct": {str(size): value for size, value in zip(sizes, expected, strict=True)},
        "total_risk": risk,
    }
    if list_price is not None:
        found["price_per_reidentification"] = price_per_reidentification(list_price, risk)
    if as_json:
        print_json(found, "bins")
    else:
        _show(found, people, bins, people if sampled is None else sampled)


def _show(found: dict[str, Any], people: int, bins: int, released: int) -> None:
    from gamedeid.amounts import number_of, percent
    from gamedeid.report.terminal.console import console, new_table, print_table
    from gamedeid.report.terminal.distinctness import distinct_words, price_words

    to = console()
    to.print(
        f"{number_of(people, 'person')} over {number_of(bins, 'equally likely value')}, {released:,} of them "
        "released (estimates)"
    )
    table = new_table("measure", "people", "share")
    share = 1 / released if released else 0.0
    for size, value in found["distinct"].items():
        table.add_row(distinct_words(int(size)), f"{value:,.2f}", percent(value * share))
    table.add_row("expected re-identifications (total risk)", f"{found['total_risk']:,.2f}", "")
    print_table(table, to)
    if "price_per_reidentification" in found:
        to.print(price_words(found["price_per_reidentification"]))
