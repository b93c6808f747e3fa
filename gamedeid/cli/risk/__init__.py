"""The commands ``gamedeid risk ...``: re-identification risk by the measures of the literature."""

import typer

from gamedeid.cli.risk.uniqueness import uniqueness
from gamedeid.cli.risk.uniqueness_study import uniqueness_study

app = typer.Typer(help="Measure re-identification risk by the methods of the literature.", no_args_is_help=True)
app.command()(uniqueness)
app.command("uniqueness-study")(uniqueness_study)
