"""Everything that can be wrong with plain arrays, and what the error says."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from mha_core.checks.errors import HeadsError, LimitError, NumberError, OptionError, ShapeError
from mha_core.layer.attention import (
    combine_heads,
    multi_head_attention,
    naive_softmax,
    scaled_dot_product_attention,
    softmax,
    split_heads,
)
from mha_core.layer.chosen_rows import attend_rows
from mha_core.scenario.scenario import Scenario
from tests.core.refusals import (
    Refusal,
    bad_scale,
    bad_softcap,
    bad_temperature,
    check_refused,
    neither_boolean_nor_float,
    not_finite,
    not_numbers,
    ragged,
)

EYE = np.eye(4)
NAN, INF = float("nan"), float("inf")


def too_few_axes(thing: str, need: str, got: str, way_out: str) -> ShapeError:
    return ShapeError(thing, f"must have shape {need}", got, way_out)


def empty(thing: str, shape: str) -> ShapeError:
    return ShapeError(thing, "must not be empty", f"shape {shape}", "Give it a row.")


A_MATRIX, A_ROW = "Give a matrix with one row for each token.", "Give a row of numbers."


def heads_not_dividing(got: str) -> HeadsError:
    return HeadsError("n_heads", "must divide the width 12", got, "Take one of 1, 2, 3, 4, 6, 12.")


def split(n_heads: Any) -> Callable[[], Any]:
    return lambda: split_heads(np.ones((5, 12)), n_heads)


SPLIT_AND_SOFTMAX: dict[str, Refusal] = {
    "five heads of twelve columns": (split(5), heads_not_dividing("5")),
    "no heads": (split(0), heads_not_dividing("0")),
    "minus two heads": (split(-2), heads_not_dividing("-2")),
    "two point zero heads": (split(2.0), heads_not_dividing("2.0")),
    "heads in words": (split("two"), heads_not_dividing("'two'")),
    "heads as a truth value": (split(True), heads_not_dividing("True")),
    "five heads at once": (
        lambda: multi_head_attention(*[np.ones((2, 12))] * 3, 5),
        heads_not_dividing("5"),
    ),
    "a row to split": (
        lambda: split_heads([1.0, 2.0], 2),  # type: ignore[arg-type] # lists are taken too
        too_few_axes("X", "(..., n, n_heads*d)", "1 axes, shape (2,)", A_MATRIX),
    ),
    "nothing to split": (lambda: split_heads(np.ones((0, 4)), 2), empty("X", "(0, 4)")),
    "words to split": (lambda: split_heads(np.array([["a"]]), 1), not_numbers("X", "<U1")),
    "a matrix to combine": (
        lambda: combine_heads(EYE),
        too_few_axes(
            "The heads",
            "(..., n_heads, n, d)",
            "2 axes, shape (4, 4)",
            "Stack one matrix for each head.",
        ),
    ),
    "nothing to combine": (
        lambda: combine_heads(np.ones((2, 0, 3))),
        empty("The heads", "(2, 0, 3)"),
    ),
    "words to combine": (
        lambda: combine_heads(np.array([[["a"]]])),
        not_numbers("The heads", "<U1"),
    ),
    "softmax of a number": (
        lambda: softmax(np.array(3.0)),
        too_few_axes("The scores", "(..., n_k)", "0 axes, shape ()", A_ROW),
    ),
    "softmax of nothing": (lambda: softmax(np.array([])), empty("The scores", "(0,)")),
    "softmax of words": (lambda: softmax(np.array(["a"])), not_numbers("The scores", "<U1")),
    "naive softmax of a number": (
        lambda: naive_softmax(np.array(3.0)),
        too_few_axes("The scores", "(..., n_k)", "0 axes, shape ()", A_ROW),
    ),
    "naive softmax of nothing": (
        lambda: naive_softmax(np.ones((2, 0))),
        empty("The scores", "(2, 0)"),
    ),
}


def attention(q: Any = EYE, k: Any = EYE, v: Any = EYE, **options: Any) -> Callable[[], Any]:
    return lambda: scaled_dot_product_attention(q, k, v, **options)


def misfit(mask_shape: str) -> ShapeError:
    need = "must broadcast to the scores' shape (4, 4)"
    return ShapeError(
        "The mask", need, mask_shape, "Give one row for each query and one column for each key."
    )


def heads_not_shared(thing: str) -> HeadsError:
    need = "must have a number of heads that divides Q's 4"
    return HeadsError(thing, need, "3", "Take one of 1, 2, 4.")


def other_batches(thing: str) -> ShapeError:
    need = "must have leading axes that broadcast with Q's (2, 4)"
    return ShapeError(thing, need, "(3, 4)", "Give Q, K and V the same batch axes.")


OPEN_MASK = "The mask (where it is not -inf)"
TWO_BATCHES, THREE_BATCHES = np.ones((2, 4, 3, 5)), np.ones((3, 4, 3, 5))
FOUR_HEADS, THREE_HEADS = np.ones((4, 2, 3)), np.ones((3, 2, 3))

ATTENTION: dict[str, Refusal] = {
    "a row for Q": (
        attention(q=[1.0, 2.0]),
        too_few_axes("Q", "(..., n_q, d_k)", "1 axes, shape (2,)", A_MATRIX),
    ),
    "a row for K": (
        attention(k=[1.0, 2.0]),
        too_few_axes("K", "(..., n_k, d_k)", "1 axes, shape (2,)", A_MATRIX),
    ),
    "a row for V": (
        attention(v=[1.0, 2.0]),
        too_few_axes("V", "(..., n_k, d_v)", "1 axes, shape (2,)", A_MATRIX),
    ),
    "no queries": (attention(q=np.ones((0, 4))), empty("Q", "(0, 4)")),
    "no keys": (attention(k=np.ones((0, 4))), empty("K", "(0, 4)")),
    "no values": (attention(v=np.ones((4, 0))), empty("V", "(4, 0)")),
    "ragged queries": (attention(q=[[1, 2], [3]]), ragged("Q")),
    "ragged keys": (attention(k=[[1, 2], [3]]), ragged("K")),
    "words for values": (attention(v=[["a"]] * 4), not_numbers("V", "<U1")),
    "keys wider than queries": (
        attention(k=np.ones((4, 5))),
        ShapeError(
            "K", "must be as wide as Q, d_k = 4", "width 5", "Project both to the same d_k."
        ),
    ),
    "keys narrower than queries, in batches": (
        attention(np.ones((2, 5, 3)), np.ones((2, 7, 1)), np.ones((2, 7, 1))),
        ShapeError(
            "K", "must be as wide as Q, d_k = 3", "width 1", "Project both to the same d_k."
        ),
    ),
    "more values than keys": (
        attention(v=np.ones((5, 4))),
        ShapeError(
            "V",
            "must have one row for each key, n_k = 4",
            "5 rows",
            "Give K and V the same number of rows.",
        ),
    ),
    "NaN in Q": (attention(q=[[1, NAN, 1, 1]]), not_finite("Q", "nan in row 1, column 2")),
    "infinity in K": (attention(k=[[INF, 1, 1, 1]]), not_finite("K", "inf in row 1, column 1")),
    "NaN in a batch of V": (
        attention(v=np.stack([EYE, EYE * NAN])),
        not_finite("V", "nan in position 2, 1, 1"),
    ),
    "key heads that queries cannot share": (
        attention(FOUR_HEADS, THREE_HEADS, THREE_HEADS),
        heads_not_shared("K"),
    ),
    "value heads that queries cannot share": (
        attention(FOUR_HEADS, FOUR_HEADS, THREE_HEADS),
        heads_not_shared("V"),
    ),
    "other batches of keys": (
        attention(TWO_BATCHES, THREE_BATCHES, THREE_BATCHES),
        other_batches("K"),
    ),
    "other batches of many axes": (
        attention(np.ones((2, 7, 4, 3, 5)), np.ones((3, 7, 4, 3, 5))),
        ShapeError(
            "K",
            "must have leading axes that broadcast with Q's (2, 7, 4)",
            "(3, 7, 4)",
            "Give Q, K and V the same batch axes.",
        ),
    ),
    "other batches of values": (
        attention(TWO_BATCHES, TWO_BATCHES, THREE_BATCHES),
        other_batches("V"),
    ),
    "whole numbers for a mask": (
        attention(mask=np.ones((4, 4), int)),
        neither_boolean_nor_float("The mask", "int64"),
    ),
    "words for a mask": (attention(mask=[["a"]]), neither_boolean_nor_float("The mask", "<U1")),
    "a ragged mask": (attention(mask=[[True], [True, False]]), ragged("The mask")),
    "a mask of another width": (attention(mask=np.ones((4, 3), np.bool_)), misfit("(4, 3)")),
    "a float mask of another height": (attention(mask=np.zeros((3, 4))), misfit("(3, 4)")),
    "a mask of more axes than the scores": (
        attention(mask=np.zeros((2, 4, 4))),
        misfit("(2, 4, 4)"),
    ),
    "NaN in a mask": (
        attention(mask=np.diag([1, NAN, 1, 1])),
        not_finite(OPEN_MASK, "nan in row 2, column 2"),
    ),
    "plus infinity in a mask": (
        attention(mask=np.diag([1, 1, INF, 1])),
        not_finite(OPEN_MASK, "inf in row 3, column 3"),
    ),
    "a scale as a word": (attention(scale="5"), bad_scale("'5'")),
    "a scale of infinity": (attention(scale=INF), bad_scale("inf")),
    "a soft cap of zero": (attention(softcap=0), bad_softcap("0")),
    "a temperature of zero": (attention(temperature=0), bad_temperature("0")),
}


def long_sequence() -> Scenario:
    """As many tokens as there may be, so that their weights are too many to keep."""
    one = np.ones((1, 1))
    return Scenario(x=np.ones((16_384, 1)), w_q=one, w_k=one, w_v=one, w_o=one, n_heads=1)


def no_such_query(got: str) -> NumberError:
    return NumberError(
        "rows", "must name queries from 0 to 16383", got, "The first query is number 0."
    )


def rows(rows: Any) -> Callable[[], Any]:
    return lambda: attend_rows(long_sequence(), rows)


ROWS: dict[str, Refusal] = {
    "a number for a list of queries": (
        rows(3),
        OptionError("rows", "must be a list of queries", "3", "Write [0, 2]."),
    ),
    "a long word for a list of queries": (
        rows("q" * 100),
        OptionError("rows", "must be a list of queries", "'" + "q" * 39, "Write [0, 2]."),
    ),
    "a query that is not there": (rows([0, 16_384]), no_such_query("16384")),
    "a negative query": (rows([-1]), no_such_query("-1")),
    "a long word for a query": (rows(["q" * 100]), no_such_query("'" + "q" * 59)),
    "too many queries": (
        rows([0] * 8_193),
        LimitError(
            "The weights of the chosen rows",
            "must be at most 134,217,728",
            f"{8_193 * 16_384:,}",
            "Choose fewer rows.",
        ),
    ),
}

REFUSALS = {**SPLIT_AND_SOFTMAX, **ATTENTION, **ROWS}


@pytest.mark.parametrize("what", REFUSALS)
def test_a_wrong_array_is_told_what_is_wrong_and_a_way_out(what: str) -> None:
    action, expected = REFUSALS[what]
    check_refused(action, expected)
