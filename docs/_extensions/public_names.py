"""How public names are shown: their page printed from the code, docstrings as text, each mention in prose as a link."""

import re
from importlib import import_module
from inspect import isclass
from typing import Any

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform

import gamedeid

PACKAGES = ("intake", "pictures", "results", "risk")
"""Packages that have public names besides the package itself."""

HOMES = {
    name: package.__name__
    for package in [gamedeid, *(getattr(gamedeid, name) for name in PACKAGES)]
    for name in package.__all__
    if name not in {"__version__", *PACKAGES} and getattr(package, name)
}
"""Public name -> the package that has it."""

PAGES = "reference/names"
"""The page that lists every public name; those below it describe them."""

MARK = re.compile(r"<!-- public names(?:: (?P<home>.*?))? -->")
"""Where a page has the names, those of one package or the list of all."""

SECTIONS = {"Parameters", "Returns", "Raises", "References", "Examples"}
"""Headings of a docstring, each with a line of hyphens under it."""

MENTION = re.compile(
    r"(?P<package>gamedeid\.)?(?P<name>(?:(?:intake|pictures|results|risk)\.)?[A-Za-z_]\w*(?:\.[a-z]\w*)?)(?P<called>\(.*\))?",
    re.DOTALL,
)

SIGNATURE = re.compile(r'<dt class="sig.*?</dt>', re.DOTALL)


def names_printed(home: str) -> str:
    """Return the sections of the public names of a package: functions, classes and errors, by name."""
    kinds: dict[str, list[str]] = {"Functions": [], "Classes": [], "Errors": []}
    for name in sorted(one for one, of in HOMES.items() if of == home):
        value = getattr(import_module(home), name)
        if not isclass(value):
            kinds["Functions"].append(f".. autofunction:: {home}.{name}\n")
        elif issubclass(value, Exception):
            kinds["Errors"].append(f".. autoexception:: {home}.{name}\n")
        else:
            kinds["Classes"].append(f".. autoclass:: {home}.{name}\n   :members:\n")
    return "\n".join(
        f"## {kind}\n\n```{{eval-rst}}\n{chr(10).join(lines)}```\n" for kind, lines in kinds.items() if lines
    )


def list_printed() -> str:
    """Return a table of all public names, each with the first line of its docstring."""
    rows = []
    for name, home in sorted(HOMES.items(), key=lambda item: (item[1], item[0].casefold())):
        first = (getattr(import_module(home), name).__doc__ or "").strip().splitlines()[0]
        says = re.sub(r":\w+:`~?([^`]*)`", r"\1", first).replace("|", "\\|")
        rows.append(f"| `{home.removeprefix('gamedeid').lstrip('.')}{'.' * (home != 'gamedeid')}{name}` | {says} |")
    return "\n".join(["| name | content |", "|---|---|", *rows, ""])


def _print(_app: Any, page: str, source: list[str]) -> None:
    if page.startswith(PAGES):
        source[0] = MARK.sub(lambda found: names_printed(found["home"]) if found["home"] else list_printed(), source[0])


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


def public_name(code: str, *, in_table_of_names: bool = False) -> str | None:
    """Return the public name that a piece of code in prose mentions, None if it mentions none.

    A name says by its form that it is Python's: ``gamedeid.solve``, ``solve(...)``, ``Study``, ``Study.prepare``,
    ``record_risks``. A word alone (``plot``) may be a command or a key, except in the table that lists the names.
    """
    mention = MENTION.fullmatch(code.strip())
    if mention is None:
        return None
    name = mention["name"]
    says_so = mention["package"] or mention["called"] or name[0].isupper() or "_" in name or in_table_of_names
    first, _, rest = name.partition(".")
    if first in PACKAGES and rest:
        first, _, rest = rest.partition(".")
    return ".".join([HOMES[first], first, *([rest] if rest else [])]) if says_so and first in HOMES else None


class LinkPublicNames(SphinxPostTransform):
    """Makes a link of each mention of a public name in prose."""

    default_priority = 5

    def run(self, **_: Any) -> None:
        """Link the mentions of one page."""
        if self.env.docname.startswith(f"{PAGES}/"):
            return
        objects = self.env.domaindata["py"]["objects"]
        for literal in list(self.document.findall(nodes.literal)):
            if any(isinstance(above, nodes.reference | nodes.title) for above in _above(literal)):
                continue
            name = public_name(literal.astext(), in_table_of_names=_is_in_table_of_names(literal))
            if name in objects:
                target = self.app.builder.get_relative_uri(self.env.docname, objects[name].docname)
                link = nodes.reference("", "", refuri=f"{target}#{objects[name].node_id}", internal=True)
                literal.replace_self(link)
                link += literal


def _above(node: nodes.Node) -> list[nodes.Node]:
    found = []
    while node.parent is not None:
        node = node.parent
        found.append(node)
    return found


def _is_in_table_of_names(literal: nodes.literal) -> bool:
    above = _above(literal)
    entry = next((node for node in above if isinstance(node, nodes.entry)), None)
    sections = [node for node in above if isinstance(node, nodes.section)]
    return bool(entry is not None and entry.parent.index(entry) == 0 and "public-names" in sections[0]["ids"])


def _signatures_without_lists(
    _app: Any, _page: str, _template: str, context: dict[str, Any], _tree: nodes.document | None
) -> None:
    """Replace the lists that Sphinx makes of long signatures: screen readers stumble on definitions without terms."""
    context["body"] = SIGNATURE.sub(
        lambda found: (
            found[0]
            .replace("<dl>", '<span class="parameters">')
            .replace("</dl>", "</span>")
            .replace("<dd>", '<span class="parameter">')
            .replace("</dd>", "</span>")
        ),
        context.get("body", ""),
    )


def setup(app: Any) -> dict[str, bool]:
    """Tell Sphinx how docstrings become text, and names links."""
    # HOMES has loaded every name before autodoc looks: it imports as if types were being checked
    app.connect("source-read", _print)
    app.connect("autodoc-process-docstring", _as_text)
    app.connect("html-page-context", _signatures_without_lists)
    app.add_post_transform(LinkPublicNames)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
