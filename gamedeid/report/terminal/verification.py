"""What a verification found, in lines of text."""

from rich.console import Console

from gamedeid.amounts import number_of
from gamedeid.verification.findings import Verification


def print_verification(found: Verification, to: Console, *, with_values: bool = False) -> None:
    """Print what was found, what was checked, and what was not and why.

    Parameters
    ----------
    found : what came of a verification.
    to : where it is printed.
    with_values : whether findings tell values of the data.
    """
    for one in found.findings:
        to.print(f"Found: {one.in_words(with_values=with_values)}")
    for line in found.checked:
        to.print(f"Checked: {line}")
    for left in found.unchecked:
        to.print(f"Not checked: {left.what}: {left.why}")
    if found.holds:
        to.print(f"{found.folder} is what it claims, in all that was checked.")
    else:
        to.print(f"{found.folder} is not what it claims: {number_of(len(found.findings), 'finding')}.")
