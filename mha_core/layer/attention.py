"""The functions of the source documents, under their names: softmax, split, attend, combine.

They take and return plain arrays. `trace.py` does the same arithmetic step by step and keeps every
array.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import numpy as np

from mha_core.checks.errors import HeadsError, NumberError, ShapeError
from mha_core.checks.shapes import BoolArray, FloatArray, as_float_array, check_finite
from mha_core.checks.values import divisors, is_whole
from mha_core.language import say
from mha_core.options.registry import OPTIONS, Change, changes_of
from mha_core.scenario.masks import split_mask


def softmax(scores: FloatArray) -> FloatArray:
    """Turn each row (last axis) of scores into weights that sum to 1.

    The row's largest score is subtracted first. The result is the same, but exp never overflows.
    A row of -inf only has no key to attend to: its weights are zeros.

    >>> softmax(np.array([[1.0, 0.0], [1000.0, 1000.0], [-np.inf, -np.inf]])).round(8)
    array([[0.73105858, 0.26894142],
           [0.5       , 0.5       ],
           [0.        , 0.        ]])
    """
    weights = _as_rows(scores).copy()
    if not (weights < np.inf).all():  # False for NaN too
        raise NumberError(
            "The scores",
            "must hold numbers, or -inf where a key is hidden",
            str(weights[~(weights < np.inf)][0]),
            "Replace that value by a number.",
        )
    with quiet():
        softmax_in_place(weights, allowed=~np.isneginf(weights))
    return weights


def naive_softmax(scores: FloatArray) -> FloatArray:
    """exp(s) / sum(exp(s)) with nothing subtracted, as document 000 prints it.

    It shows why softmax is not computed like this: exp overflows from a score of about 710 in
    float64, and of about 89 in float32, and inf / inf is not a number.

    >>> naive_softmax(np.array([1000.0, 0.0]))
    array([nan,  0.])
    """
    with quiet():
        exponentials = np.exp(_as_rows(scores))
        weights: FloatArray = exponentials / exponentials.sum(axis=-1, keepdims=True)
    return weights


def split_heads(x: FloatArray, n_heads: int) -> FloatArray:
    """Cut each token vector into n_heads equal slices, one per head.

    Shapes: (..., n, n_heads * d) -> (..., n_heads, n, d)

    Head h receives columns h*d to (h+1)*d. Nothing is computed: the result is a view of x.

    >>> split_heads(np.arange(8.0).reshape(2, 4), n_heads=2)[1]
    array([[2., 3.],
           [6., 7.]])
    """
    x = as_float_array("X", x)
    _check_axes("X", x, 2, "(..., n, n_heads*d)")
    width = x.shape[-1]
    if not is_whole(n_heads) or n_heads < 1 or width % n_heads:
        raise HeadsError(
            "n_heads",
            f"must divide the width {width}",
            repr(n_heads),
            f"Take one of {divisors(width)}.",
        )
    return x.reshape(*x.shape[:-1], n_heads, -1).swapaxes(-2, -3)


def combine_heads(heads: FloatArray) -> FloatArray:
    """Lay the heads' results side by side: the inverse of split_heads.

    Shapes: (..., n_heads, n, d) -> (..., n, n_heads * d)

    >>> combine_heads(np.array([[[1.0], [2.0]], [[3.0], [4.0]]]))
    array([[1., 3.],
           [2., 4.]])
    """
    heads = as_float_array("The heads", heads)
    _check_axes("The heads", heads, 3, "(..., n_heads, n, d)")
    n_heads, n, d = heads.shape[-3:]
    return heads.swapaxes(-2, -3).reshape(*heads.shape[:-3], n, n_heads * d)


def attention_weights(
    Q: FloatArray,
    K: FloatArray,
    mask: FloatArray | BoolArray | None = None,
    *,
    scale: float | None = None,
    softcap: float | None = None,
    temperature: float = 1.0,
) -> FloatArray:
    """softmax((cap(Q K^T * scale) + mask) / temperature): what each query takes from each key.

    Shapes: (..., n_q, d_k), (..., n_k, d_k) -> (..., n_q, n_k)
    """
    q, k = as_float_array("Q", Q), as_float_array("K", K)
    _check_axes("Q", q, 2, "(..., n_q, d_k)")
    _check_axes("K", k, 2, "(..., n_k, d_k)")
    if k.shape[-1] != q.shape[-1]:
        raise ShapeError(
            "K",
            f"must be as wide as Q, d_k = {q.shape[-1]}",
            f"width {k.shape[-1]}",
            "Project both to the same d_k.",
        )
    check_finite("Q", q)
    check_finite("K", k)
    k = share_heads("K", k, q)
    _check_batch_axes("K", k, q)
    allowed, bias = None, None
    if mask is not None:
        allowed, bias = split_mask(mask)
    scale = 1 / math.sqrt(q.shape[-1]) if scale is None else scale
    numbers = {"scale": scale, "softcap": softcap, "temperature": temperature}
    for name, number in numbers.items():
        OPTIONS[name].check_number(number)
    with quiet():
        scores = q @ k.mT
    for part in (allowed, bias):
        _check_mask_broadcasts(part, scores)
    with quiet():
        weights_in_place(
            scores,
            before_mask=changes_of(numbers, after_mask=False),
            bias=bias,
            allowed=allowed,
            after_mask=changes_of(numbers, after_mask=True),
            is_naive=False,
        )
    return scores


def scaled_dot_product_attention(
    Q: FloatArray,
    K: FloatArray,
    V: FloatArray,
    mask: FloatArray | BoolArray | None = None,
    *,
    scale: float | None = None,
    softcap: float | None = None,
    temperature: float = 1.0,
) -> FloatArray:
    """softmax(Q K^T / sqrt(d_k) + mask) V, for any leading batch axes.

    Shapes: (..., n_q, d_k), (..., n_k, d_k), (..., n_k, d_v) -> (..., n_q, d_v)

    Heads are the third axis from the end; K and V may have fewer heads when their count divides
    Q's (grouped queries). A boolean mask keeps what is True; a float mask is added to the scaled
    scores. `scale=None` means 1 / sqrt(d_k). `temperature` divides what the softmax gets.

    >>> I = np.eye(2)
    >>> scaled_dot_product_attention(I, I, I, scale=1.0).round(8)
    array([[0.73105858, 0.26894142],
           [0.26894142, 0.73105858]])
    """
    weights = attention_weights(Q, K, mask, scale=scale, softcap=softcap, temperature=temperature)
    v = as_float_array("V", V)
    _check_axes("V", v, 2, "(..., n_k, d_v)")
    n_k = weights.shape[-1]
    if v.shape[-2] != n_k:
        raise ShapeError(
            "V",
            f"must have one row for each key, n_k = {n_k}",
            f"{v.shape[-2]} rows",
            "Give K and V the same number of rows.",
        )
    check_finite("V", v)
    v = share_heads("V", v, weights)
    _check_batch_axes("V", v, weights)
    with quiet():
        output: FloatArray = weights @ v
    return output


def multi_head_attention(
    Q: FloatArray,
    K: FloatArray,
    V: FloatArray,
    n_heads: int,
    mask: FloatArray | BoolArray | None = None,
) -> FloatArray:
    """Split Q, K and V into heads, attend in each, and combine: document 000's whole algorithm.

    Shapes: (n_q, n_heads*d_k), (n_k, n_heads*d_k), (n_k, n_heads*d_v) -> (n_q, n_heads*d_v)

    >>> I = np.eye(2)
    >>> multi_head_attention(I, I, I, n_heads=2).round(8)
    array([[0.73105858, 0.5       ],
           [0.5       , 0.73105858]])
    """
    q_heads = split_heads(Q, n_heads)
    k_heads = split_heads(K, n_heads)
    v_heads = split_heads(V, n_heads)
    return combine_heads(scaled_dot_product_attention(q_heads, k_heads, v_heads, mask))


# The arithmetic from raw scores to weights, in place. The functions above and the trace both use
# it, so they give the same numbers.


def quiet() -> np.errstate:
    """No NumPy warnings: a check refuses numbers beyond the range of their type.

    Those that a naive softmax makes are not refused: they are what it is there to show.
    """
    return np.errstate(over="ignore", invalid="ignore", under="ignore")


def weights_in_place(
    scores: FloatArray,
    *,
    before_mask: Sequence[Change],
    bias: FloatArray | None,
    allowed: BoolArray | None,
    after_mask: Sequence[Change],
    is_naive: bool,
    sinks: FloatArray | None = None,
) -> FloatArray:
    """Turn raw scores into weights in place: scale, cap, add, mask, temperature, softmax."""
    for change in before_mask:
        change(scores)
    if bias is not None:
        scores += bias
    if allowed is not None:
        hide_in_place(scores, allowed)
    for change in after_mask:
        change(scores)
    softmax_in_place(scores, allowed, is_naive=is_naive, sinks=sinks)
    return scores


def hide_in_place(scores: FloatArray, allowed: BoolArray) -> None:
    """Put -inf wherever a query may not attend."""
    np.copyto(scores, -np.inf, where=~allowed)


def softmax_in_place(
    scores: FloatArray,
    allowed: BoolArray | None,
    *,
    is_naive: bool = False,
    sinks: FloatArray | None = None,
) -> None:
    """Over each row. A head's sink is one more score of its rows, whose share is left out."""
    blind: BoolArray | None = None
    if allowed is not None:
        blind = np.logical_not(allowed.any(axis=-1, keepdims=True))
    largest = row_maximum(scores, blind, sinks)
    if not is_naive:
        scores -= largest
    np.exp(scores, out=scores)
    row_sums = np.add.reduce(
        scores, axis=-1, keepdims=True
    )  # like sum(), but faster on small arrays
    if sinks is not None:
        row_sums = row_sums + np.exp(sinks if is_naive else sinks - largest)
    scores /= row_sums if blind is None else divisors_of_rows(row_sums, blind)


def divisors_of_rows(row_sums: FloatArray, blind: BoolArray) -> FloatArray:
    """The divisor of each row: its sum, or 1 for a query that may attend to nothing.

    `blind` is a column, as the sums are. Any other sum is used as it is. That of a naive softmax
    may be 0 too, where all exponentials vanish.
    """
    return np.where(blind, row_sums.dtype.type(1), row_sums)


def row_maximum(
    scores: FloatArray, blind: BoolArray | None, sinks: FloatArray | None = None
) -> FloatArray:
    """The largest score of each row, as a column, the head's sink among them.

    A row that is completely masked has only its sink; without one, 0.
    """
    largest: FloatArray = np.maximum.reduce(scores, axis=-1, keepdims=True)
    if blind is not None:
        largest[np.isneginf(largest) & blind] = 0
    # In any other row of -inf, all products were below the range of the type.
    check_within_range(say("The scores"), largest)
    if sinks is None:
        return largest
    beside = np.maximum(largest, sinks)
    return beside if blind is None else np.where(blind, sinks, beside)


def check_within_range(thing: str, array: FloatArray) -> None:
    if not all_finite(array):
        raise NumberError(
            thing,
            say("must stay within {type}, which ends at {limit:.2g}").format(
                type=array.dtype, limit=np.finfo(array.dtype).max
            ),
            say("a product beyond it"),
            say("Make X or the projections smaller."),
        )


def all_finite(array: FloatArray) -> bool:
    # Counting takes half the time of np.isfinite(array).all() on tiny arrays.
    return bool(np.count_nonzero(np.isfinite(array)) == array.size)


def share_heads(thing: str, grouped: FloatArray, full: FloatArray) -> FloatArray:
    """Repeat each key/value head for the query heads of its group; no groups: the array itself.

    Shapes: (..., n_kv_heads, n_k, d) -> (..., n_heads, n_k, d)
    """
    if grouped.ndim < 3 or full.ndim < 3 or grouped.shape[-3] == full.shape[-3]:
        return grouped
    n_heads, n_kv_heads = full.shape[-3], grouped.shape[-3]
    if n_heads % n_kv_heads:
        raise HeadsError(
            thing,
            f"must have a number of heads that divides Q's {n_heads}",
            str(n_kv_heads),
            f"Take one of {divisors(n_heads)}.",
        )
    return for_query_heads(grouped, n_heads)


def for_query_heads(grouped: FloatArray, n_heads: int) -> FloatArray:
    """Keys or values for each query head: the heads of a group share theirs."""
    n_kv_heads = grouped.shape[-3]
    if n_kv_heads == n_heads:
        return grouped
    return np.repeat(grouped, n_heads // n_kv_heads, axis=-3)


WAYS_TO_AXES: Final = {
    1: "Give a row of numbers.",
    2: "Give a matrix with one row for each token.",
    3: "Stack one matrix for each head.",
}


def _as_rows(scores: FloatArray) -> FloatArray:
    scores = as_float_array("The scores", scores)
    _check_axes("The scores", scores, 1, "(..., n_k)")
    return scores


def _check_axes(thing: str, array: FloatArray, least: int, need: str) -> None:
    if array.ndim < least:
        raise ShapeError(
            thing,
            f"must have shape {need}",
            f"{array.ndim} axes, shape {array.shape}",
            WAYS_TO_AXES[least],
        )
    if array.size == 0:
        raise ShapeError(thing, "must not be empty", f"shape {array.shape}", "Give it a row.")


def _check_batch_axes(thing: str, array: FloatArray, full: FloatArray) -> None:
    try:
        np.broadcast_shapes(array.shape[:-2], full.shape[:-2])
    except ValueError as error:
        raise ShapeError(
            thing,
            f"must have leading axes that broadcast with Q's {full.shape[:-2]}",
            str(array.shape[:-2]),
            "Give Q, K and V the same batch axes.",
        ) from error


def _check_mask_broadcasts(mask: FloatArray | BoolArray | None, scores: FloatArray) -> None:
    if mask is None:
        return
    try:
        fits = np.broadcast_shapes(mask.shape, scores.shape) == scores.shape
    except ValueError:
        fits = False
    if not fits:
        raise ShapeError(
            "The mask",
            f"must broadcast to the scores' shape {scores.shape}",
            str(mask.shape),
            "Give one row for each query and one column for each key.",
        )
