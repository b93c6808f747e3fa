"""How Sphinx builds the site: Markdown pages and notebooks, no font, script or picture from another host."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "_extensions"))

project = "gamedeid"
author = "The gamedeid authors"
copyright = "the gamedeid authors, Apache License 2.0"  # noqa: A001  (Sphinx asks for this name)
extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx_copybutton",
    "capabilities_table",
    "console",
    "formulas",
    "notebooks",
    "printed_commands",
    "public_names",
    "quickstart",
]
exclude_patterns = ["_build", "_extensions", "decisions"]
myst_enable_extensions = ["attrs_block", "attrs_inline", "colon_fence", "deflist"]
myst_fence_as_directive = ["math"]
myst_heading_anchors = 3
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
python_maximum_signature_line_length = 80
copybutton_exclude = ".linenos, .gp, .go"  # what was typed, without prompts and without what was shown

html_theme = "furo"
html_title = "gamedeid"
html_theme_options = {"light_css_variables": {"color-code-background": "#f5f6f9"}}
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_js_files = [("site.js", {"defer": "defer"})]
html_show_sourcelink = False
html_copy_source = False
html_math_renderer = "mathml"
pygments_style = "a11y-high-contrast-light"
pygments_dark_style = "a11y-high-contrast-dark"
