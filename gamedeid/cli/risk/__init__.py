"""The commands ``gamedeid risk ...``: re-identification risk by the measures of the literature."""

import typer

from gamedeid.cli.risk.bins import bins
from gamedeid.cli.risk.demographics import demographics
from gamedeid.cli.risk.distinct import distinct
from gamedeid.cli.risk.release import release
from gamedeid.cli.risk.uniqueness import uniqueness
from gamedeid.cli.risk.uniqueness_study import uniqueness_study

app = typer.Typer(help="Measure re-identification risk by the methods of the literature.", no_args_is_help=True)
app.command()(bins)
app.command()(distinct)
app.command()(uniqueness)
app.command("uniqueness-study")(uniqueness_study)
app.command()(demographics)
app.command()(release)
