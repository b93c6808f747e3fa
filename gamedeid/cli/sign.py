"""The command ``gamedeid sign``: keys, and signatures of folders of results."""

from pathlib import Path
from typing import Annotated

import typer

from gamedeid.cli.options import Json, print_json
from gamedeid.errors import SignatureError
from gamedeid.report.terminal.console import console


def sign(
    folder: Annotated[
        Path | None, typer.Argument(metavar="DIR", help="A folder of results, as its manifest has it.")
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

    Determinations in DIR are signed as they are filled in: their digests are stated again. The manifest states the
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
