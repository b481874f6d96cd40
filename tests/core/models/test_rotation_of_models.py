"""How fast columns turn, as the fields of a config say it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given

from mha_core import ScoreOptions
from mha_core.checks.errors import MhaError, NumberError, OptionError
from mha_core.models.fields import Fields
from mha_core.models.longer_texts import LongerTexts
from mha_core.models.plan import Attention
from mha_core.models.rotation import KINDS, in_longer_texts, rotary, rotary_with_growth
from mha_core.models.stored import LayerNames, Stored
from mha_core.models.weights import read_weights
from tests.core.models.held import Held
from tests.core.refusals import check_refused


def frequencies(d_k: int = 4, **config: Any) -> Any:
    return rotary(Fields(config), d_k)["rope_frequencies"]


def test_without_a_word_the_base_is_the_usual_one_and_all_columns_turn() -> None:
    assert rotary(Fields({}), 4) == {
        "positions": "rope",
        "rope_pairs": "halves",
        "rope_base": 10_000.0,
    }


def test_a_part_of_the_columns_turns() -> None:
    for name in ("rotary_pct", "partial_rotary_factor"):
        assert rotary(Fields({name: 0.5}), 8)["rope_columns"] == 4
    assert rotary(Fields({}), 8, usual_part=0.25)["rope_columns"] == 2
    newer = {"rope_parameters": {"partial_rotary_factor": 0.5, "rope_theta": 9.0}}
    assert rotary(Fields(newer), 8)["rope_columns"] == 4
    assert rotary(Fields(newer), 8)["rope_base"] == 9


def test_where_the_code_of_a_model_turns_all_columns_no_part_counts() -> None:
    said = {"partial_rotary_factor": 0.5, "rope_theta": 9.0}
    for config in (said, {"rope_parameters": said}):
        assert "rope_columns" not in rotary(Fields(config), 8, usual_part=None)
    stretched = {"rope_type": "linear", "factor": 2.0, "partial_rotary_factor": 0.5}
    with pytest.raises(OptionError, match=r"partial_rotary_factor of config\.json must be one of"):
        rotary(Fields({"rope_parameters": stretched}), 8, usual_part=None)


def test_each_kind_of_layer_may_have_its_own() -> None:
    both = {
        "rope_parameters": {
            "sliding_attention": {"rope_theta": 7.0},
            "full_attention": {"rope_theta": 9.0},
        }
    }
    assert rotary(Fields(both), 4, layer_kind="full_attention")["rope_base"] == 9
    assert rotary(Fields(both), 4, layer_kind="sliding_attention")["rope_base"] == 7


def test_older_files_have_the_base_beside_the_scaling() -> None:
    old = {"rope_theta": 100.0, "rope_scaling": {"type": "linear", "factor": 2.0}}
    np.testing.assert_allclose(frequencies(**old), [1 / 2, 1 / 20])


def test_dynamic_scaling_changes_nothing_within_the_length_of_training() -> None:
    said = {"rope_theta": 100.0, "rope_scaling": {"type": "dynamic", "factor": 2.0}}
    np.testing.assert_allclose(frequencies(**said), [1, 1 / 10])


LLAMA3 = {"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0}


def test_llama_3_1_keeps_short_waves_and_stretches_long_ones() -> None:
    # With base 10**8 the second pair turns 10**-4 times as fast. Within 1000 tokens the first pair
    # turns 159 times, the second 0.016 times.
    said = {**LLAMA3, "original_max_position_embeddings": 1000}
    np.testing.assert_allclose(
        frequencies(rope_theta=1e8, rope_scaling=said), [1, 1e-4 / 8], rtol=1e-12
    )


NUMBERS_OF_SCALING = (
    *("rope_theta", "factor", "low_freq_factor", "high_freq_factor", "beta_fast", "beta_slow"),
    *("original_max_position_embeddings", "attention_factor", "mscale", "mscale_all_dim"),
)
YARN = {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 100}


def test_yarn_scales_the_scores_too() -> None:
    said = rotary(Fields({"rope_scaling": YARN}), 4)
    assert said["scale"] == pytest.approx((0.1 * np.log(4) + 1) ** 2 / 2)
    for more, growth in [
        ({"attention_factor": 3.0}, 3.0),
        ({"mscale": 1.0, "mscale_all_dim": 0.5}, (0.1 * np.log(4) + 1) / (0.05 * np.log(4) + 1)),
        ({"mscale": 0.7, "mscale_all_dim": 0.0}, 0.1 * np.log(4) + 1),  # 0 says nothing
    ]:
        said = rotary(Fields({"rope_scaling": {**YARN, **more}}), 4)
        assert said["scale"] == pytest.approx(growth**2 / 2)


def test_where_a_part_of_the_columns_turns_that_part_grows() -> None:
    config = {"rope_scaling": YARN, "partial_rotary_factor": 0.5}
    said, growth = rotary_with_growth(Fields(config), 8)
    assert growth == pytest.approx(0.1 * np.log(4) + 1)
    assert said["rope_columns"] == 4
    assert "scale" not in said


def layer(**more: Any) -> Attention:
    """Two heads of four columns, of which two turn; they share their keys."""
    matrices = LayerNames(*(Stored(name) for name in ("q", "k", "v", "o")))
    turning = ScoreOptions(positions="rope", rope_columns=2, qk_norm=more.pop("norm", "none"))
    return Attention(matrices, 2, 1, 4, 4, turning, turning_growth=3.0, **more)


def arrays_of_ones() -> Held:
    shapes = {"q": (5, 8), "k": (5, 4), "v": (5, 4), "o": (8, 5), "one": (4,), "each": (8,)}
    return Held({name: np.ones(shape, np.float32) for name, shape in shapes.items()}, {})


GROWN = [3, 3, 1, 1]


def test_what_grows_are_the_columns_of_each_head_that_turn() -> None:
    read = read_weights(arrays_of_ones(), layer(), 5)
    assert np.array_equal(read.w_q, [GROWN * 2] * 5)
    assert np.array_equal(read.w_k, [GROWN] * 5)
    assert (read.w_v == 1).all()
    assert read.w_q.dtype == np.float32


@pytest.mark.parametrize(("norm", "of_queries"), [("head", GROWN), ("all", GROWN * 2)])
def test_behind_a_norm_the_gains_grow(norm: str, of_queries: list[int]) -> None:
    read = read_weights(arrays_of_ones(), layer(norm=norm), 5)
    assert (read.w_q == 1).all()
    assert read.scores.q_gain == tuple(of_queries)
    assert read.scores.k_gain == tuple(GROWN)


def test_shifts_and_the_gains_of_each_head_grow_too() -> None:
    attention = layer(norm="head")
    names = replace(attention.names, q_gain=Stored("each"), q_shift=Stored("one"))
    scores = read_weights(arrays_of_ones(), replace(attention, names=names), 5).scores
    assert scores.q_gain == tuple(GROWN * 2)
    assert scores.q_shift == tuple(GROWN)
    assert scores.k_gain == tuple(GROWN)


def test_yarn_by_a_factor_of_one_changes_nothing() -> None:
    said = rotary(Fields({"rope_scaling": {**YARN, "factor": 1.0}}), 4)
    assert "scale" not in said
    np.testing.assert_allclose(said["rope_frequencies"], [1, 1e-2])


def test_yarn_may_have_a_ramp_between_whole_pairs() -> None:
    smooth = {**YARN, "truncate": False, "beta_fast": 8.0}
    config = {"rope_theta": 100.0, "rope_scaling": smooth}
    # 8 turns within 100 tokens: pair 2 ln(100 / 16 pi) / ln 100 = 0.299; 1 turn: pair 1.202.
    ramp = (1 - 0.29876) / (1.20183 - 0.29876)
    expected = [1, 0.1 * (1 - ramp + ramp / 4)]
    np.testing.assert_allclose(frequencies(**config), expected, rtol=1e-4)


def test_where_yarn_s_ramp_has_no_width_pairs_stay_up_to_it_and_are_stretched_behind_it() -> None:
    short = {**YARN, "original_max_position_embeddings": 6}  # no pair turns once within 6 tokens
    np.testing.assert_allclose(frequencies(rope_theta=100.0, rope_scaling=short), [1, 0.1 / 4])


def test_long_texts_have_a_factor_for_each_pair() -> None:
    scaling = {"type": "longrope", "short_factor": [1.0, 2.0], "long_factor": [3.0, 4.0]}
    config = {"rope_theta": 100.0, "max_position_embeddings": 256, "rope_scaling": scaling}
    assert "scale" not in rotary(Fields(config), 4)
    np.testing.assert_allclose(frequencies(**config), [1, 1 / 20])
    longer = {**config, "original_max_position_embeddings": 16}
    growth = np.sqrt(1 + np.log(16) / np.log(16))
    assert rotary(Fields(longer), 4)["scale"] == pytest.approx(growth**2 / 2)


def in_a_text(n_tokens: int, layer_kind: str = "", **config: Any) -> Any:
    fields = Fields(config)
    plain = ScoreOptions(**rotary(fields, 4, layer_kind=layer_kind))
    longer = in_longer_texts(fields, layer_kind)
    assert longer is not None
    return longer.turned(plain, n_tokens).rope_frequencies


def test_longer_texts_have_other_factors() -> None:
    scaling = {"type": "longrope", "short_factor": [1.0, 2.0], "long_factor": [4.0, 5.0]}
    config = {"rope_theta": 100.0, "max_position_embeddings": 16, "rope_scaling": scaling}
    np.testing.assert_allclose(in_a_text(16, **config), [1, 1 / 20])
    np.testing.assert_allclose(in_a_text(17, **config), [1 / 4, 1 / 50])


def test_dynamic_scaling_stretches_the_more_the_longer_the_text_is() -> None:
    scaling = {"type": "dynamic", "factor": 3.0}
    config = {"rope_theta": 100.0, "max_position_embeddings": 16, "rope_scaling": scaling}
    np.testing.assert_allclose(in_a_text(16, **config), [1, 1 / 10])
    np.testing.assert_allclose(in_a_text(32, **config), [1, 1 / 40])  # 3 * 32/16 - 2 is 4
    of_layers = {**config, "rope_scaling": {"full_attention": scaling}}
    np.testing.assert_allclose(in_a_text(32, "full_attention", **of_layers), [1, 1 / 40])


def test_other_kinds_turn_alike_in_all_texts() -> None:
    for scaling in ({}, YARN, {"type": "longrope", "short_factor": [1.0, 1.0]}):
        assert in_longer_texts(Fields({"rope_scaling": scaling})) is None


def test_the_last_place_says_how_long_the_text_is() -> None:
    of_pairs = LongerTexts(8, factors=(0.5,))
    scores = ScoreOptions(positions="rope", rope_columns=2, rope_frequencies=(1.0,))
    weights = replace(read_weights(arrays_of_ones(), layer(), 5), longer_texts=of_pairs)
    rows = np.ones((2, 5), np.float32)
    for last, frequency in [(7.0, 1.0), (8.0, 0.5)]:
        placed = replace(scores, rope_places=((0.0,), (last,)))
        made = replace(weights, scores=placed).scenario(rows)
        assert made.scores.rope_frequencies == (frequency,)


WRONG: list[tuple[dict[str, Any], type[MhaError], str]] = [
    ({"type": "odd"}, OptionError, "must be one of default, linear, dynamic, llama3"),
    ({"type": 3}, NumberError, "must be text"),
    ({"type": "longrope", "short_factor": [1.0]}, NumberError, "must be 2 numbers"),
    ({"type": "longrope", "short_factor": ["a", 1]}, NumberError, "must be a number"),
    ({"type": "linear"}, OptionError, "must say factor"),
    (
        {**YARN, "partial_rotary_factor": 0.5},
        OptionError,
        "rope_type of config.json must not scale a part of the columns, got a growth by 1.139.",
    ),
]


@pytest.mark.parametrize(("scaling", "kind", "said"), WRONG)
def test_a_scaling_that_is_not_known_is_refused(
    scaling: dict[str, Any], kind: type[MhaError], said: str
) -> None:
    with pytest.raises(kind) as caught:
        rotary(Fields({"rope_scaling": scaling, "max_position_embeddings": 9}), 4)
    assert said in str(caught.value)


hostile = st.sampled_from([0, 1, 2, 1e-300, 1e99, 0.5, 8])


@given(
    st.sampled_from(sorted(KINDS)),
    st.fixed_dictionaries({}, optional=dict.fromkeys(NUMBERS_OF_SCALING, hostile)),
    st.lists(hostile, min_size=2, max_size=2),
)
def test_hostile_numbers_give_an_error_of_ours_or_angles(
    kind: str, scaling: dict[str, float], each: list[float]
) -> None:
    said = {**LLAMA3, **YARN, **scaling, "rope_type": kind, "short_factor": each}
    said["long_factor"] = each[::-1]
    config = Fields({"rope_scaling": said, "max_position_embeddings": 9})
    try:
        made = ScoreOptions(**rotary(config, 4))
        if longer := in_longer_texts(config):
            made = longer.turned(made, 200)
    except MhaError:
        return
    assert np.isfinite(made.rope_frequencies).all()


def test_numbers_of_which_no_angles_can_be_made_are_told() -> None:
    check_refused(
        lambda: frequencies(rope_scaling={"type": "linear", "factor": 0}),
        OptionError(
            "rope_parameters of config.json",
            "must have numbers of which angles can be made",
            "{'type': 'linear', 'factor': 0}",
            "Check the file.",
        ),
    )
