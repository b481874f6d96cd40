"""The places of positions when tokens are added, removed or moved: a place goes with its token.

A new token stands halfway between its neighbours. At the end it stands one step further: on the
axes on which the last token went on, as far as that one did, but by at most 1; if it went on
nowhere, or back, by 1 on the last axis. At the begin it is the same the other way.

Of a second sequence that holds the queries, as a cache does, a place goes with the key. Elsewhere
queries and keys that share places stay at their positions, whoever stands there now.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from mha_core.options.rope_places import MOST, Places
from mha_core.scenario.scenario import Scenario
from mha_core.scenario.score_options import ScoreOptions

NEW: Final = -1  # in an order, a token that was not there

Place = tuple[float, ...]


def places_resized(
    s: Scenario, scores: ScoreOptions, after: Mapping[str, int], *, loses_context: bool
) -> ScoreOptions:
    """These options for other numbers of tokens, where `s` has the same places.

    The last are cut, or new ones follow. Without the second sequence those of X stay.
    """
    places = scores.rope_places
    if not _are_places_of(s, places):
        return scores
    stay = places[s.query_start :] if loses_context else places
    return _with_places(scores, stay, after)


def places_in_order(s: Scenario, sequence: str, order: Sequence[int]) -> ScoreOptions:
    """The options of `s` with the tokens of a sequence in another order."""
    places = s.scores.rope_places
    if not _are_places_of(s, places):
        return s.scores
    sizes = {**s.sizes, **_counts_after(s, sequence, len(order))}
    if not _take_places_along(s, sequence, sizes):
        return _with_places(s.scores, places, sizes)
    first, count = (s.query_start, s.n_q) if sequence == "tokens" else (0, s.n_k)
    moved = in_order(places[first : first + count], order)
    return _with_places(s.scores, (*places[:first], *moved, *places[first + count :]), sizes)


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
    places = scores.rope_places
    if places is None or len(places) != first + len(order):
        return scores
    return replace(scores, rope_places=(*places[:first], *in_order(places[first:], order)))


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


def _are_places_of(s: Scenario, places: Places | None) -> bool:
    return places is not None and places == s.scores.rope_places and len(places) == s.n_positions


def _counts_after(s: Scenario, sequence: str, count: int) -> dict[str, int]:
    if s.context is None:
        return {"n_q": count, "n_k": count}
    return {"n_q" if sequence == "tokens" else "n_k": count}


def _with_places(
    scores: ScoreOptions, places: Sequence[Place], sizes: Mapping[str, Any]
) -> ScoreOptions:
    """These places, cut or with more at the end: as many as there will be positions."""
    count = max((scores.query_start or 0) + sizes["n_q"], sizes["n_k"])
    found = list(places[:count])
    while len(found) < count:
        found.append(_after(found))
    return replace(scores, rope_places=tuple(found))


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
