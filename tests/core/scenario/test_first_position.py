"""Where the queries stand if nobody says it: at the end of a cache, or at the beginning."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from mha_core import Mask, Rule, Scenario, ScoreOptions, attend
from mha_core.reading.setting_notes import setting_notes
from tests.core.strategies import self_attention

CAUSAL = Rule("causal")
FROM_THE_START = Rule("sliding_window", left=2, align="start")
TWO_OF_FIVE = 3  # where two queries begin, if they are the last of five keys


def step(positions: str, *rules: Rule, n_q: int = 2, start: int | None = None) -> Scenario:
    """The last tokens of five, with all five as keys."""
    whole = self_attention(5, 12, 3)
    last = replace(whole, x=whole.x[-n_q:], tokens=(), context=whole.x)
    scores = ScoreOptions(positions=positions, query_start=start)
    return replace(last, mask=Mask(rules), scores=scores)


@pytest.mark.parametrize(
    ("positions", "rules", "first"),
    [
        *((positions, [CAUSAL], TWO_OF_FIVE) for positions in ("sinusoidal", "rope", "alibi")),
        *((positions, [FROM_THE_START], 0) for positions in ("sinusoidal", "rope", "alibi")),
        *((positions, [CAUSAL, FROM_THE_START], 0) for positions in ("rope", "alibi")),
        ("rope", [], TWO_OF_FIVE),
        ("alibi", [Rule("padding", hidden=[0])], TWO_OF_FIVE),
        ("sinusoidal", [], 0),
        ("none", [CAUSAL], 0),
    ],
)
def test_queries_follow_the_cache_where_mask_or_distances_speak_of_one(
    positions: str, rules: list[Rule], first: int
) -> None:
    assert step(positions, *rules).query_start == first


def test_what_is_said_goes_before_what_follows() -> None:
    for start in (0, 1, 7):
        assert step("rope", CAUSAL, start=start).query_start == start


def test_more_queries_than_keys_do_not_stand_before_position_0() -> None:
    s = step("rope", CAUSAL)
    turned = replace(s, x=s.context, context=s.x, tokens=(), context_tokens=())
    assert turned.query_start == 0


def test_without_a_second_sequence_0_says_no_more_than_nothing() -> None:
    said = self_attention(5, 12, 3, scores=ScoreOptions(positions="rope", query_start=0))
    assert said == self_attention(5, 12, 3, scores=ScoreOptions(positions="rope"))
    assert (said.query_start, said.key_start) == (0, 0)


def said_of(s: Scenario) -> list[str]:
    return [note for note in setting_notes(attend(s)) if note.startswith("Positions do not follow")]


@pytest.mark.parametrize(
    ("changes", "start"), [({"start": 0}, 0), ({"start": 9}, 9), ({"positions": "sinusoidal"}, 0)]
)
def test_positions_that_do_not_follow_the_cache_are_named(
    changes: dict[str, Any], start: int
) -> None:
    assert said_of(step(**{"positions": "rope", **changes})) == [
        f"Positions do not follow the second sequence: the first query is at {start}. "
        "After a decoder's cache of these keys it would be at 3."
    ]


def test_positions_that_follow_are_not_named() -> None:
    for s in (step("rope", CAUSAL), step("none"), step("rope", start=3), step("rope", n_q=5)):
        assert said_of(s) == []
