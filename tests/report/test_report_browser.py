"""The report in a real browser: silent, offline, drawn, within reach of the keyboard and of assistive technology."""

import json
import re

import pytest
from browser import NARROW, WIDE, artefact, browser, opened
from depth import tries
from doc_examples import CASE_STUDY_DATA
from small_world import SCENARIO, gamedeid_says, small_world

MOST_BYTES = 6_000_000
SIZES = {"wide": WIDE, "narrow": NARROW}
OPENED = ["quickstart-wide", "quickstart-narrow", *tries([], ["adult_tn-wide"])]
FROM_THE_TOP = """() => {
    document.body.tabIndex = -1;
    document.body.focus();
    document.body.removeAttribute("tabindex");
    scrollTo(0, 0);
}"""


def report_of(name, folder):
    if name == "adult_tn" and not CASE_STUDY_DATA.exists():
        pytest.skip("the data of the case study are not beside the repository")
    if not (folder / name).exists():
        said = gamedeid_says("run", name, "-o", folder / name)
        assert (0, "") == (said.code, said.err)
    return folder / name / "report.html"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("reports")


@pytest.fixture(scope="module", params=tries(["quickstart"], ["quickstart", "adult_tn"]))
def report(request, folder):
    return report_of(request.param, folder)


@pytest.fixture(scope="module")
def running():
    with browser() as one:
        yield one


@pytest.fixture(scope="module", params=OPENED)
def kept_open(request, running, folder):
    name, size = request.param.split("-")
    with opened(running, report_of(name, folder), viewport=SIZES[size]) as (page, heard):
        page.heard, page.folder = heard, folder / name
        yield page


@pytest.fixture
def page(kept_open):
    """The page as it is when it has just been opened."""
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


@pytest.mark.parametrize("name", ["quickstart", "adult_tn"])
def test_it_is_one_file_of_moderate_size(name, folder):
    assert report_of(name, folder).stat().st_size < MOST_BYTES


def test_it_says_nothing_and_asks_nobody(page):
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
                const traces = ".scatterlayer .trace, .heatmaplayer image, .barlayer .trace";
                const boxes = [...figure.querySelectorAll(traces)].map((trace) => trace.getBoundingClientRect());
                return boxes.filter((box) => box.width > 1 && box.height > 1).length;
            }"""
        )
        asked = figure.evaluate("figure => figure.querySelector('.drawing').data.length")
        assert drawn >= asked > 0, name


def test_one_game_is_shown_at_a_time_and_the_others_on_request(page):
    maps = {game: page.locator(f"#map-{game}") for game in ("basic", "sh-friendly", "no-attack")}
    assert [True, False, False] == [one.is_visible() for one in maps.values()]

    page.focus("#map-choice")
    page.keyboard.press("ArrowDown")
    assert [False, True, False] == [one.is_visible() for one in maps.values()]


def reached_by_tab(page):
    """Return what Tab reaches, in order, until it comes round."""
    reached = []
    for _ in range(200):
        page.keyboard.press("Tab")
        one = page.evaluate(
            """() => {
                const one = document.activeElement;
                const to = one.getAttribute("href") || one.dataset.figure || "";
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
    assert [
        "#answer",
        "#data",
        "#figures",
        "#strategies",
        "#risk",
        "#sensitivity",
        "#limits",
        "#determination",
        "#manifest",
    ] == links
    assert 1 == sum(one.startswith("select") for one in reached)
    assert ["lines", "map-basic", "differences"] == [
        one.partition("@")[2] for one in reached if one.startswith("div.drawing")
    ]
    shut = page.locator("summary:visible").count()
    assert shut == sum(one.startswith("summary") for one in reached) == 4


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
    assert pytest.approx([*corner, payoff], rel=1e-3) == numbers
    page.focus("#differences .drawing")
    page.keyboard.press("ArrowRight")
    assert page.locator("#differences .readout").inner_text()


def test_nothing_sticks_out_of_the_page(page):
    assert 0 == page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")


@pytest.mark.parametrize("kept_open", tries(["quickstart-narrow"], OPENED), indirect=True)
def test_assistive_technology_finds_no_barrier(page):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    for details in page.locator("details").all():
        details.evaluate("one => { one.open = true; }")
    long = "document.querySelectorAll('.numbers tr:nth-child(n+5)').forEach((one) => { one.hidden = %s; })"
    page.evaluate(long % "true")  # rows are all alike, and looked at one by one
    tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
    found = axe.run(page, options={"runOnly": {"type": "tag", "values": tags}})
    page.evaluate(long % "false")

    assert [] == [
        f"{one['id']}: {node['target']} {node.get('failureSummary', '')}"
        for one in found.response["violations"]
        for node in one["nodes"]
    ]
    assert len(found.response["passes"]) > 20  # it did look


def test_every_drawing_has_a_text_that_stands_for_it(page):
    for drawing in page.locator(".drawing").all():
        assert "img" == drawing.get_attribute("role")
        figure = drawing.locator("xpath=..")
        finding = figure.locator(".finding").text_content()
        assert re.search(r"\d", finding)
        assert finding in drawing.get_attribute("aria-label")
        assert figure.locator("tbody tr").count() > 1


def test_without_scripts_all_is_there_in_words_and_numbers(running, report):
    with opened(running, report, script=False, viewport=WIDE) as (page, heard):
        assert [] == heard.errors + heard.messages
        assert 5 == page.locator("figure:visible").count()
        assert 5 == page.locator("figure .finding:visible").count()
        assert 5 == page.locator("noscript p:visible").count()
        assert not page.locator("#map-choice").is_visible()
        page.locator("#lines summary").click()
        assert page.locator("#lines table").is_visible()


def test_it_prints_on_a_sane_number_of_pages_with_all_figures_and_everything_open(running, report):
    with opened(running, report, viewport=WIDE) as (page, heard):
        kept = artefact(f"report-{report.parent.name}.pdf")
        page.pdf(path=kept, prefer_css_page_size=True)
        pages = len(re.findall(rb"/Type\s*/Page\b", kept.read_bytes()))
        assert 8 <= pages <= 30
        assert [] == heard.errors + heard.messages

        page.evaluate("dispatchEvent(new Event('beforeprint'))")
        page.emulate_media(media="print")
        assert 5 == page.locator("figure:visible").count()
        assert 0 == page.locator("details:not([open])").count()
        assert not page.locator(".chooser").is_visible()
        assert page.locator("#lines .main-svg").first.bounding_box()["width"] < 700

        page.emulate_media(media="screen")
        page.evaluate("dispatchEvent(new Event('afterprint'))")
        assert 0 == page.locator("details[open]").count()


def test_a_screenshot_is_kept(running, report):
    for size, viewport in SIZES.items():
        with opened(running, report, viewport=viewport) as (page, _):
            kept = artefact(f"report-{report.parent.name}-{size}.png")
            page.screenshot(path=kept, full_page=True)
            assert kept.stat().st_size > 100_000


def test_words_that_look_like_scripts_are_words(running, tmp_path):
    intruder = "</script><script>document.title = 'taken'</script><img src=x onerror=alert(1)>"
    odd = SCENARIO.replace("Four people", intruder)
    gamedeid_says("run", small_world(tmp_path, scenario=odd), "-o", tmp_path / "out")
    with opened(running, tmp_path / "out" / "report.html", viewport=WIDE) as (page, heard):
        assert intruder == page.locator("h1").text_content()
        assert page.title().startswith(intruder)
        assert [] == heard.messages + heard.errors
        assert 1 == len(heard.requests)
