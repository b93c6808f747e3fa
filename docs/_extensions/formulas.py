"""How formulas are shown: as MathML, made when the site is built, which browsers draw without a script."""

from typing import Any

from docutils import nodes
from latex2mathml.converter import convert


def _in_a_line(translator: Any, node: nodes.Element) -> None:
    translator.body.append(convert(node.astext()))
    raise nodes.SkipNode


def _in_a_block(translator: Any, node: nodes.Element) -> None:
    translator.body.append(f'<div class="formula">{convert(node.astext(), display="block")}</div>')
    raise nodes.SkipNode


def setup(app: Any) -> dict[str, bool]:
    """Give Sphinx the renderer `mathml`."""
    app.add_html_math_renderer("mathml", (_in_a_line, None), (_in_a_block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
