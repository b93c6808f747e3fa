"""Who is identifiable by sex, place and birth: as tables on a terminal."""

from rich.console import Console

from gamedeid.amounts import percent
from gamedeid.catalogue import sentence, sentences
from gamedeid.pictures.people import BIRTH
from gamedeid.report.terminal.console import new_table, print_table
from gamedeid.risk.census.identifiable import Identifiable


def print_demographics(found: Identifiable, rate: float | None, to: Console) -> None:
    """Print identifiable people and shares by age group, by state, and in all."""
    whole = found.as_dict(rate)
    known = f"{found.counts.place}, sex and {BIRTH[found.detail]}"
    to.print(sentence("people.identifiable", {**whole, "known": known, "people": found.total.population}))
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
    places = {key: whole[f"places_{kind}_identifiable"] for key, kind in _PLACES.items()}
    facts = {**places, "inhabited": sum(places.values()), "at_most": found.boundary == "at-most"}
    for words in sentences("people.places", facts):
        to.print(words)


_PLACES = {"wholly": "wholly", "partly": "partly", "none": "not"}
"""Fields of the sentence about places -> their words in the keys of the result."""


def share_text(share: float | None) -> str:
    """Return a share for people; where there are no people, there is none."""
    return "-" if share is None else percent(share)
