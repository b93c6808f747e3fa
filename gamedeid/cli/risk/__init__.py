"""The commands ``gamedeid risk ...``: re-identification risk by the measures of the literature."""

import typer

from gamedeid.cli.risk.demographics import demographics

app = typer.Typer(help="Measure re-identification risk by the methods of the literature.", no_args_is_help=True)
app.command()(demographics)
