"""gamedeid decides how much detail of each person's record can be shared.

It plays a Stackelberg game for every record: the publisher gains from detail and pays when someone is re-identified;
the adversary attacks only when it pays. Start with :func:`solve` and :func:`compare`.
"""

import sys

_named = {"gamedeid", "-mgamedeid"} & set(sys.orig_argv)
if sys.argv[:1] == ["-m"] and _named and not (sys.flags.safe_path or __file__.startswith(sys.path[0])):
    # `python -m gamedeid`: Python looks for modules in the working directory first. From here on it
    # does so only if this package itself was found there, as in a copy of the repository.
    del sys.path[0]

import logging

from gamedeid._version import __version__ as __version__
from gamedeid.lazy_imports import public_names, register_functions

__getattr__, __dir__ = public_names(__name__)

# Nothing is logged unless a handler is added. A line holds totals and names, and never a value:
# docs/reference/secrecy.md lists them.
logging.getLogger(__name__).addHandler(logging.NullHandler())

# Functions that lower rooms call in higher ones; this file is above all rooms.
register_functions(
    card="gamedeid.report.notebook:card",
    explore="gamedeid.explorer.serving:explore",
    identifiers="gamedeid.intake.identifiers.tables:check_identifiers",
    page="gamedeid.report.html.stored:regenerated_report",
    picture="gamedeid.pictures.plot:picture_bytes",
    run="gamedeid.report.run_folder:write_run_files",
    warnings="gamedeid.report.warnings:derived_warnings",
)
