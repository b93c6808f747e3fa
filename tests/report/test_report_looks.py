"""Reports of different questions at every width, in light and dark, and on paper: pictures are kept for inspection.

The tests check what pictures do not show: that nothing overflows the page, and the number of printed sheets.
"""

import pytest
from browser import CUT_OFF, NARROW, WIDE, artefact, opened
from depth import tries
from printed_pages import PAPERS, draw_pages, print_sheets
from small_world import ALONE, RECORDS, gamedeid_prints, small_world

pytestmark = pytest.mark.pages

MOST_PAGES, MOST_BYTES = 11, 1_500_000
SIZES = {"wide": WIDE, "medium": {"width": 768, "height": 1024}, "narrow": NARROW}
REPORTS = {
    "quickstart": ("quickstart",),
    "adult_tn": ("adult_tn",),
    "sh-friendly": ("quickstart", "--game", "sh-friendly", "--solver", "lattice-search"),
    "withheld": ("quickstart", "--game", "no-attack", "--set", "payoffs.cost=0.001"),
    "one-record": (),
    "long-names": (),
}
"""Name of the pictures -> words of ``gamedeid run``; none for a small world."""

LONG = "highest_completed_level_of_formal_education_of_the_reference_person_of_the_household"
WORLDS = {
    "one-record": {"records": "\n".join(RECORDS.splitlines()[:2]) + "\n"},
    "long-names": {
        "scenario": ALONE.replace("attributes.sex", f"attributes.{LONG}").replace("income", f"{LONG}_now"),
        "records": RECORDS.replace(",sex,income", f",{LONG},{LONG}_now"),
    },
}
"""Name of the pictures -> the files of its world that differ from those of the small one."""

WHOLLY = ["quickstart", *tries([], ["adult_tn"])]
"""Names whose report is checked in every combination of width and scheme; the others in each width and scheme once."""

LOOKS = [
    *((name, size, scheme) for name in WHOLLY for size in SIZES for scheme in ("light", "dark")),
    *(
        (name, size, scheme)
        for name in (*tries(["adult_tn"], []), "sh-friendly", "withheld", "one-record", "long-names")
        for size, scheme in (("wide", "light"), ("medium", "light"), ("narrow", "dark"))
    ),
]


@pytest.fixture(scope="module")
def report_of(tmp_path_factory):
    """Return the report of a name, made on first use."""
    made = {}

    def report(name):
        if name not in made:
            folder = tmp_path_factory.mktemp(name)
            words = REPORTS[name] or (str(small_world(folder, **WORLDS[name])),)
            gamedeid_prints("run", *words, "-o", folder / "results")
            made[name] = folder / "results" / "report.html"
        return made[name]

    return report


@pytest.mark.parametrize("name", REPORTS)
def test_it_is_one_file_of_moderate_size(report_of, name):
    assert report_of(name).stat().st_size < MOST_BYTES


@pytest.mark.parametrize(("name", "size", "scheme"), LOOKS)
def test_nothing_overflows_or_is_cut_off_at_any_width(running, report_of, name, size, scheme):
    with opened(running, report_of(name), viewport=SIZES[size], color_scheme=scheme) as (page, heard):
        page.screenshot(path=artefact(f"report-{name}-{size}-{scheme}.png"), full_page=True)
        beyond = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        cut_off = page.evaluate(CUT_OFF)

    assert (0, [], []) == (beyond, cut_off, heard.errors)


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("name", list(REPORTS))
def test_it_prints_on_eleven_pages_at_most(running, report_of, name, paper):
    kept = artefact(f"report-{name}-{paper}.pdf")
    with opened(running, report_of(name)) as (page, _):
        sheets = print_sheets(page, kept, paper)
    if paper == "A4":
        draw_pages(kept)

    assert 5 <= sheets <= MOST_PAGES
