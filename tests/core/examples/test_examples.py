"""The worked examples: their numbers to the printed digits, their claims, and the errata."""

from __future__ import annotations

import ast
import math
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from mha_core import attend
from mha_core.checks.errors import OptionError
from mha_core.examples import (
    DEFAULT_EXAMPLE,
    EXAMPLES,
    EXAMPLES_BY_QUESTION,
    QUESTIONS,
    UNNAMED_EXAMPLE,
    Erratum,
    Printed,
    load_example,
    load_stack,
)
from mha_core.examples.example import OF_DOCUMENTS, true_of_any_trace
from mha_core.examples.pizza import MASKED_WEIGHTS
from mha_core.examples.three_tokens import W
from mha_core.examples.three_tokens import X as X_001
from mha_core.layer.attention import naive_softmax, softmax, split_heads
from mha_core.layer.trace import Trace
from mha_core.making.inputs import INPUTS, make_x
from mha_core.making.presets import LayerSizes, make_projections
from mha_core.scenario.masks import Rule
from mha_core.scenario.scenario import Scenario
from mha_core.scenario.score_options import ScoreOptions
from tests.core.disturb import disturbed

NAMES = [
    "the-cat",
    *("wide-head", "saturated", "causal", "one-head", "four-heads", "grouped-query", "long"),
    "heads-apart",
    *("permutation", "positions", "image", "neighbours", "near-patches"),
    *("translation", "own-numbers"),
    *("induction", "trained"),
    *("split-only", "three-tokens", "pizza", "pizza-patches", "pizza-1024", "pizza-patches-1024"),
    *("eight-tokens", "eight-tokens-512", "two-tokens", "two-tokens-mixed"),
]
# What document 002 prints: two rows of scores, and the weights that it draws below them.
PRINTED_SCORES = ((13.9, 21.1, -100.3, 17.5), (-5.0, 3.14, 1.2, 75.3))
PRINTED_WEIGHTS = ((0.1, 0.2, 0.5, 0.3), (0.4, 0.1, 0.3, 0.2))

PRINTED = [(name, printed) for name, example in EXAMPLES.items() for printed in example.printed]
# Each claim once: the large examples share those of the small ones.
CLAIMS = list({claim: name for name in reversed(NAMES) for claim in EXAMPLES[name].claims}.items())
ERRATA = list({erratum: None for example in EXAMPLES.values() for erratum in example.errata})


@cache
def trace_of(name: str) -> Trace:
    return attend(load_example(name))


def test_the_examples_are_these_in_this_order():
    assert list(EXAMPLES) == NAMES
    assert [example.name for example in EXAMPLES.values()] == NAMES
    assert {DEFAULT_EXAMPLE, UNNAMED_EXAMPLE} <= set(EXAMPLES)


def test_all_five_documents_have_an_example():
    assert {example.document for example in EXAMPLES.values()} == {
        *("000", "001", "002", "003", "004"),
        "",
    }


@pytest.mark.parametrize("name", NAMES)
def test_every_example_says_what_it_shows_on_one_line_and_claims_something(name):
    example = EXAMPLES[name]
    assert example.claims
    assert example.sentence.endswith(".")
    assert len(example.sentence) <= 90


def test_each_question_has_an_example_and_each_example_a_question():
    assert list(EXAMPLES_BY_QUESTION) == list(QUESTIONS)
    assert all(EXAMPLES_BY_QUESTION.values())
    assert [e for group in EXAMPLES_BY_QUESTION.values() for e in group] == list(EXAMPLES.values())


def test_the_documents_stand_together_in_their_order():
    documents = [example.document for example in EXAMPLES_BY_QUESTION[OF_DOCUMENTS]]
    assert documents == sorted(documents)
    assert all(documents)
    assert {e.document for e in EXAMPLES.values() if e.question != OF_DOCUMENTS} == {""}


# What an example says of itself.


@pytest.mark.parametrize("name", NAMES)
def test_what_an_example_says_of_itself_holds(name):
    example, trace = EXAMPLES[name], trace_of(name)
    assert example.holds(trace) is True
    assert example.notes_that_hold(trace) == [note.sentence for note in example.notes]


@pytest.mark.parametrize("name", [name for name in NAMES if not name.endswith(("1024", "512"))])
def test_what_an_example_says_of_itself_is_not_true_whatever_happens(name):
    example = EXAMPLES[name]
    checks = [note.check for note in example.notes]
    said = [example.holds, *(holds for holds in checks if holds is not true_of_any_trace)]
    others = [attend(s) for _, s in disturbed(load_example(name))]
    others += [trace_of("split-only"), trace_of("grouped-query")]
    for holds in said:
        verdicts = [holds(trace) for trace in others]
        assert set(map(type, verdicts)) == {bool}
        assert not all(verdicts)


@pytest.mark.parametrize("name", [name for name in NAMES if not name.endswith(("1024", "512"))])
def test_what_an_example_says_of_itself_can_be_asked_of_every_other(name):
    for other in NAMES:
        if not other.endswith(("1024", "512")):
            assert type(EXAMPLES[name].holds(trace_of(other))) is bool
            assert set(EXAMPLES[name].notes_that_hold(trace_of(other))) <= {
                note.sentence for note in EXAMPLES[name].notes
            }


def test_where_a_window_hides_the_past_no_word_is_said_of_seeing_it():
    pizza = load_example("pizza")
    rules = (*pizza.mask.rules, Rule("sliding_window", left=1))
    trace = attend(replace(pizza, mask=replace(pizza.mask, rules=rules)))
    assert trace.weights[0, 3, 0] == 0
    assert not EXAMPLES["pizza"].holds(trace)
    (blends,) = (c for c in EXAMPLES["pizza"].claims if "blends values" in c.sentence)
    assert not blends.holds(trace)


def test_with_positions_no_word_is_said_of_order_that_plays_no_part():
    s = load_example("permutation")
    trace = attend(replace(s, scores=ScoreOptions(positions="sinusoidal")))
    assert not EXAMPLES["permutation"].holds(trace)
    assert EXAMPLES["permutation"].notes_that_hold(trace) == []


# Numbers.


@pytest.mark.parametrize(("name", "printed"), PRINTED)
def test_the_trace_has_the_printed_numbers_to_their_printed_digits(name, printed):
    assert printed.matches(trace_of(name))


@pytest.mark.parametrize(("name", "printed"), PRINTED)
def test_a_printed_number_off_by_one_in_its_last_digit_is_noticed(name, printed):
    values = np.array(printed.values, dtype=float)
    values[-1] += 10.0**-printed.digits
    assert not replace(printed, values=values).matches(trace_of(name))


def test_printed_numbers_are_not_found_where_the_trace_has_no_such_place_or_shape():
    one = np.ones((1, 1))
    one_head = attend(Scenario(x=one, w_q=one, w_k=one, w_v=one, w_o=one, n_heads=1))
    assert Printed("one weight", "weights", (0,), ((1,),), 1).matches(one_head)
    assert not Printed("of head 2", "weights", (1,), ((1,),), 1).matches(one_head)
    assert not Printed("two weights", "weights", (0,), ((1, 1),), 1).matches(one_head)


def test_whole_numbers_are_exact():
    one = np.full((1, 1), 0.9)
    nearly = attend(Scenario(x=one, w_q=one, w_k=one, w_v=one, w_o=one, n_heads=1))
    assert Printed("X", "x", (), ((0.9,),), 1).matches(nearly)
    assert not Printed("X", "x", (), ((1,),), 0).matches(nearly)


def test_the_output_of_document_000_is_e_over_e_plus_1():
    share = math.e / (math.e + 1)
    assert np.allclose(trace_of("split-only").output, [[share, 0.5], [0.5, share]], atol=1e-15)


def test_masked_weights_of_document_002_come_out_to_the_last_digit():
    assert np.allclose(trace_of("pizza").weights[0], MASKED_WEIGHTS, rtol=0, atol=1e-15)
    assert np.allclose(np.sum(MASKED_WEIGHTS, axis=1), 1, atol=1e-15)


def test_two_tokens_mixed_gives_the_sum_and_the_difference_of_the_heads():
    expected = [[2.11161444, 2.11161444, 1.66515668, -1.66515668], [3.9999755913] * 2]
    output = trace_of("two-tokens-mixed").output
    assert np.allclose(output[0], expected[0], rtol=0, atol=2e-8)
    assert np.allclose(output[1, :2], expected[1], rtol=0, atol=2e-10)


# Shapes, as the documents state them.


@pytest.mark.parametrize(
    ("name", "n", "d_model", "n_heads", "d_head"),
    [
        ("split-only", 2, 2, 2, 1),
        ("three-tokens", 3, 6, 2, 3),
        ("pizza", 4, 8, 2, 4),
        ("pizza-patches", 4, 8, 2, 4),
        ("pizza-1024", 4, 1024, 8, 128),
        ("pizza-patches-1024", 4, 1024, 8, 128),
        ("eight-tokens", 8, 4, 2, 2),
        ("eight-tokens-512", 8, 512, 8, 64),
        ("two-tokens", 2, 4, 2, 2),
        ("two-tokens-mixed", 2, 4, 2, 2),
    ],
)
def test_the_documents_examples_have_the_documents_sizes(name, n, d_model, n_heads, d_head):
    trace = trace_of(name)
    assert trace.x.shape == (n, d_model)
    assert trace.q_heads.shape == trace.k_heads.shape == (n_heads, n, d_head)
    assert trace.v_heads.shape == trace.head_outputs.shape == (n_heads, n, d_head)
    assert trace.weights.shape == (n_heads, n, n)
    assert trace.concat.shape == trace.output.shape == (n, d_model)


def test_projecting_with_document_002s_three_axes_gives_the_same_queries():
    trace = trace_of("pizza-1024")
    w_q = trace.scenario.w_q.reshape(1024, 8, 128)
    queries = np.tensordot(trace.x, w_q, axes=1)
    assert queries.shape == (4, 8, 128)
    assert np.allclose(queries.transpose(1, 0, 2), trace.q_heads, rtol=0, atol=1e-12)


def test_document_002_hides_the_future_from_words_and_nothing_from_patches():
    for size in ("", "-1024"):
        assert np.array_equal(trace_of(f"pizza{size}").mask, np.tri(4))
        assert trace_of(f"pizza-patches{size}").mask.all()
    assert load_example("pizza").tokens == ("I", "LOVE", "PEPPERONI", "PIZZA")
    assert load_example("pizza-patches").tokens == ("PATCH 1", "PATCH 2", "PATCH 3", "PATCH 4")


def test_document_003s_identity_blocks_are_the_identity_as_a_whole():
    s = load_example("eight-tokens")
    assert all(np.array_equal(w, np.eye(4)) for w in (s.w_q, s.w_k, s.w_v, s.w_o))


def test_the_long_example_has_128_tokens():
    assert load_example("long").n_q == 128


# Claims.


@pytest.mark.parametrize("name", NAMES)
def test_every_claim_of_every_example_holds(name):
    trace = trace_of(name)
    assert [
        claim.sentence for claim in EXAMPLES[name].claims if claim.holds(trace) is not True
    ] == []


OF_LAYERS = [
    pytest.param(name, layer, claim, id=f"{name}-{layer}-{number}")
    for name, example in EXAMPLES.items()
    for layer, claims in example.claims_of_layers.items()
    for number, claim in enumerate(claims)
]


@pytest.mark.parametrize(("name", "layer", "claim"), OF_LAYERS)
def test_a_claim_about_a_higher_layer_holds_there_and_not_whatever_happens(name, layer, claim):
    trace = attend(load_stack(name)).layers[layer]
    assert claim in EXAMPLES[name].claims_of(layer)
    assert claim.holds(trace) is True
    verdicts = [claim.holds(attend(s)) for _, s in disturbed(trace.scenario)]
    assert set(map(type, verdicts)) == {bool}
    assert not all(verdicts)


@pytest.mark.parametrize(("name", "layer", "claim"), OF_LAYERS)
def test_a_claim_about_a_higher_layer_holds_in_float32(name, layer, claim):
    s = attend(load_stack(name)).layers[layer].scenario
    arrays = {key: w.astype(np.float32) for key, w in s.given().items()}
    assert claim.holds(attend(replace(s, **arrays))) is True


@pytest.mark.parametrize("name", NAMES)
def test_the_first_of_the_layers_is_the_examples_scenario(name):
    assert load_stack(name).first == load_example(name)


def test_the_last_a_gives_b_what_one_score_of_10_gets_among_three_of_0():
    trace = attend(load_stack("induction")).layers[1]
    assert trace.mask[-1].sum() == 4
    share = math.exp(10) / (math.exp(10) + 3)
    assert round(share, 6) == round(float(trace.weights[0, -1, 1]), 6) == 0.999864


@pytest.mark.parametrize("name", [name for name in NAMES if not name.endswith("1024")])
def test_claims_hold_in_float32_to_its_own_precision(name):
    s = load_example(name)
    trace = attend(replace(s, **{key: w.astype(np.float32) for key, w in s.given().items()}))
    assert [
        claim.sentence for claim in EXAMPLES[name].claims if claim.holds(trace) is not True
    ] == []


@pytest.mark.parametrize(("claim", "name"), CLAIMS)
def test_no_claim_is_true_whatever_happens(claim, name):
    """Each claim answers for every scenario with one thing wrong, and is false of at least one."""
    verdicts = {what: claim.holds(attend(s)) for what, s in disturbed(load_example(name))}
    assert set(map(type, verdicts.values())) == {bool}
    assert not all(verdicts.values())


SMALL = [name for name in NAMES if not name.endswith(("1024", "512"))]


@pytest.mark.parametrize(("claim", "name"), CLAIMS)
def test_a_claim_can_be_asked_of_every_other_example(claim, name):
    assert all(type(claim.holds(trace_of(other))) is bool for other in SMALL if other != name)


def test_saturated_weights_fail_in_the_naive_softmax_alone():
    trace = trace_of("saturated")
    naive = naive_softmax(trace.scaled_scores)
    assert np.isnan(naive[1]).any()
    assert np.allclose(naive[0], trace.weights[0], rtol=0, atol=1e-15)
    assert np.allclose(trace.weights[1], np.eye(4), rtol=0, atol=1e-9)


def test_claims_about_a_softmax_are_about_what_it_gets():
    """At T = 1000, nothing overflows and no key stands out, whatever the scores are."""
    hot = ScoreOptions(temperature=1000)
    for name, holds in {
        "saturated": [True, False, False],
        "wide-head": [True, True, False],
    }.items():
        trace = attend(replace(load_example(name), scores=hot))
        assert [claim.holds(trace) for claim in EXAMPLES[name].claims] == holds


# Where the arrays come from.


@pytest.mark.parametrize("name", NAMES)
def test_an_examples_origin_names_recipes_that_give_its_arrays(name):
    s = load_example(name)
    origin = s.origin
    assert origin.example == name
    if origin.x in INPUTS:
        assert np.array_equal(make_x(origin.x, s.tokens, s.d_model, origin.x_seed), s.x)
    if origin.weights:
        made = make_projections(origin.weights, LayerSizes.of(s), s.tokens, origin.weights_seed)
        assert all(np.array_equal(w, getattr(s, name)) for name, w in vars(made).items())


def test_an_example_is_built_once():
    assert load_example("pizza-1024") is load_example("pizza-1024")


def test_an_unknown_example_is_answered_with_the_known_ones():
    message = r"The example must be one of the-cat, wide-head, .*, got 'piza'\. Write pizza\.$"
    with pytest.raises(OptionError, match=message):
        load_example("piza")


# Errata: all that can be computed.


def naive_softmax_overflows_where_told() -> bool:
    def breaks(score: float, kind: str) -> bool:
        return bool(np.isnan(naive_softmax(np.array([score, 0], kind))[0]))

    float64, float32 = [breaks(s, "f8") for s in (709, 710)], [breaks(s, "f4") for s in (88, 89)]
    return float64 == float32 == [False, True]


def the_whole_width_would_give_another_scale() -> bool:
    by_one_head = softmax(np.array([1.0, 0.0]) / math.sqrt(1))[0]
    by_all = softmax(np.array([1.0, 0.0]) / math.sqrt(2))[0]
    return round(by_one_head, 3) == 0.731 != round(by_all, 3)


def three_axes_do_not_unpack() -> bool:
    with pytest.raises(ValueError, match=r"not enough values to unpack \(expected 3, got 2\)"):
        _batch, _length, _width = (np.array(X_001) @ np.array(W)).shape
    return True


def two_does_not_divide_three() -> bool:
    with pytest.raises(ValueError, match=r"must divide the width 3, got 2\. Take one of 1, 3"):
        split_heads(np.array(X_001) @ np.array(W), 2)
    return True


def four_axes_do_not_transpose() -> bool:
    with pytest.raises(ValueError, match="axes don't match array"):
        np.zeros((3, 1, 3)).transpose(0, 1, 3, 2)
    return True


def weights_that_sum_to_more() -> bool:
    return [round(sum(row), 9) for row in PRINTED_WEIGHTS] == [1.1, 1.0]


def row_is_no_softmax(row: int) -> bool:
    weights = softmax(np.array(PRINTED_SCORES[row]))
    told = ", ".join(f"{w:.5f}" for w in weights)
    return told in ERRATA_002[1 + row].truth and not np.allclose(
        weights, PRINTED_WEIGHTS[row], atol=0.1
    )


def last_head_owns_its_columns() -> bool:
    columns = split_heads(np.arange(1.0, 1025.0)[None], 8)[-1, 0]
    return (columns[0], columns[-1]) == (897, 1024)


def both_widths_are_there() -> bool:
    """(4, 2) a head is a (4, 4) matrix of full blocks; (2, 2) a head leaves half of it empty."""
    s = load_example("eight-tokens")
    return s.w_q.shape == (4, 4) and not s.w_q[2:, :2].any() and not s.w_q[:2, 2:].any()


ERRATA_002 = EXAMPLES["pizza"].errata
PROOFS = {
    EXAMPLES["split-only"].errata: [
        naive_softmax_overflows_where_told,
        the_whole_width_would_give_another_scale,
    ],
    EXAMPLES["three-tokens"].errata: [
        three_axes_do_not_unpack,
        two_does_not_divide_three,
        four_axes_do_not_transpose,
    ],
    ERRATA_002: [
        weights_that_sum_to_more,
        lambda: row_is_no_softmax(0),
        lambda: row_is_no_softmax(1),
        last_head_owns_its_columns,
    ],
    EXAMPLES["eight-tokens"].errata: [both_widths_are_there],
}


@pytest.mark.parametrize(
    ("erratum", "proof"),
    [pair for errata, proofs in PROOFS.items() for pair in zip(errata, proofs, strict=True)],
)
def test_what_an_erratum_calls_true_is_computed(erratum, proof):
    assert isinstance(erratum, Erratum)
    assert proof()


def test_every_erratum_has_its_proof():
    assert set(ERRATA) == {erratum for errata in PROOFS for erratum in errata}


def test_the_figures_of_an_erratum_are_those_it_quotes():
    says = ERRATA_002[1].says
    quoted = ast.literal_eval(says[len("softmax") : says.index(" =")])
    assert quoted == PRINTED_SCORES[0]
    assert [float(w) for w in ERRATA_002[0].says.split()] == list(PRINTED_WEIGHTS[0])
