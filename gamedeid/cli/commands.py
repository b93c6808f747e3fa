"""The commands, their examples and exit codes, available before any command is loaded."""

import signal
from collections.abc import Mapping, Sequence

from gamedeid._version import __version__

HELP_OPTIONS = ("-h", "--help")

PURPOSE = "Decide how much detail of each person's record can be shared."

COMMANDS = {
    "Begin": {"init": "init", "check": "check", "scenarios": "shipped", "fetch": "shipped", "schema": "shipped"},
    "Decide": {
        **dict.fromkeys(("run", "apply"), "run"),
        **dict.fromkeys(("compare", "regions", "suggest"), "compare"),
        "explore": "explore",
    },
    "Look closer": {
        "sweep": "sweep",
        "frontier": "compare",
        "solvers": "compare",
        "plot": "plot",
        "risk": "risk",
        "utility": "utility",
        "hierarchy": "hierarchy",
    },
    "Document and check": {
        "codebook": "codebook",
        **dict.fromkeys(("report", "certificate", "determination"), "report"),
        "verify": "verify",
        "audit": "audit",
        "attack": "attack",
        "sign": "verify",
        "next": "next_steps",
    },
}
"""Group -> command -> its module, which has a function of the command's name, or the group ``app``."""

SHOW_VALUES = "--show-values"
"""Option that allows values of the data in messages, at any position among the words."""

LOG, LOG_LEVEL = "--log", "--log-level"
"""Options for the target and the level of the log, at any position among the words."""


def named_command(words: Sequence[str]) -> str | None:
    """Return the name of the command in the first word that is not an option; None if it is no command."""
    first = next((word for word in words if not word.startswith("-")), None)
    return first if any(first in names for names in COMMANDS.values()) else None


EXAMPLES: Mapping[str, Sequence[tuple[str, str]]] = {
    "init": (
        ("init patients.csv", "Look at a file: nothing is written."),
        ("init patients.csv --population region.csv -o study", "Draft a scenario and its hierarchies."),
    ),
    "check": (
        ("check patients.csv", "Find columns that may hold identifiers."),
        ("check patients.csv study/scenario.toml", "Find them, and show their treatment in the scenario."),
    ),
    "scenarios": (("scenarios", "The scenarios that come with gamedeid."),),
    "run": (
        ("run quickstart", "Play the game that the scenario names; nothing is written."),
        ("run quickstart --game no-attack -o results", "Write the release of the no-attack game."),
        ("run study/scenario.toml --set payoffs.loss=500 -o results", "The same with another loss."),
    ),
    "apply": (
        ("apply results new.csv --scenario study/scenario.toml -o more", "Release new rows as the old ones were."),
    ),
    "compare": (
        ("compare quickstart", "Safe Harbor and the three games side by side."),
        ("compare quickstart --policy limited-data-set -o tables", "Another policy; write the tables."),
    ),
    "regions": (("regions country.toml -o country", "Compare for a country, with one file for each region."),),
    "suggest": (
        (
            "suggest quickstart --set 'thresholds.presets=[\"0.05\"]'",
            "The cheapest change with which all risks are at most 1 in 20.",
        ),
    ),
    "sweep": (
        ("sweep quickstart --vary loss=0:1000:250", "Five values of the loss."),
        ("sweep quickstart --vary loss=100:10000:log9 -o sweep", "Nine, each as many times the one before."),
        ("sweep quickstart --exact cost=1:20 --record 26", "The costs at which the answer for one record changes."),
    ),
    "frontier": (
        (
            "frontier quickstart",
            "Count the uniform policies that beat Safe Harbor, and show the gain of a strategy for each record.",
        ),
        (
            "frontier quickstart --risk marketer -o frontier",
            "The same with the risk if all records are attacked; write tables and picture.",
        ),
    ),
    "explore": (("explore quickstart", "Open the page in a browser."),),
    "solvers": (("solvers quickstart", "Payoffs and running time of each solver."),),
    "codebook": (
        ("codebook results -o codebook.csv", "Meaning of the columns and labels of the release, for recipients."),
    ),
    "report": (
        ("report results", "Make results/report.html again."),
        ("report results -o report.html", "Write it elsewhere."),
        ("report last-year results", "The changes since last year's release."),
    ),
    "certificate": (
        ("certificate results", "One page to print: results-certificate.html."),
        ("certificate results --public-key expert.key.pub", "Check the signature and show it."),
    ),
    "determination": (("determination results -o determination.docx", "Draft the document that an expert signs."),),
    "verify": (
        ("verify results study/scenario.toml", "Recompute all that can be recomputed."),
        ("verify results --public-key expert.key.pub", "Check the signature too."),
    ),
    "audit": (("audit results study/scenario.toml", "The risk if the recipient knows how the release was made."),),
    "attack": (
        ("attack results study/scenario.toml", "Compare the successes with the formulas."),
        (
            "attack results study/scenario.toml --recipient in-release --groups",
            "The recipient knows the data subjects.",
        ),
    ),
    "sign": (
        ("sign --new-key expert.key", "Make a pair of keys."),
        ('sign results --key expert.key --by "Dr. A. Expert"', "Sign a folder of results; today is the date."),
    ),
    "next": (
        ("next study", "The next steps of a drafted scenario."),
        ("next results study/scenario.toml", "The next steps of a finished folder."),
    ),
    "fetch": (("fetch adult -o data", "Download the UCI Adult dataset."),),
    "schema": (("schema summary", "The keys of summary.json, for programs that read it."),),
    "plot": (("plot map quickstart -o map.png", "Draw the effect of loss and benefit."),),
    "plot lattice": (("plot lattice quickstart --record 26 -o lattice.png", "All strategies of one record."),),
    "plot strategies": (("plot strategies quickstart --record 26 -o strategies.svg", "Their payoffs, in order."),),
    "plot differences": (("plot differences quickstart -o differences.png", "Each game and Safe Harbor."),),
    "plot scatter": (("plot scatter quickstart -o scatter.html", "The same, record by record."),),
    "plot record-map": (("plot record-map quickstart --record 26 -o record.png", "One record, as stakes move."),),
    "plot map": (("plot map quickstart --game no-attack -o map.png", "All records, as loss and benefit move."),),
    "plot lines": (("plot lines quickstart -o lines.html", "Payoffs along benefit, loss and cost."),),
    "plot deviation": (("plot deviation quickstart -o deviation.png", "How far the quick search is from the best."),),
    "plot frontier": (("plot frontier quickstart -o frontier.html", "Risk against utility, as an interactive page."),),
    "plot demographics": (
        ("plot demographics counts.csv --place zip --detail date -o unique.png", "Likely unique people, by age group."),
    ),
    "plot uniqueness": (
        ("plot uniqueness region.csv --attributes age,sex,zip -o estimators.png", "How far estimators are off."),
    ),
    "risk": (("risk release results", "The risk of a finished release by every measure."),),
    "risk table": (
        ("risk table release.csv --attributes age,sex --kept illness", "Any table, such as another tool's release."),
    ),
    "risk bins": (("risk bins --people 200 --bins 365", "How many of 200 people share no birthday?"),),
    "risk distinct": (
        ("risk distinct quickstart --policy safe-harbor", "How many people Safe Harbor leaves one of a kind."),
    ),
    "risk uniqueness": (
        ("risk uniqueness sample.csv --attributes age,sex --population-size 99000", "Population uniques, estimated."),
    ),
    "risk uniqueness-study": (
        ("risk uniqueness-study people.csv --attributes age,sex --fractions 0.1,0.5", "How good the estimates are."),
    ),
    "risk demographics": (
        ("risk demographics census.csv --place zip --detail date", "Who is unique by sex, ZIP code and birthday?"),
    ),
    "risk release": (("risk release results", "Every measure, with those of Safe Harbor and of the raw data."),),
    "utility": (
        ('utility results --model "cost ~ age + sex"', "Does a model find in the release what it finds in the data?"),
        ('utility results --model "days ~ age + sex" --family cox --event died', "The same with a model of survival."),
    ),
    "hierarchy": (("hierarchy show age", "The levels of a hierarchy that comes with gamedeid."),),
    "hierarchy show": (
        ("hierarchy show age", "How many groups each level has."),
        ("hierarchy show age --groups 2", "The groups of level 2."),
    ),
    "hierarchy write": (("hierarchy write age -o age.csv", "A CSV for other tools."),),
    "hierarchy check": (("hierarchy check ages.toml zip.csv", "The faults of these files."),),
}
"""Path of a command -> its examples."""


DONE, OUR_FAULT, BAD_INPUT = 0, 1, 2

FINDINGS = 3
"""Exit code of a check with findings."""

BY_SIGNAL = 128
"""Offset that a shell adds to the number of the signal that ended a command."""

INTERRUPTED, NO_READER, TERMINATED = BY_SIGNAL + signal.SIGINT, BY_SIGNAL + 13, BY_SIGNAL + signal.SIGTERM
"""Exit codes of Ctrl-C, the closed pipe (SIGPIPE, which some systems lack) and SIGTERM."""

SIGNAL_WORDS = {INTERRUPTED: "interrupted", TERMINATED: "asked to end"}
"""Exit code that a signal caused -> its words on standard error."""

EXIT_CODES: Mapping[int, str] = {
    DONE: "done",
    OUR_FAULT: "a fault of gamedeid itself",
    BAD_INPUT: "bad input",
    FINDINGS: "findings",
    INTERRUPTED: "interrupted",
    NO_READER: "no one reads standard output",
    TERMINATED: "asked to end",
}
"""Every exit code of all commands -> its name, as on the page of the documentation."""


def version_line() -> str:
    """Return the name and the version of the package."""
    return f"gamedeid {__version__}"
