"""Do two builds give the same bytes, and do wheel and sdist hold what they should and nothing else?"""

import email
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path

import pytest
from release_tools import ROOT, tool, unpacked_sdist

import gamedeid

pytestmark = pytest.mark.releases

SCRIPT = ROOT / ".ci" / "distributions"
NAME = f"gamedeid-{gamedeid.__version__}"
INSIDE = {"gamedeid": "", "hierarchies": "gamedeid/_shipped/", "scenarios": "gamedeid/_shipped/"}
CASE_STUDY = Path("scenarios/adult_tn")
"""Data that the sdist holds and the wheel does not."""

MOST_BYTES = 1_500_000
LEFT_BY_USE = ("__pycache__", "*.nbi", "*.nbc", ".*_cache")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the release workflow's own command makes."""
    for name in ("uv", "cyclonedx-py", "hatchling"):
        tool(name)
    folder = tmp_path_factory.mktemp("release") / "made"
    done = distributions(str(folder))
    assert 0 == done.returncode, done.stderr  # it compares two builds itself
    return folder


def distributions(*words: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    return subprocess.run(
        ["bash", str(SCRIPT), *words], capture_output=True, text=True, check=False, env=environment, cwd="/"
    )


def wheel_of(made: Path) -> Path:
    return made / "dist" / f"{NAME}-py3-none-any.whl"


def test_a_release_is_one_sdist_and_one_wheel_for_every_machine_and_the_list_of_parts(made):
    files = sorted(path.relative_to(made).as_posix() for path in made.rglob("*") if path.is_file())
    assert [f"dist/{NAME}-py3-none-any.whl", f"dist/{NAME}.tar.gz", "gamedeid.cdx.json"] == files


def test_a_build_of_a_copy_that_was_used_has_the_same_bytes(made, tmp_path):
    copy = unpacked_sdist(tmp_path)
    for folder in (copy / "gamedeid", copy / "gamedeid" / "kernels", copy / "hierarchies"):
        (folder / "__pycache__").mkdir()
        (folder / "__pycache__" / "left.cpython-311.pyc").write_bytes(b"left")
    (copy / "gamedeid" / "__pycache__" / "left.py311.nbi").write_bytes(b"left")
    (copy / "gamedeid" / ".mypy_cache").mkdir()
    (copy / "gamedeid" / ".mypy_cache" / "left.json").write_text("{}")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-d", str(tmp_path / "again")],
        cwd=copy, check=True, capture_output=True,
    )  # fmt: skip
    for built in (made / "dist").iterdir():
        assert built.read_bytes() == (tmp_path / "again" / built.name).read_bytes(), built.name


def test_a_changed_byte_of_the_source_changes_both(made, tmp_path):
    copy = unpacked_sdist(tmp_path)
    with (copy / "gamedeid" / "errors.py").open("a") as file:
        file.write("\n")
    command = [sys.executable, "-m", "hatchling", "build", "-d", str(tmp_path / "again")]
    subprocess.run(command, cwd=copy, check=True, capture_output=True)
    for built in (made / "dist").iterdir():
        assert built.read_bytes() != (tmp_path / "again" / built.name).read_bytes(), built.name


def test_the_wheel_holds_the_package_the_shipped_data_and_the_licence_and_nothing_else(made):
    expected = {f"{NAME}.dist-info/{name}" for name in ("METADATA", "RECORD", "WHEEL", "entry_points.txt")}
    expected.add(f"{NAME}.dist-info/licenses/LICENSE")
    for folder, inside in INSIDE.items():
        files = [path.relative_to(ROOT) for path in (ROOT / folder).rglob("*") if path.is_file()]
        kept = [path for path in files if not is_left_by_use(path) and CASE_STUDY not in path.parents]
        expected |= {inside + path.as_posix() for path in kept}
    with zipfile.ZipFile(wheel_of(made)) as wheel:
        names = wheel.namelist()
    assert sorted(expected) == sorted(names)
    assert {"gamedeid/py.typed", "gamedeid/_shipped/scenarios/quickstart/records.csv"} <= expected


def test_an_installed_package_says_who_has_the_data_of_the_case_study_and_plays_it_with_them(made, tmp_path):
    assert wheel_of(made).stat().st_size < MOST_BYTES
    with zipfile.ZipFile(wheel_of(made)) as wheel:
        wheel.extractall(tmp_path / "installed")  # noqa: S202  (it was built here)
    data = tmp_path / "installed" / "gamedeid" / "_shipped" / CASE_STUDY

    def compared() -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "gamedeid", "compare", "adult_tn", "--json"]
        where = os.environ | {"PYTHONPATH": str(tmp_path / "installed")}
        return subprocess.run(command, cwd=tmp_path, env=where, capture_output=True, text=True, check=False)

    refused = compared()
    assert (2, "", 1) == (refused.returncode, refused.stdout, refused.stderr.count("\n"))
    assert f"name scenarios/adult_tn.toml there, or copy scenarios/adult_tn from there to {data}" in refused.stderr
    shutil.copytree(unpacked_sdist(tmp_path) / CASE_STUDY, data)
    found = json.loads(compared().stdout)["policies"]["safe-harbor"]
    assert 849.6857 == round(found["publisher_payoff"], 4)


def is_left_by_use(path: Path) -> bool:
    return any(part.match(mark) for part in (path, *path.parents) for mark in LEFT_BY_USE)


def test_the_wheel_says_what_the_project_says(made):
    with zipfile.ZipFile(wheel_of(made)) as wheel:
        told = email.message_from_string(wheel.read(f"{NAME}.dist-info/METADATA").decode())
        licence = wheel.read(f"{NAME}.dist-info/licenses/LICENSE")
    assert ("gamedeid", gamedeid.__version__) == (told["Name"], told["Version"])
    assert "Apache-2.0" == told["License-Expression"]
    assert ["Paper, https://doi.org/10.1371/journal.pone.0120592"] == told.get_all("Project-URL")
    assert (ROOT / "README.md").read_text("utf-8").strip() == told.get_payload().strip()
    assert (ROOT / "LICENSE").read_bytes() == licence


def test_the_sdist_holds_what_is_needed_to_build_test_and_document(made):
    with tarfile.open(made / "dist" / f"{NAME}.tar.gz") as sdist:
        members = sdist.getmembers()
    tops = {member.name.split("/")[1] for member in members}
    folders = {"gamedeid", "hierarchies", "scenarios", "tests", "benchmarks", "docs"}
    pages = {"README.md", "CHANGELOG.md", "CITATION.cff", "CODE_OF_CONDUCT.md", "CONTRIBUTING.md", "SECURITY.md"}
    assert folders | pages | {"LICENSE", "pyproject.toml", "PKG-INFO", ".gitignore"} == tops
    assert {("", "", 0, 0)} == {(one.uname, one.gname, one.uid, one.gid) for one in members}  # not a person's name


def test_the_list_of_parts_names_gamedeid_and_everything_that_comes_with_it(made):
    text = (made / "gamedeid.cdx.json").read_text("utf-8")
    parts = json.loads(text)
    main = parts["metadata"]["component"]
    assert ("CycloneDX", "gamedeid", gamedeid.__version__) == (parts["bomFormat"], main["name"], main["version"])
    with zipfile.ZipFile(wheel_of(made)) as wheel:
        told = email.message_from_string(wheel.read(f"{NAME}.dist-info/METADATA").decode())
    needed = {line.split(">=")[0].split("[")[0] for line in told.get_all("Requires-Dist") if "extra ==" not in line}
    listed = {part["name"].lower().replace("_", "-"): part for part in parts["components"]}
    assert {"numpy", "numba"} <= needed <= set(listed)
    assert "pip" not in listed
    assert [] == [name for name, part in listed.items() if not part.get("purl") or not part.get("version")]
    assert [] == [place for place in (str(Path.home()), tempfile.gettempdir()) if f"{place}/" in text]


# --- the commands themselves ------------------------------------------------------------------------------------------


def notes(tag: str, root: Path = ROOT) -> tuple[int, str, str]:
    command = ["bash", str(root / ".ci" / "notes"), tag]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd="/")
    return done.returncode, done.stdout, done.stderr


@pytest.fixture
def version_alone(tmp_path: Path) -> Path:
    """What says the version, in files that can be changed."""
    for name in (".ci/notes", "gamedeid/_version.py", "CITATION.cff", "CHANGELOG.md"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    return tmp_path


def test_a_tag_of_another_version_is_refused_before_anything_is_built(tmp_path):
    said = f"the tag is v9.9.9, and gamedeid/_version.py says {gamedeid.__version__}\n"
    done = distributions(str(tmp_path / "made"), "v9.9.9")
    assert (1, "", said) == (done.returncode, done.stdout, done.stderr)
    assert [] == list(tmp_path.iterdir())


def test_a_tag_without_a_section_of_the_changelog_is_refused(version_alone):
    (version_alone / "CHANGELOG.md").write_text("# Changelog\n\n## [Unreleased]\n\n- A change.\n")
    said = f"CHANGELOG.md has no section [{gamedeid.__version__}]\n"
    assert (1, "", said) == notes(f"v{gamedeid.__version__}", version_alone)


def test_a_citation_of_another_version_is_refused(version_alone):
    citation = (version_alone / "CITATION.cff").read_text("utf-8")
    (version_alone / "CITATION.cff").write_text(citation.replace(gamedeid.__version__, "0.0.9"), "utf-8")
    said = f"CITATION.cff does not say {gamedeid.__version__}\n"
    assert (1, "", said) == notes(f"v{gamedeid.__version__}", version_alone)


def test_the_notes_are_the_section_of_the_changelog(version_alone):
    this = f"## [{gamedeid.__version__}] - 2026-11-30\n\n### Added\n\n- A change.\n"
    text = f"# Changelog\n\n## [Unreleased]\n\n- Later.\n\n{this}\n## [0.0.9]\n\n- Earlier.\n"
    (version_alone / "CHANGELOG.md").write_text(text)
    code, said, error = notes(f"v{gamedeid.__version__}", version_alone)
    assert (0, "### Added\n\n- A change.", "") == (code, said.strip(), error)


def test_a_folder_that_is_there_is_left_alone(tmp_path):
    done = distributions(str(tmp_path))
    assert (2, f"{tmp_path} is there already: name a folder that is not\n") == (done.returncode, done.stderr)
