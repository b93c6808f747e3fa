"""The report as one self-contained HTML page, from the summary, the stored aggregates and the manifest."""

import base64
import hashlib
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gamedeid.catalogue import catalogue, sentence
from gamedeid.choices import GAMES
from gamedeid.extras import require
from gamedeid.pictures.svg_drawing import page_script, page_style
from gamedeid.report.html.figures import figures
from gamedeid.report.view import ReportDocuments

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
"""The parts of the page: id of the element, which is also the name of its template -> heading."""

_PARTS = Path(__file__).with_name("parts")
_TITLE = 80
"""Most characters of the title at the head of a printed page."""


def report_page(results: ReportDocuments) -> str:
    """Return ``report.html``: script, style and figures inside, and a content policy that forbids all requests.

    Raises
    ------
    MissingExtraError : jinja2 or segno is not installed.
    """
    require("report", "a report")
    script = page_script() + _part("page.js")
    return _rendered(
        results.view,
        signature=sentence("certificate.signature_of_report", {}),
        parts=PARTS,
        figures=list(_shown_figures(results.summary, results.content)),
        choices=[(game, f"the {game} game") for game in GAMES],
        script=script,
    )


def certificate_page(results: ReportDocuments, *, digest: str, signature: str, altered: Sequence[str]) -> str:
    """Return the one-page certificate of a run: the first page of its report, with the signature of the folder.

    Parameters
    ----------
    digest : SHA-256 in hex of ``manifest.json``.
    signature : a sentence on the signature of the folder.
    altered : sentences on files that have changed since they were written.

    Raises
    ------
    MissingExtraError : jinja2 or segno is not installed.
    """
    require("report", "a certificate")
    return _rendered(results.view, kind="certificate", signature=signature, digest=digest, altered=altered)


def _rendered(
    shown: Mapping[str, Any],
    *,
    kind: str = "report",
    signature: str,
    digest: str | None = None,
    script: str | None = None,
    **more: Any,
) -> str:
    """Return the HTML page of a view: a report, or its first page only as a certificate."""
    words = catalogue("certificate")
    sealed = {"digest": shown["foot"], "manifest": digest, "valid": shown["valid"], "signature": signature}
    return _template("page.html").render(
        {"parts": {}, **shown, **more},
        certificate=kind == "certificate",
        verdict_heading=PARTS["answer"],
        kind=words["pages"][kind],
        sealed=[(words["sealed"][name], text) for name, text in sealed.items() if text],
        qr=_qr_code(shown["foot"]) if shown["foot"] else None,
        security=_security(script),
        script=script,
        style=page_style() + _part("page.css"),
        margins=_margins(shown["title"], shown["foot"], words["pages"][kind]),
    )


def _qr_code(text: str) -> str:
    """Return the QR code of a text as SVG."""
    import segno  # noqa: PLC0415  (an extra)

    code: str = segno.make(text, error="m", micro=False).svg_inline(
        border=4, dark="#000", light="#fff", omitsize=True, svgclass=None, lineclass=None
    )
    return code


def changes_page(said: Sequence[str], tables: Mapping[str, Any], verdicts: Sequence[Sequence[str]], title: str) -> str:
    """Return the page of the changes from one folder of results to another."""
    columns = catalogue("changes")["columns"]
    shown = {"said": said, "tables": tables, "verdicts": zip(columns[1:], verdicts, strict=True)}
    return _template("changes.html").render(shown, title=title or "Release", style=_part("page.css"))


def _shown_figures(summary: Mapping[str, Any], content: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the figures, each with whether choices come before it and whether it is shown first."""
    chosen_among, notes = False, catalogue("run")["notes"]
    for figure in figures(content, summary):
        played_by = None
        if content["best"]:
            played_by = notes["by_exact"] if figure.exact else notes["by_solver"].format_map(summary["search"])
        first = figure.choice == summary["game"]
        yield {**figure.shown, "choices_before": chosen_among, "first": first, "played_by": played_by}
        chosen_among = chosen_among or figure.choice is not None


@cache
def _template(name: str) -> "jinja2.Template":
    """Return a page template, compiled once for all reports of a process."""
    import jinja2  # noqa: PLC0415  (an extra)

    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(_PARTS), autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True
    )
    return environment.get_template(name)


def _margins(title: str, foot: str | None, kind: str) -> str:
    """Return the CSS of the margins of printed pages: title, file and digest, and page number."""
    boxes = {
        "top-left": _css_text(textwrap.shorten(title, _TITLE, placeholder=" \u2026")),
        "top-right": _css_text(kind),
        "bottom-left": _css_text(foot or ""),
        "bottom-right": '"Page " counter(page) " of " counter(pages)',
    }
    first = "@page :first { @top-left { content: none } @top-right { content: none } }"
    written = " ".join(f"@{box} {{ content: {text} }}" for box, text in boxes.items())
    return f"@page {{ {written} }}\n{first}"


def _css_text(text: str) -> str:
    """Return a text as a CSS string, escaped so that it cannot end the string, the style or the element."""
    written = (one if one.isascii() and (one.isalnum() or one in " .,-") else f"\\{ord(one):x} " for one in text)
    return f'"{"".join(written)}"'


def _security(script: str | None) -> str:
    """Return a content security policy that allows only this script, or none, and no requests."""
    digest = base64.b64encode(hashlib.sha256((script or "").encode()).digest()).decode()
    allowed = "'none'" if script is None else f"'sha256-{digest}'"
    return (
        f"default-src 'none'; script-src {allowed}; style-src 'unsafe-inline'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


def _part(name: str) -> str:
    return (_PARTS / name).read_text("utf-8")
