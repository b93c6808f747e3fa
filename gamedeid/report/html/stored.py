"""The report of a folder of results, without the data or the scenario."""

import hashlib
import io
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from os import PathLike
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError
from pydantic_core import CoreConfig, SchemaValidator

from gamedeid.analysis.summary import Summary
from gamedeid.catalogue import sentences
from gamedeid.errors import GamedeidError, OutputError, quoted
from gamedeid.report.html.content import LINE_COLUMNS, ReportContent
from gamedeid.report.html.page import certificate_page, report_page
from gamedeid.report.view import ReportDocuments
from gamedeid.report.words.certificate import signature_words
from gamedeid.report.words.run import data_words
from gamedeid.results.file import is_regular, write_file
from gamedeid.results.manifest import MANIFEST, Manifest, is_document
from gamedeid.results.result import Result
from gamedeid.results.stored import CONTENT, GRID, REPORT, SUMMARY, StoredResults, is_signed, state_outputs
from gamedeid.results.tables import write_blocks
from gamedeid.verification.findings import CheckLog
from gamedeid.verification.signing import check_signature


def read_results(folder: str | PathLike[str]) -> ReportDocuments:
    """Return the documents of a folder of results.

    Parameters
    ----------
    folder : a folder written by ``gamedeid run -o`` or ``Solution.write``. Its release and strategies may be absent; if
        they are there, their digests are checked.

    Raises
    ------
    OutputError : the folder does not hold the unchanged results of a run.
    """
    stored = StoredResults.read(folder)
    results = read_stored_results(stored)
    stored.refuse_changed_tables()
    return results


def read_stored_results(stored: StoredResults) -> ReportDocuments:
    """Return the documents of a folder whose manifest was read before; no other digest is checked."""
    stored.check_run()
    if CONTENT not in stored.outputs:
        raise OutputError(
            f"{stored.folder} has no {CONTENT}, which a report, a determination and the risk of a release are made of; "
            "the run left it out: run again with report=True",
            arguments=["with report=True"],
        )
    summary, content = (stored.document(name) for name in (SUMMARY, CONTENT))
    results = ReportDocuments(summary=summary, content=content, manifest=dict(stored.manifest))
    check_documents(results, stored.folder)
    return results


def check_documents(results: ReportDocuments, folder: Path) -> None:
    """Check that the documents of a run have the required keys, and can be put into sentences.

    Raises
    ------
    OutputError : a key is wrong, which the message names without a value, or there are no sentences for the documents.
    """
    documents = ((Manifest, results.manifest), (Summary, results.summary), (ReportContent, results.content))
    for kind, found in documents:
        try:
            _validator(kind).validate_python(found)
        except ValidationError as error:
            place = ".".join(map(str, error.errors(include_url=False, include_input=False)[0]["loc"]))
            at = f" (at {quoted(place)})" if place else ""
            raise OutputError(f"{folder}/{kind.document}.json is not as gamedeid wrote it{at}; run again") from None
    if results.summary["warnings"] != results.manifest["warnings"]:
        raise OutputError(f"{folder}: {SUMMARY} and {MANIFEST} do not fit together: their warnings differ; run again")
    with refusing_contradictions(folder):
        _ = results.view
        data_words(results.summary["data"])


@cache
def _validator(kind: type[Result]) -> SchemaValidator:
    """Return the validator of a document, which ignores unknown keys."""
    return SchemaValidator(TypeAdapter(kind).core_schema, CoreConfig(extra_fields_behavior="allow"))


@contextmanager
def refusing_contradictions(folder: Path) -> Iterator[None]:
    """Refuse documents of a folder that contradict each other, or have numbers that cannot be drawn."""
    try:
        yield
    except GamedeidError:
        raise
    except (LookupError, TypeError, ValueError, ArithmeticError, AttributeError):
        raise OutputError(
            f"{folder}: {SUMMARY}, {CONTENT} and {MANIFEST} do not fit together, and no report can be made of them; "
            "run again"
        ) from None


def regenerated_report(folder: Path) -> dict[str, bytes]:
    """Return the report of a folder of results and its table of drawn numbers, by file name.

    Raises
    ------
    OutputError : the folder does not hold the unchanged results of a run.
    """
    stored = StoredResults.read(folder)
    results = read_stored_results(stored)
    made = {REPORT: _page(folder, results).encode()}
    if "map" in results.content:
        made[GRID] = grid_bytes(results.content, results.summary, defuse=stored.defused)
    return made


def grid_bytes(content: Mapping[str, Any], summary: Mapping[str, Any], *, defuse: bool) -> bytes:
    """Return the content of ``sensitivity.csv``: a row for each point and policy, with the columns of a sweep.

    Benefit and loss are varied together, then the cost alone, without its chosen value, which is in the first rows.
    Other stakes have their chosen values.

    Parameters
    ----------
    content, summary : the contents of ``report.json`` and ``summary.json``; numbers are rounded for drawing.
    defuse : whether names that a spreadsheet takes for formulas are defused.
    """
    both, alone, chosen = content["map"], content["lines"]["cost"], summary["payoffs"]
    rows = [row for row, cost in enumerate(alone["cost"]) if cost != chosen["cost"]]
    table = {
        "benefit": [*both["benefit"], *[chosen["benefit"]] * len(rows)],
        "loss": [*both["loss"], *[chosen["loss"]] * len(rows)],
        "cost": [*[chosen["cost"]] * len(both["loss"]), *(alone["cost"][row] for row in rows)],
        **{name: [*both[name], *(alone[name][row] for row in rows)] for name in LINE_COLUMNS},
    }
    stream = io.BytesIO()
    write_blocks([table], stream, "csv", defuse=defuse)
    return stream.getvalue()


def write_report(
    folder: str | PathLike[str], output: str | PathLike[str] | None = None, *, overwrite: bool = False
) -> Path:
    """Make the report again from a folder of results, and return its path.

    Parameters
    ----------
    folder : a folder written by ``gamedeid run -o``; its release and strategies are not needed, but may not be changed.
    output : a file elsewhere (default: the folder's own ``report.html`` and its digest are replaced).
    overwrite : replace a file at ``output``.

    Raises
    ------
    OutputError : the folder does not hold the unchanged results of a run; or the page cannot be written, or
        differs from the page of a signed folder.
    """
    folder, results = Path(folder), read_results(folder)
    manifest = results.manifest
    page = _page(folder, results)
    if output is not None:
        write_file(Path(output), page, overwrite=overwrite)
        return Path(output)
    if is_regular(folder / REPORT) and REPORT not in manifest["outputs"]:
        raise OutputError(
            f"{folder / REPORT} is not replaced, because {MANIFEST} does not name it; remove it, or name another file "
            "for the page"
        )
    digest = hashlib.sha256(page.encode()).hexdigest()
    state_outputs(folder, manifest, {REPORT: digest})  # first: the folder never holds a file unknown to its manifest
    write_file(folder / REPORT, page, overwrite=True, follow_links=False)
    return folder / REPORT


def write_certificate(
    folder: str | PathLike[str],
    output: str | PathLike[str] | None = None,
    *,
    public_key: str | PathLike[str] | None = None,
    overwrite: bool = False,
) -> Path:
    """Write the certificate of a run: one page to print, with its verdict, thresholds, stakes, digest and signature.

    The certificate is the first page of the report, made from the folder alone. It says whether the folder is signed,
    and whether a file of it was changed after the run.

    Parameters
    ----------
    folder : a folder written by ``gamedeid run -o`` or ``Solution.write``, with its report.
    output : an HTML file outside the folder (default: the folder's name and ``-certificate.html``, next to it).
    public_key : file of the public key for checking the signature, see :func:`gamedeid.sign`.
    overwrite : replace a file at ``output``.

    Returns
    -------
    the path of the certificate.

    Raises
    ------
    OutputError : the folder does not hold the unchanged results of a run; the file cannot be written, or is in the
        folder, whose manifest does not name it.
    SignatureError : the key cannot be used.
    MissingExtraError : jinja2, or with a key ``cryptography``, is not installed.
    """
    return checked_certificate(folder, output, public_key=public_key, overwrite=overwrite)[0]


def checked_certificate(
    folder: str | PathLike[str],
    output: str | PathLike[str] | None,
    *,
    public_key: str | PathLike[str] | None,
    overwrite: bool,
) -> tuple[Path, list[str]]:
    """Write a certificate as :func:`write_certificate` does; return its path, and sentences on why it does not hold."""
    folder = Path(folder)
    here = folder.resolve()
    output = here.with_name(f"{here.name}-certificate.html") if output is None else Path(output)
    stored, log = StoredResults.read(folder), CheckLog()
    results = read_stored_results(stored)
    check_signature(stored, public_key, log)
    signature = signature_words(
        signed=is_signed(folder),
        signer=stored.signer,
        key="" if public_key is None else Path(public_key).name,
        faults=[f"{one.file} {one.says}" for one in log.findings],
    )
    changes = dict(stored.changes())
    files = [f"{name} {wrong.partition(':')[0]}" for name, wrong in changes.items()]  # digests are left out
    facts = {"files": files, "documents": all(map(is_document, changes)), "signed": is_signed(folder)}
    altered = sentences("certificate.altered", facts)
    page = _page(folder, results, certificate_page, digest=stored.digest, signature=signature, altered=altered)
    write_file(output, page, overwrite=overwrite)
    return output, [*altered, *([signature] if log.findings else [])]


def _page(folder: Path, results: ReportDocuments, make: Callable[..., str] = report_page, **more: Any) -> str:
    with refusing_contradictions(folder):
        return make(results, **more)
