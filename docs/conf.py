# ruff: noqa: INP001  (a page's builder, no package)
"""How Sphinx builds the site: Markdown pages, local assets only, formulas as MathML that browsers draw themselves."""

from typing import Any

from docutils import nodes
from latex2mathml.converter import convert

project = "gamedeid"
author = "The gamedeid authors"
copyright = "the gamedeid authors, Apache License 2.0"  # noqa: A001  (Sphinx asks for this name)
extensions = ["myst_parser"]
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


def setup(app: Any) -> None:
    """Tell Sphinx how formulas become MathML."""
    app.add_html_math_renderer("mathml", (_in_a_line, None), (_in_a_block, None))
