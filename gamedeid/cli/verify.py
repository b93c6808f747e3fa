"""The commands ``gamedeid verify`` and ``sign``: whether a folder of results is as it claims, and its signature."""

from pathlib import Path
from typing import Annotated

import typer

from gamedeid.cli.commands import FINDINGS, SHOW_VALUES
from gamedeid.cli.options import FinishedFolder, Json, shows_values, with_groups
from gamedeid.cli.printing import print_json
from gamedeid.errors import SignatureError
from gamedeid.report.terminal.console import console


@with_groups
def verify(
    context: typer.Context,
    finished: FinishedFolder,
    *,
    public_key: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The public key that the folder must be signed by.")
    ] = None,
    verbose: Annotated[
        bool, typer.Option("--verbose", metavar="", help="List every check, and why others were not made.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Verify a folder of results; the exit code is 3 if a check fails.

    Recomputes all digests, and from release, population and hierarchies every label, count and measure, by code that
    the solvers do not use. Lists the checks that were not made.
    """
    from gamedeid.report.terminal.checks import print_verification
    from gamedeid.verification.verify import verify as verify_folder

    folder, question = finished.read()
    found = verify_folder(folder, question, public_key=public_key)
    with_values = shows_values(context)
    if as_json:
        print_json(found.as_dict(with_values=with_values))
    else:
        print_verification(found, console(), with_values=with_values, verbose=verbose)
        if not with_values and any(one.expected is not None for one in found.findings):
            console().print(f"{SHOW_VALUES} shows the values.")
    if not found.holds:
        raise typer.Exit(FINDINGS)


def sign(
    folder: Annotated[
        Path | None, typer.Argument(metavar="DIR", help="A folder of results that its manifest describes.")
    ] = None,
    *,
    key: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Private key to sign with; only its owner may read it.")
    ] = None,
    new_key: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Make a key: private in FILE, public in FILE.pub. Nothing is signed."),
    ] = None,
    by: Annotated[
        str | None, typer.Option(metavar="NAME", help="Name and credentials of the signer, for the manifest.")
    ] = None,
    on: Annotated[
        str | None, typer.Option(metavar="DATE", help="Date of the signature, with --by (default: today).")
    ] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", metavar="", help="Replace an earlier signature.")] = False,
    as_json: Json = False,
) -> None:
    """Sign the manifest of a folder of results, and with it all its files; gamedeid verify checks the signature.

    Determinations in DIR are signed in their present state: the manifest states their digests again. It states the
    signer and the date of --by and --on before it is signed. Writes DIR/manifest.json.sig.
    """
    from gamedeid.schemas.printed import SignatureFacts
    from gamedeid.verification.signing import new_signing_key
    from gamedeid.verification.signing import sign as sign_folder

    if new_key is not None:
        if any(one is not None for one in (folder, key, by, on)):
            raise SignatureError("--new-key makes a key and signs nothing; leave DIR and the other options out")
        written = new_signing_key(new_key)
        words = f"Private key in {new_key}: keep it to yourself. Public key in {written}: give it to those who verify."
    elif folder is None or key is None:
        raise SignatureError("a signature needs DIR and --key FILE; --new-key FILE makes a key")
    else:
        written = sign_folder(folder, key, by=by, on=on, overwrite=overwrite)
        words = f"Written to {written}."
    if as_json:
        print_json(SignatureFacts(path=str(written)))
    else:
        console().print(words)
