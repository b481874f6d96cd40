"""What the server serves beside the pages: the modules of the plot."""

from __future__ import annotations

import gzip

import pytest

from tests.asking import get
from tests.browser.conftest import BASE_PATH
from ui.plot import SCRIPT, VERSION

PATH = f"plot/{VERSION}/plot.js"


def test_the_script_is_served_below_the_base_path(demo_url: str) -> None:
    answer = get(f"{demo_url}/{PATH}")
    assert gzip.decompress(answer.content) == SCRIPT
    assert answer.headers["Content-Type"].startswith("text/javascript")
    assert "immutable" in answer.headers["Cache-Control"]
    assert answer.headers["Vary"] == "Accept-Encoding"


def test_it_is_served_without_a_base_path_too(demo_url: str) -> None:
    root = demo_url.removesuffix(f"/{BASE_PATH}")
    assert gzip.decompress(get(f"{root}/{PATH}").content) == SCRIPT


def test_it_travels_compressed_only_where_that_is_understood(demo_url: str) -> None:
    assert get(f"{demo_url}/{PATH}").headers["Content-Encoding"] == "gzip"
    plain = get(f"{demo_url}/{PATH}", encoding="identity")
    assert plain.headers["Content-Encoding"] is None
    assert plain.content == SCRIPT
    assert "immutable" in plain.headers["Cache-Control"]


@pytest.mark.parametrize(
    "path",
    [
        f"plot/{VERSION}/__init__.py",
        f"plot/{VERSION}/board.js",
        "plot/plot.css",
        "plot/plot.js",
        "plot/an-old-version/plot.js",
    ],
)
def test_nothing_else_is_served(demo_url: str, path: str) -> None:
    answer = get(f"{demo_url}/{path}")
    assert answer.status == 404
    assert "immutable" not in (answer.headers["Cache-Control"] or "")


@pytest.mark.parametrize("name", ["..%2F__init__.py", "%2Fetc%2Fpasswd", "../__init__.py"])
def test_no_path_leads_to_another_file(demo_url: str, name: str) -> None:
    content = get(f"{demo_url}/plot/{VERSION}/{name}", encoding="identity").content
    assert b"def show" not in content
    assert b"root:" not in content
