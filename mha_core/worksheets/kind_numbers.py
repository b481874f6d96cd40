"""Kind numbers for a worksheet: small, whole and easy with a pen. They are found by trying.

The seed alone decides what is tried. Given X, the heads do not depend on each other, so each is
looked for by itself, among many candidates at once.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from mha_core.checks.errors import NumberError
from mha_core.checks.shapes import BoolArray, FloatArray
from mha_core.language import say
from mha_core.making.inputs import generator
from mha_core.options.temperature import OF_BASE_2
from mha_core.scenario.masks import Mask, Rule
from mha_core.scenario.scenario import Scenario
from mha_core.scenario.score_options import ScoreOptions
from mha_core.worksheets.exercise import Exercise

LONGEST_STEP: Final = 3  # from the largest score of a row down to any other that is seen
DECIMALS: Final = 2  # of weights in base e, on paper
TABLE_DECIMALS: Final = 3
TABLE: Final = tuple(round(math.exp(-step), TABLE_DECIMALS) for step in range(LONGEST_STEP + 1))

KIND_DIVISORS: Final = (1, 2, 3, 4, 5, 6, 8, 10, 12)  # of the weights of a row, in base 2
LARGEST_DIVISOR: Final = 40  # of the output
TIE: Final = 0.0005  # no weight may be this near to half a unit of the last decimal
ROUNDED_AWAY: Final = 0.04  # how far rounding may lead away from the exact numbers
LARGEST_SCORE: Final = 12
LARGEST_VALUE: Final = 4

TRIALS: Final = 4_000  # the hardest settings need some forty
CANDIDATES: Final = 512  # for each head

IntArray = npt.NDArray[np.int64]
Generator = np.random.Generator


@dataclass(frozen=True, eq=False)
class _Head:
    w_q: IntArray
    w_k: IntArray
    weights: FloatArray
    on_paper: FloatArray  # the weights, rounded as they are on paper
    divisors: IntArray  # of each row


def kind_scenario(exercise: Exercise) -> Scenario:
    """The layer of an exercise: the same for the same seed.

    >>> kind_scenario(Exercise(seed=1)).x
    array([[2., 0., 1., 0.],
           [1., 1., 0., 1.],
           [2., 1., 0., 1.]])
    """
    for trial in range(TRIALS):
        found = _tried(exercise, generator(exercise.seed, trial))
        if found is not None:
            return found
    raise NumberError(
        say("The seed"),
        say("must lead to numbers that are kind to a pen"),
        str(exercise.seed),
        say("Take another seed."),
    )


def mask_of(exercise: Exercise) -> Mask:
    match exercise.mask:
        case "causal":
            return Mask((Rule("causal"),))
        case "padding":
            return Mask((Rule("padding", hidden=(exercise.n_tokens - 1,)),))
        case _:
            return Mask()


def score_options_of(exercise: Exercise) -> ScoreOptions:
    """Base 2 is a temperature: so the explorer shows the same weights."""
    temperature = OF_BASE_2 if exercise.base == "2" else 1.0
    scale = exercise.factor if exercise.scale == "1/2" else exercise.scale
    return ScoreOptions(scale=scale, temperature=temperature)


def _tried(exercise: Exercise, rng: Generator) -> Scenario | None:
    """One trial; None where something did not turn out kind."""
    x = _input(exercise, rng)
    if x is None:
        return None
    heads: list[_Head] = []
    for _ in range(exercise.n_heads):
        head = _head(exercise, x, heads, rng)
        if head is None:
            return None
        heads.append(head)
    values = [_values(x, head, rng, exercise.d_k) for head in heads]
    if any(w_v is None for w_v in values):
        return None
    w_v = np.hstack([each for each in values if each is not None])
    w_o = _mixing(exercise, x, w_v, heads, rng)
    if w_o is None:
        return None
    return Scenario(
        x=x.astype(np.float64),
        w_q=np.hstack([head.w_q for head in heads]).astype(np.float64),
        w_k=np.hstack([head.w_k for head in heads]).astype(np.float64),
        w_v=w_v.astype(np.float64),
        w_o=w_o.astype(np.float64),
        n_heads=exercise.n_heads,
        mask=mask_of(exercise),
        scores=score_options_of(exercise),
    )


def _input(exercise: Exercise, rng: Generator) -> IntArray | None:
    """X of 0, 1 and 2. All rows differ; each has about 2.5 numbers other than 0, at least one."""
    shape = (exercise.n_tokens, exercise.d_model)
    is_there = rng.random(shape) < min(0.7, 2.5 / exercise.d_model)
    x = is_there * rng.choice([1, 1, 2], shape)
    rows = {row.tobytes() for row in x}
    return x if x.any(axis=1).all() and len(rows) == len(x) else None


def _projections(rng: Generator, x: IntArray, columns: int) -> IntArray:
    """Candidates for a projection of X: 1, -1 and many zeros, some with more than others.

    Each column takes at least one column of X that is not all zeros.
    """
    width = x.shape[1]
    share = rng.uniform(0, 1, (CANDIDATES, 1, 1)) / width
    is_there = rng.random((CANDIDATES, width, columns)) < share
    one = rng.choice(np.flatnonzero(x.any(axis=0)), (CANDIDATES, 1, columns))
    np.put_along_axis(is_there, one, True, axis=1)
    made: IntArray = is_there * rng.choice([1, 1, -1], is_there.shape)
    return made


def _head(exercise: Exercise, x: IntArray, before: list[_Head], rng: Generator) -> _Head | None:
    """W_Q and W_K of one more head, which do not look where the heads before it look."""
    w_q = _projections(rng, x, exercise.d_k)
    # If the keys are even, halved scores stay whole.
    w_k = _projections(rng, x, exercise.d_k) * round(1 / exercise.factor)
    queries, keys = x @ w_q, x @ w_k
    raw = queries @ keys.mT
    scores = np.round(raw * exercise.factor).astype(np.int64)
    seen = mask_of(exercise).allowed(exercise.n_tokens, exercise.n_tokens)
    largest = np.where(seen, scores, np.iinfo(np.int64).min).max(axis=-1, keepdims=True)
    down = np.where(seen, largest - scores, 0)
    fits = _has_all_columns(queries) & _has_all_columns(keys)
    fits &= _everywhere(np.abs(raw) <= LARGEST_SCORE)
    fits &= _everywhere(down <= LONGEST_STEP)
    fits &= ~_everywhere(scores == scores.mT)  # else Q and K could be exchanged
    fits &= _is_uneven(down, seen)
    steps = np.where(fits[:, None, None], down, 0)
    way = _in_base_2 if exercise.base == "2" else _in_base_e
    weights, on_paper, divisors, are_kind = way(steps, seen)
    fits &= are_kind
    for other in before:
        fits &= ~_everywhere(weights == other.weights)
        fits &= np.lcm(divisors, _common(before)).max(axis=1) <= LARGEST_DIVISOR
    found = _richest(fits, w_q, w_k)
    if found is None:
        return None
    return _Head(w_q[found], w_k[found], weights[found], on_paper[found], divisors[found])


def _is_uneven(down: IntArray, seen: BoolArray) -> BoolArray:
    """Whether half or more of the rows that see several keys prefer some of them."""
    has_choice = seen.sum(axis=-1) > 1
    is_uneven = (down > 0).any(axis=-1)
    enough: BoolArray = 2 * is_uneven.sum(axis=-1) >= has_choice.sum()
    return enough


_Weighed = tuple[FloatArray, FloatArray, IntArray, BoolArray]


def _in_base_2(down: IntArray, seen: BoolArray) -> _Weighed:
    """Weights with the divisors of their rows; kind are those with small divisors."""
    lowest = np.where(seen, down, 0).max(axis=-1, keepdims=True)
    parts = np.where(seen, 2 ** (lowest - down), 0)
    sums = parts.sum(axis=-1)
    weights = parts / sums[..., None]
    are_kind: BoolArray = np.logical_and.reduce(np.isin(sums, KIND_DIVISORS), axis=1)
    return weights, weights, sums, are_kind


def _in_base_e(down: IntArray, seen: BoolArray) -> _Weighed:
    """Weights, and the same by the table and rounded; kind are those that leave no doubt.

    Then the table and a calculator lead to the same rounded number.
    """
    exact = _shares(np.exp(-down.astype(np.float64)), seen)
    by_table = _shares(np.array(TABLE)[down], seen)
    on_paper = np.round(by_table, DECIMALS)
    agree = on_paper == np.round(exact, DECIMALS)
    clear = _is_clear(exact) & _is_clear(by_table)
    ones = np.ones(down.shape[:-1], np.int64)
    return exact, on_paper, ones, _everywhere(agree & clear)


def _shares(powers: FloatArray, seen: BoolArray) -> FloatArray:
    powers = np.where(seen, powers, 0)
    shares: FloatArray = powers / powers.sum(axis=-1, keepdims=True)
    return shares


def _is_clear(numbers: FloatArray) -> BoolArray:
    """Where a number is not near to the middle between two rounded ones."""
    units = numbers * 10.0**DECIMALS
    clear: BoolArray = np.abs(units - np.floor(units) - 0.5) > TIE * 10.0**DECIMALS
    return clear


def _values(x: IntArray, head: _Head, rng: Generator, d_v: int) -> IntArray | None:
    """W_V of one head: small values, no column of equal ones, and rounding leads not far."""
    w_v = _projections(rng, x, d_v)
    values = x @ w_v
    fits = _everywhere(np.abs(values) <= LARGEST_VALUE)
    fits &= (values.max(axis=1) != values.min(axis=1)).all(axis=-1)  # all columns say something
    outputs, on_paper = head.weights @ values, head.on_paper @ values
    fits &= _everywhere(np.abs(outputs - on_paper) <= ROUNDED_AWAY)
    fits &= ~_everywhere(outputs == 0)
    found = _richest(fits, w_v)
    return None if found is None else w_v[found]


def _mixing(
    exercise: Exercise, x: IntArray, w_v: IntArray, heads: list[_Head], rng: Generator
) -> IntArray | None:
    """W_O: each column takes something; of several heads, at least one column takes two."""
    width = exercise.d_model
    w_o = _projections(rng, np.ones((1, width), np.int64), width)
    by_head = w_v.reshape(width, exercise.n_heads, -1).swapaxes(0, 1)
    exact, on_paper = (
        np.hstack([w @ (x @ v) for w, v in zip(weights, by_head, strict=True)])
        for weights in ([h.weights for h in heads], [h.on_paper for h in heads])
    )
    fits = _everywhere(np.abs((exact - on_paper) @ w_o) <= ROUNDED_AWAY)
    taken = w_o.reshape(CANDIDATES, exercise.n_heads, -1, width).any(axis=2)
    fits &= taken.sum(axis=1).max(axis=-1) >= min(2, exercise.n_heads)
    fits &= ~_everywhere(exact @ w_o == 0)
    return w_o[fits.argmax()] if fits.any() else None


def _common(heads: Iterable[_Head]) -> IntArray:
    """The divisor that the rows of these heads have in common."""
    common: IntArray = np.lcm.reduce([head.divisors for head in heads], axis=0)
    return common


def _richest(fits: BoolArray, *projections: IntArray) -> int | None:
    """The candidate that fits and has the fewest zeros: else most heads would look at nothing."""
    if not fits.any():
        return None
    filled = sum(np.count_nonzero(each, axis=(1, 2)) for each in projections)
    return int(np.where(fits, filled, -1).argmax())


def _everywhere(cells: BoolArray) -> BoolArray:
    """Whether all cells of a candidate are True."""
    everywhere: BoolArray = np.logical_and.reduce(cells, axis=(1, 2))
    return everywhere


def _has_all_columns(products: IntArray) -> BoolArray:
    """Whether no column is all zeros."""
    has_all: BoolArray = np.logical_and.reduce(products.any(axis=1), axis=-1)
    return has_all
