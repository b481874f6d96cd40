"""What a head looks for and what it moves, number by number, and from words to words.

W_Q W_Kᵀ and W_V W_O go from the columns of X to the columns of X. Where the first X says of each
word the same wherever it stands, its rows are an embedding of the words, E: then E W_Q W_Kᵀ Eᵀ
says which word looks for which. What a head makes of a word, E W_V W_O, is read by W_U where there
is one, and else by Eᵀ.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

import numpy as np

from mha_core.checks.shapes import FloatArray
from mha_core.language import say
from mha_core.layer.cells import Cell
from mha_core.layer.matrices import axis_in
from mha_core.scenario.given_arrays import GIVEN
from mha_core.scenario.head_parts import head_used_by, place_of_head
from mha_core.scenario.scenario import Scenario
from mha_core.scenario.x_columns import columns_of_place
from mha_core.stack.heads import looks_for, moves
from mha_core.stack.trace import StackTrace

LOOKS_FOR: Final = "looks_for"
MOVES: Final = "moves"
WORDS_LOOK_FOR: Final = "words_look_for"
WORDS_MOVE: Final = "words_move"
OF_COLUMNS: Final = (LOOKS_FOR, MOVES)
OF_WORDS: Final = {WORDS_LOOK_FOR: LOOKS_FOR, WORDS_MOVE: MOVES}  # and what they are made of
HEAD_PRODUCTS: Final = (*OF_COLUMNS, *OF_WORDS)
SYMBOLS: Final[Mapping[str, str]] = {
    LOOKS_FOR: say("W_Q W_Kᵀ"),
    MOVES: say("W_V W_O"),
    WORDS_LOOK_FOR: say("W_Q W_Kᵀ of words"),
    WORDS_MOVE: say("W_V W_O of words"),
}


class Embedding(NamedTuple):
    """The words, a row of X that has each of them, and what that row says of the word alone."""

    words: tuple[str, ...]
    rows: tuple[int, ...]
    vectors: FloatArray


class HeadProduct(NamedTuple):
    """Its numbers, and what its rows and columns are called."""

    numbers: FloatArray
    rows: tuple[str, ...]
    columns: tuple[str, ...]


class Factor(NamedTuple):
    """One of the numbers that are multiplied: its cell, and in which layer that is.

    The layer is None after the last one.
    """

    cell: Cell
    layer: int | None
    value: float


def embedding_of(s: Scenario) -> Embedding | None:
    """None where a word has several vectors, or another sequence is looked at.

    >>> from mha_core import load_example
    >>> embedding_of(load_example("the-cat")).words
    ('the', 'cat', 'sees', 'other')
    """
    if s.context is not None:
        return None
    vectors = s.x.copy()
    of_place = columns_of_place(s.x, s.origin.x)
    if of_place is not None:
        vectors[:, of_place] = 0
    first = {word: s.tokens.index(word) for word in s.tokens}
    is_same = all(
        np.array_equal(vectors[row], vectors[first[word]]) for row, word in enumerate(s.tokens)
    )
    rows = tuple(first.values())
    return Embedding(tuple(first), rows, vectors[list(rows)]) if is_same else None


def head_product(trace: StackTrace, name: str, layer: int, head: int) -> HeadProduct | None:
    """One of the HEAD_PRODUCTS; None where there is none: of words, without an embedding."""
    s = trace.layers[layer].scenario
    if name in OF_COLUMNS:
        axes = ("d_model", "d_model_kv") if name == LOOKS_FOR else ("d_model_v", "d_out")
        rows, columns = (axis_in(trace.layers[layer], axis).labels for axis in axes)
        numbers = looks_for(s, head) if name == LOOKS_FOR else moves(s, head)
        return HeadProduct(numbers, tuple(rows), tuple(columns))
    embedding = embedding_of(trace.stack.first)
    if embedding is None or embedding.vectors.shape[1] != s.d_model:
        return None
    if name == WORDS_MOVE and s.context_v is not None:  # it moves other rows than those of words
        return None
    if name == WORDS_LOOK_FOR:
        numbers = embedding.vectors @ looks_for(s, head) @ embedding.vectors.T
        return HeadProduct(numbers, embedding.words, embedding.words)
    reads, words = _read_by(trace, embedding)
    if len(reads) != s.d_out:
        return None
    return HeadProduct(embedding.vectors @ moves(s, head) @ reads, embedding.words, words)


def _read_by(trace: StackTrace, embedding: Embedding) -> tuple[FloatArray, tuple[str, ...]]:
    """What makes words of a row of the stream: W_U, else the words themselves."""
    if trace.stack.w_u is not None:
        return trace.stack.w_u, trace.stack.words
    return embedding.vectors.T, embedding.words


def factors_of(trace: StackTrace, cell: Cell, layer: int) -> Iterator[tuple[Factor, ...]]:
    """The terms of a number of a head product: what is multiplied in each. Zeros are left out."""
    s, head = trace.layers[layer].scenario, cell.head or 0
    if cell.step == LOOKS_FOR:
        query, key = (_columns(name, s, head) for name in ("w_q", "w_k"))
        for i, j in zip(query, key, strict=True):
            yield (_given(s, "w_q", cell.row, i, layer), _given(s, "w_k", cell.column, j, layer))
    elif cell.step == MOVES:
        for i, j in zip(_columns("w_v", s, head), _rows_of_w_o(s, head), strict=True):
            yield (_given(s, "w_v", cell.row, i, layer), _given(s, "w_o", j, cell.column, layer))
    else:
        yield from _between_words(trace, cell, layer)


def _between_words(trace: StackTrace, cell: Cell, layer: int) -> Iterator[tuple[Factor, ...]]:
    name = OF_WORDS[cell.step]
    inner = head_product(trace, name, layer, cell.head or 0)
    embedding = embedding_of(trace.stack.first)
    assert inner
    assert embedding
    for i, one in enumerate(embedding.vectors[cell.row]):
        for j, number in enumerate(inner.numbers[i]):
            last = _reader(trace, embedding, cell, j)
            if one * number * last.value:
                first = Factor(Cell("x", None, embedding.rows[cell.row], i), 0, float(one))
                middle = Factor(Cell(name, cell.head, i, j), layer, float(number))
                yield first, middle, last


def _reader(trace: StackTrace, embedding: Embedding, cell: Cell, column: int) -> Factor:
    """What a column is read by, for the word of the cell's column."""
    w_u = trace.stack.w_u
    if cell.step == WORDS_MOVE and w_u is not None:
        value = float(w_u[column, cell.column])
        return Factor(Cell("w_u", None, column, cell.column), None, value)
    row, value = embedding.rows[cell.column], float(embedding.vectors[cell.column, column])
    return Factor(Cell("x", None, row, column), 0, value)


def _given(s: Scenario, name: str, row: int, column: int, layer: int) -> Factor:
    value = float(getattr(s, name)[row, column])
    return Factor(Cell(name, None, row, column), layer, value)


def _columns(name: str, s: Scenario, head: int) -> range:
    dims = GIVEN[name].dims
    _, columns = place_of_head(dims, s.sizes, head_used_by(dims, s.sizes, head))
    return range(*columns.indices(getattr(s, name).shape[1]))


def _rows_of_w_o(s: Scenario, head: int) -> range:
    dims = GIVEN["w_o"].dims
    rows, *_ = place_of_head(dims, s.sizes, head_used_by(dims, s.sizes, head))
    return range(*rows.indices(len(s.w_o)))
