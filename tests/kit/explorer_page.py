"""The explorer's page in a real browser: opens it, reads it, and computes its expected texts by the library."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

from gamedeid.amounts import percent
from gamedeid.explorer.session import Session
from gamedeid.report.terminal.results import MEASURES
from gamedeid.study.solution import Solution

NOTED = tuple(f"the server responded with a status of {status}" for status in (400, 409))
"""Messages of the browser itself for invalid input, which the page reports, and for a setting that was left."""

ROWS = ("publisher_payoff", None, "unmodified", "withheld", "attacked", "expected_reidentifications", None)
"""The measure of each row of the page's table; None if a row is derived."""


@contextmanager
def page_of(running: Any, address: str, *, clock: bool = False, **how: Any) -> Iterator[Any]:
    """Yield a page that has its first answer; at the end, check that it had no errors and asked no other address.

    Parameters
    ----------
    running : the browser.
    address : of the page.
    clock : whether the test can put the page's clock forward.
    how : options of the browser for the page's window.
    """
    context = running.new_context(**{"viewport": {"width": 1280, "height": 900}, "reduced_motion": "reduce", **how})
    page, wrong = context.new_page(), []
    host = urlsplit(address).netloc
    page.on("console", lambda said: any(noted in said.text for noted in NOTED) or wrong.append(said.text))
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("request", lambda asked: urlsplit(asked.url).netloc == host or wrong.append(asked.url))
    try:
        if clock:
            page.clock.install()
        page.goto(address)
        page.wait_for_selector("html[data-drawn=yes]", state="attached")
        yield page
        assert [] == wrong
    finally:
        context.close()


def says(page: Any, selector: str, words: str) -> None:
    """Wait until an element contains some words; the page's policy forbids evaluating expressions."""
    page.locator(selector).filter(has_text=words).first.wait_for(state="attached")


def enter(page: Any, field: str, words: str) -> None:
    """Type words into a field, and press Enter."""
    page.fill(field, words)
    page.press(field, "Enter")


def look_up(page: Any, **values: str) -> None:
    """Look up a person with these values."""
    for name, value in values.items():
        page.fill(f"#person-{name}", value)
    page.click("text=Look up")


def expect_texts(page: Any, selector: str, texts: list[str]) -> None:
    """Wait until the elements have these texts, one each."""
    from playwright.sync_api import expect  # noqa: PLC0415

    expect(page.locator(selector)).to_have_text(texts)


def expect_table(page: Any, selector: str, rows: list[list[str]]) -> None:
    """Wait until the cells of the table have the texts of these rows."""
    expect_texts(page, selector, [text for row in rows for text in row])


def cells(page: Any) -> list[list[str]]:
    """Return the texts of the table, by row, without marks."""
    return page.eval_on_selector_all(
        "table.measures tbody tr:not(.part)",
        "rows => rows.map(row => [...row.querySelectorAll('td span:first-child')].map(cell => cell.textContent))",
    )


def table_of(solutions: list[Solution], benefit: float) -> list[list[str]]:
    """Return the expected texts of the table for the solutions of ``compare``, by row.

    Parameters
    ----------
    solutions : the policy's, then each game's.
    benefit : of a record, in dollars.
    """
    rows = [[MEASURES[row].form(one.measures[row]) for one in solutions] for row in ROWS if row is not None]
    shares = [one.measures["publisher_payoff"] / benefit for one in solutions]
    rows.insert(1, [f"-{percent(-share)}" if share < 0 else percent(share) for share in shares])
    number = MEASURES["expected_reidentifications"].form
    return [*rows, [number(one.marketer["reidentifications"]) for one in solutions]]


def shown(session: Session, setting: dict[str, Any]) -> tuple[dict[str, Any], list[list[str]]]:
    """Return an answer, and the expected texts of the table for it."""
    answer = session.answer(setting)
    rows = {row["key"]: list(row["texts"].values()) for row in answer["table"]}
    benefit = answer["setting"]["benefit"]
    shares = [f"{one['measures']['publisher_payoff'] / benefit:.2%}" for one in answer["policies"]]
    risked = ("attacked", "expected_reidentifications", "expected_reidentifications_if_all_attacked")
    kept = [rows["publisher_payoff"], shares, rows["unmodified"], rows["withheld"]]
    return answer, kept + [rows[key] for key in risked]


def wait_for_answer(page: Any, session: Session, setting: dict[str, Any]) -> None:
    """Wait until the page shows the answer to a setting."""
    answer, expected = shown(session, setting)
    says(page, ".headline", answer["verdict"][0])
    assert expected == cells(page)
