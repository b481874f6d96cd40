"""A page in one file: its parts, its letters, and what it carries of the numbers."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mha_core import Scenario, attend
from mha_core.changing.layers import as_stack
from mha_core.examples import load_example
from tests.unpacking import parts_of, unpacked
from ui.figures.heatmap import DOUBLE_CELLS
from ui.notebook import show
from ui.plot import SCRIPT
from ui.saved import fonts
from ui.saved.fonts import LATIN, USUAL, font_faces, fonts_for
from ui.saved.one_file import PACKED, one_file
from ui.saved.packing import packed, packed_data
from ui.saved.page import saved_page
from ui.saved.pictures import sums_of
from ui.saved.stops import stops_of

PIZZA = load_example("pizza")


@given(st.binary(max_size=29))
def test_bytes_of_any_length_come_back_from_the_page(part: bytes) -> None:
    page = PACKED.format(packed(part))
    assert parts_of(page) == [part]


@pytest.mark.parametrize("kind", ["f8", "f4", "u1"])
def test_numbers_of_every_kind_come_back_in_order(kind: str) -> None:
    numbers = np.arange(33).reshape(11, 3).astype(kind)
    page = PACKED.format(packed(b"")) + PACKED.format(packed_data({"words": ["ü"], "n": numbers}))
    found = unpacked(parts_of(page)[1])
    assert found["words"] == ["ü"]
    assert np.array_equal(found["n"], numbers)


def test_a_part_without_numbers_comes_back_too() -> None:
    page = PACKED.format(packed(b"")) + PACKED.format(packed_data([1, "two"]))
    assert unpacked(parts_of(page)[1]) == [1, "two"]


def test_letters_beyond_the_usual_ones_come_only_with_a_page_that_has_them() -> None:
    usual, more = fonts_for(set("plain")), fonts_for(set("Größe"))
    assert sorted(usual) == sorted(more) == [400, 600]
    assert all(len(usual[weight]) < len(more[weight]) for weight in usual)
    assert fonts_for(set("שלום")) == usual
    page = one_file("saved_page.js", {"title": "Größe"})
    assert unpacked(parts_of(page.decode())[0])["fonts"][0]["bytes"].size == len(more[400])
    assert not set(USUAL) & set(LATIN) - set("·×±")


def test_a_page_is_sent_without_what_edits_labels() -> None:
    program = unpacked(parts_of(one_file("saved_page.js", {"title": "Pizza"}).decode())[0])
    assert "LabelMenu" in SCRIPT.decode()
    assert "LabelMenu" not in program["script"]


def test_without_fonttools_the_letters_are_those_of_the_machine(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def missing(*_: object, **__: object) -> bytes:
        raise ImportError

    monkeypatch.setattr(fonts, "letters_of", missing)
    monkeypatch.setattr(fonts, "_fonts_with", fonts._fonts_with.__wrapped__)
    assert fonts_for(set("plain")) == {}
    assert font_faces.__wrapped__() == ""


def test_a_page_carries_what_was_given_and_sums_of_all_else() -> None:
    trace = attend(PIZZA)
    page = saved_page("Pizza", stops_of(attend(as_stack(PIZZA)), "Pizza")).decode()
    _, data, stop, walk = map(unpacked, parts_of(page))
    assert [each["sentence"] for each in data["stops"]] == [""]
    assert np.array_equal(stop["inputs"]["arrays"]["w_q"], PIZZA.w_q)
    assert "core" not in stop
    assert {"q", "weights/0", "weights/1", "output"} <= set(stop["sums"])
    assert "w_q" not in stop["sums"]
    shown = np.where(trace.mask, trace.weights[0], np.nan)
    assert tuple(stop["sums"]["weights/0"]) == sums_of({"": shown})[""]
    assert walk[0]["title"]
    assert all("values" not in m for m in walk[0]["pictures"][0]["figure"]["matrices"])


def test_a_sum_is_of_all_digits_where_a_picture_has_fewer() -> None:
    n_tokens = 113  # many heads of so many tokens travel in single precision
    x = np.random.default_rng(0).standard_normal((n_tokens, 11))
    w_q, w_k, w_v, w_o = np.stack([np.eye(11)] * 4)
    trace = attend(Scenario(x=x, w_q=w_q, w_k=w_k, w_v=w_v, w_o=w_o, n_heads=11))
    assert 11 * n_tokens**2 > DOUBLE_CELLS
    _, _, stop, _ = map(unpacked, parts_of(show(trace).page.decode()))
    wanted = sums_of({f"weights/{head}": weights for head, weights in enumerate(trace.weights)})
    assert {name: tuple(stop["sums"][name]) for name in wanted} == wanted


def test_a_sum_counts_numbers_alone() -> None:
    numbers = np.array([[1.0, np.nan], [np.inf, 3.0]])
    [(total, count)] = sums_of({"q": numbers}).values()
    assert count == 2
    assert total == pytest.approx(np.sin(1) + 3 * np.sin(3 * 3 + 1), rel=1e-15)
