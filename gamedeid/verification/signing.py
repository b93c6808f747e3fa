"""Sign a folder of results, so that readers with the public key can check that it is unchanged (Ed25519)."""

import importlib
import os
import stat
from datetime import date, datetime
from os import PathLike
from pathlib import Path
from typing import Any, Literal

from gamedeid.errors import OutputError, SignatureError, quoted
from gamedeid.extras import missing_extra_error
from gamedeid.file_identity import digest_file
from gamedeid.results.file import is_regular, read_regular, unreadable_words, write_file
from gamedeid.results.manifest import MANIFEST, SIGNATURE, Signer, is_document
from gamedeid.results.staging import OVERWRITE
from gamedeid.results.stored import StoredResults, state_outputs
from gamedeid.scenario.determination import day_of
from gamedeid.verification.claims import read_claims
from gamedeid.verification.findings import CheckLog

_LONGEST_NAME = 200
"""Characters of a signer's name and credentials."""

_BYTES = 64
"""Bytes of a signature by Ed25519."""

PUBLIC_SUFFIX = ".pub"
"""Suffix of the file of a public key, after the name of the private one."""


def new_signing_key(path: str | PathLike[str]) -> Path:
    """Make a signing key, and write it into two files in one folder: the private key and the public one.

    Both are PEM, as OpenSSL reads and writes them, readable by their owner only; the private key has no password.

    Parameters
    ----------
    path : of the private key; the public one gets the same name and ``.pub``. Neither may exist.

    Returns
    -------
    the path of the public key, to be given to those who verify.

    Raises
    ------
    MissingExtraError : the package ``cryptography`` is not installed.
    OutputError : a file exists or cannot be written.
    """
    serialization, ed25519, _ = _cryptography()
    private, public = Path(path), Path(f"{path}{PUBLIC_SUFFIX}")
    if os.path.lexists(public):
        raise OutputError(f"{public} already exists; choose another name for the key")
    key = ed25519.Ed25519PrivateKey.generate()
    pem = serialization.Encoding.PEM
    secret = key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    write_file(private, secret)
    write_file(public, key.public_key().public_bytes(pem, serialization.PublicFormat.SubjectPublicKeyInfo))
    return public


def sign(
    folder: str | PathLike[str],
    key: str | PathLike[str],
    *,
    by: str | None = None,
    on: date | str | None = None,
    overwrite: bool = False,
) -> Path:
    """Sign the manifest of a folder of results, and with it, by their digests, all its files.

    Before that the manifest states the digests of changed determinations in the folder again: people fill them in.

    Parameters
    ----------
    folder : of results, whose other files must have the digests that ``manifest.json`` states.
    key : file of a private key, as :func:`new_signing_key` writes it; no one but its owner may read it.
    by : name of the signer, which the manifest states before it is signed (default: no name and no date).
    on : date of the signature, which the manifest states with the name; a text is year-month-day (default: today).
    overwrite : replace an earlier signature.

    Returns
    -------
    the path of the signature, ``manifest.json.sig`` in the folder: the 64 bytes of Ed25519 over ``manifest.json``.

    Raises
    ------
    OutputError : no folder of results, one whose files differ from its manifest, or one that is already signed.
    InvalidDataError : a determination in the folder cannot be read.
    SignatureError : the key cannot be used, the name is not one line of text, or the date is invalid or unnamed.
    MissingExtraError : the package ``cryptography`` is not installed.
    """
    folder, log = Path(folder), CheckLog()
    signed = _signer(by, on)
    private = _key(Path(key), "private")
    stored, signature = read_claims(folder, log).stored, folder / SIGNATURE
    if os.path.lexists(signature) and not overwrite:
        raise OutputError(f"{folder} is already signed; pass {OVERWRITE} to sign it again", arguments=[OVERWRITE])
    filled_in: dict[str, str] = {}
    for finding in log.findings:
        name = finding.file
        if name not in stored.outputs or not is_document(name) or not is_regular(folder / name):
            raise OutputError(f"{folder} is not signed, because it is not as its manifest has it: {finding.in_words()}")
        filled_in[name] = digest_file(folder / name)
    state_outputs(folder, stored.manifest, filled_in, signed)
    write_file(signature, private.sign(read_regular(folder / MANIFEST)), overwrite=overwrite, follow_links=False)
    return signature


def check_signature(stored: StoredResults, public_key: str | PathLike[str] | None, log: CheckLog) -> None:
    """Note whether a folder is signed by a key, and the signer that its manifest states."""
    key = None if public_key is None else _key(Path(public_key), "public")
    signer = ""
    if stored.signer:
        signer = f"; {MANIFEST} names {quoted(stored.signer['by'])} as the signer, on {quoted(stored.signer['on'])}"
    try:
        signature = read_regular(stored.folder / SIGNATURE)
    except FileNotFoundError:
        if key is None and not signer:
            log.skip("whether files were changed together with their digests", "the folder is not signed")
        else:
            log.find(SIGNATURE, f"is not there{signer or ': the folder is not signed'}")
        return
    except OutputError as error:
        log.find(SIGNATURE, unreadable_words(error))
        return
    if len(signature) != _BYTES:
        log.find(SIGNATURE, f"is no signature: expected {_BYTES} bytes, found {len(signature)}")
    elif key is None:
        log.skip(f"the signature {SIGNATURE}", f"no public key was given{signer}")
    else:
        try:
            key.verify(signature, read_regular(stored.folder / MANIFEST))
            log.did(f"the signature of {MANIFEST}{signer}")
        except _cryptography()[2]:
            log.find(SIGNATURE, f"is no signature of this {MANIFEST} by this key")


def _signer(by: str | None, on: date | str | None) -> dict[str, str]:
    """Return the manifest's statement of a signer; empty for no signer."""
    if by is None:
        if on is not None:
            raise SignatureError("a signature's date is stated with the name of the signer; name the signer, too")
        return {}
    try:
        day = datetime.now().astimezone().date().isoformat() if on is None else day_of(str(on))
    except ValueError:
        raise SignatureError(f"date of the signature: expected year-month-day, found {quoted(on)}") from None
    name = by.strip()
    if not name or not name.isprintable() or len(name) > _LONGEST_NAME:
        raise SignatureError(
            f"name of the signer: expected one line of at most {_LONGEST_NAME} characters, found {quoted(by)}"
        )
    return Signer(by=name, on=day).as_dict()


def _cryptography() -> tuple[Any, Any, type[Exception]]:
    """Return the needed parts of the package: keys as text, Ed25519, and the error for an invalid signature."""
    try:
        return (
            importlib.import_module("cryptography.hazmat.primitives.serialization"),
            importlib.import_module("cryptography.hazmat.primitives.asymmetric.ed25519"),
            importlib.import_module("cryptography.exceptions").InvalidSignature,
        )
    except ImportError:
        raise missing_extra_error("sign", "a signature") from None


def _key(path: Path, kind: Literal["private", "public"]) -> Any:
    serialization, ed25519, _ = _cryptography()
    content, is_private = _read(path), kind == "private"
    if is_private and os.name == "posix" and stat.S_IMODE(path.stat().st_mode) & (stat.S_IRWXG | stat.S_IRWXO):
        raise SignatureError(f"{path}: others than its owner may use this key; run: chmod 600 {path}")
    try:
        key = (
            serialization.load_pem_private_key(content, password=None)
            if is_private
            else serialization.load_pem_public_key(content)
        )
    except TypeError:
        raise SignatureError(f"{path}: the key has a password; expected one without") from None
    except ValueError:
        key = None
    if not isinstance(key, ed25519.Ed25519PrivateKey if is_private else ed25519.Ed25519PublicKey):
        raise SignatureError(f"{path}: expected a {kind} Ed25519 key in PEM")
    return key


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise SignatureError(f"{path}: cannot be read ({error.strerror})") from None
