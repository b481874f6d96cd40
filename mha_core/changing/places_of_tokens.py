"""The places of positions when tokens are added, removed or moved: a place goes with its token.

RoPE has places, and so have the distances of R_K: either alone, or both.

A new token stands halfway between its neighbours. At the end it stands one step further: on the
axes on which the last token went on, as far as that one did, but by at most 1; if it went on
nowhere, or back, by 1 on the last axis. At the begin it is the same the other way. Where places are
whole numbers, halves are rounded down.

Of a second sequence that holds the queries, as a cache does, a place goes with the key. Elsewhere
queries and keys that share places stay at their positions, whoever stands there now.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from mha_core.options.kinds import Rows, Whole
from mha_core.options.registry import OPTIONS
from mha_core.options.rope_places import MOST, Places
from mha_core.scenario.scenario import Scenario
from mha_core.scenario.score_options import ScoreOptions

OF_PLACES: Final = ("rope_places", "r_places")
NEW: Final = -1  # in an order, a token that was not there

Place = tuple[float, ...]


def places_resized(
    s: Scenario, scores: ScoreOptions, after: Mapping[str, int], *, loses_context: bool
) -> ScoreOptions:
    """These options for other numbers of tokens, where `s` has the same places.

    The last are cut, or new ones follow. Without the second sequence those of X stay.
    """
    for name in OF_PLACES:
        places = getattr(scores, name)
        if _are_places_of(s, name, places):
            stay = places[s.query_start :] if loses_context else places
            scores = _with_places(scores, name, stay, after)
    return scores


def places_in_order(s: Scenario, sequence: str, order: Sequence[int]) -> ScoreOptions:
    """The options of `s` with the tokens of a sequence in another order."""
    scores = s.scores
    sizes = {**s.sizes, **_counts_after(s, sequence, len(order))}
    first, count = (s.query_start, s.n_q) if sequence == "tokens" else (0, s.n_k)
    for name in OF_PLACES:
        places = getattr(scores, name)
        if not _are_places_of(s, name, places):
            continue
        if _take_places_along(s, sequence, sizes):
            moved = in_order(places[first : first + count], order)
            places = (*places[:first], *moved, *places[first + count :])
        scores = _with_places(scores, name, places, sizes)
    return scores


def _take_places_along(s: Scenario, sequence: str, after: Mapping[str, int]) -> bool:
    """Whether the tokens of a sequence share their places with no others, or as a cache does."""
    if s.context is None:
        return True
    are_apart = s.query_start >= s.n_k
    if sequence == "tokens":
        return are_apart
    queries_end = (s.scores.query_start or 0) + s.n_q
    is_cache = queries_end <= min(s.n_k, after["n_k"])
    return is_cache or (are_apart and after["n_k"] == s.n_k)


def places_of_layer_in_order(scores: ScoreOptions, order: Sequence[int]) -> ScoreOptions:
    """The options of a layer above the first, whose tokens stand in another order."""
    first = scores.query_start or 0
    for name in OF_PLACES:
        places = getattr(scores, name)
        if places is not None and len(places) == first + len(order):
            moved = (*places[:first], *in_order(places[first:], order))
            scores = replace(scores, **{name: _in_type(name, moved)})
    return scores


def in_order(places: Places, order: Sequence[int]) -> Places:
    """Places in another order, in which some are new.

    >>> in_order(((0.0,), (1.0,)), (1, NEW, 0, NEW))
    ((1.0,), (0.5,), (0.0,), (1.0,))
    """
    found: list[Place] = []
    for at, old in enumerate(order):
        following = [places[each] for each in order[at + 1 :] if each != NEW]
        if old != NEW:
            found.append(places[old])
        elif not found:
            found.append(_before(following))
        elif not following:
            found.append(_after(found))
        else:
            pairs = zip(found[-1], following[0], strict=True)
            found.append(tuple((one + other) / 2 for one, other in pairs))
    return tuple(found)


def _are_places_of(s: Scenario, name: str, places: Places | None) -> bool:
    own = getattr(s.scores, name)
    return places is not None and places == own and len(places) == s.n_positions


def _counts_after(s: Scenario, sequence: str, count: int) -> dict[str, int]:
    if s.context is None:
        return {"n_q": count, "n_k": count}
    return {"n_q" if sequence == "tokens" else "n_k": count}


def _with_places(
    scores: ScoreOptions, name: str, places: Sequence[Place], sizes: Mapping[str, Any]
) -> ScoreOptions:
    """These places, cut or with more at the end: as many as there will be positions."""
    count = max((scores.query_start or 0) + sizes["n_q"], sizes["n_k"])
    found = list(places[:count])
    while len(found) < count:
        found.append(_after(found))
    return replace(scores, **{name: _in_type(name, found)})


def _in_type(name: str, places: Iterable[Iterable[float]]) -> Places:
    """The places as the option has them: whole, or any numbers."""
    kind = OPTIONS[name].kind
    assert isinstance(kind, Rows)
    if isinstance(kind.each, Whole):
        places = (map(math.floor, place) for place in places)
    return kind.taken(places)


def _after(places: Sequence[Place]) -> Place:
    """The place after the last one.

    >>> _after([(0.0, 1.0), (0.0, 2.0)]), _after([(0.0, 2.0), (1.0, 0.0)]), _after([(4.0, 4.0)])
    ((0.0, 3.0), (1.0, 1.0), (4.0, 5.0))
    """
    last = places[-1]
    steps = [min(one - other, 1.0) for one, other in zip(last, places[-2:][0], strict=True)]
    if min(steps) < 0 or max(steps) == 0:
        steps = [*[0.0] * (len(last) - 1), 1.0]
    return tuple(min(one + step, MOST) for one, step in zip(last, steps, strict=True))


def _before(places: Sequence[Place]) -> Place:
    """The place before the first one.

    >>> _before([(0.0, 1.0), (0.0, 2.0)])
    (0.0, 0.0)
    """
    backwards = [tuple(-number for number in place) for place in reversed(places)]
    return tuple(0.0 - number for number in _after(backwards))
