"""What a head looks for and moves, by columns and by words, number by number."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mha_core import Layer, Stack, StackTrace, attend, load_example
from mha_core.changing.changes import with_context
from mha_core.changing.layers import as_stack, with_layer_count, with_prediction
from mha_core.examples import load_stack
from mha_core.layer.cells import Cell
from mha_core.stack.cells import in_layer
from mha_core.stack.derivation import has_number, is_made_between, made_between, replayed, value_of
from mha_core.stack.head_products import (
    HEAD_PRODUCTS,
    WORDS_LOOK_FOR,
    WORDS_MOVE,
    embedding_of,
    head_product,
)
from mha_core.stack.heads import looks_for, moves
from tests.core.stack.stacks import stacks

CAT = load_example("the-cat")
TWO = with_prediction(with_layer_count(as_stack(CAT), 2), True)


def all_cells(trace: StackTrace, layer: int) -> list[Cell]:
    found = []
    for name in HEAD_PRODUCTS:
        for head in range(trace.layers[layer].scenario.n_heads):
            product = head_product(trace, name, layer, head)
            if product is not None:
                found += [Cell(name, head, *place) for place in np.ndindex(product.numbers.shape)]
    return found


@given(stacks(most_layers=2), st.randoms(use_true_random=False))
def test_each_number_is_the_sum_of_its_products(stack: Stack, chance: object) -> None:
    trace = attend(stack)
    for layer in range(len(stack.layers)):
        cells = all_cells(trace, layer)
        for cell in chance.sample(cells, min(5, len(cells))):  # type: ignore[attr-defined]
            assert has_number(trace, cell, layer)
            assert is_made_between(trace, cell, layer)
            made = made_between(trace, cell, layer)
            assert made
            here = in_layer(cell, layer)
            size = sum(abs(np.prod([each.value for each in term])) for term in made.terms)
            assert abs(replayed(made) - value_of(trace, here)) <= 1e-5 * max(1, size)
            for each in {each.cell: each for term in made.terms for each in term}.values():
                assert has_number(trace, each.cell, layer)
                assert value_of(trace, each.cell) == each.value


@pytest.mark.parametrize("stack", [as_stack(CAT), TWO, load_stack("induction")])
def test_they_are_the_products_of_the_matrices(stack: Stack) -> None:
    trace = attend(stack)
    e = embedding_of(stack.first)
    assert e
    for layer, each in enumerate(trace.layers):
        s = each.scenario
        for head in range(s.n_heads):
            found = {n: head_product(trace, n, layer, head) for n in HEAD_PRODUCTS}
            numbers = [product.numbers for product in found.values() if product]
            reads = e.vectors.T if stack.w_u is None else stack.w_u
            wanted = [looks_for(s, head), moves(s, head)]
            wanted += [e.vectors @ wanted[0] @ e.vectors.T, e.vectors @ wanted[1] @ reads]
            for one, other in zip(numbers, wanted, strict=True):
                np.testing.assert_allclose(one, other, atol=1e-12)


def test_products_with_a_zero_are_left_out() -> None:
    trace = attend(as_stack(CAT))
    made = made_between(trace, Cell(WORDS_LOOK_FOR, 2, 1, 2), 0)
    assert made
    assert len(made.terms) == 1
    assert replayed(made) == value_of(trace, Cell("1.words_look_for", 2, 1, 2)) == 4.5


def test_words_are_told_without_their_places() -> None:
    e = embedding_of(CAT)
    assert e
    assert e.words == tuple(dict.fromkeys(CAT.tokens))
    assert not e.vectors[:, -2:].any()
    trace = attend(TWO)
    looks = head_product(trace, WORDS_LOOK_FOR, 0, 2)
    becomes = head_product(trace, WORDS_MOVE, 0, 2)
    assert looks
    assert looks.rows == looks.columns == e.words
    assert becomes
    assert becomes.columns == TWO.words


def test_on_a_stream_all_columns_have_the_names_of_the_first_x() -> None:
    product = head_product(attend(load_stack("induction")), "moves", 1, 0)
    assert product
    assert product.rows[0] == product.columns[0] == "a"
    assert product.columns[-1] == "d before"


def test_there_are_none_of_words_without_an_embedding() -> None:
    two_vectors = replace(CAT, x=np.arange(36.0).reshape(6, 6))
    assert embedding_of(two_vectors) is None
    crossed = with_context(CAT, ["one", "two"])
    assert embedding_of(crossed) is None
    trace = attend(as_stack(crossed))
    assert head_product(trace, WORDS_LOOK_FOR, 0, 0) is None
    assert not has_number(trace, Cell(WORDS_MOVE, 0, 0, 0), 0)
    assert has_number(trace, Cell("moves", 0, 0, 0), 0)


def test_words_need_columns_as_wide_as_theirs() -> None:
    narrow = replace(CAT, w_o=np.ones((8, 4)))
    four = np.ones((4, 8))
    layer = Layer(w_q=four, w_k=four, w_v=four, w_o=np.ones((8, 3)), n_heads=4)
    trace = attend(Stack((narrow, layer), residual=False))
    assert head_product(trace, WORDS_MOVE, 0, 0) is None
    assert head_product(trace, WORDS_LOOK_FOR, 1, 0) is None


@pytest.mark.parametrize(
    "cell",
    [
        Cell("looks_for", None, 0, 0),
        Cell("looks_for", 9, 0, 0),
        Cell("looks_for", 0, 6, 0),
        Cell("moves", 0, 0, 6),
        Cell("words_move", 0, 0, 99),
        Cell("3.moves", 0, 0, 0),
        Cell("1.stream", None, 0, 0),
    ],
)
def test_what_is_beyond_them_is_no_number(cell: Cell) -> None:
    assert not has_number(attend(TWO), cell, 0)
