"""Builders of the four projections: identity, blocks, random, rotations, zeros, built by hand."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace

import numpy as np

from mha_core.checks.errors import HeadsError, ShapeError
from mha_core.checks.limits import LIMITS
from mha_core.checks.shapes import FloatArray
from mha_core.checks.values import (
    check_head_groups,
    check_limit,
    check_tokens,
    check_whole,
    divisors,
)
from mha_core.language import say
from mha_core.making.hand_built import HandBuilt, build_head
from mha_core.making.inputs import Tokens, generator, natural_width
from mha_core.scenario.scenario import Scenario


@dataclass(frozen=True)
class LayerSizes:
    """The sizes that the projections' shapes follow from; d_model_v is d_model_kv where it is 0."""

    d_model: int
    d_model_kv: int
    n_heads: int
    n_kv_heads: int
    d_k: int
    d_v: int
    d_out: int
    d_model_v: int = 0

    def __post_init__(self) -> None:
        if self.d_model_v == self.d_model_kv:
            object.__setattr__(self, "d_model_v", 0)
        for field in fields(self):
            limit = LIMITS.heads if field.name.endswith("heads") else LIMITS.width
            least = 0 if field.name == "d_model_v" else 1
            check_whole(field.name, getattr(self, field.name), least, limit)
        check_head_groups(self.n_heads, self.n_kv_heads)
        for name in ("d_k", "d_v"):
            width = self.n_heads * getattr(self, name)
            check_limit(
                f"n_heads*{name}", width, LIMITS.width, say("Take fewer or narrower heads.")
            )

    @classmethod
    def of(cls, scenario: Scenario) -> LayerSizes:
        return cls(**{field.name: getattr(scenario, field.name) for field in fields(cls)})

    @property
    def of_values(self) -> int:
        """The width of what values are made from."""
        return self.d_model_v or self.d_model_kv

    @property
    def group(self) -> int:
        """How many query heads share one key/value head."""
        return self.n_heads // self.n_kv_heads


@dataclass(frozen=True, eq=False)
class Projections:
    """W_Q, W_K, W_V and W_O in the shapes that a Scenario takes."""

    w_q: FloatArray
    w_k: FloatArray
    w_v: FloatArray
    w_o: FloatArray


# Builders: sizes, tokens and a seed in, projections out.


def split_only(sizes: LayerSizes, _tokens: Tokens, _seed: int) -> Projections:
    shapes = _shapes(sizes)
    for name, (rows, columns) in shapes.items():
        if rows != columns:
            raise ShapeError(
                name,
                say("must be square to be the identity, as the preset 'Split only' needs"),
                f"{rows} x {columns}",
                say(
                    "Make n_heads*d_k and n_heads*d_v equal to d_model, with n_kv_heads = n_heads, "
                    "or take the preset 'random'."
                ),
            )
    return Projections(*(np.eye(rows) for rows, _ in shapes.values()))


def split_then_project(sizes: LayerSizes, _tokens: Tokens, seed: int) -> Projections:
    rng = generator(seed)
    return Projections(
        _block_diagonal(rng, "d_model", sizes.d_model, sizes.n_heads, sizes.d_k),
        _block_diagonal(rng, "d_model_kv", sizes.d_model_kv, sizes.n_kv_heads, sizes.d_k),
        _block_diagonal(rng, "d_model_v", sizes.of_values, sizes.n_kv_heads, sizes.d_v),
        _glorot(rng, sizes.n_heads * sizes.d_v, sizes.d_out),
    )


def random(sizes: LayerSizes, _tokens: Tokens, seed: int) -> Projections:
    rng = generator(seed)
    return Projections(*(_glorot(rng, *shape) for shape in _shapes(sizes).values()))


def random_orthogonal(sizes: LayerSizes, _tokens: Tokens, seed: int) -> Projections:
    rng = generator(seed)
    return Projections(*(_orthogonal(rng, *shape) for shape in _shapes(sizes).values()))


def shared_qk(sizes: LayerSizes, tokens: Tokens, seed: int) -> Projections:
    if sizes.d_model != sizes.d_model_kv:
        raise ShapeError(
            "d_model_kv",
            say("must be d_model = {d_model} for W_Q and W_K to be one matrix").format(
                d_model=sizes.d_model
            ),
            str(sizes.d_model_kv),
            say("Give both sequences one width, or take the preset 'random'."),
        )
    drawn = random(sizes, tokens, seed)
    return replace(drawn, w_q=repeat_for_groups(drawn.w_k, sizes, sizes.d_k))


def zeros(sizes: LayerSizes, _tokens: Tokens, _seed: int) -> Projections:
    shapes = _shapes(sizes)
    return Projections(np.zeros(shapes["W_Q"]), np.zeros(shapes["W_K"]), *_copying(sizes))


def by_hand(patterns: Sequence[HandBuilt]) -> Callable[[LayerSizes, Tokens, int], Projections]:
    """A builder that gives the patterns in turn to the key/value heads and their query heads."""

    def build(sizes: LayerSizes, tokens: Tokens, _seed: int) -> Projections:
        _check_reads_one_hot(sizes, tokens)
        heads = [
            build_head(patterns[head % len(patterns)], tokens, sizes.d_model, sizes.d_k)
            for head in range(sizes.n_kv_heads)
        ]
        w_q = np.concatenate([w_q for w_q, _ in heads], axis=1)
        w_k = np.concatenate([w_k for _, w_k in heads], axis=1)
        return Projections(repeat_for_groups(w_q, sizes, sizes.d_k), w_k, *_copying(sizes))

    return build


def _check_reads_one_hot(sizes: LayerSizes, tokens: Tokens) -> None:
    check_tokens(tokens)
    least = natural_width("one_hot_position", tokens)
    if sizes.d_model_kv != sizes.d_model:
        raise ShapeError(
            "d_model_kv",
            say("must be d_model = {d_model}: heads built by hand read one sequence").format(
                d_model=sizes.d_model
            ),
            str(sizes.d_model_kv),
            say("Remove the second sequence, or take the preset 'random'."),
        )
    if least is not None and sizes.d_model < least:
        raise ShapeError(
            "d_model",
            say(
                "must be at least {least}: heads built by hand read a column for each "
                "distinct word and for each place"
            ).format(least=least),
            str(sizes.d_model),
            say("Set d_model = {least} and make X as one_hot_position.").format(least=least),
        )


def _shapes(sizes: LayerSizes) -> dict[str, tuple[int, int]]:
    return {
        "W_Q": (sizes.d_model, sizes.n_heads * sizes.d_k),
        "W_K": (sizes.d_model_kv, sizes.n_kv_heads * sizes.d_k),
        "W_V": (sizes.of_values, sizes.n_kv_heads * sizes.d_v),
        "W_O": (sizes.n_heads * sizes.d_v, sizes.d_out),
    }


def _copying(sizes: LayerSizes) -> tuple[FloatArray, FloatArray]:
    """W_V and W_O that change nothing: each head takes its slice of X and puts it back.

    Query heads that share a key/value head take the same slice and put back their mean.
    """
    width = sizes.n_kv_heads * sizes.d_v
    put_back = repeat_for_groups(np.eye(width), sizes, sizes.d_v).T / sizes.group
    w_o = np.zeros((sizes.n_heads * sizes.d_v, sizes.d_out))
    kept = min(width, sizes.d_out)
    w_o[:, :kept] = put_back[:, :kept]
    return np.eye(sizes.of_values, width), w_o


def repeat_for_groups(w: FloatArray, sizes: LayerSizes, d: int) -> FloatArray:
    """Give each query head the columns of its key/value head.

    Shapes: (rows, n_kv_heads*d) -> (rows, n_heads*d)
    """
    return np.repeat(w.reshape(len(w), -1, d), sizes.group, axis=1).reshape(len(w), -1)


def _glorot(rng: np.random.Generator, rows: int, columns: int) -> FloatArray:
    limit = glorot_limit(rows, columns)
    return rng.uniform(-limit, limit, (rows, columns))


def glorot_limit(rows: int, columns: int) -> float:
    return math.sqrt(6 / (rows + columns))


def _orthogonal(rng: np.random.Generator, rows: int, columns: int) -> FloatArray:
    """A random matrix whose columns (or, if it is wide, rows) are orthonormal.

    Random pairs of rows of the identity are rotated, until all rows are mixed. This uses only sums
    and products of single numbers. So the result is the same to the last bit on every machine,
    which a QR decomposition does not give.
    """
    n = max(rows, columns)
    half = n // 2
    matrix = np.eye(n, min(rows, columns))
    for _ in range(n.bit_length() + 8):
        matrix = matrix[rng.permutation(n)]
        t = rng.uniform(-1, 1, (half, 1))  # the tangent of half the angle
        cos, sin = (1 - t * t) / (1 + t * t), 2 * t / (1 + t * t)
        above, below = matrix[:half].copy(), matrix[half : 2 * half].copy()
        matrix[:half] = cos * above - sin * below
        matrix[half : 2 * half] = sin * above + cos * below
    return matrix if rows >= columns else matrix.T


def _block_diagonal(
    rng: np.random.Generator, name: str, width: int, n_heads: int, d: int
) -> FloatArray:
    if width % n_heads:
        raise HeadsError(
            name,
            say(
                "must be cut into {count} equal slices, as the preset 'Split, then project' does"
            ).format(count=n_heads),
            str(width),
            say("Take one of {divisors} heads, or the preset 'random'.").format(
                divisors=divisors(width)
            ),
        )
    part = width // n_heads
    w = np.zeros((n_heads, part, n_heads, d))
    for head in range(n_heads):
        w[head, :, head] = _glorot(rng, part, d)
    return w.reshape(width, n_heads * d)
