"""The page of a picture in a real browser: silent, offline, every panel drawn, no complaint by axe."""

import pytest
from browser import NARROW, WIDE, artefact, opened
from depth import tries
from sample_pictures import KINDS, picture

from gamedeid.pictures.saving import save_picture

READ_BY_AXE = ("map", "differences", "many strategies")


@pytest.mark.parametrize("kind", KINDS)
def test_a_page_is_silent_and_offline_draws_every_panel_and_shuts_nobody_out(running, tmp_path, kind):
    save_picture(picture(kind), tmp_path / "picture.html")
    with opened(running, tmp_path / "picture.html", viewport=WIDE) as (page, heard):
        assert ([], []) == (heard.errors, heard.messages)
        assert [(tmp_path / "picture.html").as_uri()] == [url for url in heard.requests if not url.startswith("data:")]
        assert len(picture(kind).panels) == page.locator(".panel:visible").count()
        page.focus(".drawing")
        page.keyboard.press("ArrowRight")
        said = page.locator(".readout").inner_text()
        box = page.locator(".panel").first.bounding_box()
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        assert said
        assert page.locator(".tip:visible").inner_text()
        page.screenshot(path=artefact(f"picture-{kind.replace(' ', '-')}.png"), full_page=True)
        if kind in READ_BY_AXE:
            axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
            for viewport in tries([NARROW], [NARROW, WIDE]):
                page.set_viewport_size(viewport)
                assert [] == [(one["id"], one["nodes"][0]["html"]) for one in axe.run(page).response["violations"]]
