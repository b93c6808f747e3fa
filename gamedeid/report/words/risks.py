"""Risk by the measures of the literature, diversity and uniqueness of kept columns: names, meanings and numbers."""

from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from operator import getitem
from typing import Any

from gamedeid.amounts import four_decimals, number, number_of, percent
from gamedeid.catalogue import FORMS, catalogue, sentence, sentences
from gamedeid.report.words.measures import MEASURES, SPREAD, Grid, spread_words
from gamedeid.report.words.run import PLAIN, QuestionKind
from gamedeid.reprs import frozen

COLUMNS = ("raw", "policy", "release")
"""The compared releases, as keys of the stored risks."""


def adversary_knowledge(risks: Mapping[str, Any]) -> Mapping[str, str]:
    """Return the knowledge of the adversaries of a release's risks, and ``whom`` a released record may match."""
    estimated = "estimated" if risks["population_is_estimated"] else "given"
    kind = "records" if risks["population_is_the_records"] else estimated
    found: Mapping[str, str] = catalogue("risks")["knowledge"][kind]
    return found


@frozen
class RiskRow:
    """One measure: its name, its meaning, and a text for each of ``COLUMNS``."""

    name: str
    means: str
    cells: tuple[str, ...]


def risk_rows(risks: Mapping[str, Any], kind: QuestionKind = PLAIN) -> Iterator[RiskRow]:
    """Yield the rows of the risks of a release."""
    paying = sentence("risks.paying", {"recipients": kind.recipients, "aware": kind.aware})
    fields = {**adversary_knowledge(risks), "paying": paying, "spread": SPREAD}
    lacking = any(risks[column]["unmatched"] for column in COLUMNS)
    for row, one in catalogue("risks")["rows"].items():
        if row == "unmatched" and not lacking:
            continue
        some = lacking and one["of"] == "population"
        place = one["place"].removesuffix(".*").split(".")
        for key in reduce(getitem, place, risks["release"]) if one["place"].endswith("*") else (None,):
            who = "one person" if key == "1" else f"{key} people or fewer"
            named = {name: one[name].format_map({**fields, "key": key, "who": who}) for name in ("name", "means")}
            path = place if key is None else [*place, key]
            yield RiskRow(
                name=f"{named['name']}{' (of those matched)' * some}",
                means=f"{named['means']}{' Records that match no one in the population are left out.' * some}",
                cells=tuple(_cell(risks[column], path, one) for column in COLUMNS),
            )


def _cell(found: Mapping[str, Any], path: Sequence[str], row: Mapping[str, str]) -> str:
    """Return the text of a measure; none if nothing is released, or nothing that matches."""
    if row["of"] != "all" and not found["released"]:
        return "none"
    if row["of"] == "population" and found["released"] == found["unmatched"]:
        return "none match"
    return _FORMS[row["form"]](reduce(getitem, path, found))


def _of_unique(found: Mapping[str, Any]) -> str:
    if not found["unique"]:
        return "none unique"
    both = found["unique_in_population"]  # a whole number, unless the population is estimated
    shown = f"{both:,}" if isinstance(both, int) else number(both, 2)
    return f"{shown} of {found['unique']:,} ({percent(found['lambda_1'])})"


_FORMS = {**FORMS, "spread": spread_words, "unique": _of_unique}


def diversity_words(found: Mapping[str, Any], records: int, *, of_people: bool, of_game: bool = True) -> list[str]:
    """Return the sentences above the table of kept columns; empty if no column is kept."""
    rows, noun = found["rows_looked_at"], "row" if of_people else "record"
    of = "" if rows in {None, records} else f" of the first {number_of(rows, noun)}"
    facts = {
        "unmeasured": rows is None,
        "measured": rows is not None and found["columns"],
        "of_people": of_people,
        "of_game": of_game,
        "released": f"{number_of(found['released'], f'released {noun}')}{of}",
        "classes": found["classes"],
    }
    return sentences("risks.diversity", facts)


def diversity_grid(found: Mapping[str, Any]) -> Grid:
    """Return the diversity of kept columns, a row each."""
    rows = [
        (
            one["column"],
            f"{one['values']:,}",
            f"{one['distinct']:,}",
            f"{one['entropy']:.2f}",
            f"{four_decimals(one['closeness'])} ({one['distance']})",
            f"{one['alone']:,} ({percent(one['alone'] / found['released'])})",
        )
        for one in found["columns"]
    ]
    diversity = ("distinct l-diversity", "entropy l-diversity")
    return Grid(("kept column", "values", *diversity, "t-closeness", "disclosed by the class"), rows)


def uniqueness_words(found: Mapping[str, Any] | None, records: int, *, of_game: bool) -> list[str]:
    """Return the sentences above the table of uniqueness; empty if no column is kept, or nothing is released."""
    if found is None:
        return []
    rows, together = found["rows_looked_at"], found["together"] or {}
    facts = {
        **together,
        "unmeasured": rows is None,
        "measured": bool(together),
        "of_people": "people" in found,
        "of_game": of_game,
        "released": f"{number_of(found['released'], 'released row')}{first_rows_words(rows, records)}",
        "people": number_of(found.get("people", 0), "person"),
        "columns": len(together.get("columns", ())),
    }
    return sentences("risks.uniqueness", facts)


def first_rows_words(rows: int | None, records: int) -> str:
    """Return words on the examined first records; "" if all were examined, or none."""
    return "" if rows in {None, records} else f" among the first {number_of(rows or 0, 'record')}"


def uniqueness_grid(found: Mapping[str, Any] | None) -> Grid:
    """Return the uniqueness of each kept column, of the worst pairs, and of all columns, a row each."""
    heads = ("kept columns", "values", "unique rows")
    if found is None or found["together"] is None:
        return Grid(heads, [])
    rows, several = [], [found["together"]] if len(found["columns"]) > 1 else []
    for one in (*found["columns"], *found["pairs"], *several):
        names = f"all {len(one['columns'])} together" if one is found["together"] else " and ".join(one["columns"])
        people = [f"{one['unique_people']:,} ({percent(one['share_of_people'])})"] if "people" in found else []
        rows.append((names, f"{one['values']:,}", f"{one['unique']:,} ({percent(one['share'])})", *people))
    return Grid((*heads, "unique people") if "people" in found else heads, rows)


def table_game_words(found: Mapping[str, Any], unmatched: int) -> list[str]:
    """Return the sentences above the table of :func:`table_game_grid`; ``unmatched`` records match no one."""
    facts = {**found, **found["stakes"], "journalist": "journalist" in found, "unmatched": unmatched}
    return sentences("risks.table_game", facts)


def table_game_grid(found: Mapping[str, Any]) -> Grid:
    """Return the measures of the game, a row each, with a text for each recipient."""
    names = [name for name in ("prosecutor", "journalist") if name in found]
    rows = [
        (MEASURES[key].name, *(MEASURES[key].form(found[name][key]) for name in names)) for key in found["prosecutor"]
    ]
    return Grid(("measure of the game", *names), rows)
