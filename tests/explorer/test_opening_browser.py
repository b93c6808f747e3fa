"""The file with which a browser is started leads it to the page, once."""

from gamedeid.explorer.serving import opening_file, serving


def test_the_file_leads_a_browser_to_the_page_and_nobody_else_afterwards(chrome, session):
    with serving(session) as server, opening_file(server.opening_address) as file:
        context = chrome.new_context()
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
