"""Which pattern a head resembles: on heads that are one, on mixtures, and as laws on drawn ones."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mha_core import attend
from mha_core.guide.field_guide import FIELD_GUIDE
from mha_core.layer.trace import Trace
from mha_core.reading.metrics import CLOSELY
from mha_core.reading.patterns import EVEN, PEAK, RESEMBLES_FROM, Pattern, patterns, query_places
from mha_core.scenario.masks import Mask, Rule
from mha_core.scenario.scenario import Scenario
from mha_core.scenario.score_options import ScoreOptions
from tests.core.by_hand import (
    ALL_BLIND,
    CAUSAL,
    PURE,
    WORDS,
    before,
    evenly,
    resembled,
    with_latents,
    with_weights,
)
from tests.core.strategies import SEEDS, scenario_of_distinct_sizes, scenarios


def resembling(trace: Trace) -> Pattern:
    found = resembled(trace)
    assert found is not None
    return found


@pytest.mark.parametrize("name", PURE)
def test_a_pure_pattern_is_found_with_full_score(name: str) -> None:
    found = resembling(with_weights(PURE[name], tokens=WORDS))
    assert (found.name, found.score, found.share) == (name, pytest.approx(1), pytest.approx(1))
    assert found.least == pytest.approx(1)
    assert found.without == {"previous token": (0,), "next token": (5,)}.get(name, ())


@pytest.mark.parametrize("name", PURE)
def test_no_other_pattern_comes_near_a_pure_one(name: str) -> None:
    (scores,) = patterns(with_weights(PURE[name], tokens=WORDS))
    assert list(scores) == list(PURE)
    # A word looks at itself alone where no other is the same: "same word" is half "itself".
    others = [pattern.score for other, pattern in scores.items() if other != name]
    assert max(others) < 2 / 3


@pytest.mark.parametrize("name", [name for name in PURE if name != "uniform"])
def test_even_weights_resemble_no_pattern_by_chance(name: str) -> None:
    (scores,) = patterns(with_weights(PURE["uniform"], tokens=WORDS))
    assert scores[name].score == pytest.approx(0)


def test_over_two_tokens_even_weights_look_at_the_one_before_by_chance_only() -> None:
    (scores,) = patterns(with_weights([[0.5, 0.5], [0.5, 0.5]]))
    assert {name: pattern.score for name, pattern in scores.items()} == {
        **{"itself": 0, "first token": 0, "last token": 0, "uniform": 1}
    }


def test_a_score_is_what_exceeds_chance_as_a_part_of_what_could() -> None:
    trace = with_weights(0.7 * np.eye(4) + 0.1 * (1 - np.eye(4)))
    found = resembling(trace)
    assert found.name == "itself"
    assert found.share == pytest.approx(0.7)
    assert found.score == pytest.approx((0.7 - 0.25) / (1 - 0.25))


def test_the_distance_from_even_is_a_part_of_the_largest_there_is() -> None:
    (scores,) = patterns(with_weights([[0.75, 0.25], [0.75, 0.25]]))
    assert scores["uniform"].score == pytest.approx(1 - 0.25 / 0.5)


def test_wide_patterns_ask_for_weight_spread_over_their_cells() -> None:
    on_block_ends = np.kron(np.eye(2), [[1, 0, 0]] * 3)
    (scores,) = patterns(with_weights(on_block_ends))
    assert scores["block"].share == pytest.approx(1)
    assert scores["block"].score == 0


def test_what_the_mask_forces_is_no_pattern_of_the_head() -> None:
    block = Mask((Rule("documents", {"segments": [1, 1, 1, 2, 2, 2]}),))
    found = resembling(with_weights(PURE["block"], mask=block))
    assert found.name == "uniform"
    only_itself = Mask(custom=np.eye(3, dtype=bool))
    assert patterns(with_weights(np.eye(3), mask=only_itself)) == ({},)


def test_a_pattern_that_the_mask_hides_is_left_out() -> None:
    (scores,) = patterns(with_weights(np.eye(6), mask=CAUSAL))
    # The mask hides what is ahead; one query alone sees the last token; "all before" is every key.
    few = {"itself", "previous token", "first token", "global token"}
    assert set(scores) == {*few, "block", "uniform"}


def test_a_pattern_is_read_where_the_mask_leaves_a_choice() -> None:
    trace = with_weights(before(5), mask=CAUSAL)
    found = resembling(trace)
    assert found.name == "previous token"
    assert found.score == pytest.approx(1)


def test_a_query_that_may_see_a_single_key_does_not_count() -> None:
    found = resembling(with_weights([[1, 0], [1, 0]], mask=CAUSAL))
    assert (found.name, found.score) == ("previous token", pytest.approx(1))


def test_blind_queries_have_no_say_in_patterns() -> None:
    custom = np.ones((5, 5), bool)
    custom[2] = False
    found = resembling(with_weights(np.eye(5), mask=Mask(custom=custom)))
    assert (found.name, found.score) == ("itself", pytest.approx(1))
    assert patterns(with_weights(np.eye(3), mask=ALL_BLIND)) == ({},)


def test_of_patterns_that_tie_the_one_that_says_more_is_named() -> None:
    # In each of these blocks, both words are the same.
    words = ("so", "so", "la", "la")
    weights = np.kron(np.eye(2), np.full((2, 2), 0.5))
    (scores,) = patterns(with_weights(weights, tokens=words))
    assert scores["same word"].score == scores["block"].score == pytest.approx(1)
    found = resembling(with_weights(weights, tokens=words))
    assert found.name == "same word"


def test_same_word_is_left_out_where_it_can_only_be_the_token_itself() -> None:
    (scores,) = patterns(with_weights(np.eye(4)))
    assert "same word" not in scores


def test_blocks_are_found_where_they_are() -> None:
    sizes = [2, 5, 3]
    weights = evenly([[a == b for b in np.repeat(sizes, sizes)] for a in np.repeat(sizes, sizes)])
    found = resembling(with_weights(0.9 * weights + 0.01))
    assert found.name == "block"
    assert found.share == pytest.approx(0.9 + 0.01 * (4 + 25 + 9) / 10)


def test_three_tokens_have_no_blocks() -> None:
    (scores,) = patterns(with_weights(evenly([[1, 1, 0], [1, 1, 0], [0, 0, 1]])))
    assert "block" not in scores


def test_a_head_that_looks_here_and_there_resembles_nothing() -> None:
    scattered = np.eye(7)[[3, 6, 0, 5, 1, 2, 4]]
    assert resembled(with_weights(scattered)) is None


def test_half_a_pattern_is_the_least_that_is_named() -> None:
    def itself(score: float) -> Trace:
        return with_weights((1 - score) * np.full((5, 5), 1 / 5) + score * np.eye(5))

    found = resembling(itself(RESEMBLES_FROM + 0.01))
    assert found.name == "itself"
    assert resembled(itself(RESEMBLES_FROM - 0.01)) is None


def test_even_is_named_only_when_it_is_nearly_so() -> None:
    found = resembling(with_weights([[0.34, 0.22, 0.22, 0.22]] * 4))
    assert (found.name, found.least) == ("uniform", pytest.approx(0.91))
    assert resembled(with_weights([[0.37, 0.21, 0.21, 0.21]] * 4)) is None


def test_one_weight_that_stands_out_is_not_even_however_many_share_the_rest() -> None:
    n = 50
    rest = (1 - 1 / 12) / (n - 1)
    with_a_peak = np.full((n, n), rest)
    with_a_peak[:, 7] = 1 / 12  # 4 times an even share, and no more than a tenth of all
    assert resembled(with_weights(with_a_peak)) is None
    with_a_peak[:, 7] = rest
    assert resembling(with_weights(evenly(with_a_peak))).name == "uniform"


def test_a_pattern_that_holds_on_average_alone_is_not_named() -> None:
    weights = np.eye(7)
    weights[3] = [0.3, 0, 0, 0.4, 0, 0, 0.3]
    (scores,) = patterns(with_weights(weights))
    assert scores["itself"].score == pytest.approx(0.9)
    assert scores["itself"].least == pytest.approx(0.4)
    assert resembled(with_weights(weights)) is None


def test_a_query_that_sees_only_cells_of_the_pattern_must_be_even_too() -> None:
    """The last token may see all keys. Its row cannot show the pattern, but can contradict it."""
    weights = evenly(np.tri(5))
    assert resembling(with_weights(weights)).name == "all before"
    weights[4] = [0.6, 0.1, 0.1, 0.1, 0.1]
    (scores,) = patterns(with_weights(weights))
    assert scores["all before"].score == pytest.approx(1)
    assert resembled(with_weights(weights)) is None


def test_each_head_has_patterns_of_its_own() -> None:
    trace = with_weights(np.eye(5), before(5), np.full((5, 5), 0.2))
    found = [resembled(trace, head) for head in range(3)]
    assert [pattern and pattern.name for pattern in found] == [
        *("itself", "previous token", "uniform")
    ]


OF_ENTRIES = {"local": "neighbours", "global": "global token"}


@pytest.mark.parametrize("entry", OF_ENTRIES)
@pytest.mark.parametrize("n", [3, 4, 7, 13])
def test_the_local_and_the_global_head_of_the_field_guide_are_named(entry: str, n: int) -> None:
    found = resembling(attend(FIELD_GUIDE[entry].on([f"t{i}" for i in range(n)]).first))
    assert (found.name, found.score) == (OF_ENTRIES[entry], pytest.approx(1))


def test_a_head_that_another_pattern_names_keeps_that_name() -> None:
    local = FIELD_GUIDE["local"].on(["so", "so", "la", "la"]).first
    (scores,) = patterns(attend(local))
    assert scores["neighbours"].score > scores["same word"].score
    assert resembling(attend(local)).name == "same word"


def test_local_is_no_pattern_where_the_mask_hides_a_neighbour() -> None:
    (scores,) = patterns(with_weights(PURE["neighbours"], mask=CAUSAL))
    assert "neighbours" not in scores


def test_global_is_no_pattern_where_the_first_token_is_hidden() -> None:
    first_hidden = Mask((Rule("padding", {"hidden": [0]}),))
    (scores,) = patterns(with_weights(PURE["global token"], mask=first_hidden))
    assert "global token" not in scores
    assert "global token" not in patterns(decoder(PURE["uniform"], n_q=3))[0]


OWN_PLACE = {"itself", "previous token", "next token", "all before", "block", *OF_ENTRIES.values()}


def test_patterns_of_a_tokens_own_place_are_left_out_of_cross_attention() -> None:
    trace = attend(scenario_of_distinct_sizes())
    assert query_places(trace.scenario) is None
    assert all(OWN_PLACE.isdisjoint(found) for found in patterns(trace))
    # Nor is there a word that both have.
    assert all(set(found) == {"first token", "last token", "uniform"} for found in patterns(trace))


def test_across_two_sequences_the_same_word_is_found() -> None:
    trace = attend(
        Scenario(
            x=np.eye(3),
            context=np.eye(3)[[2, 0, 1, 2]],
            tokens=("a", "b", "c"),
            context_tokens=("c", "a", "b", "c"),
            **{name: np.eye(3) for name in ("w_k", "w_v", "w_o")},
            w_q=50 * np.eye(3),
            n_heads=1,
        )
    )
    found = resembling(trace)
    assert (found.name, found.score) == ("same word", pytest.approx(1))


def decoder(weights: Any, n_q: int, *, says: bool = True) -> Trace:
    """The last n_q tokens ask; the keys are all tokens, as a cache holds them."""
    n = len(weights)
    return with_weights(
        np.eye(n),
        x=np.eye(n)[n - n_q :],
        context=np.eye(n),
        w_q=np.log(np.asarray(weights).clip(min=1e-300)),
        scores=ScoreOptions(scale="none", query_start=n - n_q if says else None),
    )


@pytest.mark.parametrize("says", [True, False])
def test_queries_that_continue_a_cache_stand_at_its_end(says: bool) -> None:
    trace = decoder(before(7), n_q=3, says=says)
    assert query_places(trace.scenario) == pytest.approx([4, 5, 6])
    found = resembling(trace)
    assert found.name == "previous token"
    assert found.score == pytest.approx(1)


def test_a_cache_shows_no_blocks() -> None:
    (scores,) = patterns(decoder(PURE["block"], n_q=2))
    assert "block" not in scores


def test_in_self_attention_a_token_is_itself_wherever_positions_start() -> None:
    later = ScoreOptions(scale="none", query_start=1)
    assert resembling(with_weights(np.eye(6), scores=later)).name == "itself"


@given(scenarios())
def test_scores_and_shares_are_parts_of_one(s: Scenario) -> None:
    for found in patterns(attend(s)):
        for name, pattern in found.items():
            assert pattern.name == name
            assert 0 <= pattern.score <= 1
            assert 0 <= pattern.share <= 1 + 1e-6


@given(SEEDS, st.integers(4, 9))
def test_a_head_made_of_a_pattern_and_even_weights_scores_by_its_part(seed: int, n: int) -> None:
    part = np.random.default_rng(seed).random()
    (scores,) = patterns(with_weights(part * np.eye(n) + (1 - part) / n))
    assert scores["itself"].score == pytest.approx(part)
    assert scores["uniform"].score == pytest.approx(1 - part)


SAYS = {
    "itself": lambda query, key: key == query,
    "previous token": lambda query, key: key == query - 1,
    "next token": lambda query, key: key == query + 1,
    "first token": lambda _query, key: key == 0,
    "last token": lambda _query, key: key == 5,
    "same word": lambda query, key: WORDS[key] == WORDS[query],
    "all before": lambda query, key: key <= query,
    "neighbours": lambda query, key: abs(key - query) <= 1,
    "global token": lambda query, key: query == 0 or key in (0, query),
    "uniform": lambda _query, _key: True,
}


@given(st.sampled_from(sorted(SAYS)), SEEDS, st.sampled_from([0.05, 0.1, 0.5, 1.0]), st.booleans())
def test_a_pattern_that_is_named_holds_for_every_query(
    name: str, seed: int, noise: float, causal: bool
) -> None:
    rng = np.random.default_rng(seed)
    part = noise * rng.random((6, 1))
    weights = (1 - part) * np.array(PURE[name]) + part * rng.dirichlet(np.full(6, 0.5), 6)
    trace = with_weights(weights, tokens=WORDS, mask=CAUSAL if causal else Mask())
    found = resembled(trace)
    if found is None or found.name == "block":
        return
    for query in range(6):
        seen = [key for key in range(6) if trace.mask[query, key]]
        cells = [key for key in seen if SAYS[found.name](query, key)]
        assert (query in found.without) == (cells == [])
        if not cells:
            continue
        row = trace.weights[0, query]
        if found.name in EVEN:
            assert sum(abs(row[key] - 1 / len(cells)) for key in cells) <= 2 * (1 - CLOSELY)
            assert row.max() <= PEAK / len(cells)
        else:
            assert sum(row[key] for key in cells) > (CLOSELY - 1e-9 if found.is_close else 0.5)


def test_heads_with_latents_have_the_patterns_of_self_attention() -> None:
    alone = with_weights(before(6), np.eye(6), mask=CAUSAL)
    latents = attend(with_latents(alone.scenario))
    assert query_places(latents.scenario) == pytest.approx(range(6))
    assert patterns(latents) == patterns(alone)
