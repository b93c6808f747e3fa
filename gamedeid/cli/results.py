"""The commands that read a folder of results, to show it or to write further files."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from gamedeid.choices import SIMULATED_RECIPIENTS
from gamedeid.cli.commands import FINDINGS, SHOW_VALUES
from gamedeid.cli.options import (
    FileReadingOptions,
    FinishedFolder,
    Json,
    OutputOptions,
    RunFolder,
    print_found,
    print_json,
    shows_values,
    with_groups,
)
from gamedeid.cli.progress import progress
from gamedeid.cli.risk_tables import Seed, known_workers
from gamedeid.errors import OutputError, SignatureError
from gamedeid.report.terminal.console import console, print_lines

OverwriteFile = Annotated[bool, typer.Option("--overwrite", metavar="", help="Replace an earlier file at -o FILE.")]


@with_groups
def codebook(
    finished: FinishedFolder,
    *,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="A CSV file to write, for the recipients.")
    ] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", metavar="", help="Replace a file of this name.")] = False,
    as_json: Json = False,
) -> None:
    """Show the meaning of the columns and labels of a finished release, for its recipients.

    The codebook says no more than the release shows. It lists the labels of attributes, and the released codes of kept
    columns that have a label in records.value_labels of the scenario. It lists no other value of a kept column.
    """
    from gamedeid.report.terminal.release import print_codebook
    from gamedeid.study.codebook import release_codebook

    if overwrite and output is None:
        raise OutputError("--overwrite replaces an earlier file; say which with -o FILE")
    found = release_codebook(*finished.read())
    if output is not None:
        found.write(output, overwrite=overwrite)
    print_found(found, print_codebook, as_json=as_json)


def report(
    folder: RunFolder,
    newer: Annotated[
        Path | None, typer.Argument(metavar="NEW", help="A later run; DIR is then the earlier one of two to compare.")
    ] = None,
    *,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="Where to write the page, instead of DIR/report.html."),
    ] = None,
    overwrite: OverwriteFile = False,
    as_json: Json = False,
) -> None:
    """Make report.html again from a folder of results; neither data nor scenario are needed.

    Replaces DIR/report.html, unless another place is given with -o. With NEW, shows the changes from DIR to NEW for a
    renewal: scenario, data, figures, thresholds and validity; with -o as a page. Nothing in the folders changes.
    """
    from gamedeid.report.html.stored import write_report

    if overwrite and output is None:
        raise OutputError(
            "--overwrite replaces an earlier file; say which with -o FILE (DIR/report.html is replaced anyway)"
        )
    if newer is not None:
        from gamedeid.report.renewal import print_changes, release_changes, write_changes

        changes = release_changes(folder, newer)
        if output is not None:
            write_changes(changes, output, overwrite=overwrite)
        if as_json:
            print_json(changes)
        elif output is None:
            print_changes(changes, console())
        else:
            console().print(f"Written to {output}.")
        return
    _print_page_path(write_report(folder, output, overwrite=overwrite), as_json=as_json)


def certificate(
    folder: RunFolder,
    *,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", metavar="FILE", help="Where to write it (default: DIR-certificate.html, next to DIR)."
        ),
    ] = None,
    public_key: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The public key to check the signature of the folder with.")
    ] = None,
    overwrite: OverwriteFile = False,
    as_json: Json = False,
) -> None:
    """Write a certificate of one page to print: verdict, thresholds, stakes, validity, digest and signature.

    It is the first page of the report, made from the folder alone. It says whether the folder is signed, and whether
    files were changed after the run.
    """
    from gamedeid.report.html.stored import write_certificate

    _print_page_path(write_certificate(folder, output, public_key=public_key, overwrite=overwrite), as_json=as_json)


def _print_page_path(written: Path, *, as_json: bool) -> None:
    from gamedeid.file_identity import digest_file
    from gamedeid.schemas.printed import PageFacts

    if as_json:
        print_json(PageFacts(path=str(written), sha256=digest_file(written)))
    else:
        console().print(f"Written to {written}.")


def determination(
    folder: RunFolder,
    *,
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE", help="Where to write it: FILE.md or FILE.docx.")
    ],
    overwrite: OverwriteFile = False,
    as_json: Json = False,
) -> None:
    """Draft an expert determination from a folder of results, as Markdown or DOCX to edit.

    Facts that gamedeid cannot know are left to fill in, and listed; neither data nor scenario are needed. A draft
    written into DIR belongs to the folder, and gamedeid sign signs it as it is filled in.
    """
    from gamedeid.catalogue import sentences
    from gamedeid.file_identity import digest_file
    from gamedeid.report.determination.write import write_draft
    from gamedeid.report.html.stored import read_results
    from gamedeid.report.words.determination import missing_facts
    from gamedeid.schemas.printed import DeterminationFacts

    results = read_results(folder)
    written = write_draft(folder, results, output, overwrite=overwrite)
    missing = missing_facts(results.summary, results.manifest)
    if as_json:
        print_json(DeterminationFacts(path=str(written), sha256=digest_file(written), to_fill_in=tuple(missing)))
        return
    facts = {"to_fill_in": "; ".join(one[0].lower() + one[1:] for one in missing)}
    print_lines((f"Written to {written}.", *sentences("commands.determination", facts)), console())


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
    """Verify a folder of results; the exit code is 3 where a check fails.

    Recomputes all digests, and from release, population and hierarchies every label, count and measure, by code that
    the solvers do not use. Names checks that were not made.
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


@with_groups
def audit(
    context: typer.Context,
    finished: FinishedFolder,
    reading: FileReadingOptions,
    *,
    worst: Annotated[int, typer.Option(metavar="NUMBER", min=0, help="How many of the worst groups are listed.")] = 5,
    earlier: Annotated[
        list[Path] | None,
        typer.Option(
            "--with",
            metavar="EARLIER",
            help="An earlier release that the recipient has too: the folder of its run. May be repeated. Shows the "
            "risk of all releases together.",
        ),
    ] = None,
    key: Annotated[
        str | None,
        typer.Option(
            "--key", metavar="COLUMN", help="With --with: the column by which people are found again in all extracts."
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Show the risk of a finished release if its recipient knows how it was made.

    A recipient who has this program, the scenario and the population can compute how every person would have been
    released, and leaves out those who would look otherwise. Shows this risk and that of the game. With --with, shows
    the risk if the recipient has earlier releases of the same people too. Nothing is written.
    """
    from gamedeid.report.terminal.release import print_audit
    from gamedeid.risk.audit import Audit
    from gamedeid.risk.audit import audit as audit_folder

    folder, question = finished.read()
    read_options = reading.chosen()
    if earlier:
        from gamedeid.report.terminal.release import print_joint_risk
        from gamedeid.risk.joint import joint_risk

        with progress() as phase:
            joint = joint_risk(folder, earlier, question, key=key, read_options=read_options, progress=phase)
        print_found(joint, print_joint_risk, as_json=as_json)
        return
    with progress() as phase:
        found = audit_folder(folder, question, read_options=read_options, progress=phase)
    with_values = shows_values(context)
    groups = found.worst_groups(worst, with_values=with_values)
    if as_json:
        print_json(Audit.of(found, groups))
        return
    to = console()
    print_audit(found, groups, to)
    if groups and not with_values:
        to.print(f"{SHOW_VALUES} shows the values of these groups.")


@with_groups
def attack(
    finished: FinishedFolder,
    results: OutputOptions,
    *,
    recipients: Annotated[
        list[str] | None,
        typer.Option(
            "--recipient",
            metavar="NAME",
            help=f"Attacker: a recipient of the scenario, or {', '.join(SIMULATED_RECIPIENTS)}. May be repeated "
            "(default: all recipients of the scenario, or else naive and aware).",
        ),
    ] = None,
    repeats: Annotated[int, typer.Option(metavar="NUMBER", help="Worlds that are drawn.")] = 10,
    covers: Annotated[
        float, typer.Option(metavar="SHARE", help="Recipient noisy: share of the people on the list.")
    ] = 0.9,
    wrong: Annotated[
        float, typer.Option(metavar="CHANCE", help="Recipient noisy: chance that a value on the list is another's.")
    ] = 0.05,
    seed: Seed = 1,
    workers: Annotated[
        int | None, typer.Option(metavar="NUMBER", help="Threads that share the work; they change no digit.")
    ] = None,
    identity: Annotated[
        str | None,
        typer.Option(
            metavar="COLUMN",
            help="Column that names each person in records and register; no person is drawn at random.",
        ),
    ] = None,
    groups: Annotated[
        bool, typer.Option("--groups", metavar="", help="Print the attacks by the records' strategies too.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Let recipients attack a finished release, person by person, and count how often they are right.

    Reads the release as it was published, draws the person behind each row, and judges every guess. Prints the numbers
    expected by the formulas too; the exit code is 3 where both disagree. Writes attack.json, attacks.csv and
    manifest.json into -o DIR; without it nothing is written.
    """
    from gamedeid.attacks.simulate import simulate_attacks
    from gamedeid.report.terminal.checks import print_attacks

    threads = known_workers(workers)
    folder, question = finished.read()
    with results.writing() as writer, progress() as phases:
        found = simulate_attacks(
            folder,
            question,
            recipients=recipients or None,
            repeats=repeats,
            seed=seed,
            workers=threads,
            covers=covers,
            wrong=wrong,
            identity=identity,
            phases=phases,
        )
        if writer is not None:
            found.write(writer)
    if as_json:
        print_json(found.as_dict())
    else:
        print_attacks(found, console(), groups=groups)
        console().print(results.where("tables"))
    if not found.agrees:
        raise typer.Exit(FINDINGS)


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
        typer.Option(metavar="NAME", help="How the response is modelled: linear, logistic or cox (it is a time)."),
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
        raise SignatureError("to sign takes DIR and --key FILE; --new-key FILE makes a key")
    else:
        written = sign_folder(folder, key, by=by, on=on, overwrite=overwrite)
        words = f"Written to {written}."
    if as_json:
        print_json(SignatureFacts(path=str(written)))
    else:
        console().print(words)
