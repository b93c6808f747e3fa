"""Only the explorer's own page may send requests to it."""

import pytest
from explorer_client import OPENING, ORIGIN, PORT, TOKEN, client_in

from gamedeid.explorer.guard import HEADERS
from gamedeid.explorer.pages import LARGEST_BODY

PAGE, ANSWER = f"/{TOKEN}/", f"/{TOKEN}/api/answer"


@pytest.mark.parametrize(
    ("status", "method", "path", "headers"),
    [
        (403, "GET", PAGE, {"host": f"localhost:{PORT}"}),
        (403, "GET", PAGE, {"host": "127.0.0.1"}),
        (403, "GET", PAGE, {"host": f"elsewhere.example:{PORT}"}),
        (404, "GET", "/", {}),
        (404, "GET", f"/{TOKEN}", {}),
        (404, "GET", f"/{TOKEN}x/", {}),
        (404, "GET", f"/{TOKEN[:-1]}/", {}),
        (404, "GET", "/explorer.js", {}),
        (404, "POST", "/api/answer", {"origin": ORIGIN}),
        (403, "POST", ANSWER, {}),
        (403, "POST", ANSWER, {"origin": "null"}),
        (403, "POST", ANSWER, {"origin": "http://elsewhere.example"}),
        (403, "POST", ANSWER, {"origin": f"http://localhost:{PORT}"}),
        (403, "POST", ANSWER, {"origin": ORIGIN, "sec-fetch-site": "cross-site"}),
        (403, "GET", PAGE, {"sec-fetch-site": "same-site"}),
        (405, "OPTIONS", ANSWER, {"origin": "http://elsewhere.example"}),
        (405, "PUT", ANSWER, {"origin": ORIGIN}),
        (405, "DELETE", PAGE, {"origin": ORIGIN}),
    ],
)
def test_requests_not_from_the_page_get_an_empty_answer(small_client, status, method, path, headers):
    response = small_client.request(method, path, headers=headers, content=b"{}" if method == "POST" else None)

    assert (status, b"") == (response.status_code, response.content)
    assert_guarded(response)


@pytest.mark.parametrize(
    "path",
    [
        "..%2f..%2fsession.py",
        "%2e%2e/session.py",
        "../session.py",
        "page/explorer.html",
        "explorer.html",
        "//etc/passwd",
    ],
)
def test_there_are_no_files_but_those_of_the_page(small_client, path):
    response = small_client.request("GET", f"{PAGE}{path}")

    assert 404 == response.status_code
    assert_guarded(response)


def test_headers_forbid_other_scripts_and_frames(small_client):
    for path in (PAGE, f"{PAGE}explorer.css", f"{PAGE}explorer.js"):
        response = small_client.request("GET", path)
        assert 200 == response.status_code
        assert_guarded(response)
    for content, status in (
        (b'{"setting": {}}', 200),
        (b'{"setting": 1}', 400),
        (b"{", 400),
        (b"[]", 400),
        (b"{}", 400),
    ):
        response = small_client.request("POST", ANSWER, content=content, headers={"origin": ORIGIN})
        assert status == response.status_code
        assert_guarded(response)


def test_a_request_larger_than_any_of_the_page_is_not_read(small_client):
    response = small_client.request("POST", ANSWER, content=b" " * (LARGEST_BODY + 1), headers={"origin": ORIGIN})

    assert (413, b"") == (response.status_code, response.content)
    assert_guarded(response)


def test_the_address_that_a_browser_is_started_with_leads_to_the_page_once(tmp_path):
    client = client_in(tmp_path)
    for method, path, headers in (
        ("POST", f"/{OPENING}/", {"origin": ORIGIN}),
        ("GET", f"/{OPENING}/", {"host": f"localhost:{PORT}"}),
        ("GET", f"/{OPENING}/api/answer", {}),
        ("GET", f"/{OPENING}", {}),
    ):
        assert client.request(method, path, headers=headers).status_code in {403, 404}

    first = client.request("GET", f"/{OPENING}/", headers={"sec-fetch-site": "cross-site"})  # from a file
    again = client.request("GET", f"/{OPENING}/")

    assert (200, f"0; url={PAGE}", b"") == (first.status_code, first.headers["refresh"], first.content)
    assert_guarded(first)
    assert (404, b"") == (again.status_code, again.content)


def assert_guarded(response):
    assert HEADERS == {name: response.headers.get(name) for name in HEADERS}
    assert [] == [name for name in response.headers if name.startswith("access-control-")]
    assert "default-src 'none'" in response.headers["content-security-policy"]
    assert "unsafe" not in response.headers["content-security-policy"]
