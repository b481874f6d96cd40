"""What a head looks for and what it moves, below the head that is looked at."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from mha_core import attend, encode_link
from mha_core.changing.changes import with_matrix, with_tokens
from mha_core.changing.layers import as_stack
from mha_core.examples import load_example
from mha_core.layer.cells import Cell
from mha_core.stack.head_products import HEAD_PRODUCTS
from mha_core.stack.heads import looks_for, moves
from tests.pages.visitor import Visitor
from ui.blocks.head_matrices import sentence_on, sentence_on_words
from ui.blocks.where_from import answer

TITLE = "What it looks for, and what it moves"
PAIR = (("noun", "verb"), ("verb", "noun"))
CAT = load_example("the-cat")


class Looking(Visitor):
    """A visitor who has opened what a head looks for."""

    def __init__(self, address: str) -> None:
        super().__init__(address)
        self.at.session_state["looks-for"] = True
        self.run()

    @property
    def pair(self) -> dict[str, Any]:
        plots = [plot for name, plot in self.plots.items() if name.endswith("looks for")]
        return {m["name"]: m for plot in plots for m in plot["figure"]["matrices"]}


def test_both_matrices_have_the_products_and_the_names_of_columns() -> None:
    pair = Looking("example=the-cat&head=3").pair
    np.testing.assert_allclose(pair["looks_for/2"]["values"], looks_for(CAT, 2), atol=1e-6)
    np.testing.assert_allclose(pair["moves/2"]["values"], moves(CAT, 2), atol=1e-6)
    assert list(pair["looks_for/2"]["row_labels"])[:2] == ["noun", "verb"]
    assert not any(matrix["given"] for matrix in pair.values())


def test_columns_of_a_higher_layer_are_named_too() -> None:
    page = Looking("example=induction&layer=2&head=1")
    assert list(page.pair["looks_for/0"]["column_labels"])[-1] == "d before"
    assert "Column a of a query looks most for column a before of a key: 10.00." in page.words


def test_it_says_what_is_wanted_most_and_that_it_copies() -> None:
    page = Looking("example=the-cat&head=3")
    said = [f"Column {a} of a query looks most for column {b} of a key: 4.50." for a, b in PAIR]
    assert any(words in page.words for words in said)  # both are as large
    assert "It copies: 100% of what it moves goes back to where it came from." in page.words


def test_it_says_no_more_than_is_true() -> None:
    nothing = with_matrix(with_matrix(CAT, "w_q", 0 * CAT.w_q), "w_v", 0 * CAT.w_v)
    assert "most for" not in sentence_on(attend(nothing), 0, 2)
    assert "copies" not in sentence_on(attend(nothing), 0, 2)
    turned = with_matrix(CAT, "w_o", -CAT.w_o)
    assert "copies" not in sentence_on(attend(turned), 2, 2)
    assert "copies" not in sentence_on(attend(load_example("translation")), 0, 2)


def test_it_follows_a_change() -> None:
    page = Looking(f"{encode_link(CAT)}&head=3")
    page.session.attempt("w_q", None, lambda s: with_matrix(s, "w_q", 2 * s.w_q))
    pair = page.run().pair
    np.testing.assert_allclose(pair["looks_for/2"]["values"], 2 * looks_for(CAT, 2), atol=1e-6)


@pytest.mark.parametrize("address", ["example=pizza-1024&head=1", "example=the-cat"])
def test_neither_a_wide_layer_nor_a_page_without_a_head_has_it(address: str) -> None:
    page = Looking(address)
    assert TITLE not in [each.label for each in page.at.expander]


def test_words_look_for_words_and_copy_words_and_each_number_is_explained() -> None:
    page = Looking("example=the-cat&head=3&cell=words_look_for/2:2.3")
    assert "Of words, “cat” looks most for “sees”: 4.50." in page.words
    assert "It copies words: each one becomes itself most." in page.words
    assert set(page.pair) == {f"{name}/2" for name in HEAD_PRODUCTS}
    cell = page.view.cell
    assert cell
    said = answer(page.session.id, cell)
    assert said
    assert "of words, head 3 [cat, sees]" in said["panel"]
    assert 'data-matrix="1.looks_for/2"' in said["panel"]
    below = answer(page.session.id, Cell("1.looks_for", 2, 0, 1))
    assert below
    assert "W_Q times W_K" in below["panel"]


def test_no_word_is_said_to_be_the_most_where_others_are_as_large() -> None:
    nothing = with_matrix(with_matrix(CAT, "w_q", 0 * CAT.w_q), "w_v", 0 * CAT.w_v)
    assert sentence_on_words(attend(as_stack(nothing)), 0, 0, 2) == ""
    alike = with_matrix(CAT, "x", np.tile(CAT.x[0], (6, 1)))
    one_word = with_tokens(alike, ["a", "b", "a", "b", "a", "b"])
    says = sentence_on_words(attend(as_stack(with_matrix(one_word, "x", alike.x))), 0, 3, 2)
    assert "becomes" not in says
    assert "looks most" not in says
