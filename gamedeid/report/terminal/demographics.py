"""Who is identifiable by sex, place and birth: as tables on a terminal."""

from rich.console import Console

from gamedeid.amounts import number_of, percent
from gamedeid.pictures.people import BIRTH
from gamedeid.report.terminal.console import new_table, print_table
from gamedeid.risk.census.identifiable import Identifiable
from gamedeid.risk.census.totals import IdentifiablePeople


def print_demographics(found: Identifiable, rate: float | None, to: Console) -> None:
    """Print identifiable people and shares by age group, by state, and in all.

    Parameters
    ----------
    found : who is identifiable.
    rate : patients per person, if those are asked for.
    to : where it is printed.
    """
    whole = found.as_dict(rate)
    to.print(f"Likely unique by {found.counts.place}, sex and {BIRTH[found.detail]}: {_people(found.total)}.")
    groups = new_table("age group", "threshold", "places", "people", "identifiable", "share")
    for row in whole["age_groups"]:
        of_group = (row["threshold"], row["places_identifiable"], row["population"], row["identifiable"])
        groups.add_row(row["name"], *(f"{number:,}" for number in of_group), share_text(row["share"]))
    print_table(groups, to)
    more = ("patients", "identified") if rate is not None else ()
    states = new_table("state", "places", "people", "identifiable", "share", *more)
    for state, row in {**whole["states"], "in all": whole}.items():
        of_state = (row["places"], row["population"], row["identifiable"])
        patients = (row["patients"], row["identified_patients"]) if rate is not None else ()
        states.add_row(
            state,
            *(f"{number:,}" for number in of_state),
            share_text(row["share"]),
            *(f"{number:,.0f}" for number in patients),
        )
    print_table(states, to)
    word = "up to" if found.boundary == "at-most" else "fewer than"
    kinds = [whole[f"places_{kind}_identifiable"] for kind in ("wholly", "partly", "not")]
    to.print(
        f"Places where everybody is identifiable: {kinds[0]:,} of {sum(kinds):,} where anybody lives; where the people "
        f"of some age groups are: {kinds[1]:,}; where no one is: {kinds[2]:,}."
    )
    to.print(
        f"An age group of a place is identifiable when it has {word} as many people as sex and birth have values, and "
        "at least one."
    )


def share_text(share: float | None) -> str:
    """Return a share for people; of nobody there is none."""
    return "-" if share is None else percent(share)


def _people(share: IdentifiablePeople) -> str:
    return f"{share.identifiable:,} of {number_of(share.population, 'person')} ({share_text(share.share)})"
