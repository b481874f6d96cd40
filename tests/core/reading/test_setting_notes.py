"""The notes on the present setting: each holds for its trace, word for word."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given

from mha_core import attend, load_example
from mha_core.changing.changes import with_scores, with_tokens
from mha_core.layer.trace import Trace
from mha_core.mask_rules.registry import RULES
from mha_core.options.temperature import OF_BASE_2
from mha_core.reading.setting_notes import setting_notes
from mha_core.scenario.masks import Mask, Rule
from mha_core.scenario.origin import LATENT_OF_KEYS, LATENTS, Origin
from mha_core.scenario.scenario import Scenario
from mha_core.scenario.score_options import ScoreOptions
from tests.core.by_hand import CAUSAL, PIZZA, drawn, evenly, plain, with_latents, with_weights
from tests.core.strategies import scenarios


def notes(trace: Trace, about: str) -> list[str]:
    return [note for note in setting_notes(trace) if re.search(about, note)]


# Notes on the mask


@pytest.mark.parametrize(
    ("mask", "says"),
    [
        (CAUSAL, "The causal mask hides 6 of 16 cells."),
        (Mask((Rule("padding", {"hidden": [3]}),)), "The padding mask hides 4 of 16 cells."),
        (
            Mask((Rule("causal"), Rule("padding", {"hidden": [0]}))),
            "The causal and padding masks hide 10 of 16 cells.",
        ),
        (
            Mask((Rule("causal"),), np.eye(4, dtype=bool), np.full((4, 4), -np.inf)),
            "The causal, drawn and additive masks hide all 16 cells.",
        ),
        (
            Mask((Rule("padding", {"hidden": [0]}), Rule("padding", {"hidden": [1]}))),
            "The padding mask hides 8 of 16 cells.",
        ),
        (Mask((Rule("prefix_lm", {"prefix": 4}),)), "hides nothing."),
        (drawn([[1] * 4] * 4), "The drawn mask hides nothing."),
    ],
)
def test_the_mask_is_told_with_the_cells_it_hides(mask: Mask, says: str) -> None:
    (note,) = notes(attend(plain(mask=mask)), "hide")
    assert note.endswith(says)


def test_a_single_cell_is_told_as_one() -> None:
    (note,) = notes(attend(plain(1, mask=drawn([[0]]))), "hide")
    assert note == "The drawn mask hides the only cell."


def test_every_mask_has_a_name_in_words() -> None:
    every = Mask(tuple(Rule(name, rule.first_options(4, 4)) for name, rule in RULES.items()))
    (note,) = notes(attend(plain(mask=every)), "hide")
    assert note.startswith(
        "The causal, padding, sliding window, prefix language model, documents, "
        "global plus local, strided and dilated masks hide "
    )


@pytest.mark.parametrize("mask", [Mask(), Mask(additive=np.ones((4, 4)))])
def test_where_nothing_is_meant_to_hide_nothing_is_said_of_it(mask: Mask) -> None:
    assert notes(attend(plain(mask=mask)), "hide|attend") == []


@pytest.mark.parametrize(
    ("blind", "says"),
    [
        ([1], "Query “LOVE” may attend to nothing: its weights and its output are zeros."),
        (
            [0, 3],
            "Queries “I” and “PIZZA” may attend to nothing: their weights and outputs are zeros.",
        ),
        (
            [0, 1, 2, 3],
            "4 of 4 queries may attend to nothing: their weights and outputs are zeros.",
        ),
    ],
)
def test_blind_queries_are_named(blind: list[int], says: str) -> None:
    custom = np.ones((4, 4), bool)
    custom[blind] = False
    trace = attend(plain(tokens=PIZZA, mask=Mask(custom=custom)))
    assert notes(trace, "attend") == [says]
    assert not trace.output[blind].any()


@pytest.mark.parametrize(
    ("blind", "says"),
    [
        ([1], "its weights are zeros and its output is b_O alone."),
        ([1, 2], "their weights are zeros and their outputs are b_O alone."),
    ],
)
def test_a_blind_query_still_gets_b_o(blind: list[int], says: str) -> None:
    custom = np.ones((4, 4), bool)
    custom[blind] = False
    trace = attend(plain(mask=Mask(custom=custom), b_o=np.full(4, 7.0)))
    (note,) = notes(trace, "attend")
    assert note.endswith(says)
    assert np.all(trace.output[blind] == 7)


# Notes on the scores


@pytest.mark.parametrize(
    ("scale", "says"),
    [
        ("1/sqrt(d_k)", ["Without the scale 1/sqrt(d_k), scores would be 2 times as large."]),
        ("none", ["Without the scale 1/sqrt(d_k), scores are 2 times as large."]),
        (0.5, []),
        (0.125, ["The scale makes scores 0.25 times as large as 1/sqrt(d_k) would."]),
        (0, ["The scale is 0, so nothing is left of the scores."]),
        (-0.5, ["The scale is below 0, so the best match gets the lowest score."]),
    ],
)
def test_the_scale_is_told_by_what_it_does(scale: Any, says: list[str]) -> None:
    assert notes(attend(plain(scores=ScoreOptions(scale=scale))), "scale") == says


@pytest.mark.parametrize("scale", ["1/sqrt(d_k)", "none"])
def test_where_d_k_is_1_the_scale_changes_nothing(scale: str) -> None:
    assert notes(attend(plain(3, 3, scores=ScoreOptions(scale=scale))), "scale") == []


@pytest.mark.parametrize(
    ("size", "cap", "moves"),
    [
        # 20 tanh(16 / 20) = 13.28
        (16.0, 20.0, "from 16.0 to 13.3"),
        (-16.0, 20.0, "from −16.0 to −13.3"),
        (123.0, 100.0, "from 123 to 84.3"),
        (99.97, 100.0, "from 100 to 76.1"),
        (0.5, 0.5, "from 0.50 to 0.38"),
        (2.5e9, 5.0, "from 2.5e+09 to 5.00"),
        (1e-4, 1e-4, "from 1.0e−04 to 7.6e−05"),
    ],
)
def test_the_soft_cap_is_told_by_the_score_farthest_from_0(
    size: float, cap: float, moves: str
) -> None:
    capped = ScoreOptions(scale="none", softcap=cap)
    trace = attend(plain(w_q=size * np.eye(4), scores=capped))
    assert notes(trace, "soft cap") == [f"The soft cap moves the score farthest from 0: {moves}."]


@pytest.mark.parametrize(
    ("size", "cap", "says"),
    [
        (16.0, 1e4, ["The soft cap leaves the scores nearly as they are."]),
        (0.0, 5.0, ["The soft cap leaves the scores nearly as they are."]),
        (16.0, None, []),
    ],
)
def test_a_soft_cap_that_bends_nothing_is_told_so(
    size: float, cap: float | None, says: list[str]
) -> None:
    capped = ScoreOptions(scale="none", softcap=cap)
    assert notes(attend(plain(w_q=size * np.eye(4), scores=capped)), "soft cap") == says


def test_the_soft_cap_is_told_by_scores_that_are_seen() -> None:
    capped = ScoreOptions(scale="none", softcap=20.0)
    hides_itself = Mask(custom=~np.eye(4, dtype=bool))
    trace = attend(plain(w_q=16 * np.eye(4), scores=capped, mask=hides_itself))
    assert notes(trace, "soft cap") == ["The soft cap leaves the scores nearly as they are."]
    hides_all = drawn([[0] * 4] * 4)
    assert notes(attend(plain(scores=capped, mask=hides_all)), "soft cap|Scores") == []


@pytest.mark.parametrize(
    ("temperature", "says"),
    [
        (1, []),
        (0.5, ["The temperature 0.5 makes scores 2 times as large before softmax."]),
        (30, ["The temperature 30 makes scores 0.0333 times as large before softmax."]),
        (1.0001, []),
        (
            OF_BASE_2,
            [
                "The temperature 1 / ln 2 = 1.4427 makes softmax one of base 2: 2 to the power of "
                "each score, not e."
            ],
        ),
    ],
)
def test_the_temperature_is_told_by_what_it_does(temperature: float, says: list[str]) -> None:
    trace = attend(plain(scores=ScoreOptions(temperature=temperature)))
    assert notes(trace, "temperature") == says


def test_what_softmax_does_is_told_by_the_scores_that_it_gets() -> None:
    # Scores of 1 / sqrt(4) = 0.5 where a token meets itself; 0.5 / 0.0625 = 8, and 0.5 / 10 = 0.05.
    cold, hot = (ScoreOptions(temperature=temperature) for temperature in (0.0625, 10))
    assert notes(attend(plain(scores=cold)), "to one key|equal") == [
        "Scores / T reach 8.00, so softmax gives nearly all weight to one key (0.999 on average)."
    ]
    assert notes(attend(plain(scores=hot)), "to one key|equal") == [
        "Scores / T within a row are nearly equal, so the head averages."
    ]
    assert notes(attend(plain(mask=CAUSAL, scores=hot)), "to one key|equal") == [
        "Scores / T within a row are nearly equal, so the head averages."
    ]
    even, sharp = np.full((3, 3), 1 / 3), evenly(np.exp(5 * np.eye(3)))
    both = with_weights(even, sharp, scores=ScoreOptions("none", temperature=0.5))
    assert notes(both, "to one key|equal") == [
        "In head 2, scores / T reach −10.0, so softmax gives nearly all weight to one key "
        "(over 0.999 on average).",
        "In head 1, scores / T within a row are nearly equal, so it averages.",
    ]


def test_a_saturated_softmax_is_told_with_its_scores() -> None:
    # Weights e^8 / (e^8 + 3) = 0.99900 where a token meets itself, scores 16 / sqrt(4).
    trace = attend(plain(w_q=16 * np.eye(4)))
    assert notes(trace, "to one key") == [
        "Scores reach 8.00, so softmax gives nearly all weight to one key (0.999 on average)."
    ]


def test_weights_that_are_one_hot_to_the_last_digit_are_told_so() -> None:
    trace = attend(plain(w_q=4000 * np.eye(4)))
    assert notes(trace, "to one key") == [
        "Scores reach 2000, so softmax gives nearly all weight to one key (1.000 on average)."
    ]
    nearly = attend(plain(w_q=20 * np.eye(4)))
    assert "(over 0.999 on average)" in notes(nearly, "to one key")[0]


def test_one_query_that_spreads_its_weight_is_not_called_one_hot() -> None:
    weights = np.eye(31)
    assert notes(with_weights(weights), "to one key")
    weights[0] = 1 / 31  # on average, the largest weight of a row is still 0.97
    assert notes(with_weights(weights), "to one key") == []


def test_scores_that_the_mask_hides_saturate_nothing() -> None:
    hides_itself = Mask(custom=~np.eye(4, dtype=bool))
    assert notes(attend(plain(w_q=16 * np.eye(4), mask=hides_itself)), "to one key") == []


def test_only_the_heads_that_saturate_are_named() -> None:
    even = np.full((3, 3), 1 / 3)
    sharp, soft = evenly(np.exp(9 * np.eye(3))), evenly([[4, 1, 1]] * 3)
    assert notes(with_weights(soft, sharp), "to one key|equal") == [
        "In head 2, scores reach −9.00, so softmax gives nearly all weight to one key "
        "(over 0.999 on average)."
    ]
    assert notes(with_weights(sharp, soft, even, even), "equal") == [
        "In heads 3 and 4, scores within a row are nearly equal, so they average."
    ]
    assert notes(with_weights(*[even] * 4, sharp), "equal") == [
        "In 4 of 5 heads, scores within a row are nearly equal, so they average."
    ]
    assert notes(with_weights(soft, even), "equal") == [
        "In head 2, scores within a row are nearly equal, so it averages."
    ]


@pytest.mark.parametrize(
    ("n_heads", "says"), [(1, "so the head averages."), (2, "so every head averages.")]
)
def test_equal_scores_are_told_as_averaging(n_heads: int, says: str) -> None:
    trace = attend(plain(4, n_heads, w_q=np.zeros((4, 4))))
    assert notes(trace, "equal") == [f"Scores within a row are nearly equal, {says}"]
    assert np.all(trace.weights == 0.25)


def test_scores_count_as_equal_within_a_row_only() -> None:
    rows = np.array([[0.0] * 4, [0.0] * 4, [500.0] * 4, [-500.0] * 4])
    assert len(notes(attend(plain(mask=Mask(additive=rows), w_q=np.zeros((4, 4)))), "equal")) == 1
    assert notes(attend(plain(mask=Mask(additive=rows.T), w_q=np.zeros((4, 4)))), "equal") == []


def test_where_no_query_has_a_choice_nothing_is_said_of_scores() -> None:
    assert notes(attend(plain(1)), "to one key|equal") == []


# Notes on the heads


@pytest.mark.parametrize(
    ("n_kv_heads", "says"),
    [
        (6, []),
        (3, ["6 query heads share 3 key/value heads."]),
        (1, ["All 6 query heads share 1 key/value head."]),
    ],
)
def test_shared_key_and_value_heads_are_told(n_kv_heads: int, says: list[str]) -> None:
    narrow = np.eye(6)[:, :n_kv_heads]
    trace = attend(plain(6, 6, n_kv_heads=n_kv_heads, w_k=narrow, w_v=narrow))
    assert notes(trace, "share") == says


@pytest.mark.parametrize(
    ("off", "says"),
    [
        ([], []),
        ([1], ["Head 2 is off: it adds nothing to the output."]),
        ([2, 0], ["Heads 1 and 3 are off: they add nothing to the output."]),
        ([0, 1, 5], ["Heads 1, 2 and 6 are off: they add nothing to the output."]),
        ([0, 1, 3, 4], ["4 of 6 heads are off: they add nothing to the output."]),
        (range(6), ["Every head is off: the output is zeros."]),
    ],
)
def test_heads_that_are_off_are_told(off: list[int], says: list[str]) -> None:
    assert notes(attend(plain(6, 6, heads_off=frozenset(off))), " off") == says


def test_the_only_head_off_leaves_b_o() -> None:
    trace = attend(plain(3, b_o=np.ones(3), heads_off=frozenset([0])))
    assert notes(trace, " off") == ["The only head is off: the output is b_O alone."]


# All notes


@given(scenarios())
def test_notes_are_whole_sentences_without_strange_numbers(s: Scenario) -> None:
    found = setting_notes(attend(s))
    assert len(set(found)) == len(found)
    for note in found:
        assert re.fullmatch(r"[A-Z0-9].*\.", note)
        assert not re.search(r"nan|inf\b|\{", note)


def test_a_plain_setting_says_nothing() -> None:
    assert setting_notes(attend(plain(3, 3))) == ()


def test_a_note_goes_with_its_setting() -> None:
    s = plain(4, mask=CAUSAL)
    assert set(setting_notes(attend(s))) - set(setting_notes(attend(replace(s, mask=Mask())))) == {
        "The causal mask hides 6 of 16 cells."
    }


@pytest.mark.parametrize(("count", "is_told"), [(12, False), (13, True)])
def test_places_that_repeat_are_told(count: int, is_told: bool) -> None:
    s = with_tokens(load_example("the-cat"), [f"w{i}" for i in range(count)])
    note = "The columns of place are the hand of a clock: after 12 tokens they repeat."
    assert (note in setting_notes(attend(s))) == is_told


ROTATIONS: dict[str, tuple[dict[str, Any], list[str]]] = {
    "another base": (
        {"rope_base": 100.0},
        ["the last pair of columns turns by one radian every 10 positions."],
    ),
    "few columns": (
        {"rope_base": 100.0, "rope_columns": 2},
        [
            "The only pair of columns turns by one radian a position, whatever the base.",
            "Only the first 2 of 4 columns of each head turn.",
        ],
    ),
    "halves": ({"rope_pairs": "halves"}, ["as in Llama's files."]),
    "crossed": ({"rope_pairs": "crossed"}, ["as in V-JEPA 2. Then their length changes"]),
    "own frequencies": (
        {"rope_base": 100.0, "rope_frequencies": (1.0, 0.25)},
        ["The slowest pair of columns turns by 0.25 radians from one position to the next."],
    ),
}


def test_the_first_and_the_last_place_are_told() -> None:
    places = ((0.0, 0.0), (0.0, 1.0), (1.0, 0.0), (1.0, 1.5))
    pizza = with_scores(load_example("pizza"), positions="rope", rope_places=places)
    notes = " ".join(setting_notes(attend(pizza)))
    assert "Positions have their own places: the first stands at 0, 0, the last at 1, 1.5." in notes
    assert "The pairs of columns follow the axes" not in notes
    also = " ".join(setting_notes(attend(with_scores(pizza, rope_axes=(1, 0), rope_series="all"))))
    assert "The pairs of columns follow the axes 1 0." in also
    assert "All pairs go from fast to slow, whatever their axes: as in Qwen2-VL's text." in also
    assert "own places" not in " ".join(setting_notes(attend(with_scores(pizza, positions="none"))))


@pytest.mark.parametrize(
    ("base", "says"),
    [
        (5.0, "Each pair of columns turns by one radian a position, whatever the base."),
        (10_000.0, ""),
    ],
)
def test_a_base_that_no_pair_shows_is_told(base: float, says: str) -> None:
    """Two pairs, each the first of its axis."""
    s = with_scores(load_example("pizza"), positions="rope", rope_places=((0.0, 1.0),) * 4)
    notes = " ".join(setting_notes(attend(with_scores(s, rope_base=base))))
    assert ("whatever the base" in notes) == bool(says)
    assert says in notes


@pytest.mark.parametrize("name", ROTATIONS)
def test_what_a_rotation_does_is_said_as_it_is(name: str) -> None:
    options, expected = ROTATIONS[name]
    pizza = load_example("pizza")
    usual = setting_notes(attend(with_scores(pizza, positions="rope")))
    notes = setting_notes(attend(with_scores(pizza, positions="rope", **options)))
    (said,) = [note for note in notes if "turn" in note and note not in usual]
    assert all(each in said for each in expected)
    assert ("base" in said) == ("base" in name or name == "few columns")
    assert said not in setting_notes(attend(with_scores(pizza, **options)))


@pytest.mark.parametrize(
    ("name", "note"),
    [
        (LATENTS, "X is that of the queries, C that of keys and values."),
        (LATENT_OF_KEYS, "X is what the layer reads. For keys and values it makes smaller rows"),
    ],
)
def test_it_is_said_what_x_and_c_of_a_layer_with_latents_are(name: str, note: str) -> None:
    s = with_latents(load_example("pizza"), name)
    (said,) = [each for each in setting_notes(attend(s)) if note in each]
    assert said.endswith("A cache keeps C alone.")
    others = (replace(s, origin=Origin()), replace(s, tokens=("a", "b", "c", "d")))
    assert all(note not in each for other in others for each in setting_notes(attend(other)))
