"""Whether the report is the page that the documents beside it make."""

from importlib import import_module

from gamedeid._version import __version__
from gamedeid.errors import GamedeidError
from gamedeid.extras import missing_of
from gamedeid.results.regular import read_regular
from gamedeid.verification.claims import CONTENT, GRID, REPORT, SUMMARY, Claims
from gamedeid.verification.findings import Notebook

STORED = "gamedeid.report.html.stored"
"""Makes the report of stored results, a room above this one: loaded when called."""

KINDS = {REPORT: "page", GRID: "table"}
"""What is made of the documents, in a word."""


def compare_page(claims: Claims, notes: Notebook) -> None:
    """Make the report again, and note that it is another page than the one that stands there.

    Parameters
    ----------
    claims : the folder.
    notes : takes that it is another, or that none can be made.
    """
    if REPORT not in claims.outputs:
        return
    if claims.manifest["gamedeid"] != __version__:
        notes.skip(REPORT, "it is of another version of gamedeid")
        return
    if any(one.file in {SUMMARY, CONTENT, REPORT} for one in notes.findings):
        notes.skip(REPORT, "the documents that it is made of, or the page itself, are not as the manifest has them")
        return
    if missing_of("report"):
        notes.skip(REPORT, "it is made again only where gamedeid[report] is installed")
        return
    stored = import_module(STORED)
    try:
        made = stored.made_again(claims.folder)
    except GamedeidError as error:
        notes.find(CONTENT, f"no report can be made of it: {error}")
        return
    for name in (REPORT, GRID):
        damaged = any(one.file == name for one in notes.findings)
        if name in claims.outputs and not damaged and made.get(name) != read_regular(claims.folder / name):
            notes.find(name, f"is not the {KINDS[name]} that {CONTENT} and {SUMMARY} make")
    notes.did(f"{REPORT}, made again of {CONTENT} and {SUMMARY}")
