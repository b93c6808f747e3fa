"""Verify a folder of results: recomputed by other code, and its documents made again by the code that makes them."""

from collections.abc import Mapping
from os import PathLike
from pathlib import Path

from gamedeid.intake.identifiers.tables import check_identifiers
from gamedeid.report.warnings import warnings_of
from gamedeid.scenario.scenario import ScenarioLike
from gamedeid.verification.findings import Verification
from gamedeid.verification.verify import verify_with
from gamedeid.verification.warnings import DocumentMakers


def verify(
    folder: str | PathLike[str],
    scenario: ScenarioLike | None = None,
    *,
    public_key: str | PathLike[str] | None = None,
) -> Verification:
    """Tell whether a folder of results is what it claims.

    The digests of all files are computed again. Then, by code that shares nothing with the solvers and the counting,
    every label, number of people, outcome and measure is recomputed from the release, the population and the
    hierarchies, and from the records where they are there.

    Parameters
    ----------
    folder : what ``gamedeid run -o`` or ``Solution.write`` has written; of other results the digests are compared.
    scenario : the question, to compare the manifest's with, and to find the inputs by; without it they are looked for
        from the current folder, by the names that the manifest has.
    public_key : file of the key that the folder must be signed by, see :func:`gamedeid.sign`; it need not be signed
        where none is given.

    Returns
    -------
    what was found, what was compared, and what was not with the reason. Inputs that are not there are no finding.

    Raises
    ------
    OutputError : the folder holds no results.
    InvalidScenarioError : the scenario cannot be read.
    InvalidDataError : the shipped lists are not where they were installed.
    SignatureError : the key cannot be used.
    """
    makers = DocumentMakers(page=_page, warnings=warnings_of, identifiers=check_identifiers)
    return verify_with(makers, folder, scenario, public_key)


def _page(folder: Path) -> Mapping[str, bytes]:
    """Make the report again: only where gamedeid[report] is installed, which it needs."""
    from gamedeid.report.html.stored import made_again  # noqa: PLC0415

    return made_again(folder)
