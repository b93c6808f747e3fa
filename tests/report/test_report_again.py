"""Do stored results make the same report again, and which folders are refused?"""

import hashlib
import json

import pytest
from report_folders import page_of, results, stored_results
from small_world import contents, gamedeid_prints, gamedeid_says, refused
from tampering import change_json

from gamedeid.report.html.stored import write_report


def test_the_manifest_names_the_report_and_the_report_the_others(out):
    manifest = json.loads((out / "manifest.json").read_text())
    names = {"release.csv", "strategies.csv", "summary.json", "report.json", "report.html", "sensitivity.csv"}
    text = page_of(out).text

    assert names == set(manifest["outputs"])
    assert hashlib.sha256((out / "report.html").read_bytes()).hexdigest() == manifest["outputs"]["report.html"]
    expected = {"release.csv", "summary.json", "report.json", "sensitivity.csv"}
    assert expected == {name for name in names if manifest["outputs"][name] in text}


@pytest.mark.parametrize("game", ["no-attack", "aware-no-attack"])
def test_no_page_has_a_digest_by_which_a_guess_of_the_data_could_be_checked(tmp_path, game):
    out = stored_results(tmp_path, "--game", game)
    gamedeid_prints("determination", out, "-o", out / "draft.md")
    manifest = json.loads((out / "manifest.json").read_text())
    kept = {file["path"]: file["sha256"] for file in manifest["inputs"].values()}
    kept |= {name: manifest["outputs"][name] for name in ("strategies.csv", "plan.csv") if (out / name).exists()}

    assert ("plan.csv" in kept) == (game == "aware-no-attack")
    for page in ("report.html", "draft.md"):
        text = (out / page).read_text("utf-8")
        assert [] == [name for name, digest in kept.items() if digest in text], page
        assert manifest["outputs"]["release.csv"] in text


def test_stored_results_alone_make_the_same_bytes_again(tmp_path, out):
    before = contents(out)
    for name in ("records.csv", "people.csv", "scenario.toml", "ages.csv"):
        (tmp_path / name).unlink()
    said = gamedeid_says("report", out)

    assert (0, "", f"Written to {out / 'report.html'}.\n") == (said.code, said.err, said.out)
    assert before == contents(out)
    assert 0o600 == (out / "report.html").stat().st_mode & 0o777

    (out / "release.csv").unlink()  # may have been handed over
    (out / "report.html").write_text("damaged")
    gamedeid_says("report", out)
    assert before["report.html"] == (out / "report.html").read_bytes()


def test_another_page_changes_the_manifest_too_so_that_the_folder_is_still_ours(tmp_path, out):
    unnamed(out)
    (out / "report.html").unlink()

    assert out / "report.html" == write_report(str(out))
    manifest = json.loads((out / "manifest.json").read_text())
    assert hashlib.sha256((out / "report.html").read_bytes()).hexdigest() == manifest["outputs"]["report.html"]
    assert 0 == gamedeid_says("run", tmp_path / "scenario.toml", "-o", out, "--overwrite").code


def test_the_page_can_be_written_elsewhere(tmp_path, out):
    before = contents(out)
    said = gamedeid_says("report", out, "-o", tmp_path / "page.html", "--json")
    digest = hashlib.sha256(before["report.html"]).hexdigest()

    expected = {"schema": "urn:gamedeid:schema:page:1", "path": str(tmp_path / "page.html"), "sha256": digest}
    assert expected == json.loads(said.out)
    assert before["report.html"] == (tmp_path / "page.html").read_bytes()
    assert before == contents(out)

    refused = gamedeid_says("report", out, "-o", tmp_path / "page.html")
    assert f"{tmp_path / 'page.html'} already exists; choose another name or pass --overwrite" == refused.complaint
    assert "there is no folder" in gamedeid_says("report", out, "-o", tmp_path / "none" / "page.html").complaint
    assert 0 == gamedeid_says("report", out, "-o", tmp_path / "page.html", "--overwrite").code


def test_the_report_can_be_left_out(tmp_path):
    out = results(tmp_path, "--no-report")

    assert {"release.csv", "strategies.csv", "summary.json", "manifest.json"} == set(contents(out))
    assert json.loads((out / "summary.json").read_text())["robustness"] is None


def damaged(name, text):
    return lambda out: (out / name).write_text(text)


def without(name):
    return lambda out: (out / name).unlink()


def linked(name):
    def change(out):
        (out / name).rename(out.parent / "precious")
        (out / name).symlink_to(out.parent / "precious")

    return change


def manifest_with(**changes):
    return lambda out: change_json(out, "manifest.json", lambda manifest: manifest.update(changes))


def unnamed(out):
    change_json(out, "manifest.json", lambda manifest: manifest["outputs"].pop("report.html"))


@pytest.mark.own_documents
@pytest.mark.parametrize(
    ("change", "said"),
    [
        (without("manifest.json"), "out holds no results of gamedeid: it has no manifest.json"),
        (damaged("manifest.json", "{"), "out/manifest.json is not JSON as gamedeid writes it; run again"),
        (damaged("manifest.json", "[]"), "out holds no results of gamedeid: its manifest.json is not as gamedeid w"),
        (damaged("manifest.json", '{"outputs": {}}'), "out holds no results of gamedeid: its manifest.json is not as"),
        (manifest_with(outputs={}), "out holds no results of a run: its manifest.json names no summary.json"),
        (manifest_with(outputs={"summary.json": ""}), "out has no report.json, which a report, a determination and"),
        (
            manifest_with(scenario={"game": "basic", "solver": "exact"}),
            "out: summary.json, report.json and manifest.json do not fit together",
        ),
        (manifest_with(gamedeid="0.0.1"), "out holds results of gamedeid `0.0.1`, this is "),
        (damaged("summary.json", "{}"), "out/summary.json is not as manifest.json has it; it was changed after"),
        (damaged("report.json", "{}"), "out/report.json is not as manifest.json has it; it was changed after the run"),
        (without("report.json"), "out/report.json cannot be read (No such file or directory); run again"),
        (unnamed, "out/report.html is not replaced, because manifest.json does not name it"),
        *(
            (linked(name), f"out/{name} is a symbolic link; gamedeid writes regular files only: remove it")
            for name in ("manifest.json", "summary.json", "report.json", "report.html")
        ),
    ],
)
def test_a_folder_that_is_not_as_it_was_written_is_refused_in_one_line(out, change, said):
    change(out)
    before = contents(out.parent)
    assert refused("report", out).startswith(f"{out.parent}/{said}")
    assert before == contents(out.parent)
