"""The directive ``quickstart``: the answer of the quickstart as text, and at other stakes, made by the build.

A reader turns sliders; the script of the site shows cells of the table that the page has, and computes nothing.
"""

import json
import logging
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

import gamedeid
from gamedeid.report.words.measures import LEGEND, MARK, MEASURES, best_values, heading_words
from gamedeid.report.words.verdict import Verdict

SCENARIO = Path(__file__).parents[2] / "scenarios" / "quickstart.toml"
FACTORS = (0.125, 0.25, 0.5, 1, 2, 4, 8)
"""A slider goes through these multiples of the scenario's stake."""

STAKES = ("benefit", "loss", "cost")
SHOWN = ("publisher_payoff", "attacked", "expected_reidentifications", "generalization_intensity")
GAME = "no-attack"


@cache
def answers() -> dict[str, Any]:
    """Return the answer at the scenario's stakes as a sentence, and the cells of the table at all stakes.

    ``stakes`` are the values of each slider, ``cells`` the texts of the table, row by row, at each point of the grid:
    the first stake varies slowest.
    """
    comparison = gamedeid.compare(SCENARIO)
    stakes = {name: [getattr(comparison.study.scenario.payoffs, name) * one for one in FACTORS] for name in STAKES}
    varied = [f"{name}={','.join(f'{value:g}' for value in values)}" for name, values in stakes.items()]
    columns = gamedeid.sweep(comparison.study, varied, measures=SHOWN).columns
    policies = list(comparison.solutions)
    rows = list(zip(*(columns[name] for name in (*STAKES, "policy", *SHOWN)), strict=True))
    by_place = {row[: len(STAKES) + 1]: row[len(STAKES) + 1 :] for row in rows}
    grid = [(one, two, three) for one in stakes["benefit"] for two in stakes["loss"] for three in stakes["cost"]]
    cells = [_cells([by_place[(*place, policy)] for policy in policies]) for place in grid]
    verdict = Verdict(
        policies=comparison.policies,
        played=GAME,
        policy=policies[0],
        benefit=comparison.study.scenario.payoffs.benefit,
    )
    return {"says": verdict.headline, "policies": policies, "stakes": stakes, "cells": cells}


def _cells(rows: list[tuple[float, ...]]) -> list[str]:
    """Return the texts of a table, row by row: a measure of each policy, the best marked."""
    texts = []
    for key, values in zip(SHOWN, zip(*rows, strict=True), strict=True):
        row = [MEASURES[key].form(value) for value in values]
        best = best_values(key, values, row)
        texts += [f"{text}{MARK}" if is_best else text for text, is_best in zip(row, best, strict=True)]
    return texts


def html() -> str:
    """Return the answer, the table at the scenario's stakes, and what the script needs for the others."""
    found = answers()
    middle = FACTORS.index(1)
    place = sum(middle * len(FACTORS) ** power for power in range(len(STAKES)))
    sliders = "".join(
        f'<label>{name} <output>${values[middle]:,g}</output><input type="range" name="{name}" min="0" '
        f'max="{len(values) - 1}" value="{middle}"></label>'
        for name, values in found["stakes"].items()
    )
    names, texts = [heading_words(name) for name in found["policies"]], found["cells"][place]
    rows = "".join(
        f'<tr><th scope="row">{escape(MEASURES[key].name)}</th>'
        + "".join(f"<td>{escape(text)}</td>" for text in texts[len(names) * number : len(names) * (number + 1)])
        + "</tr>"
        for number, key in enumerate(SHOWN)
    )
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in ("measure", *names))
    content = json.dumps({"stakes": found["stakes"], "cells": found["cells"]}, separators=(",", ":"))
    return (
        f'<p class="answer">{escape(found["says"])}</p><form class="quickstart" hidden>{sliders}</form>'
        f'<div class="table-wrapper"><table class="docutils quickstart"><caption>{LEGEND}</caption>'
        f"<thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>"
        f'<script type="application/json" id="quickstart">{content.replace("<", chr(92) + "u003c")}</script>'
    )


class Quickstart(SphinxDirective):
    """The answer of the quickstart."""

    def run(self) -> list[nodes.Node]:
        """Return it as HTML; other builders get the sentence."""
        return [nodes.raw("", html(), format="html")]


def setup(app: Any) -> dict[str, bool]:
    """Tell Sphinx of the directive."""
    logging.getLogger("gamedeid").setLevel(logging.ERROR)  # what is solved for the page is no news of the build
    app.add_directive("quickstart", Quickstart)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
