"""The page's figures and files, compared with the library's answers to the same question."""

import random
from threading import Event

import pytest
from explorer_page import enter, expect_table, expect_texts, look_up, page_of, says, table_of
from sample_pictures import quickstart

from gamedeid.amounts import dollars, percent
from gamedeid.analysis.comparison import compare
from gamedeid.cli.options import OnePerson
from gamedeid.scenario.scenario import Scenario
from gamedeid.study.solve import solve

NONE = "\N{EN DASH}"
WAITS = 30  # seconds that a user waits for the page

TURNED = """([name, place]) => new Promise((done) => {
  const seen = new PerformanceObserver(() => {
    seen.disconnect();
    const rows = [...document.querySelectorAll("table.measures tbody tr:not(.part)")];
    done([document.getElementById(`${name}-field`).value,
      rows.map((row) => [...row.querySelectorAll("td > span:first-child")].map((cell) => cell.textContent))]);
  });
  seen.observe({ type: "measure" });
  const slider = document.getElementById(`${name}-slider`);
  slider.value = place;
  slider.dispatchEvent(new Event("input", { bubbles: true }));
})"""
"""Put a slider to a place from 0 to 500; return the value and the table as they are painted."""


@pytest.fixture
def study():
    return quickstart()


def at(study, **payoffs):
    """Return a study at other stakes, as if they were the scenario's."""
    scenario = study.scenario
    return study.with_scenario(scenario.model_copy(update={"payoffs": scenario.payoffs.model_copy(update=payoffs)}))


def compared(study):
    """Return the table of `gamedeid compare`, by row."""
    return table_of(list(compare(study).solutions.values()), study.scenario.payoffs.benefit)


def test_at_every_place_of_a_slider_the_table_is_that_of_compare(page, study):
    draw, stakes = random.Random(13), {}  # noqa: S311  (any places will do)
    for _ in range(50):
        name, place = draw.choice(["benefit", "loss", "cost"]), draw.randrange(501)
        value, table = page.evaluate(TURNED, [name, place])
        stakes[name] = float(value.replace(",", ""))
        assert compared(at(study, **stakes)) == table, stakes


def test_amounts_are_written_as_the_library_writes_them(page):
    amounts = [0, 1e-10, 1.2345e-8, 0.0012, -0.00499, 0.0051, -12.5, 1234567.891]
    written = page.evaluate("(all) => import('./words.js').then((words) => all.map(words.dollars))", amounts)
    assert [dollars(one) for one in amounts] == written


def outcomes(study, values):
    """Return the expected texts for one person, by row: those of the command's `--values`."""
    solutions = list(compare(study.alone(**OnePerson(values=values).named())).solutions.values())
    releases = [solution.release().to_dict("records") for solution in solutions]
    withheld = [not release for release in releases]
    attributes = [
        ["withheld" if gone else release[0][name] for gone, release in zip(withheld, releases, strict=True)]
        for name in study.instance.hierarchies
    ]
    found = [{**one.strategies.to_dict("records")[0], "people": int(one.people[0])} for one in solutions]
    risked = [(f"{one['people']:,}", percent(one["success_probability"])) for one in found]
    people, chances = zip(
        *[(NONE, NONE) if gone else risk for gone, risk in zip(withheld, risked, strict=True)], strict=True
    )
    attacked = ["yes" if one["attacked"] else "no" for one in found]
    payoffs = [[dollars(one[f"{whose}_payoff"]) for one in found] for whose in ("publisher", "adversary")]
    return [*attributes, people, chances, attacked, *payoffs]


def test_one_person_is_described_as_by_the_library_at_every_setting(page, study):
    values = {"age": "80", "sex": "Male", "race": "Amer-Indian-Eskimo", "zip": "03481"}
    look_up(page, **values)
    words = ",".join(f"{name}={value}" for name, value in values.items())
    expected = outcomes(study, words)
    assert {"yes", "no"} == set(expected[6])
    expect_table(page, ".outcomes td.amount", expected)
    expect_texts(page, ".outcomes thead th", ["Safe Harbor", "basic", "sh-friendly", "no-attack"])

    enter(page, "#loss-field", "40000")
    later = outcomes(at(study, loss=40000.0), words)
    assert expected != later
    expect_table(page, ".outcomes td.amount", later)


def test_a_release_is_saved_written_and_downloaded_from_the_page(running, server, root, monkeypatch):
    seen = Event()

    def solve_when_seen(*words, **named):
        assert seen.wait(WAITS)
        return solve(*words, **named)

    monkeypatch.setattr("gamedeid.explorer.outputs.solve", solve_when_seen)
    with page_of(running, server.address, accept_downloads=True) as page:
        enter(page, "#loss-field", "3,000")
        page.check("input[value=no-attack]")
        page.fill("#write-path", "of the page")
        page.click("text=Write release and report")
        says(page, "#write-fault", "save the scenario first")
        assert not (root / "of the page").exists()
        page.fill("#save-path", "turned.toml")
        page.click("text=Save the scenario")
        says(page, "#saving", "Saved: ")
        page.click("text=Write release and report")
        says(page, ".done", "Under way: no-attack game")
        seen.set()
        says(page, ".done", f"Written: {root / 'of the page'}")
        names = sorted(path.name for path in (root / "of the page").iterdir())
        assert f"{len(names)} files: {', '.join(names)}." == page.inner_text("#written-files")
        downloaded = {}
        for name in ("release.csv", "report.html"):
            with page.expect_download() as download:
                page.click(f"text=Download {name}")
            assert name == download.value.suggested_filename
            downloaded[name] = download.value.path().read_bytes()

    assert downloaded == {name: (root / "of the page" / name).read_bytes() for name in downloaded}
    saved = Scenario.read(root / "turned.toml")
    assert (3000, "no-attack") == (saved.payoffs.loss, saved.game)
