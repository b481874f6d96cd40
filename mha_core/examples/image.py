"""An image cut into patches: RoPE by rows and columns, as vision models have it."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from mha_core.examples.example import Example, side_by_side
from mha_core.examples.order import QUESTION
from mha_core.language import say
from mha_core.layer.attending import attend
from mha_core.layer.trace import Trace
from mha_core.making.inputs import make_x
from mha_core.reading.claims import Claim
from mha_core.reading.nearly_equal import nearly_equal
from mha_core.scenario.origin import Origin
from mha_core.scenario.scenario import Scenario
from mha_core.scenario.score_options import ScoreOptions

PATCHES: Final = ("a1", "a2", "a3", "b1", "b2", "b3")  # row a above row b
GRID: Final = ((0.0, 0.0), (0.0, 1.0), (0.0, 2.0), (1.0, 0.0), (1.0, 1.0), (1.0, 2.0))
NEARLY_ALL: Final = 0.9
ROW, COLUMN = 0, 1  # the axes of a place; the heads that look along them have the same numbers


def _image() -> Scenario:
    """All patches ask the same and answer the same: W_Q and W_K have equal rows.

    The first pair of columns of a head turns with the row, the second with the column. Head 1 has
    numbers in the first pair alone, head 2 in the second.
    """
    by_row, by_column = ([5.0, 0, 0, 0], [0, 0, 5.0, 0])
    asked = side_by_side(*(np.tile(each, (len(PATCHES), 1)) for each in (by_row, by_column)))
    own = np.eye(len(PATCHES))
    return Scenario(
        x=make_x("one_hot", PATCHES, len(PATCHES)),
        w_q=asked,
        w_k=asked,
        w_v=side_by_side(own, own),
        w_o=np.vstack([own, own]),
        n_heads=2,
        tokens=PATCHES,
        scores=ScoreOptions(positions="rope", rope_places=GRID),
        origin=Origin("image", "one_hot"),
    )


def _looks_along(trace: Trace, axis: int) -> bool:
    """A head whose queries give nearly all their weight to patches of their own row or column."""
    places = trace.scenario.scores.rope_places
    n_heads, *rows_and_keys = trace.weights.shape
    if places is None or len(places[0]) < 2 or n_heads < 2 or {*rows_and_keys} != {len(places)}:
        return False
    at = np.array(places)[:, axis]
    own = at[:, None] == at
    shares = (trace.weights[axis] * own).sum(axis=1)
    return bool(shares.min() >= NEARLY_ALL and not own.all())


def _looks_along_both(trace: Trace) -> bool:
    return _looks_along(trace, ROW) and _looks_along(trace, COLUMN)


def _all_ask_and_answer_the_same(trace: Trace) -> bool:
    """Until they are turned, all queries of a head are equal, and so are all keys."""
    both = (trace.q_normed, trace.k_normed)
    are_same = [nearly_equal(each, np.broadcast_to(each[:, :1], each.shape)) for each in both]
    return all(are_same) and not nearly_equal(trace.q_rotated, trace.q_normed)


def _rotation_alone_does_it(trace: Trace) -> bool:
    """Without it, all weights of a row are equal."""
    s = trace.scenario
    still = attend(replace(s, scores=replace(s.scores, positions="none"))).weights
    return _looks_along_both(trace) and nearly_equal(still, np.full_like(still, 1 / s.n_k))


def _first_patch_is_not_turned(trace: Trace) -> bool:
    scores = trace.scenario.scores
    stands_there = scores.rope_places is not None and scores.rope_places[0] == (0, 0)
    return stands_there and scores.positions == "rope"


EXAMPLES: Final = (
    Example(
        name="image",
        title=say("Six patches of an image"),
        question=QUESTION,
        sentence=say("Head 1 looks along the row of a patch, head 2 along its column."),
        holds=_looks_along_both,
        build=_image,
        claims=(
            Claim(
                say("All patches ask the same and offer the same, until RoPE turns them."),
                _all_ask_and_answer_the_same,
            ),
            Claim(
                say(
                    "RoPE alone shows the heads where a patch is: without it, every patch gets "
                    "the same weight."
                ),
                _rotation_alone_does_it,
            ),
            Claim(
                say("Patch a1 is at row 0, column 0: its queries and keys are not turned."),
                _first_patch_is_not_turned,
            ),
        ),
        notes=(
            Claim(
                say(
                    "Half of each head turns with the row, half with the column, as in models "
                    "that read images. Move a patch: its place goes with it."
                ),
                _looks_along_both,
            ),
        ),
    ),
)
