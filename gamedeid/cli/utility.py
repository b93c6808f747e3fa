"""The command ``gamedeid utility``: a model fitted to the data and to their release."""

from typing import Annotated, Literal

import typer

from gamedeid.cli.options import FinishedFolder, Json, with_groups
from gamedeid.cli.printing import print_found
from gamedeid.cli.progress import progress


@with_groups
def utility(
    finished: FinishedFolder,
    *,
    model: Annotated[
        str,
        typer.Option(
            metavar="FORMULA",
            help='The model, such as "y ~ age + sex", of attributes and kept columns: + between columns, * for an '
            "interaction, C(COLUMN) for numbers that are categories.",
        ),
    ],
    family: Annotated[
        Literal["linear", "logistic", "cox"],
        typer.Option(metavar="NAME", help="Model of the response: linear, logistic, or cox for a time."),
    ] = "linear",
    event: Annotated[
        str | None,
        typer.Option(metavar="COLUMN", help="With cox, the column that says if the event was observed."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Fit a model to the release and to the original data, and show both side by side. For the publisher.

    Nothing is written. The data of the run are read again. Needs statsmodels, of the extra "utility".
    """
    from gamedeid.report.terminal.release import print_utility
    from gamedeid.risk.utility.release_utility import release_utility

    with progress() as phase:
        found = release_utility(*finished.read(), model=model, family=family, event=event, progress=phase)
    print_found(found, print_utility, as_json=as_json)
