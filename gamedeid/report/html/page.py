"""The report as one page that needs nothing else: from the summary, the stored aggregates and the manifest to HTML."""

import base64
import hashlib
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gamedeid.catalogue import catalogue
from gamedeid.choices import GAMES
from gamedeid.extras import require
from gamedeid.pictures.svg_drawing import page_script, page_style
from gamedeid.report.html.figures import Figure, figures
from gamedeid.report.view import view

if TYPE_CHECKING:
    import jinja2

PARTS = {
    "answer": "The verdict",
    "assumptions": "Assumptions and sources",
    "results": "Results",
    "sensitivity": "Sensitivity to the figures",
    "risk": "Risk by other measures",
    "limits": "Limitations and method",
    "determination": "Determination",
    "tables": "Tables",
}
"""The parts of the page: id of the element, which is the name of its template, and heading."""

_PARTS = Path(__file__).with_name("parts")
_TITLE = 80
"""Characters that a title has at most at the head of a printed page."""


def report_page(summary: Mapping[str, Any], content: Mapping[str, Any], manifest: Mapping[str, Any]) -> str:
    """Return ``report.html``: script, style and figures inside, and a policy that forbids every request.

    Parameters
    ----------
    summary, content : the contents of ``summary.json`` and ``report.json``.
    manifest : the content of ``manifest.json``; the digest of ``report.html`` itself is left out, since no page can
        hold it.

    Raises
    ------
    MissingExtraError : jinja2 is not installed.
    """
    require("report", "a report")
    script = page_script() + _part("page.js")
    shown = view(summary, content, manifest)
    return _template().render(
        shown,
        parts=PARTS,
        figures=list(_figures(figures(content, summary), summary, content)),
        choices=[(game, f"the {game} game") for game in GAMES],
        security=_security(script),
        style=page_style() + _part("page.css"),
        margins=_margins(shown["title"], shown["foot"]),
        script=script,
    )


def _figures(
    drawn: Sequence[Figure], summary: Mapping[str, Any], content: Mapping[str, Any]
) -> Iterator[dict[str, Any]]:
    """Yield the figures, each with whether choices precede it and whether it is shown first."""
    chosen_among, notes = False, catalogue("run")["notes"]
    for figure in drawn:
        played_by = None
        if content["best"]:
            played_by = notes["by_exact"] if figure.exact else notes["by_solver"].format_map(summary["search"])
        first = figure.choice == summary["game"]
        yield {**figure.shown, "choices_before": chosen_among, "first": first, "played_by": played_by}
        chosen_among = chosen_among or figure.choice is not None


@cache
def _template() -> "jinja2.Template":
    """Return the page with holes, compiled once for all reports of a process."""
    import jinja2  # noqa: PLC0415  (an extra)

    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(_PARTS), autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True
    )
    return environment.get_template("page.html")


def _margins(title: str, foot: str | None) -> str:
    """Return the style of the margins of printed pages: title, file and digest, and the number of the page."""
    boxes = {
        "top-left": _css_text(textwrap.shorten(title, _TITLE, placeholder=" \u2026")),
        "top-right": _css_text("De-identification report"),
        "bottom-left": _css_text(foot or ""),
        "bottom-right": '"Page " counter(page) " of " counter(pages)',
    }
    first = "@page :first { @top-left { content: none } @top-right { content: none } }"
    written = " ".join(f"@{box} {{ content: {text} }}" for box, text in boxes.items())
    return f"@page {{ {written} }}\n{first}"


def _css_text(text: str) -> str:
    """Return a text as a style writes it, of which no character can end the text, the style or the element."""
    written = (one if one.isascii() and (one.isalnum() or one in " .,-") else f"\\{ord(one):x} " for one in text)
    return f'"{"".join(written)}"'


def _security(script: str) -> str:
    """Return a content security policy under which only this script runs and nothing is fetched."""
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return (
        f"default-src 'none'; script-src 'sha256-{digest}'; style-src 'unsafe-inline'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


def _part(name: str) -> str:
    return (_PARTS / name).read_text("utf-8")
