"""Is the site built without a warning and without another host, and are its pages accessible?"""

import json
import math
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from browser import NARROW, WIDE
from depth import tries
from doc_examples import DOCS, ROOT
from doc_screenshots import digests, is_stale
from public_api import HOMES

import gamedeid

BUILT_WITH = ("sphinx", "myst_parser", "furo", "sphinx_copybutton", "latex2mathml", "nbclient", "ipykernel", "polars")
SHOWN = (
    *("index", "tutorial", "reference/scenario", "reference/names", "reference/names/risk", "theory/model"),
    *("gallery/index", "gallery/first-answer"),
)

if missing := [name for name in BUILT_WITH if find_spec(name) is None]:
    pytest.skip(f"the site is built where the docs extra is installed: no {missing}", allow_module_level=True)

pytestmark = pytest.mark.pages  # building the site and reading it in a browser takes minutes

sys.path.append(str(DOCS / "_extensions"))

from console import ConsoleLexer  # noqa: E402
from public_names import public_name  # noqa: E402


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "-b", "html", "-d", str(folder / "trees")]
    done = subprocess.run([*command, str(DOCS), str(folder / "html")], capture_output=True, text=True, check=False)
    assert (0, "") == (done.returncode, done.stderr)
    return folder / "html"


def test_the_site_is_built_without_a_warning_and_asks_no_other_host(site):
    asks = re.compile(r"<(?:script|link|img|iframe)[^>]*(?:src|href)=[\"']((?:https?:)?//[^\"']*)")
    for page in site.rglob("*.html"):
        assert [] == asks.findall(page.read_text("utf-8")), page.name
    for sheet in site.rglob("*.css"):
        loads = re.findall(r"(?:url\(|@import )[\"']?((?:https?:)?//[^\"')]*)", sheet.read_text("utf-8"))
        assert [] == loads, sheet.name


def test_every_public_name_has_a_place_on_the_page_of_names(site):
    text = "".join(page.read_text("utf-8") for page in sorted((site / "reference" / "names").glob("*.html")))
    listed = (site / "reference" / "names.html").read_text("utf-8")
    for name, home in HOMES.items():
        assert 1 == text.count(f'id="{home}.{name}"'), name
        assert re.search(rf'href="names/\w+\.html#{home}\.{name}"', listed), name


@pytest.mark.parametrize(
    ("page", "name"),
    [
        ("reference/python-api", "solve"),
        ("reference/python-api", "Study.prepare"),
        ("howto/draw-pictures", "plot"),
        ("howto/own-data", "draft_scenario"),
        ("howto/apply-again", "Solution"),
    ],
)
def test_pages_link_the_public_names_they_mention(site, page, name):
    text = (site / f"{page}.html").read_text("utf-8")
    assert re.search(rf'href="[^"]*names/\w+\.html#gamedeid\.{re.escape(name)}"', text)


def test_only_text_written_as_a_name_of_python_is_read_as_one():
    named = {
        "gamedeid.solve": "gamedeid.solve",
        'gamedeid.plot(study, "map")': "gamedeid.plot",
        "solve(...)": "gamedeid.solve",
        "Study": "gamedeid.Study",
        "Study.prepare(scenario)": "gamedeid.Study.prepare",
        "plot": None,
        "gamedeid plot": None,
        "gamedeid": None,
        "nothing()": None,
        "--records": None,
    }
    assert named == {code: public_name(code) for code in named}
    assert public_name("plot", in_table_of_names=True) == "gamedeid.plot"


def test_only_a_dollar_begins_a_command_in_a_console_block():
    text = '$ gamedeid run x  # why\n# Title\n% of all\n> quoted\n...\n$ grep "a b" y\n'
    pieces = [(str(kind).removeprefix("Token."), piece) for kind, piece in ConsoleLexer().get_tokens(text)]
    assert [piece for kind, piece in pieces if kind == "Generic.Prompt"] == ["$ ", "$ "]
    assert "".join(piece for kind, piece in pieces if kind == "Generic.Output") == "# Title\n% of all\n> quoted\n"
    assert ("Comment", "...\n") in pieces
    assert "".join(piece for _, piece in pieces) == text


# --- the gallery ------------------------------------------------------------------------------------------------------

NOTEBOOKS = sorted((DOCS / "gallery").glob("*.ipynb"))
FIGURE = re.compile(r"(?<![\w.-])\$?(\d[\d,]*(?:\.\d+)?)(%?)(?![\w])")


def stem(path: Path) -> str:
    return path.stem


@pytest.mark.parametrize("path", NOTEBOOKS, ids=stem)
def test_a_notebook_is_stored_without_outputs_and_without_traces_of_a_machine(path):
    text = path.read_text("utf-8")
    notebook = json.loads(text)
    assert json.dumps(notebook, indent=1, sort_keys=True, ensure_ascii=False) + "\n" == text
    assert {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}} == notebook["metadata"]
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert [] == [cell["id"] for cell in notebook["cells"] if cell["metadata"]]
    assert [] == [cell["id"] for cell in code if cell["outputs"] or cell["execution_count"]]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=stem)
def test_every_figure_in_the_text_of_a_notebook_is_shown_by_a_cell(site, path):
    """A notebook runs when the site is built: its text must agree with the output of its cells."""
    cells = json.loads((site / "gallery" / path.name).read_text("utf-8"))["cells"]
    numbers = {number for cell in cells if cell["cell_type"] == "code" for number in shown_numbers(cell)}
    for cell in cells:
        prose = re.sub(r"`[^`]*`|\]\([^)]*\)", "", "".join(cell["source"])) if cell["cell_type"] == "markdown" else ""
        for figure, percent in FIGURE.findall(prose):
            said, digits = float(figure.replace(",", "")), len(figure.partition(".")[2])
            assert any(round(number * (100 if percent else 1), digits) == said for number in numbers), figure


def shown_numbers(cell: dict[str, Any]) -> set[float]:
    """Return the numbers in the code of a cell and in its text output."""
    texts = ["".join(cell["source"])]
    for output in cell["outputs"]:
        data = output.get("data", {})
        texts += [
            "".join(one) for one in (output.get("text", ""), data.get("text/plain", ""), data.get("text/html", ""))
        ]
    found = re.findall(r"(?<![\w.])(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?", " ".join(texts))
    return {float(number.replace(",", "")) for number in found}


@pytest.mark.parametrize("path", NOTEBOOKS, ids=stem)
def test_no_output_of_a_notebook_names_a_folder_of_the_machine(site, path):
    text = (site / "gallery" / path.name).read_text("utf-8")
    assert [] == re.findall(r"/(?:home|root|tmp|work|usr|Users)/[^\s\"<]*", text)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=stem)
def test_the_gallery_shows_a_picture_of_each_notebook(site, path):
    picture = site / "gallery" / f"{path.stem}.png"
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert f'src="{picture.name}"' in (site / "gallery" / "index.html").read_text("utf-8")


def test_the_pictures_of_report_and_explorer_show_what_the_code_shows(tmp_path):
    found = digests(tmp_path / "run")
    stale = [name for name, digest in found.items() if is_stale(name, digest)]
    assert [] == stale, "take them again: python tests/doc_screenshots.py"
    assert all(is_stale(name, digest[::-1]) for name, digest in found.items())


# --- in a browser -----------------------------------------------------------------------------------------------------


LOOKS = {"wide-light": (WIDE, "light"), "narrow-dark": (NARROW, "dark")}
LOOKS |= tries({}, {"wide-dark": (WIDE, "dark"), "narrow-light": (NARROW, "light")})


@pytest.mark.parametrize(("size", "scheme"), LOOKS.values(), ids=LOOKS)
def test_the_pages_are_accessible(site, running, size, scheme):
    from axe_playwright_python.sync_playwright import Axe  # noqa: PLC0415

    context = running.new_context(viewport=size, color_scheme=scheme, offline=True, reduced_motion="reduce")
    page, asked = context.new_page(), []
    page.on("request", lambda request: asked.append(request.url))
    for name in SHOWN:
        page.goto((site / f"{name}.html").as_uri())
        page.wait_for_load_state("load")
        found = Axe().run(page).response["violations"]
        assert [] == [(one["id"], [node["target"] for node in one["nodes"]]) for one in found], name
        assert page.evaluate("document.documentElement.scrollWidth") <= size["width"], name
    assert [] == [url for url in asked if not url.startswith(("file:", "data:"))]
    context.close()


def test_the_first_page_answers_at_the_stakes_that_a_reader_chooses(site, running):
    context = running.new_context(viewport=WIDE, offline=True)
    page = context.new_page()
    page.goto((site / "index.html").as_uri())
    assert page.locator("p.answer").inner_text().startswith("Expected re-identifications of the no-attack game: ")
    for stakes in ({}, {"loss": 2.0}, {"loss": 2.0, "cost": 0.25}, {"benefit": 8.0, "loss": 2.0, "cost": 0.25}):
        scenario = gamedeid.Scenario.read(ROOT / "scenarios" / "quickstart.toml")
        changed = {f"payoffs.{name}": getattr(scenario.payoffs, name) * factor for name, factor in stakes.items()}
        comparison = gamedeid.compare(gamedeid.Scenario.read(ROOT / "scenarios" / "quickstart.toml", changed))
        for name, factor in stakes.items():
            slider = page.locator(f"form.quickstart input[name={name}]")
            slider.fill(str(round(math.log2(factor)) + 3))
        cells = [text.removesuffix("*") for text in page.locator("table.quickstart td").all_inner_texts()]
        rows = comparison.policies.values()
        assert [f"${one['publisher_payoff']:,.2f}" for one in rows] == [text.replace("-$", "$-") for text in cells[:4]]
        assert [f"{one['attacked']:.2%}" for one in rows] == cells[4:8]
    context.close()


def test_a_wide_table_is_a_list_of_named_cells_on_a_phone(site, running):
    context = running.new_context(viewport=NARROW, offline=True)
    page = context.new_page()
    for name in SHOWN[:-1]:
        page.goto((site / f"{name}.html").as_uri())
        wide = "[...document.querySelectorAll('.table-wrapper')].filter(one => one.scrollWidth > one.clientWidth)"
        assert 0 == page.evaluate(f"{wide}.length"), name
    page.set_viewport_size({"width": 300, "height": 800})  # too narrow for the table in any font
    page.goto((site / "index.html").as_uri())
    assert 0 == page.evaluate(f"{wide}.length")
    assert ["Safe Harbor", "basic", "sh-friendly", "no-attack"] == page.evaluate(
        "[...document.querySelectorAll('.stacked tr:nth-child(1) td')].map(one => one.dataset.column)"
    )
    context.close()


def test_parts_that_scroll_sideways_show_it_and_are_reached_by_the_keyboard(site, running):
    context = running.new_context(viewport=NARROW, offline=True)
    page = context.new_page()
    page.goto((site / "tutorial.html").as_uri())
    wide = "[...document.querySelectorAll('div.highlight pre')].filter(one => one.scrollWidth > one.clientWidth)"
    assert page.evaluate(f"{wide}.length") > 0
    assert page.evaluate(f"{wide}.every(one => one.tabIndex == 0)")
    assert page.evaluate(f"{wide}.every(one => getComputedStyle(one).backgroundAttachment.includes('scroll'))")
    context.close()


def test_a_button_copies_only_the_typed_text(site, running):
    context = running.new_context(viewport=WIDE, offline=True)
    page = context.new_page()
    page.goto((site / "tutorial.html").as_uri())
    page.evaluate("copied = []; addEventListener('copy', () => copied.push(getSelection().toString()))")
    page.locator(".highlight-console button.copybtn").first.dispatch_event("click")
    page.wait_for_timeout(200)
    assert ["head -4 scenarios/quickstart/records.csv"] == [text.strip() for text in page.evaluate("copied")]
    context.close()
