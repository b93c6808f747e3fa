"""The report in a real browser: silent, offline, drawn, accessible by keyboard and assistive technology."""

import json
import re
import time

import pytest
from browser import CUT_OFF, NARROW, WIDE, artefact, opened
from depth import tries
from printed_pages import PAPERS, print_sheets, printed_texts
from report_folders import documents
from small_world import gamedeid_prints

from gamedeid.choices import GAMES
from gamedeid.report.html.page import certificate_page
from gamedeid.report.view import ReportDocuments

TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
MOST_PAGES, FEWEST_LINES = 10, 20
SIZES = {"wide": WIDE, "narrow": NARROW}
OPENED = ["quickstart-wide", "quickstart-narrow", *tries([], ["adult_tn-wide"])]
FROM_THE_TOP = """() => {
    document.body.tabIndex = -1;
    document.body.focus();
    document.body.removeAttribute("tabindex");
    scrollTo(0, 0);
}"""


def report_of(name, folder):
    if not (folder / name).exists():
        gamedeid_prints("run", name, "-o", folder / name)
    return folder / name / "report.html"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("reports")


@pytest.fixture(scope="module", params=tries(["quickstart"], ["quickstart", "adult_tn"]))
def report(request, folder):
    return report_of(request.param, folder)


@pytest.fixture(scope="module", params=OPENED)
def kept_open(request, running, folder):
    name, size = request.param.split("-")
    with opened(running, report_of(name, folder), viewport=SIZES[size]) as (page, heard):
        page.heard, page.folder = heard, folder / name
        yield page


@pytest.fixture
def page(kept_open):
    """The page just after it was opened."""
    kept_open.evaluate(
        """() => {
            document.querySelectorAll("details").forEach((one) => { one.open = false; });
            const choice = document.getElementById("map-choice");
            choice.value = "basic";
            choice.dispatchEvent(new Event("change"));
        }"""
    )
    kept_open.evaluate(FROM_THE_TOP)
    return kept_open


def test_the_report_logs_nothing_and_sends_no_request(page):
    for details in page.locator("details").all():
        details.evaluate("one => { one.open = true; }")
    for choice in page.locator("#map-choice option").all():
        page.select_option("#map-choice", choice.get_attribute("value"))
    page.mouse.move(300, 300)

    assert [] == page.heard.errors
    assert [] == page.heard.messages
    assert [] == [url for url in page.heard.requests if not url.startswith(("file:", "data:", "blob:"))]
    assert 1 == len([url for url in page.heard.requests if url.startswith("file:")])


def test_its_own_policy_forbids_every_request(page):
    refused = page.evaluate(
        """async () => {
            const refused = [];
            document.addEventListener("securitypolicyviolation", (event) => refused.push(event.effectiveDirective));
            await fetch("https://example.org/").catch(() => null);
            const image = new Image();
            image.src = "https://example.org/a.png";
            await new Promise((done) => { image.onload = image.onerror = done; });
            const script = document.createElement("script");
            script.textContent = "window.intruded = true";
            document.body.append(script);
            await new Promise((done) => setTimeout(done, 50));
            return [refused.sort(), Boolean(window.intruded)];
        }"""
    )

    assert [["connect-src", "img-src", "script-src-elem"], False] == refused


def test_every_figure_is_drawn(page):
    names = [figure.get_attribute("id") for figure in page.locator("figure").all()]
    assert ["lines", "map-basic", "map-sh-friendly", "map-no-attack", "differences"] == names

    for name in names:
        if name.startswith("map-"):
            page.select_option("#map-choice", name.removeprefix("map-"))
        figure = page.locator(f"#{name}")
        assert figure.is_visible()
        drawn = figure.evaluate(
            """(figure) => {
                const boxes = [...figure.querySelectorAll(".panel")].map((panel) => panel.getBoundingClientRect());
                return boxes.filter((box) => box.width > 300 && box.height > 150).length;
            }"""
        )
        assert drawn == (4 if name.startswith("map-") else 6), name


def test_one_game_is_shown_at_a_time_and_the_others_on_request(page):
    maps = {game: page.locator(f"#map-{game}") for game in ("basic", "sh-friendly", "no-attack")}
    assert [True, False, False] == [one.is_visible() for one in maps.values()]

    page.focus("#map-choice")
    page.keyboard.press("ArrowDown")
    assert [False, True, False] == [one.is_visible() for one in maps.values()]


def reached_by_tab(page):
    """Return the elements that Tab reaches, in order, until the first recurs."""
    reached = []
    for _ in range(200):
        page.keyboard.press("Tab")
        one = page.evaluate(
            """() => {
                const one = document.activeElement;
                const to = one.getAttribute("href") || (one.closest("figure") || one).id;
                return one === document.body ? null : `${one.tagName.toLowerCase()}.${one.className}#${one.id}@${to}`;
            }"""
        )
        if one is None:
            break
        reached.append(one)
    return reached


def test_everything_that_reacts_is_reached_by_tab_and_nothing_is_reached_twice(page):
    reached = reached_by_tab(page)

    assert "a.skip#@#content" == reached[0]
    links = [one.partition("@")[2] for one in reached if one.startswith("a.#")]
    assert "#answer #assumptions #results #sensitivity #risk #limits #determination #tables" == " ".join(links)
    assert 1 == sum(one.startswith("select") for one in reached)
    assert ["lines", "map-basic", "differences"] == [
        one.partition("@")[2] for one in reached if one.startswith("div.drawing")
    ]
    shut = page.locator("summary:visible").count()
    assert shut == sum(one.startswith("summary") for one in reached) == 5
    assert 1 == sum(one.startswith("button.#unfold") for one in reached)


def test_the_keyboard_does_what_the_pointer_does(page):
    page.keyboard.press("Tab")
    assert page.locator(".skip").bounding_box()["y"] >= 0
    page.keyboard.press("Enter")
    assert "content" == page.evaluate("document.activeElement.id")

    page.focus("#lines summary")
    page.keyboard.press("Enter")
    assert page.locator("#lines table").is_visible()

    page.focus("#lines .drawing")
    page.keyboard.press("ArrowRight")
    first = page.locator("#lines .readout").inner_text()
    page.keyboard.press("ArrowRight")
    assert first
    assert first != page.locator("#lines .readout").inner_text()

    content = json.loads((page.folder / "report.json").read_text())
    page.focus("#map-basic .drawing")
    page.keyboard.press("ArrowRight")
    for _ in range(2):
        page.keyboard.press("ArrowDown")  # from panel to panel, to the publisher's payoff
    corner = [content["map"][name][content["map"]["policy"].index("basic")] for name in ("loss", "benefit")]
    payoff = content["map"]["publisher_payoff"][content["map"]["policy"].index("basic")]
    said = page.locator("#map-basic .readout").inner_text()
    numbers = [float(number.replace(",", "")) for number in re.findall(r"\d[\d,.]*\d|\d", said)]
    assert pytest.approx([*corner, 100 * payoff / corner[1]], rel=1e-3) == numbers  # per cent of the benefit
    page.focus("#differences .drawing")
    page.keyboard.press("ArrowRight")
    assert page.locator("#differences .readout").inner_text()


def test_nothing_overflows_the_page_or_its_place(page):
    assert 0 == page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert [] == page.evaluate(CUT_OFF)


def test_the_first_screen_has_verdict_thresholds_ladder_and_key_figures_before_the_contents(page):
    low = page.viewport_size
    ends = {
        name: page.evaluate(f"document.querySelector('{name}').getBoundingClientRect().bottom + scrollY")
        for name in (".verdict", ".checks", ".rungs", ".keys")
    }
    if low["width"] > 1000:
        assert [] == [name for name, end in ends.items() if end > 800]
    else:
        top = page.evaluate("document.querySelector('.contents').getBoundingClientRect().top + scrollY")
        assert ends[".verdict"] < low["height"]
        assert max(ends.values()) <= top


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("kept_open", tries(["quickstart-narrow"], OPENED), indirect=True)
def test_assistive_technology_finds_no_barrier(page, scheme):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    page.emulate_media(color_scheme=scheme)
    only = {"type": "tag", "values": TAGS} if scheme == "light" else {"type": "rule", "values": ["color-contrast"]}
    for details in page.locator("details").all():
        details.evaluate("one => { one.open = true; }")
    long = "document.querySelectorAll('.numbers tr:nth-child(n+5)').forEach((one) => { one.hidden = %s; })"
    page.evaluate(long % "true")  # rows are all alike, and are checked one by one
    inside = {"exclude": [[".drawing > *"]]}  # of an image; checked letter by letter
    found = axe.run(page, context=inside, options={"runOnly": only})
    page.evaluate(long % "false")
    page.emulate_media(color_scheme="light")

    assert [] == [
        f"{one['id']}: {node['target']} {node.get('failureSummary', '')}"
        for one in found.response["violations"]
        for node in one["nodes"]
    ]
    assert len(found.response["passes"]) > (20 if scheme == "light" else 0)  # it did search


@pytest.mark.parametrize("kept_open", ["quickstart-narrow"], indirect=True)
def test_in_dark_mode_the_page_and_its_figures_are_dark(page):
    colours = """() => [getComputedStyle(document.body).backgroundColor, getComputedStyle(document.body).color,
        getComputedStyle(document.querySelector("#lines .panel text")).fill].map(
        (colour) => colour.match(/\\d+/g).slice(0, 3).reduce((sum, one) => sum + Number(one), 0) / 765)"""
    kept = artefact("report-quickstart-narrow-dark.png")
    light = page.evaluate(colours)
    page.emulate_media(color_scheme="dark")
    wait_until(lambda: page.evaluate(colours)[2] > 0.8)
    dark = page.evaluate(colours)
    page.screenshot(path=kept, full_page=True)
    page.emulate_media(color_scheme="light")

    assert light[0] == 1
    assert max(light[1:]) < 0.3
    assert dark[0] < 0.15
    assert min(dark[1:]) > 0.8
    wait_until(lambda: page.evaluate(colours)[2] < 0.3)


@pytest.mark.parametrize("kept_open", ["quickstart-wide"], indirect=True)
def test_a_button_unfolds_the_appendix_and_folds_it_again(page):
    page.locator("#unfold").click()
    assert 0 == page.locator("details:not([open])").count()
    assert "Fold the appendix" == page.locator("#unfold").inner_text()
    page.locator("#unfold").click()
    assert 0 == page.locator("details[open]").count()


def test_every_drawing_has_a_text_that_stands_for_it(page):
    for drawing in page.locator(".drawing").all():
        assert "img" == drawing.get_attribute("role")
        figure = drawing.locator("xpath=..")
        finding = figure.locator(".finding").text_content()
        assert re.search(r"\d", finding)
        assert finding in drawing.get_attribute("aria-label")
        assert figure.locator("tbody tr").count() > 1


def test_without_scripts_there_are_all_drawings_and_their_words_and_numbers(running, report):
    with opened(running, report, script=False, viewport=WIDE) as (page, heard):
        assert [] == heard.errors + heard.messages
        assert (5, 5) == (page.locator("figure:visible").count(), page.locator(".drawing:visible").count())
        assert not page.locator("#map-choice").is_visible()
        assert not page.locator("#unfold").is_visible()
        page.locator("#lines summary").click()
        assert page.locator("#lines .finding").is_visible()
        assert page.locator("#lines table").is_visible()


SCREENS = {"A4": (("wide", "dark", True), ("narrow", "light", False)), "Letter": (("wide", "light", True),)}
"""Screens that a page is printed from: width, scheme, and whether scripts are run."""


@pytest.mark.parametrize("paper", SCREENS)
def test_it_prints_alike_from_every_screen_on_ten_pages_at_most_each_with_its_margins_and_none_nearly_empty(
    running, report, paper
):
    """The texts on paper include those of the axes, which are in the file without a script."""
    printed = []
    for size, scheme, script in SCREENS[paper]:
        with opened(running, report, script=script, viewport=SIZES[size], color_scheme=scheme) as (page, heard):
            printed.append(printed_texts(page, report.with_suffix(".pdf"), paper))
            assert [] == heard.errors
    texts = printed[0]
    summary, _, manifest = documents(report.parent)

    assert [texts] * len(printed) == printed
    assert 5 <= len(texts) <= MOST_PAGES
    for place, text in enumerate(texts, start=1):
        assert f"Page {place} of {len(texts)}" in text
        assert f"release.csv, SHA-256 {manifest['outputs']['release.csv']}" in text
        assert (summary["title"] in text.replace("\n", " ")) or place == 1
    assert [] == [place for place, text in enumerate(texts[:-1], start=1) if len(text.splitlines()) < FEWEST_LINES]
    whole = "\n".join(texts)
    for words in ("Payoffs as the stakes move", "Signature", "Credentials"):
        assert 1 == whole.count(words), words
    for game in GAMES:
        assert (game == summary["game"]) == whole.count(f"The {game} game over loss and benefit")
    for words in ("Words and numbers of the figure", "Glossary"):
        assert words not in whole
    assert 3 == whole.count("Publisher's payoff along the ")  # the letters of figures
    assert 2 + 4 == whole.count("benefit V (dollars)")  # of lines and maps


def test_a_certificate_is_one_page_of_a4_and_letter_and_assistive_technology_finds_no_barrier(
    running, report, tmp_path
):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    summary, content, manifest = documents(report.parent)
    long = "A survey of prices for the look-up of a person, with its date and its method. " * 3
    scenario = {
        **manifest["scenario"],
        "thresholds": {"presets": ["0.05", "0.09", "0.2", "cells-11"]},
        "sources": dict.fromkeys(("benefit", "loss", "gain", "cost"), long),
        "determination": {"publisher": "Hospital " * 9, "recipients": ["University " * 9], "valid_until": "2027-01-31"},
    }
    page = certificate_page(
        ReportDocuments(
            summary={**summary, "warnings": [{"kind": "estimate", "says": long}] * 2},
            content=content,
            manifest={**manifest, "scenario": scenario},
        ),
        digest="0" * 64,
        signature=long,
        altered=[long],
    )
    (tmp_path / "certificate.html").write_text(page, "utf-8")
    for size, scheme in (("wide", "light"), ("narrow", "dark")):
        how = {"viewport": SIZES[size], "color_scheme": scheme}
        with opened(running, tmp_path / "certificate.html", script=False, **how) as (shown, _):
            shown.screenshot(path=artefact(f"certificate-{size}-{scheme}.png"), full_page=True)
    with opened(running, tmp_path / "certificate.html", drawn=False, color_scheme="dark") as (shown, heard):
        sheets = {paper: print_sheets(shown, artefact(f"certificate-{paper}.pdf"), paper) for paper in PAPERS}
        found = axe.run(shown, options={"runOnly": {"type": "tag", "values": TAGS}})
        beyond = shown.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")

    assert {"A4": 1, "Letter": 1} == sheets
    assert [] == [one["id"] for one in found.response["violations"]]
    assert ([], [], 0) == (heard.errors, heard.messages, beyond)


@pytest.mark.parametrize("kept_open", ["quickstart-wide"], indirect=True)
def test_the_chosen_and_unfolded_parts_are_printed(page):
    page.select_option("#map-choice", "no-attack")
    page.locator("#tables summary").first.click()
    whole = "\n".join(printed_texts(page, page.folder / "report.pdf", "A4"))

    assert "The no-attack game over loss and benefit" in whole
    assert "The basic game over loss and benefit" not in whole
    assert "Traced to the right person by an attack." in whole


def wait_until(come_true):
    for _ in range(100):
        if come_true():
            return
        time.sleep(0.1)
    pytest.fail("it did not come true in ten seconds")
