"""Signatures of folders of results: of this manifest, by this key, and nothing else."""

import hashlib
import json
import os
import shutil
import stat
import subprocess
from datetime import date, datetime

import pytest
from questions import message
from small_world import contents, gamedeid_prints, gamedeid_says, small_world

from gamedeid import OutputError, SignatureError, new_signing_key, sign, solve, verify
from gamedeid.results.manifest import SIGNATURE


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Return a scenario, an unsigned folder of its results, and a key."""
    base = tmp_path_factory.mktemp("signing")
    scenario = small_world(base)
    solve(scenario).write(base / "out", report=False)
    new_signing_key(base / "key")
    return scenario, base / "out", base / "key"


@pytest.fixture
def signed(made, tmp_path):
    scenario, out, key = made
    shutil.copytree(out, tmp_path / "out")
    sign(tmp_path / "out", key)
    return scenario, tmp_path / "out", key


def test_a_signed_folder_is_recognized_and_only_its_owner_reads_key_and_signature(signed):
    scenario, out, key = signed

    for path in (key, out / SIGNATURE):
        assert 0o600 == stat.S_IMODE(path.stat().st_mode)
    assert 64 == (out / SIGNATURE).stat().st_size
    found = verify(out, scenario)
    assert () == found.findings
    assert f"the signature {SIGNATURE}" in {one.what for one in found.unchecked}
    solve(scenario, game="no-attack").write(out, report=False, overwrite=True)
    assert not (out / SIGNATURE).exists()


@pytest.mark.skipif(shutil.which("openssl") is None, reason="OpenSSL's command is not installed")
def test_openssl_agrees(signed):
    _, out, key = signed
    words = ["-inkey", f"{key}.pub", "-rawin", "-in", out / "manifest.json", "-sigfile", out / SIGNATURE]

    assert 0 == subprocess.run(["openssl", "pkeyutl", "-verify", "-pubin", *words], check=False).returncode


def test_content_not_signed_by_this_key_is_found(signed, tmp_path):
    scenario, out, key = signed
    other = new_signing_key(tmp_path / "other")
    assert [SIGNATURE] == [one.file for one in verify(out, scenario, public_key=other).findings]

    manifest = (out / "manifest.json").read_text()
    (out / "manifest.json").write_text(manifest.replace('"seed": null', '"seed":  null'))
    assert [SIGNATURE] == [one.file for one in verify(out, scenario, public_key=f"{key}.pub").findings]

    (out / SIGNATURE).unlink()
    (finding,) = verify(out, scenario, public_key=f"{key}.pub").findings
    assert "the folder is not signed" in finding.says


def test_an_invalid_signature_is_found_without_a_key(signed):
    scenario, out, _ = signed
    content = (out / SIGNATURE).read_bytes()
    (out / SIGNATURE).rename(out.with_name("elsewhere"))
    (out / SIGNATURE).symlink_to(out.with_name("elsewhere"))
    assert ["is no regular file that can be read"] == [one.says for one in verify(out, scenario).findings]
    (out / SIGNATURE).unlink()
    (out / SIGNATURE).write_bytes(content[:63])
    assert ["is no signature: expected 64 bytes, found 63"] == [one.says for one in verify(out, scenario).findings]


def test_the_signer_and_the_date_are_stated_and_signed_with_the_rest(signed):
    scenario, out, key = signed
    gamedeid_prints("sign", out, "--key", key, "--by", " Dr. Ö. Expert, PhD ", "--on", "2026-02-28", "--overwrite")
    manifest = (out / "manifest.json").read_text("utf-8")
    assert {"by": "Dr. Ö. Expert, PhD", "on": "2026-02-28"} == json.loads(manifest)["signed"]

    found = verify(out, scenario, public_key=f"{key}.pub")
    stated = "manifest.json names `Dr. Ö. Expert, PhD` as the signer, on `2026-02-28`"
    assert (True, True) == (found.holds, f"the signature of manifest.json; {stated}" in found.checked)
    assert stated in next(one.why for one in verify(out, scenario).unchecked if SIGNATURE in one.what)

    (out / "manifest.json").write_text(manifest.replace("Dr. Ö.", "Dr. A."), "utf-8")
    assert [SIGNATURE] == [one.file for one in verify(out, scenario, public_key=f"{key}.pub").findings]
    (out / SIGNATURE).unlink()
    assert [SIGNATURE] == [one.file for one in verify(out, scenario).findings]  # a name without a signature


@pytest.mark.own_documents
def test_a_signer_without_a_date_is_refused(signed):
    scenario, out, _ = signed
    manifest = json.loads((out / "manifest.json").read_text())
    for stated in ({"by": "A. Expert"}, {"by": "A. Expert", "on": 2026}, "A. Expert", None):
        (out / "manifest.json").write_text(json.dumps({**manifest, "signed": stated}))
        assert "not as gamedeid writes it" in message(OutputError, verify, out, scenario)


def test_a_later_signature_replaces_the_name_and_the_date(signed):
    _, out, key = signed
    unnamed = (out / "manifest.json").read_bytes()
    sign(out, key, by="A. Expert", overwrite=True)
    stated = json.loads((out / "manifest.json").read_text())["signed"]
    assert {"by": "A. Expert", "on": str(datetime.now().astimezone().date())} == stated
    sign(out, key, overwrite=True)
    assert unnamed == (out / "manifest.json").read_bytes()


@pytest.mark.parametrize(
    ("by", "on", "says"),
    [
        ("", None, "expected one line of at most 200 characters"),
        ("two\nlines", None, "expected one line of at most 200 characters"),
        ("x" * 201, None, "expected one line of at most 200 characters"),
        ("A. Expert", "yesterday", "expected year-month-day, found `yesterday`"),
        (None, date(2026, 2, 28), "name the signer, too"),
    ],
)
def test_an_invalid_name_or_date_is_refused(signed, by, on, says):
    _, out, key = signed
    before = contents(out)

    assert says in message(SignatureError, sign, out, key, by=by, on=on, overwrite=True)
    assert before == contents(out)


def test_files_are_replaced_only_when_asked(signed):
    _, out, key = signed

    assert "is already signed; pass overwrite=True to sign it again" in message(OutputError, sign, out, key)
    assert "already exists" in message(OutputError, new_signing_key, key)
    assert out / SIGNATURE == sign(out, key, overwrite=True)


def test_invalid_keys_are_refused(signed, tmp_path):
    scenario, out, key = signed

    assert "expected a private Ed25519 key" in message(SignatureError, sign, out, f"{key}.pub")
    assert "expected a public Ed25519 key" in message(SignatureError, verify, out, scenario, public_key=key)
    assert "cannot be read" in message(SignatureError, sign, out, tmp_path / "nothing")
    if os.name == "posix":
        shutil.copy(key, tmp_path / "open")
        (tmp_path / "open").chmod(0o644)
        assert "chmod 600" in message(SignatureError, sign, out, tmp_path / "open")


@pytest.fixture(scope="module")
def with_report(made):
    scenario, out, _ = made
    solve(scenario).write(out.with_name("reported"))
    return out.with_name("reported")


@pytest.fixture
def reported(made, with_report, tmp_path):
    scenario, _, key = made
    return scenario, shutil.copytree(with_report, tmp_path / "reported"), key


def drafted(out, name="draft.md"):
    """Return a determination that was drafted in a folder of results."""
    assert 0 == gamedeid_says("determination", out, "-o", out / name).code
    return out / name


@pytest.mark.parametrize("name", ["determination.md", "release.md", "determination.docx"])
def test_a_determination_in_the_folder_is_signed_with_it_as_it_was_filled_in(reported, name):
    scenario, out, key = reported
    page = (out / "report.html").read_bytes()
    draft = drafted(out, name)
    unfilled = draft.read_bytes()

    assert () == verify(out, scenario).findings  # the report, made again, is the same page too
    assert hashlib.sha256(unfilled).hexdigest() == digests_of(out)[name]
    draft.write_bytes(unfilled + b"Purpose: research.\n")
    (found,) = verify(out, scenario).findings
    assert (name, True) == (found.file, found.says.endswith("; if it was filled in, sign the folder"))

    sign(out, key)
    assert () == verify(out, scenario, public_key=f"{key}.pub").findings
    assert hashlib.sha256(unfilled + b"Purpose: research.\n").hexdigest() == digests_of(out)[name]
    assert page == (out / "report.html").read_bytes()
    draft.write_bytes(unfilled + b"Purpose: research.\nOr not.\n")
    assert [name] == [one.file for one in verify(out, scenario, public_key=f"{key}.pub").findings]


def test_a_report_that_is_made_again_keeps_the_signature_or_is_refused(reported):
    scenario, out, key = reported
    sign(out, key, by="A. Expert")
    (out / "report.html").unlink()
    assert 0 == gamedeid_says("report", out).code
    assert () == verify(out, scenario, public_key=f"{key}.pub").findings

    manifest = json.loads((out / "manifest.json").read_text())
    manifest["outputs"]["report.html"] = "0" * 64  # of another page
    (out / "manifest.json").write_text(json.dumps(manifest))
    before = contents(out)
    said = gamedeid_says("report", out)
    assert (2, True) == (said.code, "its signature would not hold" in said.err)
    assert before == contents(out)


def test_drafts_of_the_same_results_are_the_same_bytes_in_the_folder_and_elsewhere(reported, tmp_path):
    _, out, _ = reported
    for place in (tmp_path / "one.md", out / "one.md", out / "two.md", tmp_path / "two.md"):
        assert 0 == gamedeid_says("determination", out, "-o", place).code
    drafts = [place / name for place in (tmp_path, out) for name in ("one.md", "two.md")]

    assert 1 == len({draft.read_bytes() for draft in drafts})
    assert {"one.md", "two.md"} < digests_of(out).keys()
    assert {0o600} == {stat.S_IMODE(path.stat().st_mode) for path in out.iterdir()}


def test_nothing_but_a_determination_is_signed_as_changed(reported):
    _, out, key = reported
    for name in (drafted(out).name, "release.csv"):
        with (out / name).open("a") as file:
            file.write("1")
    before = contents(out)

    assert "is not as its manifest has it: release.csv" in message(OutputError, sign, out, key)
    assert before == contents(out)


def test_a_missing_or_linked_determination_is_not_signed(reported, tmp_path):
    _, out, key = reported
    drafted(out).rename(tmp_path / "draft.md")
    with pytest.raises(OutputError, match="is not there"):
        sign(out, key)
    (out / "draft.md").symlink_to(tmp_path / "draft.md")
    with pytest.raises(OutputError, match="symbolic link"):
        sign(out, key)


def test_no_draft_is_written_into_a_signed_folder_and_no_run_replaces_one(reported):
    scenario, out, key = reported
    drafted(out)
    assert 2 == gamedeid_says("determination", out, "-o", out / "draft.md").code  # it may be filled in
    sign(out, key)
    before = contents(out)

    said = gamedeid_says("determination", out, "-o", out / "draft.md", "--overwrite")
    assert (2, True) == (said.code, "its signature would not hold" in said.err)
    with pytest.raises(OutputError, match="is already signed; pass"):
        sign(out, key)
    with pytest.raises(OutputError, match=r"it holds draft\.md, a document that people fill in"):
        solve(scenario).write(out, overwrite=True)
    assert before == contents(out)


def digests_of(folder):
    return json.loads((folder / "manifest.json").read_text())["outputs"]
