"""The explorer's page in a real browser: sliders, the keyboard alone, widths and schemes, and who gets nothing."""

import contextlib
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

import httpx
import pytest
from browser import artefact, browser
from small_world import HOME

from gamedeid.explorer.serving import serving
from gamedeid.explorer.session import Session
from gamedeid.scenario.scenario import Scenario

REFUSED = "the server responded with a status of 400"
"""What the browser itself notes where the page's input is wrong, which the page says in words."""

SIZES = {1280: 900, 768: 1024, 390: 844}


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    return tmp_path_factory.mktemp("written")


@pytest.fixture(scope="module")
def session(root):
    session = Session.open(Scenario.read(HOME / "scenarios" / "quickstart.toml"), root=root)
    session.answer({})
    return session


@pytest.fixture(scope="module")
def server(session):
    with serving(session) as server:
        yield server


@pytest.fixture(scope="module")
def chrome():
    with browser() as running:
        yield running


@contextlib.contextmanager
def page_of(chrome, address, **how):
    """Yield a page that has its first answer, and what went wrong or somewhere else in it."""
    context = chrome.new_context(**{"viewport": {"width": 1280, "height": 900}, "reduced_motion": "reduce", **how})
    page, wrong = context.new_page(), []
    host = urlsplit(address).netloc
    page.on("console", lambda said: REFUSED in said.text or wrong.append(said.text))
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("request", lambda asked: urlsplit(asked.url).netloc == host or wrong.append(asked.url))
    try:
        page.goto(address)
        page.wait_for_selector("html[data-drawn=yes]", state="attached")
        yield page, wrong
    finally:
        context.close()


@pytest.fixture
def page(chrome, server):
    with page_of(chrome, server.address) as (page, wrong):
        yield page
        assert [] == wrong


def says(page, selector, words):
    """Wait until an element says some words; the page lets nobody evaluate an expression."""
    page.locator(selector).filter(has_text=words).first.wait_for(state="attached")


def expect_value(page, selector):
    """Wait until a field has a value."""
    from playwright.sync_api import expect  # noqa: PLC0415

    expect(page.locator(selector)).not_to_have_value("")


def cells(page):
    """Return the texts of the table, by row, without marks."""
    return page.eval_on_selector_all(
        "table.measures tbody tr:not(.part)",
        "rows => rows.map(row => [...row.querySelectorAll('td span:first-child')].map(cell => cell.textContent))",
    )


def shown(session, setting):
    """Return the same of an answer."""
    answer = session.answer(setting)
    rows = {row["key"]: list(row["texts"].values()) for row in answer["table"]}
    benefit = answer["setting"]["benefit"]
    shares = [f"{one['measures']['publisher_payoff'] / benefit:.2%}" for one in answer["policies"]]
    risked = ("attacked", "expected_reidentifications", "expected_reidentifications_if_all_attacked")
    kept = [rows["publisher_payoff"], shares, rows["unmodified"], rows["withheld"]]
    return answer, kept + [rows[key] for key in risked]


def until(page, session, setting):
    """Wait until the page shows the answer to a setting."""
    answer, expected = shown(session, setting)
    says(page, ".headline", answer["verdict"][0])
    assert expected == cells(page)


def test_a_slider_that_moves_changes_sentence_table_and_words(page, session):
    page.eval_on_selector("#loss-slider", "slider => { slider.value = 300; slider.dispatchEvent(new Event('input')); }")
    loss = float(page.input_value("#loss-field").replace(",", ""))
    assert loss > 2000
    assert f"${loss:,.0f}" == page.get_attribute("#loss-slider", "aria-valuetext")
    until(page, session, {"loss": loss})
    says(page, "#changes", "released otherwise")
    says(page, "#loss-range", "The answer stands for a loss")
    page.click("#reset")
    until(page, session, {})


def test_an_exact_value_is_typed_and_a_wrong_one_is_told_and_not_sent(page, session):
    field = page.locator("#cost-field")
    field.fill("abc")
    field.press("Enter")
    assert "Expected dollars from" in page.inner_text("#cost-fault")
    assert "true" == field.get_attribute("aria-invalid")
    assert shown(session, {})[1] == cells(page)
    field.fill("$1,234.5")
    field.press("Enter")
    until(page, session, {"cost": 1234.5})
    assert "" == page.inner_text("#cost-fault")


def test_the_keyboard_alone_turns_chooses_and_saves(page, session, root):
    def tab_to(focused):
        for _ in range(60):
            page.keyboard.press("Tab")
            if page.evaluate("document.activeElement.id || document.activeElement.value") == focused:
                return
        pytest.fail(f"the key Tab does not lead to {focused}")

    tab_to("loss-slider")
    page.keyboard.press("ArrowRight")
    loss = float(page.input_value("#loss-field").replace(",", ""))
    assert loss > 2000
    until(page, session, {"loss": loss})
    tab_to("basic")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    until(page, session, {"loss": loss, "game": "no-attack"})
    page.focus("#hierarchy-text")
    tab_to("save-path")
    page.keyboard.press("Enter")
    says(page, "#saving", "Saved: ")
    assert loss == Scenario.read(root / "explored.toml").payoffs.loss


def test_the_map_fills_in_and_a_cell_sets_benefit_and_loss(page, session):
    says(page, "#map-how", "Benefit from left to right")
    page.focus(".heats")
    page.keyboard.press("ArrowUp")
    assert "Attacked share: Safe Harbor" in page.inner_text("#map-words")
    page.keyboard.press("Enter")
    stakes = {name: float(page.input_value(f"#{name}-field").replace(",", "")) for name in ("benefit", "loss")}
    assert stakes["loss"] > 2000
    until(page, session, stakes)


def test_a_fault_in_a_hierarchy_is_shown_at_its_text_and_changes_nothing(page, session):
    expect_value(page, "#hierarchy-text")
    page.fill("#hierarchy-text", "title = \nlevels = 3")
    page.click("text=Take this text")
    page.wait_for_selector("#hierarchy-faults li")
    assert "line 1" in page.inner_text("#hierarchy-faults")
    assert shown(session, {})[1] == cells(page)


def test_one_person_is_looked_up_by_values(page):
    for name, value in {"age": "48", "sex": "Male", "race": "White", "zip": "nowhere"}.items():
        page.fill(f"#person-{name}", value)
    page.click("text=Look up")
    page.wait_for_selector("#person-fault:not(:empty)")
    page.fill("#person-zip", "03480")
    page.click("text=Look up")
    page.wait_for_selector("#person-fault:not(:empty), .outcomes", state="attached")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_is_accessible_and_fits_every_width(chrome, server, scheme):
    from axe_playwright_python.sync_playwright import Axe  # noqa: PLC0415

    with page_of(chrome, server.address, color_scheme=scheme, bypass_csp=True) as (page, wrong):
        says(page, "#loss-range", "The answer stands")
        for width, height in SIZES.items():
            page.set_viewport_size({"width": width, "height": height})
            page.screenshot(path=artefact(f"explorer-quickstart-{width}-{scheme}.png"))
            found = Axe().run(page).response["violations"]
            assert [] == [(one["id"], [node["html"][:90] for node in one["nodes"][:3]]) for one in found]
            assert width == page.evaluate("document.documentElement.scrollWidth")
        assert [] == wrong


def test_a_page_from_elsewhere_gets_nothing(chrome, server):
    class Elsewhere(BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.send_header("content-type", "text/html")
            self.end_headers()
            self.wfile.write(b"<!doctype html><title>elsewhere</title>")

        def log_message(self, *_):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Elsewhere) as other:
        threading.Thread(target=other.serve_forever, daemon=True).start()
        page = chrome.new_page()
        answers = []
        page.on("response", lambda got: got.url.startswith(server.address) and answers.append(got.status))
        page.goto(f"http://127.0.0.1:{other.server_port}/")
        tried = page.evaluate(
            """async address => {
              const said = [];
              for (const mode of ["cors", "no-cors"]) for (const name of ["", "api/question"]) {
                const how = { mode, method: name ? "POST" : "GET", ...(name ? { body: "{}" } : {}) };
                said.push(await fetch(address + name, how).then((got) => got.text(), () => ""));
              }
              const frame = document.createElement("iframe");
              frame.src = address;
              document.body.append(frame);
              await new Promise((done) => { frame.onload = done; setTimeout(done, 1000); });
              try { said.push(frame.contentDocument?.body?.textContent ?? ""); } catch { said.push(""); }
              const form = document.createElement("form");
              Object.assign(form, { method: "post", action: address + "api/question", target: "_self" });
              document.body.append(form);
              setTimeout(() => form.submit(), 0);
              return said;
            }""",
            server.address,
        )
        assert {""} == set(tried)
        page.wait_for_event("response", lambda got: got.request.is_navigation_request(), timeout=5000)
        assert {403} == set(answers)
        page.close()
        other.shutdown()
    assert (
        403
        == httpx.get(server.address, headers={"host": f"rebound.example:{urlsplit(server.address).port}"}).status_code
    )


def test_a_closed_page_asks_no_more_and_the_server_ends(chrome, session):
    with serving(session) as server:
        with page_of(chrome, server.address) as (page, _):
            says(page, "#cost-range", "The answer stands")
        server.wait(0.5)
        assert server.idle >= 0.5


def test_the_page_says_that_the_server_has_gone(chrome, session):
    with serving(session) as server:
        context = chrome.new_context()
        page = context.new_page()
        page.goto(server.address)
        page.wait_for_selector("html[data-drawn=yes]", state="attached")
    page.fill("#loss-field", "50")
    page.press("#loss-field", "Enter")
    page.wait_for_selector("#gone:not([hidden])")
    assert "The explorer has ended" in page.inner_text("#gone")
    context.close()
