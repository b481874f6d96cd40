"""What is compared: the pictures of both sides, and what is said of them."""

from __future__ import annotations

import numpy as np
import pytest

from mha_core import attend
from mha_core.comparing.distances import all_distances
from mha_core.layer.cells import Cell
from tests.pages.comparison import BOTH, Comparison, matrices
from tests.pages.visitor import unmarked
from ui.blocks.where_from import answer, where_from
from ui.number_format import format_number


def test_every_step_can_be_picked_and_says_how_far_apart_the_sides_are() -> None:
    page = Comparison(BOTH)
    assert page.at.selectbox(key="a-view-step").options[:2] == ["Input", "W_Q"]
    apart = all_distances(page.a.trace, page.b.trace)
    for step, found in apart.items():
        page.enter("a-view-step", step)
        assert page.plots
        assert page.errors == []
        assert found
        largest = format_number(found.largest, keep_tiny=True)
        words = "the same in A and B" if found.is_same else f"up to {largest} apart"
        if step == "masked_scores":
            words = "the same, but for 12 numbers hidden in one of them"
        assert words in [unmarked(caption.value) for caption in page.at.caption]
    assert "Masked scores 12 hidden in one of them" in page.words


def test_rounding_is_called_so() -> None:
    page = Comparison().ask("float32")
    assert "the same in A and B, but for rounding" in page.words


def test_the_choice_of_a_step_has_the_same_words_whatever_the_numbers_are() -> None:
    page = Comparison(BOTH)
    before = page.at.selectbox(key="a-view-step").options
    page.enter("b-enter-scale", "0.1")
    assert page.at.selectbox(key="a-view-step").options == before


def test_one_head_or_all() -> None:
    page = Comparison(BOTH)
    assert list(matrices(page.plots[0])) == ["weights/0", "weights/1"]
    page.enter("a-view-head", 1)
    assert [list(matrices(picture)) for picture in page.plots] == [["weights/1"]] * 3


@pytest.mark.parametrize(("a", "b"), [("one-head", "four-heads"), ("four-heads", "one-head")])
def test_only_heads_that_both_sides_have_are_offered(a: str, b: str) -> None:
    page = Comparison(f"a.example={a}&b.example={b}")
    assert page.at.pills(key="a-view-head").options == ["Head 1"]
    page.enter("a-view-head", 0)
    assert [list(matrices(picture)) for picture in page.plots] == [["weights/0"]] * 2


def test_a_head_that_b_has_no_more_is_not_looked_at() -> None:
    page = Comparison("a.example=four-heads&a.head=4&b.example=one-head")
    assert [len(matrices(picture)) for picture in page.plots] == [4, 1]
    assert page.at.pills(key="a-view-head").value is None
    page.b.open(page.a.scenario)
    page.run()
    assert [list(matrices(picture)) for picture in page.plots] == [["weights/3"]] * 3


def test_many_heads_come_in_pages() -> None:
    page = Comparison("a.example=two-tokens&a.heads=32&a.d_model=32&a.x=random&a.weights=random")
    page.click("a-copy")
    assert len(matrices(page.plots[0])) == 16
    page.enter("a-view-page", 2)
    assert next(iter(matrices(page.plots[0]))) == "weights/16"


def test_the_numbers_are_those_of_the_core() -> None:
    page = Comparison(BOTH)
    apart = all_distances(attend(page.a.scenario), attend(page.b.scenario))["weights"]
    assert apart
    assert apart.query is not None
    moved_most = page.b.scenario.tokens[apart.query]
    assert f"Weights {apart.largest:.2f} {apart.mean:.2f} “{moved_most}”" in page.words
    shares = np.abs(page.b.trace.weights - page.a.trace.weights).sum(axis=-1).mean(axis=-1) / 2
    for head in (0, 1):
        assert f"{shares[head]:.1%}" in page.words


def test_sides_of_other_sizes_show_their_pictures_and_say_so() -> None:
    page = Comparison("a.example=one-head&b.example=four-heads")
    assert [len(matrices(picture)) for picture in page.plots] == [1, 4]
    assert "A and B differ in size here" in page.words
    assert "The weights cannot be compared: A has 1 head, B has 4 heads." in page.words


@pytest.mark.parametrize(
    ("address", "words", "there"),
    [
        ("a.step=b_q", "Neither A nor B has b_Q", 0),
        ("a.step=b_q&b.b_q.rows=1_2_3_4_5_6_7_8", "A has no b_Q", 1),
        ("a.step=context&a.context=A+B", "B has no C", 1),
    ],
)
def test_what_a_side_does_not_have_is_said(address: str, words: str, there: int) -> None:
    page = Comparison(f"{BOTH}&{address}")
    assert len(page.plots) == there
    captions = [unmarked(caption.value) for caption in page.at.caption]
    assert {words, f"{words}, so there is no difference to show."} <= {*captions}
    assert page.errors == []


def test_the_table_of_steps_says_what_a_side_does_not_have() -> None:
    page = Comparison(f"{BOTH}&a.context=A+B")
    assert "Source of keys and values B has no C " in page.words


def test_a_pick_is_explained_below_the_pictures_of_its_side() -> None:
    page = Comparison(BOTH)
    page.a.pick(Cell("weights", 0, 1, 0))
    page.run()
    assert page.outlined == {"a": ["weights/0", 1, 0], "b": []}
    assert page.address["a.cell"] == "weights/0:2.1"


def test_what_is_said_of_a_number_begins_with_its_side() -> None:
    page = Comparison(BOTH)
    cell = Cell("weights", 0, 1, 0)
    for session in (page.a, page.b):
        session.pick(cell)
    page.run()
    for session in (page.a, page.b):
        heading = f'<h2 tabindex="-1">{session.name.upper()}: A<sub>1</sub>[LOVE, I] = '
        assert heading in where_from(session).panel
        before_the_run = answer(session.id, cell)
        assert before_the_run
        assert heading in before_the_run["panel"]


def test_on_a_page_of_one_session_a_number_has_no_side() -> None:
    page = Comparison("example=pizza&cell=weights/0:2.1", page="explore.py")
    assert '<h2 tabindex="-1">A<sub>1</sub>[LOVE, I] = ' in where_from(page.session).panel
