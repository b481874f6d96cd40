"""What strangers ask of the running server, and what they get."""

from __future__ import annotations

import http.client
import json
from collections.abc import Mapping
from email.message import Message
from typing import NamedTuple
from urllib.parse import urlsplit

import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from tests.serving import ROOT
from ui.guards.headers import security_headers
from ui.plot import VERSION

SUBPROTOCOLS = ["streamlit"]
UPLOAD = "/_stcore/upload_file/no-session/no-file"


class Answer(NamedTuple):
    status: int
    headers: Message
    content: bytes


def ask(
    url: str, path: str, method: str = "GET", headers: Mapping[str, str] | None = None
) -> Answer:
    """The path goes out as it is written, dots and all."""
    place = urlsplit(url)
    server = http.client.HTTPConnection(place.netloc)
    server.request(method, path, headers=dict(headers or {}))
    got = server.getresponse()
    answer = Answer(got.status, got.headers, got.read())
    server.close()
    return answer


@pytest.mark.parametrize(
    "path",
    [
        *("/", "/compare", "/no/such/page", "/favicon.png", "/_stcore/health", "/media/none"),
        *(f"/plot/{VERSION}/plot.js", "/plot/asked", "/plot/none", "/_stcore/none"),
    ],
)
def test_every_answer_has_the_headers(app_url: str, path: str) -> None:
    got = ask(app_url, path).headers
    assert {name: got[name] for name in security_headers()} == security_headers()


# Another site


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://[", ""])
def test_a_page_of_another_site_gets_no_websocket(app_url: str, origin: str) -> None:
    address = f"{app_url.replace('http', 'ws', 1)}/_stcore/stream"
    with pytest.raises(InvalidStatus) as refused:
        connect(address, subprotocols=SUBPROTOCOLS, additional_headers={"Origin": origin})
    assert refused.value.response.status_code == 403


def test_its_own_page_gets_one(app_url: str) -> None:
    address = f"{app_url.replace('http', 'ws', 1)}/_stcore/stream"
    with connect(
        address, subprotocols=SUBPROTOCOLS, additional_headers={"Origin": app_url}
    ) as line:
        assert line.subprotocol == "streamlit"


def xsrf_cookie(app_url: str) -> str:
    cookie: str = ask(app_url, "/_stcore/health").headers["Set-Cookie"]
    return cookie.partition(";")[0]


def test_an_upload_without_the_token_of_the_page_is_refused(app_url: str) -> None:
    cookie = xsrf_cookie(app_url)
    token = cookie.partition("=")[2]
    for headers in ({}, {"Cookie": cookie}, {"X-Xsrftoken": token}):
        assert ask(app_url, UPLOAD, "PUT", headers).status == 403
        assert ask(app_url, UPLOAD, "DELETE", headers).status == 403
    both = ask(app_url, UPLOAD, "PUT", {"Cookie": cookie, "X-Xsrftoken": token})
    assert both.status == 404  # a front asks the next replica: see ui/hosting.py
    assert b"Invalid session_id" in both.content


@pytest.mark.parametrize("origin", ["https://evil.example", "http://localhost:3000"])
def test_no_answer_may_be_read_by_another_site(app_url: str, origin: str) -> None:
    paths = (
        "/",
        "/_stcore/health",
        "/_stcore/host-config",
        "/plot/asked",
        "/plot/drawn",
        "/media/none",
    )
    for path in (*paths, "/healthz", "/metrics"):
        got = ask(app_url, path, headers={"Origin": origin}).headers
        assert got["Access-Control-Allow-Origin"] is None
        assert got["Cross-Origin-Resource-Policy"] == "same-origin"


def test_only_a_page_of_community_cloud_around_it_may_command_the_page(app_url: str) -> None:
    told = json.loads(ask(app_url, "/_stcore/host-config").content)
    assert told["allowedOrigins"] == ["https://*.streamlit.app"]
    assert not told["useExternalAuthToken"]
    assert not told["enableCustomParentMessages"]


def test_a_question_about_a_cell_of_nobody_has_no_answer(app_url: str) -> None:
    path = "/plot/asked?as=no-session&matrix=weights/0&row=0&column=0"
    answer = ask(app_url, path)
    assert (answer.status, answer.content) == (200, b"null")
    assert answer.headers["Cache-Control"] == "no-store"


def test_a_held_key_of_nobody_has_no_answer(app_url: str) -> None:
    answer = ask(app_url, "/plot/drawn?as=no-session&field=weights-seed&value=1")
    assert (answer.status, answer.content) == (204, b"")
    assert answer.headers["Cache-Control"] == "no-store"


def test_no_program_may_talk_to_it_instead_of_a_browser(app_url: str) -> None:
    """Streamlit's interface for agents is off."""
    said = {"Content-Type": "application/json"}
    assert ask(app_url, "/_stcore/agent/interact", "POST", said).status in (403, 404)


# Other files


SECRETS = (b"root:", b"[project]", b"st.App(", b"gatherUsageStats", b"from ui.plot.pictures")
UPWARDS = ("..", "%2e%2e", "..%2f..", "%2e%2e%2f%2e%2e", "..%5c..", "..%252f..", "....//")
PLACES = (
    *("", "static/", "app/static/", "media/", "component/", "_stcore/bidi-components/", "plot/"),
    *(f"plot/{VERSION}/", "_stcore/upload_file/x/"),
)


def test_the_words_that_are_looked_for_are_in_the_files() -> None:
    names = ("pyproject.toml", "app.py", ".streamlit/config.toml", "ui/plot/__init__.py")
    files = b"".join((ROOT / name).read_bytes() for name in names)
    assert all(word in files for word in SECRETS if word != b"root:")


@pytest.mark.parametrize("place", PLACES)
def test_no_path_leads_to_another_file(app_url: str, place: str) -> None:
    names = ("app.py", "pyproject.toml", ".streamlit/config.toml", "etc/passwd", "__init__.py")
    paths = [
        f"/{place}{'/'.join([up] * n)}/{name}"
        for up in UPWARDS
        for n in (1, 3, 9)
        for name in names
    ]
    paths += [f"/{place}/etc/passwd", f"/{place}%2fetc%2fpasswd", f"/{place}{ROOT}/app.py"]
    for path in paths:
        answer = ask(app_url, path)
        assert not any(word in answer.content for word in SECRETS), path
        assert answer.status < 500, path


@pytest.mark.parametrize("path", ["//evil.example/", "//evil.example/%2e%2e", "/\\evil.example/"])
def test_no_path_leads_to_another_site(app_url: str, path: str) -> None:
    assert urlsplit(ask(app_url, path).headers["Location"] or "").netloc == ""


# What it sets


def test_one_cookie_is_set_which_says_nothing_of_the_visitor(app_url: str) -> None:
    """The token against requests of other sites, until the browser is closed."""
    cookies = [
        cookie
        for path in ("/", "/compare", "/_stcore/health", "/_stcore/host-config", "/plot/asked")
        for cookie in ask(app_url, path).headers.get_all("Set-Cookie", [])
    ]
    assert {cookie.partition("=")[0] for cookie in cookies} == {"_streamlit_xsrf"}
    assert all("SameSite=Lax" in cookie for cookie in cookies)
    assert not any("Expires" in cookie or "Max-Age" in cookie for cookie in cookies)
