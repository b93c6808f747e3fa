"""The explorer's page in a real browser: sliders, the keyboard alone, widths and schemes, and refused clients."""

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from time import monotonic
from urllib.parse import urlsplit

import httpx
import pytest
from browser import artefact
from explorer_page import cells, enter, expect_texts, look_up, page_of, says, shown, wait_for_answer
from small_world import small_world

from gamedeid.explorer.serving import opening_file, serving
from gamedeid.explorer.session import Session
from gamedeid.scenario.scenario import Scenario

SIZES = {1280: 900, 768: 1024, 390: 844}
SIDE_BY_SIDE = 1024
"""Width from which the sliders are next to the answer, not above it."""

CUT_OFF = """[..."measures two outcomes groups".split(" ")].flatMap((kind) => {
  const table = document.querySelector(`table.${kind}`);
  const box = table.parentElement.getBoundingClientRect();
  return [...table.querySelectorAll("th, td")].filter((cell) => cell.checkVisibility()).filter((cell) => {
    const { left, right } = cell.getBoundingClientRect();
    return left < box.left - 1 || right > box.right + 1 || cell.scrollWidth > cell.clientWidth + 1;
  }).map((cell) => cell.textContent);
})"""
"""The texts of cells that are cut off, or only visible by scrolling sideways."""


def test_moving_a_slider_changes_sentence_table_and_words(page, session):
    page.eval_on_selector("#loss-slider", "slider => { slider.value = 300; slider.dispatchEvent(new Event('input')); }")
    loss = float(page.input_value("#loss-field").replace(",", ""))
    assert loss > 2000
    assert f"${loss:,.0f}" == page.get_attribute("#loss-slider", "aria-valuetext")
    wait_for_answer(page, session, {"loss": loss})
    says(page, "#changes", "released differently")
    says(page, "#loss-range", "The answer holds for a loss")
    page.click("#reset")
    wait_for_answer(page, session, {})


def test_an_exact_value_can_be_typed_and_an_invalid_one_is_reported_and_not_sent(page, session):
    field = page.locator("#cost-field")
    field.fill("abc")
    field.press("Enter")
    assert "Expected dollars from" in page.inner_text("#cost-fault")
    assert "true" == field.get_attribute("aria-invalid")
    assert shown(session, {})[1] == cells(page)
    field.fill("$1,234.5")
    field.press("Enter")
    wait_for_answer(page, session, {"cost": 1234.5})
    assert "" == page.inner_text("#cost-fault")


def test_the_keyboard_alone_turns_chooses_and_saves(page, session, root):
    def tab_to(focused):
        for _ in range(60):
            page.keyboard.press("Tab")
            if page.evaluate("document.activeElement.id || document.activeElement.value") == focused:
                return
        pytest.fail(f"the key Tab does not lead to {focused}")

    tab_to("tour")
    for step in ("Step 1 of 3", "Step 2 of 3", "Step 3 of 3"):
        page.keyboard.press("Enter")
        assert step == page.inner_text("dialog .eyebrow", timeout=1000).capitalize()
    page.keyboard.press("Escape")
    page.locator(".pointed").wait_for(state="detached")
    assert "tour" == page.evaluate("document.activeElement.id")
    tab_to("loss-slider")
    page.keyboard.press("ArrowRight")
    loss = float(page.input_value("#loss-field").replace(",", ""))
    assert loss > 2000
    wait_for_answer(page, session, {"loss": loss})
    tab_to("no-attack")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    wait_for_answer(page, session, {"loss": loss, "game": "basic"})
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
    expect_texts(page, ".heat:first-child .across .tick", ["100", "1K", "10K", "100K"])
    stakes = {name: float(page.input_value(f"#{name}-field").replace(",", "")) for name in ("benefit", "loss")}
    assert stakes["loss"] > 2000
    wait_for_answer(page, session, stakes)
    page.select_option("#policy", "limited-data-set")
    expect_texts(page, ".heat figcaption", ["Limited Data Set", "basic", "sh-friendly", "no-attack"])
    page.focus(".heats")
    page.keyboard.press("ArrowUp")
    says(page, "#map-words", "Attacked share: Limited Data Set")


def test_the_address_keeps_setting_and_pin_over_reload_back_and_undo(running, server, session):
    with page_of(running, server.address) as page:
        asked, left = [], []
        page.on("request", lambda request: asked.append(request.url))
        page.on("dialog", lambda dialog: (left.append(dialog.type), dialog.accept()))
        enter(page, "#loss-field", "5000")
        page.wait_for_url("**/#loss=5000")
        wait_for_answer(page, session, {"loss": 5000})
        page.click("#pin")
        page.check("input[value=sh-friendly]")
        page.wait_for_url("**&game=sh-friendly&pinned=loss%3D5000")
        enter(page, "#weight-age", "2")
        page.wait_for_url("**&game=sh-friendly&weight.age=2&pinned=loss%3D5000")
        turned = {"loss": 5000, "game": "sh-friendly", "weights": {"age": 2}}
        page.reload()
        page.wait_for_selector("html[data-drawn=yes]", state="attached")
        wait_for_answer(page, session, turned)
        assert ["5,000", "2"] == [page.input_value(field) for field in ("#loss-field", "#weight-age")]
        paid = [session.answer(setting)["policies"][place] for setting, place in (({"loss": 5000}, 3), (turned, 2))]
        before, now = [one["measures"]["publisher_payoff"] for one in paid]
        expected = [f"${before:,.2f}", f"${now:,.2f}", f"{'-' if now < before else '+'}${abs(now - before):,.2f}"]
        assert expected == page.locator("#pair tr", has_text="payoff per record").locator("td").all_inner_texts()
        page.go_back()
        page.wait_for_url("**/#loss=5000&game=sh-friendly&pinned=loss%3D5000")
        wait_for_answer(page, session, {"loss": 5000, "game": "sh-friendly"})
        page.go_forward()
        wait_for_answer(page, session, turned)
        page.click("#undo")
        page.wait_for_url("**/#loss=5000&game=sh-friendly&pinned=loss%3D5000")
        page.keyboard.press("Control+z")
        page.wait_for_url("**/#loss=5000&pinned=loss%3D5000")
        says(page, "#pair", "A is this setting")
        assert ["beforeunload"] == left
        page.fill("#save-path", "kept.toml")
        page.click("text=Save the scenario")
        says(page, "#saving", "Saved: ")
        page.reload()
        page.wait_for_selector("html[data-drawn=yes]", state="attached")
        assert ["beforeunload"] == left
        page.goto(f"{server.address}#loss=-1&cost=&game=chess&policy=x&weight.age=y&weight.__proto__=1&pinned=loss=1")
        page.wait_for_url("**/#pinned=loss%3D1")
        wait_for_answer(page, session, {})
        says(page, "#pair", "$1")
        assert [] == [url for url in asked if "#" in url]
        kept = page.evaluate("JSON.stringify([history.state, localStorage, sessionStorage])")
        assert urlsplit(server.address).path.strip("/") not in kept + urlsplit(page.url).fragment


def test_a_person_with_unknown_values_is_refused_in_words(page):
    look_up(page, age="48", sex="Male", race="White", zip="nowhere")
    says(page, "#person-fault", "values: `zip` cannot be `nowhere`: the hierarchy `us_zip` has no such value")
    assert 0 == page.locator(".outcomes").count()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_is_accessible_and_fits_every_width(running, server, session, scheme):
    from axe_playwright_python.sync_playwright import Axe  # noqa: PLC0415

    only_colours = {"runOnly": {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}}
    looked_at = {"resultTypes": ["violations"], **(only_colours if scheme == "dark" else {})}
    with page_of(running, server.address, color_scheme=scheme, bypass_csp=True) as page:
        page.click("#pin")
        enter(page, "#loss-field", "20,000")
        look_up(page, age="80", sex="Male", race="Amer-Indian-Eskimo", zip="03481")
        says(page, ".outcomes", "Amer-Indian-Eskimo")
        assert 0 == page.locator("#examples td").count()  # not asked for while folded
        page.click("#examples summary")
        cells = [cell for row in session.examples({"loss": 20_000})["examples"] for cell in row["cells"]]
        expect_texts(page, "#examples del", [before for before, cut, _ in cells if cut])
        says(page, ".groups", "sex *")
        says(page, "#loss-range", "The answer holds")
        says(page, "#suggest", "names no threshold")
        for width, height in SIZES.items():
            page.set_viewport_size({"width": width, "height": height})
            page.screenshot(path=artefact(f"explorer-quickstart-{width}-{scheme}.png"))
            if scheme == "dark" and width != min(SIZES):
                continue  # its colours alone differ
            found = Axe().run(page, options=looked_at).response["violations"]
            assert [] == [(one["id"], [node["html"][:90] for node in one["nodes"][:3]]) for one in found]
            assert width == page.evaluate("document.documentElement.scrollWidth")
            assert [] == page.evaluate(CUT_OFF)
            widths = "cells => Math.min(...cells.map((cell) => cell.offsetWidth))"
            assert page.eval_on_selector_all(".outcomes td.amount", widths) > 70
            if width < SIDE_BY_SIDE:
                assert page.eval_on_selector("#stakes", "stakes => stakes.offsetHeight") <= height / 3
        page.click("#tour")
        page.evaluate("document.body.classList.add('ended')")
        assert [] == [one["id"] for one in Axe().run(page, options=looked_at).response["violations"]]


def test_a_page_from_elsewhere_gets_nothing(running, server):
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
        page = running.new_page()
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


def test_a_suggested_game_is_set_in_the_controls_and_can_be_undone(running, tmp_path):
    from axe_playwright_python.sync_playwright import Axe  # noqa: PLC0415

    own = {"thresholds.own": [{"measure": "k_map", "at_least": 5}]}
    session = Session.open(Scenario.read(small_world(tmp_path), own), root=tmp_path)
    with serving(session) as server, page_of(running, server.address, bypass_csp=True) as page:
        page.click("text=Find the cheapest change")
        says(page, "#suggest", "costs the publisher $5.42 per record: the no-attack game.")
        for width, height in SIZES.items():
            page.set_viewport_size({"width": width, "height": height})
            page.screenshot(path=artefact(f"explorer-suggestions-{width}-light.png"), full_page=True)
            assert width == page.evaluate("document.documentElement.scrollWidth")
        assert [] == [one["id"] for one in Axe().run(page).response["violations"]]
        page.click("text=Show the no-attack game")
        wait_for_answer(page, session, {"game": "no-attack"})
        assert page.is_checked("input[value=no-attack]")
        assert 0 == page.locator("#suggest table").count()  # it was for another setting
        page.wait_for_url("**/#game=no-attack")
        page.click("#undo")
        wait_for_answer(page, session, {"game": "basic"})
        page.click("text=Find the cheapest change")
        page.click("text=Set loss to $140")
        wait_for_answer(page, session, {"loss": 140})
        assert "140" == page.input_value("#loss-field")


@pytest.fixture
def ended_session(tmp_path):
    """Return a session that ends with its server; the session of the other tests must not."""
    return Session.open(Scenario.read(small_world(tmp_path)), root=tmp_path)


def test_an_idle_page_tells_the_server_every_half_minute_that_it_is_open(running, ended_session):
    with serving(ended_session) as server, page_of(running, server.address, clock=True) as page:
        says(page, "#cost-range", "The answer holds")
        alive = []
        page.on("response", lambda got: got.url == f"{server.address}api/alive" and alive.append(got.status))
        page.clock.pause_at(page.evaluate("Date.now() / 1000 + 5"))
        server.wait(0.3)
        asked = monotonic() - server.idle
        alive.clear()
        with page.expect_event("response", lambda _: len(alive) == 10):
            page.clock.run_for(300_000)
        assert [200] * 10 == alive
        assert monotonic() - server.idle >= asked + 0.3
        assert not page.is_visible("#gone")


def test_a_closed_page_asks_no_more_and_the_server_ends(running, ended_session):
    with serving(ended_session) as server:
        with page_of(running, server.address) as page:
            says(page, "#cost-range", "The answer holds")
        server.wait(0.5)
        assert server.idle >= 0.5


def test_the_page_says_that_the_server_has_gone(running, ended_session):
    with serving(ended_session) as server:
        context = running.new_context()
        page = context.new_page()
        page.goto(server.address)
        page.wait_for_selector("html[data-drawn=yes]", state="attached")
    enter(page, "#loss-field", "50")
    page.wait_for_selector("#gone:not([hidden])")
    assert "The explorer has ended" in page.inner_text("#gone")
    assert "90" == page.input_value("#loss-field")  # that of the figures which are left
    colours = [page.eval_on_selector(one, "one => getComputedStyle(one).color") for one in (".headline", "#title")]
    assert 2 == len(set(colours))
    context.close()


def test_the_file_leads_to_the_page_only_once(running, ended_session):
    with serving(ended_session) as server, opening_file(server.opening_address) as file:
        context = running.new_context()
        try:
            page = context.new_page()
            page.goto(file.as_uri())
            page.wait_for_url(server.address)
            page.wait_for_selector("html[data-drawn=yes]", state="attached")
            again = context.new_page()
            again.goto(file.as_uri())
            again.wait_for_url(server.opening_address)
            assert "" == again.locator("body").inner_text()
        finally:
            context.close()
    assert not file.exists()
