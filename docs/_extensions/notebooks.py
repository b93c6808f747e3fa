"""How notebooks become pages: each is run when the site is built, and shown with what it put out."""

import base64
import logging
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Any

import nbformat
from jupyter_client import AsyncKernelManager
from jupyter_core.utils import run_sync
from myst_parser.parsers.sphinx_ import MystParser
from nbclient import NotebookClient

ROOT = Path(__file__).parents[2]
SHIPPED = ("scenarios", "hierarchies")
SECONDS = 300
"""How long a cell may take."""

FENCE = "`" * 6


def executed(notebook: Any) -> Any:
    """Run a notebook from its first cell to its last, and return it with its outputs.

    It runs in an empty folder with copies of `scenarios/` and `hierarchies/`, in a process of its own. The two
    processes speak by files in that folder, so no port is opened.

    Raises
    ------
    CellExecutionError : a cell fails.
    """
    with tempfile.TemporaryDirectory(prefix="gallery") as name:
        folder, here = Path(name), Path(name) / "gamedeid"
        for shipped in SHIPPED:
            shutil.copytree(ROOT / shipped, here / shipped)
        manager = AsyncKernelManager(transport="ipc", connection_file=str(folder / "kernel.json"))
        client = NotebookClient(
            notebook,
            km=manager,
            timeout=SECONDS,
            resources={"metadata": {"path": str(here)}},
            extra_arguments=["--HistoryManager.enabled=False"],
        )
        path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
        own = {"PYTHONPATH": path, "IPYTHONDIR": str(folder / "ipython"), "NO_COLOR": "1"}
        try:
            client.execute(env=os.environ | own)
        finally:
            run_sync(manager.shutdown_kernel)(now=True)
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)  # times of day
    notebook.metadata.pop("language_info", None)
    return notebook


def first_picture(notebook: Any) -> bytes:
    """Return the first picture that a notebook which has been run shows, as PNG: the gallery has it."""
    outputs = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    pictures = (output.data["image/png"] for output in outputs if "image/png" in output.get("data", {}))
    return base64.b64decode(next(pictures))


def as_markdown(notebook: Any, name: str) -> str:
    """Return the page of a notebook that has been run; ``name`` is that of its file, offered below the title."""
    link = f'<p><a href="{escape(name)}" download>Download this page as a notebook</a></p>'
    pieces = [piece for cell in notebook.cells for piece in _of_cell(cell)]
    return "\n\n".join([pieces[0], _raw(link), *pieces[1:]]) + "\n"


def _of_cell(cell: Any) -> Iterator[str]:
    if cell.cell_type == "markdown":
        yield cell.source
    elif cell.cell_type == "code":
        yield f"{FENCE}python\n{cell.source}\n{FENCE}"
        yield from map(_of_output, cell.outputs)


def _of_output(output: Any) -> str:
    if output.output_type == "stream":
        return _text(output.text)
    data = output.data
    if "image/png" in data:
        words = output.metadata.get("image/png", {}).get("alt", "")
        source = f"data:image/png;base64,{data['image/png'].strip()}"
        return _raw(f'<img class="output" alt="{escape(words)}" src="{source}">')
    if "text/html" in data:
        return _raw(f'<div class="table-wrapper output">{_table(data["text/html"])}</div>')
    return _text(data["text/plain"])


def _table(html: str) -> str:
    """Return a table of a data frame or of a result in the look of the site's own."""
    html = re.sub(r"<style.*?</style>", "", html, flags=re.DOTALL)
    html = re.sub(r"<th>\s*</th>", "<td></td>", html)
    return re.sub(r"<table[^>]*>", '<table class="docutils">', html).replace("\n\n", "\n")


def _text(shown: str) -> str:
    return f"{FENCE}text\n{shown.rstrip()}\n{FENCE}"


def _raw(html: str) -> str:
    return f"{FENCE}{{raw}} html\n{html}\n{FENCE}"


class NotebookParser(MystParser):
    """Reads a notebook as the Markdown page that it makes when it is run."""

    supported = ("notebook",)

    def parse(self, inputstring: str, document: Any) -> None:
        """Run the notebook, keep it with its outputs beside its page, and parse the page."""
        environment = document.settings.env
        notebook = executed(nbformat.reads(inputstring, as_version=4))
        kept = Path(environment.app.outdir, f"{environment.docname}.ipynb")
        kept.parent.mkdir(parents=True, exist_ok=True)
        nbformat.write(notebook, kept)
        kept.with_suffix(".png").write_bytes(first_picture(notebook))
        super().parse(as_markdown(notebook, kept.name), document)


def setup(app: Any) -> dict[str, bool]:
    """Tell Sphinx that notebooks are pages."""
    logging.getLogger("traitlets").setLevel(logging.ERROR)  # each start of a process is no news
    if sys.platform == "win32":
        msg = "the gallery is built where processes can speak by files: Linux or macOS"
        raise RuntimeError(msg)
    app.add_source_suffix(".ipynb", "notebook")
    app.add_source_parser(NotebookParser)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
