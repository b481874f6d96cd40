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
import plotly.graph_objects as go
import pytest
from streamlit.testing.v1 import AppTest

from tests.browser.plot.conftest import BASE_PATH
from tests.unpacking import unpacked
from ui import plot
from ui.figures.heatmap import Matrix, heatmap_grid
from ui.plot import Cell, Picture, _as_cell, _loader
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


def test_static_parts_stay_at_home() -> None:
    whole = heatmap_grid(
        [[Matrix("m", "m", np.ones((2, 3)), ["a", "b"], list("xyz"), masked=MASKED, heading="H")]]
    )
    sent = unpacked(Picture.of(whole, "m", "").data)["figure"]
    assert [trace["type"] for trace in whole["data"]] == ["heatmap", "scatter"]
    assert [trace["type"] for trace in sent["data"]] == ["heatmap"]
    assert (len(whole["layout"]["annotations"]), sent["layout"]["annotations"]) == (2, [])


def test_a_message_is_small_and_does_not_carry_the_script(demo: AppTest) -> None:
    message = demo.get("bidi_component")[0].proto
    assert len(message.js_content) < 1500
    assert "plot/plot.js?v=" in message.js_content


def test_the_script_has_a_new_address_when_it_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    changed = tmp_path / "plot.js"
    changed.write_bytes(plot.FILES["plot.js"].read_bytes() + b"\n")
    before = _loader("plot")
    monkeypatch.setitem(plot.FILES, "plot.js", changed)
    assert _loader("plot") != before


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
    ],
)
def test_what_is_not_a_cell_is_not_taken_for_one(value: object) -> None:
    assert _as_cell(value) is None


def test_a_cell_comes_back_as_one() -> None:
    assert _as_cell({"matrix": "m", "row": 1, "column": 2}) == Cell("m", 1, 2)


@pytest.mark.parametrize(
    ("cell", "exists"),
    [
        (Cell("m", 1, 2), True),
        (Cell("m", 2, 0), False),
        (Cell("m", 0, 3), False),
        (Cell("m", -1, 0), False),
        (Cell("gone", 0, 0), False),
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


@pytest.mark.parametrize("name", ["plotly.min.js", "plot.js"])
def test_the_installed_files_are_served_below_the_base_path(demo_url: str, name: str) -> None:
    answer = get(f"{demo_url}/plot/{name}")
    assert gzip.decompress(answer.content) == plot.FILES[name].read_bytes()
    assert answer.headers["Content-Type"].startswith("text/javascript")
    assert "immutable" in answer.headers["Cache-Control"]


def test_they_are_served_without_a_base_path_too(demo_url: str) -> None:
    root = demo_url.removesuffix(f"/{BASE_PATH}")
    assert (
        gzip.decompress(get(f"{root}/plot/plot.js").content) == plot.FILES["plot.js"].read_bytes()
    )


def test_they_travel_compressed_only_where_that_is_understood(demo_url: str) -> None:
    assert get(f"{demo_url}/plot/plot.js").headers["Content-Encoding"] == "gzip"
    plain = get(f"{demo_url}/plot/plot.js", encoding="identity")
    assert plain.headers["Content-Encoding"] is None
    assert plain.content == plot.FILES["plot.js"].read_bytes()


@pytest.mark.parametrize("name", ["__init__.py", "plot.css", "loader.js"])
def test_nothing_else_is_served(demo_url: str, name: str) -> None:
    assert get(f"{demo_url}/plot/{name}").status == 404


@pytest.mark.parametrize("name", ["..%2F__init__.py", "%2Fetc%2Fpasswd", "../__init__.py"])
def test_no_path_leads_to_another_file(demo_url: str, name: str) -> None:
    content = get(f"{demo_url}/plot/{name}", encoding="identity").content
    assert b"def show" not in content
    assert b"root:" not in content
