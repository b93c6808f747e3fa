"""The command ``gamedeid sign``: sign a folder of results, or make the key to sign with."""

from pathlib import Path
from typing import Annotated

import typer

from gamedeid.cli.options import Json, print_json
from gamedeid.errors import SignatureError


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
    overwrite: Annotated[bool, typer.Option("--overwrite", metavar="", help="Replace an earlier signature.")] = False,
    as_json: Json = False,
) -> None:
    """Sign the manifest of a folder of results, and with it all its files; gamedeid verify checks the signature.

    Writes DIR/manifest.json.sig.
    """
    from gamedeid.report.terminal.console import console
    from gamedeid.verification.signing import new_signing_key
    from gamedeid.verification.signing import sign as sign_folder

    if new_key is not None:
        if folder is not None or key is not None:
            raise SignatureError("--new-key makes a key and signs nothing; leave DIR and --key out")
        written = new_signing_key(new_key)
        words = f"Private key in {new_key}: keep it to yourself. Public key in {written}: give it to those who verify."
    elif folder is None or key is None:
        raise SignatureError("to sign takes DIR and --key FILE; --new-key FILE makes a key")
    else:
        written = sign_folder(folder, key, overwrite=overwrite)
        words = f"Written to {written}."
    if as_json:
        print_json({"path": str(written)}, "signature")
    else:
        console().print(words)
