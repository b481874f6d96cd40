"""What is done to a label in a picture, and what it does to the scenario."""

from __future__ import annotations

import numpy as np
import pytest

from mha_core import Scenario
from mha_core.changing.changes import with_heads_off, with_own_values, with_tokens, with_x
from mha_core.changing.reordering import with_head_moved
from mha_core.checks.errors import LimitError, MhaError, OptionError, ShapeError
from mha_core.checks.limits import PAGE_LIMITS
from mha_core.examples import load_example
from tests.core.strategies import self_attention
from ui.edits.label_entries import LabelEntry

PIZZA = load_example("pizza")
TRANSLATION = load_example("translation")


def on_label(
    act: str, place: int, s: Scenario = PIZZA, source: str = "tokens", text: str = "", to: int = 0
) -> Scenario:
    return LabelEntry("x", source, place, act, text, to).put(s)


def test_a_token_gets_another_name_and_its_row_from_the_recipe() -> None:
    s = with_x(PIZZA, "word_vectors")
    renamed = on_label("rename", 1, s, text=" HATE ")
    assert renamed == with_tokens(s, ("I", "HATE", "PEPPERONI", "PIZZA"))
    np.testing.assert_array_equal(np.delete(renamed.x, 1, 0), np.delete(s.x, 1, 0))
    assert not np.array_equal(renamed.x[1], s.x[1])


def test_a_name_may_have_blanks_inside() -> None:
    assert on_label("rename", 0, text="New York").tokens[0] == "New York"


def test_a_new_word_makes_a_one_hot_input_wider() -> None:
    s = with_x(self_attention(2, 1, 1, tokens=("SO", "SO")), "one_hot")
    assert on_label("rename", 1, s, text="GOOD").x.tolist() == [[1, 0], [0, 1]]


def test_the_second_sequence_has_labels_of_its_own() -> None:
    renamed = on_label("rename", 0, TRANSLATION, "context_tokens", "NEW")
    assert renamed.context_tokens == ("NEW", *TRANSLATION.context_tokens[1:])
    assert renamed.tokens == TRANSLATION.tokens


@pytest.mark.parametrize(
    ("name", "words"),
    [("", "must have a name, got nothing"), (" \t", "must have a name"), ("A" * 201, "200")],
)
def test_a_name_that_cannot_be_is_refused(name: str, words: str) -> None:
    with pytest.raises(MhaError, match=words):
        on_label("rename", 0, text=name)


def test_a_new_token_has_a_name_that_no_other_has() -> None:
    assert on_label("add", 1).tokens == ("I", "t5", "LOVE", "PEPPERONI", "PIZZA")
    named = with_tokens(PIZZA, ("t3", "t4"))
    assert on_label("add", 2, named).tokens == ("t3", "t4", "t5")
    more = on_label("add", 0, TRANSLATION, "context_tokens")
    assert more.context_tokens[0] == f"c{TRANSLATION.n_k + 1}"


def test_tokens_and_columns_are_removed_and_moved() -> None:
    assert on_label("remove", 2).tokens == ("I", "LOVE", "PIZZA")
    assert on_label("move", 3, to=0).tokens == ("PIZZA", "I", "LOVE", "PEPPERONI")
    moved = on_label("move", 0, source="d_model", to=7)
    np.testing.assert_array_equal(moved.x, np.roll(PIZZA.x, -1, axis=1))
    assert on_label("remove", 0, source="d_model").d_model == 7
    added = on_label("add", 8, source="d_model")
    assert (added.d_model, added.d_k, added.d_out) == (9, PIZZA.d_k, PIZZA.d_out)


def test_heads_are_moved_and_switched_off_and_on() -> None:
    off = on_label("switch", 0, source="heads")
    assert off == with_heads_off(PIZZA, {0})
    moved = on_label("move", 0, off, "heads", to=1)
    assert moved == with_head_moved(off, 0, 1)
    assert on_label("switch", 1, moved, "heads").heads_off == set()


@pytest.mark.parametrize(
    "entry",
    [
        LabelEntry("x", "tokens", 4, "rename", "A"),
        LabelEntry("x", "tokens", -1, "remove"),
        LabelEntry("x", "tokens", 0, "move", to=4),
        LabelEntry("x", "tokens", 5, "add"),
        LabelEntry("context", "context_tokens", 0, "add"),
        LabelEntry("context", "d_model_kv", 0, "remove"),
        LabelEntry("context_v", "d_model_v", 0, "remove"),
        LabelEntry("x", "n_heads", 0, "remove"),
        LabelEntry("x", "d_model", 0, "rename", "A"),
        LabelEntry("x", "tokens", 0, "explode"),
        LabelEntry("x", "tokens", 0, "switch"),
        LabelEntry("weights/0", "heads", 2, "switch"),
        LabelEntry("weights/0", "heads", 0, "move", to=2),
        LabelEntry("weights/0", "heads", 0, "remove"),
    ],
)
def test_what_is_not_there_is_refused_in_words(entry: LabelEntry) -> None:
    with pytest.raises(ShapeError, match="must still have the one that was edited"):
        entry.put(PIZZA)


def test_columns_of_what_values_alone_are_made_from_are_labels_too() -> None:
    own = with_own_values(PIZZA)
    wider = LabelEntry("context_v", "d_model_v", 8, "add").put(own)
    assert (wider.d_model_v, wider.d_model) == (own.d_model_v + 1, own.d_model)


def test_no_more_is_added_than_the_page_shows() -> None:
    many = self_attention(PAGE_LIMITS.tokens, 2, 1)
    with pytest.raises(LimitError, match="tokens on this page must be at most 512"):
        on_label("add", 0, many)
    wide = self_attention(2, PAGE_LIMITS.width, 1)
    with pytest.raises(LimitError, match="d_model on this page must be at most 1,024"):
        on_label("add", 0, wide, "d_model")


def test_an_unknown_source_has_no_labels() -> None:
    entry = LabelEntry("x", "weights", 0, "rename", "A")
    assert entry.labels(PIZZA) == ()
    assert not entry.has_array(PIZZA)
    with pytest.raises(OptionError, match="A token must have a name"):
        on_label("rename", 0)
