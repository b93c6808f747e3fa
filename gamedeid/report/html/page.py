"""The report as one page that needs nothing else: from the summary, the stored aggregates and the manifest to HTML."""

import base64
import hashlib
import importlib.util
import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import jinja2

from gamedeid.report.html.figures import figures
from gamedeid.report.html.view import view
from gamedeid.report.pictures.plotly_drawing import choosing_script

_PARTS = Path(__file__).with_name("parts")
_ESCAPES = str.maketrans({"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"})


def report_page(summary: Mapping[str, Any], content: Mapping[str, Any], manifest: Mapping[str, Any]) -> str:
    """Return ``report.html``: script, style and figures inside, and a policy that forbids every request.

    Parameters
    ----------
    summary : what ``summary.json`` holds.
    content : what ``report.json`` holds, see :func:`gamedeid.report.html.content.report_content`.
    manifest : what ``manifest.json`` holds; what it says of ``report.html`` itself is left out, since no page can hold
        its own digest.
    """
    plotly, script = _plotly(), choosing_script() + _part("page.js")
    drawn = figures(content, summary)
    shown = view(summary, content, manifest, drawn)
    specifications = {figure.name: figure.specification for figure in drawn}
    return _template().render(
        shown,
        security=_security(plotly, script),
        style=_part("page.css"),
        plotly=plotly,
        script=script,
        specifications=embedded(specifications),
    )


@cache
def _template() -> jinja2.Template:
    """Return the page with holes, compiled once for all reports of a process."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(_PARTS), autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True
    )
    return environment.get_template("page.html")


def embedded(content: Any) -> str:
    """Return JSON that can stand in a ``script`` element: nothing in it can end the element or open a comment."""
    return json.dumps(content, separators=(",", ":"), allow_nan=False, ensure_ascii=False).translate(_ESCAPES)


def _security(*scripts: str) -> str:
    """Return a content security policy under which only these scripts run and nothing is fetched."""
    digests = (base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() for script in scripts)
    allowed = " ".join(f"'sha256-{digest}'" for digest in digests)
    return (
        f"default-src 'none'; script-src {allowed}; style-src 'unsafe-inline'; img-src data: blob:; "
        "base-uri 'none'; form-action 'none'"
    )


def _part(name: str) -> str:
    return (_PARTS / name).read_text("utf-8")


def _plotly() -> str:
    """Return plotly.js as the plotly package ships it; to import the package itself would take a moment for nothing."""
    found = importlib.util.find_spec("plotly")
    assert found is not None  # noqa: S101  (one of our dependencies)
    assert found.submodule_search_locations is not None  # noqa: S101
    [folder] = found.submodule_search_locations
    return (Path(folder) / "package_data" / "plotly.min.js").read_text("utf-8")
