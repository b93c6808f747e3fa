"""Signatures of folders of results: of this manifest, by this key, and nothing else."""

import os
import shutil
import stat
import subprocess

import pytest
from questions import message
from small_world import gamedeid_says, small_world

from gamedeid import MissingExtraError, OutputError, SignatureError, new_signing_key, sign, solve, verify
from gamedeid.verification import signing


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


def test_three_commands_sign_and_verify(made, tmp_path):
    scenario, out, _ = made
    shutil.copytree(out, tmp_path / "out")
    key = tmp_path / "mine"

    assert 0 == gamedeid_says("sign", "--new-key", key).code
    assert 0 == gamedeid_says("sign", tmp_path / "out", "--key", key).code
    said = gamedeid_says("verify", tmp_path / "out", scenario, "--public-key", f"{key}.pub")
    assert (0, "") == (said.code, said.err)
    assert "Checked: the signature of manifest.json\n" in said.out


def test_the_private_key_and_the_signature_are_readable_by_their_owner_only(signed):
    _, out, key = signed
    for path in (key, out / "manifest.json.sig"):
        assert 0o600 == stat.S_IMODE(path.stat().st_mode)
    assert 64 == (out / "manifest.json.sig").stat().st_size


def test_a_signed_folder_is_no_stranger(signed):
    scenario, out, _ = signed

    assert () == verify(out, scenario).findings
    assert "the signature manifest.json.sig" in {one.what for one in verify(out, scenario).unchecked}
    solve(scenario, game="no-attack").write(out, report=False, overwrite=True)
    assert not (out / "manifest.json.sig").exists()


@pytest.mark.skipif(shutil.which("openssl") is None, reason="OpenSSL's command is not installed")
def test_openssl_agrees(signed):
    _, out, key = signed
    words = ["-inkey", f"{key}.pub", "-rawin", "-in", out / "manifest.json", "-sigfile", out / "manifest.json.sig"]

    assert 0 == subprocess.run(["openssl", "pkeyutl", "-verify", "-pubin", *words], check=False).returncode


def test_what_is_not_signed_by_this_key_is_found(signed, tmp_path):
    scenario, out, key = signed
    other = new_signing_key(tmp_path / "other")
    assert ["manifest.json.sig"] == [one.file for one in verify(out, scenario, public_key=other).findings]

    manifest = (out / "manifest.json").read_text()
    (out / "manifest.json").write_text(manifest.replace('"seed": null', '"seed":  null'))
    assert ["manifest.json.sig"] == [one.file for one in verify(out, scenario, public_key=f"{key}.pub").findings]

    (out / "manifest.json.sig").unlink()
    (finding,) = verify(out, scenario, public_key=f"{key}.pub").findings
    assert "the folder is not signed" in finding.says


def test_what_is_not_as_its_manifest_has_it_is_not_signed(signed):
    _, out, key = signed
    (out / "manifest.json.sig").unlink()
    (out / "release.csv").write_text("age\n1\n")

    assert "is not as its manifest has it: release.csv" in message(OutputError, sign, out, key)
    assert not (out / "manifest.json.sig").exists()


def test_nothing_is_replaced_unasked(signed):
    _, out, key = signed

    assert "already exists" in message(OutputError, sign, out, key)
    assert "already exists" in message(OutputError, new_signing_key, key)
    assert out / "manifest.json.sig" == sign(out, key, overwrite=True)


def test_keys_that_are_none_are_refused(signed, tmp_path):
    scenario, out, key = signed

    assert "expected a private Ed25519 key" in message(SignatureError, sign, out, f"{key}.pub")
    assert "expected a public Ed25519 key" in message(SignatureError, verify, out, scenario, public_key=key)
    assert "cannot be read" in message(SignatureError, sign, out, tmp_path / "nothing")
    if os.name == "posix":
        shutil.copy(key, tmp_path / "open")
        (tmp_path / "open").chmod(0o644)
        assert "chmod 600" in message(SignatureError, sign, out, tmp_path / "open")


@pytest.mark.parametrize("words", [[], ["out"], ["--key", "key"], ["out", "--new-key", "key"]])
def test_words_that_mean_nothing_are_refused(words, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    assert 2 == gamedeid_says("sign", *words).code
    assert [] == list(tmp_path.iterdir())


def test_without_the_package_the_message_says_what_to_install(tmp_path, monkeypatch):
    def absent(name):
        raise ImportError(name)

    monkeypatch.setattr(signing, "importlib", type("without", (), {"import_module": staticmethod(absent)}))

    assert 'pip install "gamedeid[sign]"' in message(MissingExtraError, new_signing_key, tmp_path / "key")
