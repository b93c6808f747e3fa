"""The texts of the report's page, and the numbers stored for it."""

import csv
import json
import re

from html_pages import Page
from report_folders import documents, page_of, results
from small_world import SCENARIO

from gamedeid.amounts import dollars
from gamedeid.generalization.shipped import shipped_files
from gamedeid.progress import no_progress
from gamedeid.report.html.content import report_content
from gamedeid.report.html.page import report_page
from gamedeid.report.view import ReportDocuments
from gamedeid.scenario.grid import Axis

# what it says


def test_a_page_can_be_made_without_robust_ranges(out):
    summary, content, manifest = documents(out)
    bare = ReportDocuments(summary={**summary, "robustness": None}, content=content, manifest=manifest)
    text = Page(report_page(bare)).text

    assert "Robust ranges" not in text
    assert "At least 95%" not in text


def test_a_share_of_less_than_one_per_cent_has_no_bar_which_would_be_a_speck(quickstart):
    html = (quickstart / "report.html").read_text()
    rows = re.findall(
        r'data-column="share"[^>]*>(<span class="bar" style="width:[\d.]+%"></span>)?([^<%]+)%</td>', html
    )

    assert {True, False} == {bar != "" for bar, _ in rows}
    assert [] == [share for bar, share in rows if (bar != "") != (float(share) >= 1)]


def test_a_printed_page_has_title_and_digest_in_its_margins_and_no_title_ends_the_style(tmp_path):
    odd = "</style>\\\\ \u2018a\u2019 " + "x" * 200
    page = (results(tmp_path, scenario=SCENARIO.replace("Four people", odd)) / "report.html").read_text("utf-8")
    style = page.split("<style>")[2].split("</style>")[0]
    digest = json.loads((tmp_path / "out" / "manifest.json").read_text())["outputs"]["release.csv"]

    assert '@top-left { content: "\\3c \\2f style\\3e \\5c  \\2018 a\\2019  \\2026 " }' in style
    assert f'@bottom-left {{ content: "release.csv, SHA-256 {digest}" }}' in style
    assert 1 == style.count("counter(pages)")


# what is stored for it


def test_the_numbers_of_lines_and_maps_are_a_table_beside_the_page(out):
    content = json.loads((out / "report.json").read_text())
    rows = list(csv.DictReader((out / "sensitivity.csv").read_text().splitlines()))

    assert 0o600 == (out / "sensitivity.csv").stat().st_mode & 0o777
    assert 31 * 31 * 4 + 30 * 4 == len(rows)
    assert len(rows) == len({tuple(row[key] for key in ("benefit", "loss", "cost", "policy")) for row in rows})
    for place, row in enumerate(rows[: 31 * 31 * 4]):
        assert "20.0" == row["cost"]
        assert all(str(content["map"][key][place]) == row[key] for key in content["map"])
    alone = [row for row in rows if row["cost"] != "20.0"]
    for place, row in zip(
        (i for i, cost in enumerate(content["lines"]["cost"]["cost"]) if cost != 20), alone, strict=True
    ):
        assert ("100.0", "90.0") == (row["benefit"], row["loss"])
        assert all(str(content["lines"]["cost"][key][place]) == row[key] for key in content["lines"]["cost"])
    assert "sensitivity.csv , in the folder of this page" in page_of(out).text


def test_the_stored_lines_hold_the_chosen_stakes_and_are_drawn_around_them(out):
    content = json.loads((out / "report.json").read_text())

    keys = ["schema", "attributes", "comparison", "best", "risks", "aware", "lines", "map", "differences", "examples"]
    assert keys == list(content)
    for stake, chosen in (("benefit", 100), ("loss", 90), ("cost", 20)):
        values = sorted(set(content["lines"][stake][stake]))
        assert chosen in values
        assert (31, 30) == (len(values), round(values[-1] / chosen))
    assert 31 * 31 * 4 == len(content["map"]["loss"])


def test_drawn_payoffs_read_to_the_cent_as_those_of_a_sweep():
    import gamedeid  # noqa: PLC0415

    study = gamedeid.Study.prepare(shipped_files("scenarios")["quickstart"])
    drawn = report_content(gamedeid.compare(study), "basic", progress=no_progress).lines["benefit"]
    axis = Axis(name="benefit", values=tuple(sorted(set(drawn.stakes["benefit"]))))

    swept = gamedeid.sweep(study, [axis]).columns

    assert sorted(map(dollars, swept["publisher_payoff"])) == sorted(map(dollars, drawn.publisher_payoff))


def test_no_two_elements_have_one_id_so_that_each_region_has_its_own_name(out):
    page = (out / "report.html").read_text()
    ids = re.findall(r'\sid="([^"]+)"', page)

    assert sorted(set(ids)) == sorted(ids)
    assert set(re.findall(r'aria-labelledby="([^"]+)"', page)) <= set(ids)


def test_a_page_says_nothing_is_random_only_if_true(tmp_path):
    person = SCENARIO.replace('drop = ["name"]', 'person = "name"\npseudonyms = "random"')

    page = page_of(results(tmp_path, scenario=person)).text

    assert "The pseudonyms are drawn anew in each run" in page
    assert "Nothing in it is random" not in page


def test_progress_is_reported_phase_by_phase():
    import gamedeid  # noqa: PLC0415

    reported = []

    def phase(name):
        reported.append(name)
        return lambda done, total: reported.append((done, total))

    report_content(gamedeid.compare(shipped_files("scenarios")["quickstart"]), "basic", progress=phase)

    assert "sensitivity" == reported[0]
    assert (961, 961) in reported
    assert (31, 31) in reported
