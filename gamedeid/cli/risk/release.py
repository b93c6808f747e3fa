"""The command ``gamedeid risk release``: every measure of a finished release."""

from pathlib import Path
from typing import Annotated

import typer

from gamedeid.cli.options import Json, print_json


def release(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A folder that gamedeid run -o has written.")],
    *,
    as_json: Json = False,
) -> None:
    """Show the risk of a finished release by every measure, with that of the policy and of the raw data.

    Neither data nor scenario are needed: the measures were taken when the release was made.
    """
    from gamedeid.report.html.stored import read_results
    from gamedeid.report.terminal.console import console
    from gamedeid.report.terminal.release import print_diversity, print_risks
    from gamedeid.report.terminal.results import print_warnings
    from gamedeid.report.words.data import data_words, person_words

    results = read_results(folder)
    risks, data = results.content["risks"], results.summary["data"]
    if as_json:
        print_json(risks, "release-risks")
        return
    to = console()
    to.print(f"{results.summary['title'] or 'Records'}: {results.summary['game']} game")
    to.print(data_words(data))
    for words in person_words(data):
        to.print(words)
    print_warnings(results.summary["warnings"], to)
    print_risks(risks, to)
    print_diversity(risks["kept_diversity"], data["records"], to, of_people="persons" in data)
