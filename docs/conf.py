# ruff: noqa: INP001  (a page's builder, no package)
"""How Sphinx builds the site: Markdown pages, local assets only, formulas as MathML that browsers draw themselves."""

from typing import Any

from docutils import nodes
from latex2mathml.converter import convert

import gamedeid

project = "gamedeid"
author = "The gamedeid authors"
copyright = "the gamedeid authors, Apache License 2.0"  # noqa: A001  (Sphinx asks for this name)
extensions = ["myst_parser", "sphinx.ext.autodoc"]
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
python_maximum_signature_line_length = 100
myst_enable_extensions = ["deflist"]
myst_fence_as_directive = ["math"]
myst_heading_anchors = 3
exclude_patterns = ["_build"]
html_theme = "alabaster"
html_theme_options = {
    "description": "How much detail of each person's record can be shared",
    "page_width": "1100px",
    "body_max_width": "none",
    "fixed_sidebar": True,
    "show_powered_by": False,
}
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_show_sourcelink = False
html_math_renderer = "mathml"


def _in_a_line(translator: Any, node: nodes.Element) -> None:
    translator.body.append(convert(node.astext()))
    raise nodes.SkipNode


def _in_a_block(translator: Any, node: nodes.Element) -> None:
    translator.body.append(f'<div class="formula">{convert(node.astext(), display="block")}</div>')
    raise nodes.SkipNode


SECTIONS = {"Parameters", "Returns", "Raises", "References", "Examples"}
"""Headings of a docstring, each with a line of hyphens under it."""


def _as_text(_app: Any, _what: str, _name: str, _object: Any, _options: Any, lines: list[str]) -> None:
    """Turn the sections of a docstring into text: a heading in bold, names and errors as a list of definitions."""
    found: list[str] = []
    section = None
    for place, line in enumerate(lines):
        if line in SECTIONS and place + 1 < len(lines) and set(lines[place + 1]) == {"-"}:
            section = line
            found += ["", f"**{line}**", ""]
        elif section is not None and set(line) == {"-"} and lines[place - 1] == section:
            continue
        elif section in {"Parameters", "Raises"} and line and not line.startswith(" ") and " : " in line:
            names, _, text = line.partition(" : ")
            found += [f"``{names}``", f"    {text}"]
        else:
            found.append(line)
    lines[:] = found


def setup(app: Any) -> None:
    """Tell Sphinx how formulas become MathML, and docstrings text."""
    for name in gamedeid.__all__:  # loaded before autodoc looks: it imports as if types were being checked
        getattr(gamedeid, name)
    app.connect("autodoc-process-docstring", _as_text)
    app.add_html_math_renderer("mathml", (_in_a_line, None), (_in_a_block, None))
