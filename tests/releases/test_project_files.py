"""Do the project's files for services and people follow their formats and tell the truth?"""

import json
import re
import subprocess
import tomllib
from typing import Any

import pytest
from release_tools import ROOT, tool

import gamedeid

pytestmark = pytest.mark.releases

WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
FORMATS = {
    "CITATION.cff": "citation-file-format",
    ".readthedocs.yaml": "readthedocs",
    ".github/dependabot.yml": "dependabot",
    **{path.relative_to(ROOT).as_posix(): "github-workflows" for path in WORKFLOWS},
}
PAGES = ("SECURITY.md", "CODE_OF_CONDUCT.md", "CONTRIBUTING.md", "CHANGELOG.md")
PINNED = re.compile(r"[\w.-]+/[\w.-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+")


def read_yaml(name: str) -> Any:
    yaml = pytest.importorskip("yaml")
    return yaml.load((ROOT / name).read_text("utf-8"), Loader=yaml.BaseLoader)  # which makes text only


def project() -> Any:
    return tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


@pytest.mark.parametrize("name", FORMATS)
def test_a_file_follows_the_schema_of_its_format(name):
    tool("check-jsonschema")
    from check_jsonschema import main  # noqa: PLC0415
    from click.testing import CliRunner  # noqa: PLC0415

    done = CliRunner().invoke(main, ["--builtin-schema", f"vendor.{FORMATS[name]}", str(ROOT / name)])
    assert 0 == done.exit_code, done.output


def test_the_citation_is_of_this_version_and_of_the_paper_that_the_readme_names():
    citation = read_yaml("CITATION.cff")
    assert gamedeid.__version__ == citation["version"]
    assert project()["license"] == citation["license"]
    paper = citation["references"][0]
    assert f"https://doi.org/{paper['doi']}" == project()["urls"]["Paper"]
    readme = (ROOT / "README.md").read_text("utf-8")
    assert {paper["doi"]} == set(re.findall(r"10\.\d{4,}/[\w.]*\w", readme))


def test_no_address_is_stated_that_the_project_does_not_have():
    assert ["Paper"] == list(project()["urls"])
    assert not {"url", "repository", "repository-code"} & set(read_yaml("CITATION.cff"))


@pytest.mark.parametrize("name", PAGES)
def test_every_relative_link_of_a_project_page_leads_to_a_file(name):
    links = re.findall(r"\]\((?!https?://|#)([^)#\s]+)[^)]*\)", (ROOT / name).read_text("utf-8"))
    assert [] == [link for link in links if not (ROOT / link).exists()]


def test_the_hooks_before_a_commit_are_the_checks_of_ci_and_need_no_network():
    name = ".pre-commit-config.yaml"
    subprocess.run([tool("pre-commit"), "validate-config", str(ROOT / name)], check=True)
    (repository,) = read_yaml(name)["repos"]
    assert "local" == repository["repo"]
    assert {"system"} == {hook["language"] for hook in repository["hooks"]}
    commands = [hook["entry"].removesuffix(" --force-exclude") for hook in repository["hooks"]]
    assert ["ruff check", "ruff format", "mypy --strict gamedeid", "lint-imports"] == commands
    run = (ROOT / ".ci" / "run").read_text("utf-8")
    assert [] == [command for command in commands if command not in run]


# --- workflows --------------------------------------------------------------------------------------------------------


def test_the_workflows_have_none_of_the_known_risks():
    command = [tool("zizmor"), "--offline", "--persona=pedantic", "--format=json", str(ROOT / ".github")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    found = [(one["ident"], one["desc"]) for one in json.loads(done.stdout)]
    assert (0, []) == (done.returncode, found)


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_every_action_is_pinned_by_commit_with_its_version_in_a_comment(path):
    used = re.findall(r"uses: (?!\./)(.*)", path.read_text("utf-8"))
    assert used
    assert [] == [one for one in used if not PINNED.fullmatch(one)]


def test_no_job_has_a_token_and_only_three_may_write():
    may_write = {}
    for path in WORKFLOWS:
        text = path.read_text("utf-8")
        assert "secrets." not in text
        workflow = read_yaml(path.relative_to(ROOT).as_posix())
        assert {} == workflow["permissions"] or "{}" == workflow["permissions"]
        for name, job in workflow["jobs"].items():
            if written := sorted(key for key, value in job["permissions"].items() if value == "write"):
                may_write[name] = written
    expected = {"attest": ["attestations", "id-token"], "publish": ["id-token"], "page": ["contents"]}
    assert expected == may_write


def test_nothing_is_published_before_all_checks_and_the_attestation():
    jobs = read_yaml(".github/workflows/release.yml")["jobs"]
    assert "./.github/workflows/ci.yml" == jobs["check"]["uses"]
    assert {"build": "check", "attest": "build", "publish": "attest", "page": "publish"} == {
        name: job["needs"] for name, job in jobs.items() if "needs" in job
    }
    (publishing,) = (step for step in jobs["publish"]["steps"] if "pypi-publish" in step["uses"])
    assert {"packages-dir": "release/dist", "attestations": "true"} == publishing["with"]
