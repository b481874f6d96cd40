"""Patches of an image by two distances: one head looks above, the other to the left."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from mha_core.examples.example import Example, from_recipes, side_by_side
from mha_core.examples.order import QUESTION
from mha_core.language import say
from mha_core.layer.attending import attend
from mha_core.layer.trace import Trace
from mha_core.reading.claims import Claim
from mha_core.reading.metrics import CLOSELY
from mha_core.reading.nearly_equal import nearly_equal
from mha_core.scenario.scenario import Scenario
from mha_core.scenario.score_options import ScoreOptions

PATCHES: Final = ("a1", "a2", "a3", "b1", "b2", "b3")  # row a above row b
GRID: Final = ((0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2))
FIRM: Final = 8.0  # what a score gets on an axis where the distance is right
# What a head looks for on each axis: a distance of -1 is one row above, or one column to the left.
LOOKS: Final = ((-1, 0), (0, -1))
REACH: Final = 2


def _build() -> Scenario:
    """Every query is 1 and every key is 0: so a score is what R_K has for the two distances."""
    width = len(PATCHES)
    drawn = from_recipes(
        "near-patches", PATCHES, d_model=width, n_heads=2, x="one_hot", d_k=1, d_v=width
    )
    whole = np.eye(width)
    distances = np.arange(-REACH, REACH + 1)
    on_axes = [FIRM * (distances[:, None] == wanted) for wanted in np.transpose(LOOKS)]
    return replace(
        drawn,
        w_q=np.ones((width, 2)),
        w_k=np.zeros((width, 2)),
        w_v=side_by_side(whole, whole),
        w_o=np.vstack([whole, whole]),
        r_k=np.vstack(on_axes),
        scores=ScoreOptions(r_places=GRID),
        origin=replace(drawn.origin, weights=""),
    )


def _places(trace: Trace) -> list[tuple[int, ...]] | None:
    """Where the patches stand, if distances are those between them, on two axes."""
    s = trace.scenario
    places = s.scores.r_places
    if s.n_heads < 2 or s.context is not None or places is None or len(places[0]) != 2:
        return None
    return list(places) if s.n_distances and len(places) == s.n_q else None


def _looked_at(places: list[tuple[int, ...]], head: int) -> dict[int, int]:
    """The patch that each one looks at, where there is one."""
    down, right = LOOKS[head]
    there = {place: at for at, place in enumerate(places)}
    wanted = {at: (row + down, column + right) for at, (row, column) in enumerate(places)}
    return {at: there[place] for at, place in wanted.items() if place in there}


def _heads_look_beside(trace: Trace) -> bool:
    places = _places(trace)
    if places is None:
        return False
    found = [
        trace.weights[head, patch, seen]
        for head in range(2)
        for patch, seen in _looked_at(places, head).items()
    ]
    return bool(found) and bool(min(found) >= CLOSELY)


def _has_five_rows_an_axis(trace: Trace) -> bool:
    return _heads_look_beside(trace) and trace.scenario.reach == REACH


def _both_distances_must_fit(trace: Trace) -> bool:
    """A score is 16 where both do, 8 where one does, else 0."""
    places = _places(trace)
    if places is None:
        return False
    apart = np.array(places)[None] - np.array(places)[:, None]
    fit = np.stack([(apart == looks).sum(axis=-1) for looks in LOOKS])
    return nearly_equal(trace.relative_scores[:2], FIRM * fit) and nearly_equal(
        trace.tempered_scores[:2], FIRM * fit
    )


def _those_at_the_edge_look_along_it(trace: Trace) -> bool:
    """With none above, a patch looks evenly at its column; with none to the left, at its row."""
    places = _places(trace)
    if places is None or not _heads_look_beside(trace):
        return False
    at = np.array(places)
    alike = [at[:, None, axis] == at[None, :, axis] for axis in (1, 0)]
    shares = [
        trace.weights[head, patch, alike[head][patch]]
        for head in range(2)
        for patch in set(range(len(places))) - set(_looked_at(places, head))
    ]
    return bool(shares) and all(
        share.sum() >= CLOSELY and nearly_equal(share, np.full_like(share, share[0]))
        for share in shares
    )


def _distances_alone_choose(trace: Trace) -> bool:
    """Without R_K no head tells one patch from another."""
    s = trace.scenario
    without = attend(replace(s, r_k=None)).weights
    return _heads_look_beside(trace) and nearly_equal(without, np.full_like(without, 1 / s.n_k))


EXAMPLES: Final = (
    Example(
        name="near-patches",
        title=say("Patches above and to the left"),
        question=QUESTION,
        sentence=say("Head 1 looks at the patch above, head 2 at the patch to the left."),
        holds=_heads_look_beside,
        build=_build,
        claims=(
            Claim(
                say("Without R_K, every patch would look at all patches alike."),
                _distances_alone_choose,
            ),
            Claim(
                say(
                    "A score is 16 where the distance fits by rows and by columns, 8 where it fits "
                    "by one of them, else 0."
                ),
                _both_distances_must_fit,
            ),
            Claim(
                say(
                    "Patches in the first row have none above: they look at their column. Those in "
                    "the first column look at their row."
                ),
                _those_at_the_edge_look_along_it,
            ),
        ),
        notes=(
            Claim(
                say(
                    "R_K has 5 rows for distances by rows and 5 by columns, not 25 for both at "
                    "once: so does the image encoder of Segment Anything (SAM)."
                ),
                _has_five_rows_an_axis,
            ),
        ),
    ),
)
