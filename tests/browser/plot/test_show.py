"""What `show` sends to the browser, what it takes back, and what the server serves."""

from __future__ import annotations

import gzip
import http.client
import json
from email.message import Message
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import numpy as np
import plotly
import plotly.graph_objects as go
import pytest
from streamlit.testing.v1 import AppTest

from mha_core.layer.cells import Cell
from tests.browser.plot.conftest import BASE_PATH
from tests.unpacking import unpacked
from ui.figures.heatmap import heatmap_grid
from ui.figures.matrix import Matrix
from ui.plot import MODULES, PLOTLY, VERSION, Picture, _as_cell, _version
from ui.plot.wire import pack

HERE = Path(__file__).parent
VALUES = np.array([[1.5, np.nan, -2], [0, 1e-300, 3]])
MASKED = np.isnan(VALUES)


def figure() -> dict[str, Any]:
    values = np.nan_to_num(VALUES)
    return heatmap_grid([[Matrix("m", "m", values, ["a", "b"], list("xyz"), masked=MASKED)]])


@pytest.fixture
def demo() -> AppTest:
    return AppTest.from_file(str(HERE / "demo_page.py"), default_timeout=30).run()


def sent(demo: AppTest, number: int = 0) -> Any:
    return unpacked(demo.get("bidi_component")[number].proto.bytes)


def test_a_page_with_plots_runs_without_a_browser(demo: AppTest) -> None:
    assert not demo.exception
    assert sent(demo)["alt"] == "Scores above weights of every head"
    assert json.loads(demo.get("bidi_component")[1].proto.json) == []  # nothing is outlined


def packed(part: Any) -> Any:
    """A part as it comes out of the wire again."""
    return unpacked(pack({"part": part}))["part"]


def test_arrays_travel_bit_for_bit() -> None:
    z = unpacked(Picture.of(figure(), "m", "").data)["figure"]["data"][0]["z"]
    np.testing.assert_array_equal(z, VALUES)
    assert z.dtype == "f8"


@pytest.mark.parametrize(
    ("dtype", "kind"), [("f4", "f4"), (">f8", "f8"), ("f2", "f8"), ("i8", "f8"), ("u1", "u1")]
)
def test_every_kind_of_number_arrives_as_one_that_browsers_know(dtype: str, kind: str) -> None:
    array = np.array([[1, 2], [3, 4]]).astype(dtype)
    arrived = packed(array)
    assert arrived.dtype == kind
    np.testing.assert_array_equal(arrived, array)


def test_every_array_begins_where_the_browser_can_read_it() -> None:
    arrays = [np.arange(n, dtype="u1") for n in (1, 8, 3, 0, 5)]
    for name in ("x", "longer name"):  # the text before them has any length
        for there, here in zip(packed({name: arrays})[name], arrays, strict=True):
            np.testing.assert_array_equal(there, here)
    text = json.loads(pack(arrays)[4:].split(b"]}]")[0] + b"]}]")
    assert [array["at"] % 8 for array in text] == [0] * 5


def test_what_is_no_number_travels_as_it_is() -> None:
    assert packed(np.array(["a", "b"])) == ["a", "b"]
    assert packed(np.array([True, False])) == [True, False]
    assert packed({"a": np.float64(2.5), "b": (1, None, "x"), "c": float("inf")}) == {
        "a": 2.5,
        "b": [1, None, "x"],
        "c": None,
    }


def test_arrays_beside_infinities_arrive_once() -> None:
    arrived = packed({"a": float("nan"), "z": np.arange(3.0), "y": [float("-inf"), 2.0]})
    assert (arrived["a"], arrived["y"]) == (None, [None, 2.0])
    np.testing.assert_array_equal(arrived["z"], np.arange(3.0))
    assert len(pack({"a": np.nan, "z": np.arange(3.0)})) < 100


def test_a_graph_objects_figure_is_taken_too() -> None:
    picture = Picture.of(go.Figure(go.Scatter(x=np.arange(3.0), y=[1, 2, 3])), "s", "")
    (trace,) = unpacked(picture.data)["figure"]["data"]
    assert trace["type"] == "scatter"
    assert trace["x"]["dtype"] == "f8"  # as Plotly itself writes and reads arrays


def test_a_message_is_small_and_does_not_carry_the_script(demo: AppTest) -> None:
    message = demo.get("bidi_component")[0].proto
    assert len(message.js_content) < 1500
    assert f"plot/{VERSION}/" in message.js_content


@pytest.mark.parametrize("change", ["another text", "another name", "one more"])
def test_the_modules_have_a_new_address_when_they_change(tmp_path: Path, change: str) -> None:
    module = tmp_path / "a.js"
    module.write_text("1")
    before = _version(tmp_path)
    assert before == _version(tmp_path)
    if change == "another text":
        module.write_text("2")
    elif change == "another name":
        module.rename(tmp_path / "b.js")
    else:
        (tmp_path / "c.js").write_text("")
    assert _version(tmp_path) != before


@pytest.mark.parametrize(
    "value",
    [
        None,
        3,
        "m",
        {},
        {"matrix": "m"},
        {"matrix": 1, "row": 0, "column": 0},
        {"matrix": "m", "row": "0", "column": 0},
        {"matrix": "m", "row": 0.5, "column": 0},
        {"matrix": "m/no head", "row": 0, "column": 0},
    ],
)
def test_what_is_not_a_cell_is_not_taken_for_one(value: object) -> None:
    assert _as_cell(value) is None


def test_a_cell_comes_back_as_one() -> None:
    assert _as_cell({"matrix": "m", "row": 1, "column": 2}) == Cell("m", None, 1, 2)


@pytest.mark.parametrize(
    ("cell", "exists"),
    [
        (Cell("m", None, 1, 2), True),
        (Cell("m", None, 2, 0), False),
        (Cell("m", None, 0, 3), False),
        (Cell("m", None, -1, 0), False),
        (Cell("gone", None, 0, 0), False),
    ],
)
def test_only_a_cell_that_the_figure_has_is_returned(cell: Cell, exists: bool) -> None:
    assert Picture.of(figure(), "m", "").has(cell) is exists


# ---- what the server serves ----------------------------------------------------------------------


class Answer(NamedTuple):
    status: int
    headers: Message
    content: bytes


def get(url: str, encoding: str = "gzip") -> Answer:
    place = urlsplit(url)
    server = http.client.HTTPConnection(place.netloc)
    server.request("GET", place.path, headers={"Accept-Encoding": encoding})
    answer = server.getresponse()
    result = Answer(answer.status, answer.headers, answer.read())
    server.close()
    return result


MODULE_PATH = f"plot/{VERSION}/plot.js"
SERVED = {
    MODULE_PATH: MODULES / "plot.js",
    f"plot/plotly-{plotly.__version__}/plotly.min.js": PLOTLY,
}


@pytest.mark.parametrize("path", SERVED)
def test_the_installed_files_are_served_below_the_base_path(demo_url: str, path: str) -> None:
    answer = get(f"{demo_url}/{path}")
    assert gzip.decompress(answer.content) == SERVED[path].read_bytes()
    assert answer.headers["Content-Type"].startswith("text/javascript")
    assert "immutable" in answer.headers["Cache-Control"]
    assert answer.headers["Vary"] == "Accept-Encoding"


@pytest.mark.parametrize("path", SERVED)
def test_they_are_served_without_a_base_path_too(demo_url: str, path: str) -> None:
    root = demo_url.removesuffix(f"/{BASE_PATH}")
    assert gzip.decompress(get(f"{root}/{path}").content) == SERVED[path].read_bytes()


@pytest.mark.parametrize("path", SERVED)
def test_they_travel_compressed_only_where_that_is_understood(demo_url: str, path: str) -> None:
    assert get(f"{demo_url}/{path}").headers["Content-Encoding"] == "gzip"
    plain = get(f"{demo_url}/{path}", encoding="identity")
    assert plain.headers["Content-Encoding"] is None
    assert plain.content == SERVED[path].read_bytes()
    assert "immutable" in plain.headers["Cache-Control"]


@pytest.mark.parametrize(
    "path",
    [
        f"plot/{VERSION}/__init__.py",
        f"plot/{VERSION}/no.js",
        "plot/plot.css",
        "plot/plot.js",
        "plot/an-old-version/plot.js",
        "plot/plotly-0.0.1/plotly.min.js",
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
