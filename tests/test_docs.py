"""Do the README and the docs tell the truth: examples run and show the printed output, references are complete."""

import re
import sys
import tomllib
from pathlib import Path

import pytest
from doc_examples import DOCS, FENCE, PAGES, ROOT, blocks, make_copy, matches, run_examples
from public_api import HOMES

import gamedeid
from gamedeid import Attribute, Policy, Population, Records, Scenario
from gamedeid.choices import RELEASE_ROW, Format, GameName, Missing, SolverName, Unmatched
from gamedeid.scenario.determination import Determination, Thresholds
from gamedeid.scenario.earlier import Earlier, EarlierRelease
from gamedeid.scenario.limits import GroupLimits, Groups, KeptRule, Limits
from gamedeid.scenario.sections import Attacker, Between, Identifiers, PolicyRule, Regions, Sources, Stakes
from gamedeid.schema_names import VERSIONS, schema_id
from gamedeid.study.solution import OUTCOMES

sys.path.append(str(DOCS / "_extensions"))

from printed_commands import commands, commands_page

from gamedeid.progress import no_progress


def named(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


@pytest.mark.pages
@pytest.mark.parametrize("page", [page for page in PAGES if any(blocks(page))], ids=named)
def test_the_examples_of_a_page_run_and_show_the_printed_output(page, tmp_path, forked):
    for block, command, shown in run_examples(page, make_copy(tmp_path), forked):
        said = "\n".join(shown)
        assert matches(block.text.splitlines(), shown), f"{named(page)}:{block.line}: $ {command}\n{said}"


def test_only_a_line_of_dots_stands_for_any_lines():
    assert matches(["a", "...", "d"], ["a", "b", "c", "d"])
    assert matches(["a", "...", "d"], ["a", "d"])
    assert not matches(["a", "...", "d"], ["a", "b"])
    assert matches(["a  b"], ["a    b"])
    assert not matches(["a  b"], ["ab"])
    assert not matches(["a"], ["a", "b"])


def test_every_relative_link_of_a_page_leads_to_a_file():
    links = re.compile(r"\]\((?!https?://|#)([^)#\s]+)[^)]*\)")
    found = [page.parent / link for page in PAGES for link in links.findall(FENCE.sub("", page.read_text("utf-8")))]
    assert len(found) > len(PAGES)
    assert [] == [path for path in found if not path.exists()]


def test_every_program_file_that_a_page_names_is_there():
    files = re.compile(r"(?<![\w/])(?:gamedeid|tests|benchmarks)/[\w/]+\.py\b")
    found = {name for page in PAGES for name in files.findall(page.read_text("utf-8"))}
    assert len(found) > 20
    assert [] == [name for name in sorted(found) if not (ROOT / name).exists()]


def test_the_python_blocks_of_the_readme_and_docs_are_not_empty_promises():
    run = [block for page in PAGES for block in blocks(page) if block.language in {"python", "console"}]
    assert len(run) >= 20


def test_a_page_with_signing_examples_names_the_needed_extra():
    signing = re.compile(r"gamedeid sign |--public-key")
    pages = [page for page in PAGES if any(signing.search(block.text) for block in blocks(page))]
    assert pages
    assert [] == [page for page in pages if "gamedeid[sign]" not in page.read_text("utf-8")]


# --- reference --------------------------------------------------------------------------------------------------------


def reference(name: str) -> str:
    return (DOCS / "reference" / f"{name}.md").read_text("utf-8")


def section(text: str, heading: str) -> str:
    """Return the text between a heading and the next one of the same or a higher rank."""
    found = re.search(rf"^(#+) {re.escape(heading)}\n", text, re.MULTILINE)
    assert found is not None, f"no heading {heading!r}"
    rest = text[found.end() :]
    following = re.search(rf"^#{{1,{len(found[1])}}} ", rest, re.MULTILINE)
    return rest[: following.start()] if following else rest


def table_rows(text: str) -> list[list[str]]:
    """Return the cells of each table row whose first cell is code."""
    rows = re.findall(r"^\| (`.*) \|$", text, re.MULTILINE)
    return [[cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", row)] for row in rows]


def table_keys(text: str) -> list[str]:
    """Return the code in the first cell of each table row."""
    return [cells[0] for cells in table_rows(text)]


def bare(keys: list[str]) -> list[str]:
    return [key.strip("`") for key in keys]


def test_the_page_of_commands_has_notes_on_real_commands_only_and_prints_all_with_their_options():
    printed_page = commands_page(reference("cli"))
    assert list(commands()) == re.findall(r"^## `(gamedeid.*)`$", printed_page, re.MULTILINE)
    run = section(printed_page, "`gamedeid run`")
    assert ["`SCENARIO`", "`--output`, `-o`"] == table_keys(run)[:2]
    assert "`--game`" in table_keys(run)
    assert [] == [line for line in printed_page.splitlines() if line.count("(default: ") > 1]
    with pytest.raises(ValueError, match="no such command: gamedeid rum"):
        commands_page("# Commands\n\n## `gamedeid rum`\n\nA note.\n")


@pytest.mark.parametrize("words", [GameName, SolverName, Format], ids=["games", "solvers", "formats"])
def test_the_page_of_commands_has_every_choice(words):
    assert [] == [word for word in words.__args__ if word not in commands_page(reference("cli"))]


SECTIONS = {
    *("records", "population", "attributes", "payoffs", "sources", "policy", "attacker", "recipients", "identifiers"),
    *("determination", "thresholds", "limits", "groups", "regions", "earlier"),
}


@pytest.mark.parametrize(
    ("heading", "model"),
    [
        ("Top level", Scenario),
        ("`[records]`", Records),
        ("`[population]`", Population),
        ("`[attributes.NAME]`", Attribute),
        ("`[payoffs]`", Stakes),
        ("`[sources]`", Sources),
        ("`[policy.NAME]`", Policy),
        ("`[[policy.NAME.rules]]`", PolicyRule),
        ("`[attacker.NAME]`", Attacker),
        ("`[identifiers]`", Identifiers),
        ("`[determination]`", Determination),
        ("`[thresholds]`", Thresholds),
        ("`[limits]`", Limits),
        ("`[limits.groups]`", GroupLimits),
        ("`[regions]`", Regions),
        ("`[earlier]`", Earlier),
        ("`[[earlier.releases]]`", EarlierRelease),
        ("`[groups]`", Groups),
        ("`[groups.kept.COLUMN]`", KeptRule),
    ],
)
def test_the_page_of_scenarios_has_every_key_and_no_other(heading, model):
    sections = SECTIONS if model is Scenario else set()
    expected = [name for name, field in model.model_fields.items() if not field.exclude and name not in sections]
    assert expected == bare(table_keys(section(reference("scenario"), heading)))


@pytest.mark.parametrize("words", [Missing, Unmatched], ids=["missing", "unmatched"])
def test_the_page_of_scenarios_has_every_choice(words):
    assert [] == [word for word in words.__args__ if f'`"{word}"`' not in reference("scenario")]


def test_the_page_of_scenarios_has_every_bound_of_a_range():
    assert [] == [name for name in Between.model_fields if f"`{name}`" not in reference("scenario")]


def test_every_scenario_of_a_page_is_valid_toml():
    for page in PAGES:
        for block in blocks(page):
            if block.language == "toml":
                tomllib.loads(block.text)


def test_the_page_of_results_has_every_measure_and_every_column():
    solution = gamedeid.solve(ROOT / "scenarios" / "quickstart.toml", game="basic")
    comparison = gamedeid.Comparison(study=solution.study, solutions={"basic": solution})
    text = reference("results")
    assert list(solution.measures) == bare(table_keys(section(text, "Measures")))
    columns = bare(table_keys(section(text, "`strategies.csv`")))
    assert ["record", "NAME", *OUTCOMES, RELEASE_ROW] == columns
    compared = bare(table_keys(section(text, "`comparison.csv`")))
    assert [key for key in comparison.rows[0] if key not in solution.measures] == compared


def test_the_page_of_results_has_every_key_of_the_summary():
    from gamedeid.report.html.content import report_content  # noqa: PLC0415
    from gamedeid.report.warnings import warned_summary  # noqa: PLC0415

    solution = gamedeid.solve(ROOT / "scenarios" / "quickstart.toml", game="basic")
    comparison = gamedeid.compare(ROOT / "scenarios" / "quickstart.toml")
    text = reference("results")
    assert list(warned_summary(solution, identifiers=None, keep_order=False).as_dict()) == bare(
        table_keys(section(text, "`summary.json`"))
    )
    assert list(report_content(comparison, "basic", progress=no_progress).as_dict()) == bare(
        table_keys(section(text, "`report.json`"))
    )
    assert list(comparison.as_dict()) == bare(table_keys(section(text, "`comparison.json`")))


def test_a_page_names_schemas_by_their_present_version():
    named = {name for page in PAGES for name in re.findall(r"urn:gamedeid:schema:[a-z-]+:\d+", page.read_text("utf-8"))}
    assert len(named) > 5
    assert named <= {schema_id(name) for name in VERSIONS}


def test_the_page_of_the_python_api_calls_public_names_only():
    known = {f"{home}.{name}".removeprefix("gamedeid.") for name, home in HOMES.items()}
    rows = re.findall(r"^\| [a-z][^|]* \|(.*)\|$", section(reference("python-api"), "Python"), re.MULTILINE)
    named = {name for row in rows for name in re.findall(r"`((?:[a-z]+\.)?\w+)\(", row)}
    assert {"solve", "compare", "risk.release_risks"} <= named
    methods = {"with_parts", "write", "alone", "with_scenario", "Scenario.read", "Scenario.parse", "Study.prepare"}
    assert named <= known | methods


def test_the_page_of_dependencies_has_a_reason_for_each():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    wanted = [*project["dependencies"], *(one for extra in project["optional-dependencies"].values() for one in extra)]
    names = {re.split(r"[<>=\[ ]", requirement)[0] for requirement in wanted} - {"gamedeid"}
    assert sorted(names) == sorted(bare(table_keys(reference("dependencies"))))


def test_the_decisions_are_listed_in_order():
    decisions = sorted(path.name for path in (DOCS / "decisions").glob("[0-9]*.md"))
    listed = re.findall(r"\]\((\d{4}-[^)]*\.md)\)", (DOCS / "decisions" / "index.md").read_text("utf-8"))
    assert decisions == listed


@pytest.mark.parametrize("page", ["README.md", "SECURITY.md", "docs/reference/cli.md"])
def test_a_page_that_says_what_uses_the_network_names_the_clusters_too(page):
    parts = (ROOT / page).read_text("utf-8").split("\n\n")
    about = [part for part in parts if re.search(r"(uses?|using) the network|No network", part)]

    assert about
    for part in about:
        assert "--cluster" in part
