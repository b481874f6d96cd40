"""What arrives of a figure that is sent to the browser."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from tests.unpacking import unpacked
from ui.plot.wire import pack, stamped

VALUES = np.array([[1.5, np.nan, -2], [0, 1e-300, 3]])


def packed(part: Any) -> Any:
    """A part as it comes out of the wire again."""
    return unpacked(pack({"part": part}))["part"]


def test_arrays_travel_bit_for_bit() -> None:
    z = packed(VALUES)
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


def test_a_stamp_stands_behind_what_was_packed() -> None:
    assert stamped(pack({"a": 1}), 0x0102) == pack({"a": 1}) + b"\x02\x01\x00\x00"
