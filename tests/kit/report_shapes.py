"""Questions of many shapes, each run once with its report and draft, and the sentences of the catalogue it shows."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import pytest
from html_pages import Page
from small_world import ALONE, RECORDS, SAMPLED, SCENARIO, gamedeid_prints, gamedeid_says, small_world

from gamedeid import catalogue as source
from gamedeid.catalogue import catalogue
from gamedeid.report.determination import content

ONE_ATTRIBUTE = SCENARIO.replace('[attributes.sex]\nhierarchy = "sex"\n', "").replace(
    'drop = ["name"]', 'drop = ["name", "sex"]'
)
ONE = "".join(RECORDS.splitlines(keepends=True)[:2])
VISITS = "name,age,sex,income\nA,40,Male,a\nA,41,Male,b\nB,50,Female,a\nB,50,Female,b\nC,51,Female,c\n"
SEVERAL = """
[recipients.researcher]
[recipients.neighbour]
probability = 0.5
knows = ["age"]
covers = 0.7
gain = 60
[recipients.neighbour.learns]
knows = ["sex"]
probability = 0.25
"""
THIEF = """
[recipients.thief]
probability = 0.1
cost = 0
loss = 50
"""
PRICED = SEVERAL.replace("probability = 0.25", "probability = 0.25\nprice = 1")
GIVEN = """
[determination]
publisher = "General | *Hospital*"
purpose = "Research on <falls>"
recipients = ["University Y", "Registry X"]
agreement = "Data use agreement of 2026-11-02"
expert = "Dr. A. Expert"
credentials = "Twenty years of it"
population_source = "Census of 2020"
population_date = "2020-04-01"
valid_from = 2026-12-01
valid_until = "2028-11-30"
[thresholds]
presets = ["0.05", "0.09", "0.2", "cells-11"]
own = [{ measure = "expected_reidentifications", at_most = 0.1, source = "European Medicines Agency" }]
[sources]
benefit = "b"
loss = "l"
cost = "c"
"""
FEW = ("--set", "limits.expected_reidentifications=0.25")
AWARE = ("--game", "aware-no-attack")
WEIGHED = ("--game", "aware-basic")
DEAR = ("--set", "payoffs.cost=0.1", "--set", "payoffs.loss=9000")
LATTICE = ("--solver", "lattice-search")


@dataclass(frozen=True, kw_only=True)
class Shape:
    """A question: changes to the small world, and options of the command line."""

    words: tuple[str, ...] = ()
    scenario: str = SCENARIO
    records: str = RECORDS
    people: str | None = None
    club: str = ""
    before: tuple[str, ...] | None = None
    """Words of a run whose release the recipient has, or None."""


PLAIN = {
    "plain": Shape(),
    "withheld in basic": Shape(words=DEAR),
    "withheld in no-attack": Shape(words=("--set", "payoffs.cost=1", "--game", "no-attack")),
    "withheld in sh-friendly": Shape(words=(*DEAR, "--game", "sh-friendly", "--policy", "pairs")),
    "some withheld": Shape(words=("--set", "payoffs.cost=0.1", "--set", "payoffs.loss=600")),
    "nobody attacked": Shape(words=("--set", "payoffs.cost=91")),
    "no population": Shape(scenario=ALONE),
    "no population, no attack": Shape(scenario=ALONE, words=("--game", "no-attack", "--set", "payoffs.cost=30")),
    "lattice search": Shape(words=(*LATTICE, "--set", "payoffs.loss=200")),
    "withheld by lattice search": Shape(words=(*LATTICE, "--set", "payoffs.cost=1", "--game", "no-attack")),
    "one record": Shape(records=ONE),
    "one record, no population": Shape(scenario=ALONE, records=ONE),
    "ties": Shape(words=("--set", "payoffs.cost=45", "--set", "payoffs.loss=90")),
    "one attribute": Shape(scenario=ONE_ATTRIBUTE.replace("[population]", '[population]\ndrop = ["sex"]')),
    "unmatched, safe": Shape(
        words=("--set", "population.unmatched=safe"), people="age,sex,count\n40,Male,1\n41,Male,5\n50,Female,2\n"
    ),
    "sampling fraction": Shape(scenario=SAMPLED),
    "levels": Shape(
        scenario=SCENARIO.replace('count = "count"\n', 'count = "count"\nlevels = { age = 1 }\n'),
        people="age,sex,count\n[40-41],Male,6\n[50-51],Female,4\n[50-51],Male,10\n",
    ),
    "thresholds": Shape(
        scenario=SCENARIO.replace('"name"', '"name", "income"').replace('keep = ["income"]\n', "")
        + '[thresholds]\npresets = ["0.2"]\n'
    ),
    "determined": Shape(
        scenario=SCENARIO.replace('"name"', '"name", "income"').replace('keep = ["income"]\n', "") + GIVEN,
        words=("--set", "payoffs.cost=50", "--set", "records.missing=suppress", "--policy", "pairs"),
    ),
    "persons": Shape(scenario=ALONE.replace('drop = ["name"]', 'person = "name"\ndrop = []'), records=VISITS),
}
"""Questions of the paper."""

OTHERS = {
    "a limit that binds": Shape(words=FEW),
    "a limit that does not": Shape(words=("--set", "limits.expected_reidentifications=9")),
    "limits, withheld": Shape(words=("--set", "limits.record_risk=0.01")),
    "limits, a game without any": Shape(words=("--set", "limits.publisher_payoff=70")),
    "limits, no population": Shape(scenario=ALONE, words=("--set", "limits.attacked=0.5")),
    "limits, uniform": Shape(words=("--set", "limits.uniform=true", "--set", "limits.smallest_cell=2")),
    "limits, uniform by sex": Shape(words=("--set", 'limits.uniform=["sex"]', *FEW, "--game", "sh-friendly")),
    "limits, one record": Shape(records=ONE, words=("--set", "limits.list_price=10", "--policy", "pairs")),
    "limits, ties": Shape(words=(*FEW, "--set", "payoffs.cost=45", "--game", "no-attack", "--keep-order")),
    "limits between groups": Shape(words=("--set", "limits.groups={column='sex', least=1, information_loss=0.3}")),
    "recipients": Shape(scenario=SCENARIO + SEVERAL),
    "recipients, a thief": Shape(scenario=SCENARIO + SEVERAL + THIEF, words=("--game", "no-attack")),
    "a thief alone": Shape(scenario=SCENARIO + THIEF),
    "recipients, withheld": Shape(
        scenario=SCENARIO + SEVERAL + THIEF, words=("--set", "payoffs.cost=1", "--game", "no-attack")
    ),
    "recipients, a price": Shape(scenario=SCENARIO + PRICED),
    "recipients, nobody attacked": Shape(scenario=SCENARIO + SEVERAL, words=("--set", "payoffs.cost=91")),
    "recipients, no population": Shape(scenario=ALONE + SEVERAL + THIEF),
    "recipients, lattice search": Shape(scenario=SCENARIO + SEVERAL, words=LATTICE),
    "recipients, one record": Shape(scenario=SCENARIO + THIEF, records=ONE, words=("--policy", "pairs")),
    "recipients within limits": Shape(scenario=SCENARIO + SEVERAL + THIEF, words=FEW),
    "recipients, a club": Shape(
        scenario=SCENARIO + '[recipients.club.population]\npath = "club.csv"\nunmatched = "safe"\n',
        club="age,sex\n40,Male\n50,Female\n51,Female\n",
    ),
    "recipients, a list price": Shape(scenario=SCENARIO + SEVERAL, words=("--set", "limits.list_price=9")),
    "after an earlier release": Shape(words=("--game", "no-attack"), before=()),
    "aware": Shape(words=AWARE),
    "aware, for the records": Shape(words=(*AWARE, "--set", "groups.planned_for=records")),
    "aware, withheld": Shape(words=(*AWARE, "--set", "payoffs.cost=1")),
    "aware, no population": Shape(scenario=ALONE, words=(*AWARE, "--set", "payoffs.cost=40")),
    "aware, one record": Shape(records=ONE, words=(*AWARE, "--policy", "pairs")),
    "aware, nobody attacked": Shape(words=(*AWARE, "--set", "payoffs.cost=91")),
    "aware-basic": Shape(words=WEIGHED),
    "aware-basic, withheld": Shape(words=(*WEIGHED, "--set", "payoffs.loss=100000")),
    "aware-basic, no population": Shape(scenario=ALONE, words=WEIGHED),
    "aware-basic, one record": Shape(records=ONE, words=(*WEIGHED, "--policy", "pairs")),
    "aware-basic, nobody attacked": Shape(words=(*WEIGHED, "--set", "payoffs.cost=91")),
}
"""Questions with limits, with recipients, and of games against a recipient who knows the mechanism."""

SHAPES = PLAIN | OTHERS


@dataclass(frozen=True, kw_only=True)
class RunTexts:
    """The printed and stored texts of a run, and the sentences of the catalogue that it used."""

    shape: str
    terminal: str
    page: str
    draft: str
    summary: dict[str, Any]
    content: dict[str, Any]
    out: Path
    shown: Mapping[tuple[str, int], str]

    @cached_property
    def printed(self) -> tuple[str, ...]:
        """The texts that a reader sees, each as one line."""
        return tuple(flat(text) for text in (self.terminal, self.page, self.draft))


@cache
def numbered(subject: str) -> dict[str, Any]:
    """Return a subject of the catalogue; each entry of its tables has its place."""
    return {
        name: [{**one, "place": place} for place, one in enumerate(table)]
        if isinstance(table, list) and isinstance(table[0], dict)
        else table
        for name, table in catalogue(subject).items()
    }


@contextmanager
def noted() -> Iterator[dict[tuple[str, int], str]]:
    """Record which sentences of the catalogue are used: table and place -> the last text."""
    shown: dict[tuple[str, int], str] = {}
    taken = source.entries

    def noting(table: str, facts: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
        for one in taken(table, facts):
            shown[table, one["place"]] = one.get("says", "")
            yield one

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(source, "catalogue", numbered)
        patch.setattr(source, "entries", noting)
        patch.setattr(content, "entries", noting)
        yield shown


@cache
def run_of(shape: str, folder: Path) -> RunTexts:
    """Run a question with its report and draft: several shapes, joined by ` + `, share the files of one."""
    asked, *others = (SHAPES[name] for name in shape.split(" + "))
    out, draft = folder / "out", folder / "draft.md"
    files = {"scenario": asked.scenario, "records": asked.records}
    if asked.people is not None:
        files["people"] = asked.people
    (folder / "club.csv").write_text(asked.club)
    scenario, words = small_world(folder, **files), [word for one in (asked, *others) for word in one.words]
    if asked.before is not None:
        assert 0 == gamedeid_says("run", scenario, "-o", folder / "before", "--no-report", *asked.before).code
        words += ["--after", str(folder / "before"), "--set", "earlier.key=name"]
    with noted() as shown:
        said = gamedeid_prints("run", scenario, "-o", out, *words)
        drafted = gamedeid_prints("determination", out, "-o", draft)
    return RunTexts(
        shape=shape,
        terminal=said + drafted,
        page=Page((out / "report.html").read_text("utf-8")).text,
        draft=draft.read_text("utf-8"),
        summary=json.loads((out / "summary.json").read_text("utf-8")),
        content=json.loads((out / "report.json").read_text("utf-8")),
        out=out,
        shown=shown,
    )


def flat(text: str) -> str:
    return " ".join(text.replace("\\", "").split())
