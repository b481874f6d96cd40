"""Values from rows of their own: as the third input of PyTorch's layer, and as in DETR."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given

from mha_core import STEPS, Layer, Scenario, Stack, Trace, attend
from mha_core.changing.changes import (
    with_changes,
    with_context,
    with_matrix,
    with_own_values,
    with_scores,
    with_tokens,
    with_width,
    with_words,
)
from mha_core.changing.layers import with_layer
from mha_core.changing.reordering import (
    with_column_added,
    with_token_added,
    with_token_moved,
    with_token_removed,
)
from mha_core.checks.errors import OptionError, ShapeError
from mha_core.io.scenario.link import decode_link, encode_link
from mha_core.layer.cells import Cell
from mha_core.layer.derivation import derive
from mha_core.layer.influence import influence, strongest
from mha_core.making.projections import LayerSizes
from mha_core.reading.homework import check_numbers
from mha_core.reading.sentences import influence_sentence
from mha_core.reading.setting_notes import setting_notes
from mha_core.scenario.given_arrays import OF_TOKENS
from mha_core.scenario.score_options import ScoreOptions
from mha_core.stack.composition import composition
from mha_core.stack.head_products import MOVES, WORDS_LOOK_FOR, WORDS_MOVE, head_product
from mha_core.stack.paths import Path, paths
from tests.core.strategies import scenario_of_distinct_sizes, scenarios, self_attention

PLAIN = self_attention(3, 6, 2)
WAVES = with_scores(PLAIN, positions="sinusoidal")
ALONE = np.arange(18.0).reshape(3, 6)
OWN = replace(PLAIN, context_v=ALONE)


def test_only_values_are_made_from_them() -> None:
    before, after = attend(PLAIN), attend(OWN)
    assert after.q.tolist() == before.q.tolist()
    assert after.weights.tolist() == before.weights.tolist()
    np.testing.assert_allclose(after.v, ALONE @ PLAIN.w_v)


def test_no_waves_are_added_to_them() -> None:
    """As in DETR: where a token stands helps to find it, and is not handed on."""
    waves = attend(with_scores(OWN, positions="sinusoidal"))
    np.testing.assert_allclose(waves.v, ALONE @ PLAIN.w_v)
    assert waves.k.tolist() == attend(WAVES).k.tolist()
    rows = replace(WAVES, context_v=WAVES.x)
    for_two = with_scores(WAVES, sinusoids_for="queries_and_keys")
    assert attend(for_two).output.tolist() == attend(rows).output.tolist()
    assert Trace.v.formula(for_two) == "X W_V"
    assert Trace.v.formula(rows) == "C_V W_V"
    assert Trace.k.formula(for_two) == "(X + P) W_K"


@pytest.mark.parametrize("positions", ["none", "alibi"])
def test_what_sinusoids_are_for_matters_only_where_they_are(positions: str) -> None:
    usual = with_scores(PLAIN, positions=positions)
    for_two = with_scores(usual, sinusoids_for="queries_and_keys")
    assert attend(for_two).output.tolist() == attend(usual).output.tolist()


def test_a_step_shows_them_only_where_there_are_some() -> None:
    assert Trace.context_v.computed_by(PLAIN) is Trace.x
    assert Trace.context_v.computed_by(WAVES) is Trace.x_positioned
    assert Trace.context_v.computed_by(OWN) is Trace.context_v
    c = with_context(PLAIN, ["A"])
    assert Trace.context_v.computed_by(c) is Trace.context
    assert Trace.context.meaning_in(c).startswith("the second sequence, or X")
    keys_alone = "the second sequence, from which keys are made."
    assert Trace.context.meaning_in(with_own_values(c)) == keys_alone


@given(scenario=scenarios())
def test_switched_on_they_change_nothing_and_off_again_nothing_is_left(scenario: Scenario) -> None:
    on = with_own_values(scenario)
    before, after = attend(scenario), attend(on)
    for step in STEPS:
        theirs, ours = getattr(before, step.name), getattr(after, step.name)
        np.testing.assert_array_equal(theirs, ours, step.name)
    assert with_own_values(on) is on
    if scenario.context_v is None:
        assert with_own_values(on, on=False) == scenario
    assert with_own_values(on, on=False).context_v is None


def test_without_them_w_v_gets_the_rows_that_it_needs() -> None:
    wide = replace(PLAIN, context_v=np.ones((3, 8)), w_v=np.ones((8, 6)))
    off = with_matrix(wide, "context_v", None)
    assert (off.d_model_v, off.w_v.shape) == (6, (6, 6))


def test_a_width_of_their_own_makes_them_and_stays() -> None:
    made = with_changes(PLAIN, sizes={"d_model_v": 4})
    assert made.context_v is not None
    assert (made.context_v.tolist(), made.w_v.shape) == ([[0] * 4] * 3, (4, 6))
    assert with_width(made, 10).d_model_v == 4
    assert with_width(OWN, 10).d_model_v == 10
    assert LayerSizes.of(made).of_values == 4
    assert LayerSizes.of(PLAIN).of_values == 6


def test_they_go_with_their_tokens() -> None:
    assert with_token_moved(OWN, "tokens", 0, 2).values_from.tolist() == ALONE[[1, 2, 0]].tolist()
    assert with_token_removed(OWN, "tokens", 1).values_from.tolist() == ALONE[[0, 2]].tolist()
    added = with_token_added(OWN, "tokens", 1, "new").values_from
    assert added.tolist() == [ALONE[0].tolist(), [0] * 6, *ALONE[1:].tolist()]
    assert with_tokens(OWN, ["A"]).values_from.tolist() == ALONE[:1].tolist()


def test_typed_words_keep_their_rows_of_them() -> None:
    typed = with_words(OWN, ["t2", "new", "t3", "t1"])
    own = [ALONE[1].tolist(), [0] * 6, ALONE[2].tolist(), ALONE[0].tolist()]
    assert typed.values_from.tolist() == own
    assert typed.x[0].tolist() == OWN.x[1].tolist()
    two = with_own_values(with_context(PLAIN, ["A", "B"]))
    assert with_words(two, ["t2"]).values_from is two.values_from


def test_of_a_second_sequence_they_have_its_rows_and_go_with_it() -> None:
    two = with_own_values(with_context(PLAIN, ["A", "B"]))
    moved = with_token_moved(two, "context_tokens", 0, 1)
    assert moved.values_from.tolist() == two.values_from[::-1].tolist()
    queries = with_token_moved(two, "tokens", 0, 1)
    assert queries.values_from is two.values_from
    assert with_context(two, None).context_v is None
    narrow = with_changes(two, sizes={"d_model_v": 2})
    assert (with_context(narrow, None).context_v, with_context(narrow, None).d_model_v) == (None, 6)


def test_their_columns_are_added_with_rows_of_w_v_alone() -> None:
    wider = with_column_added(OWN, "d_model_v", 2)
    assert wider.values_from[:, 2].tolist() == [0] * 3
    assert (wider.w_v.shape, wider.w_k is OWN.w_k, wider.x is OWN.x) == ((7, 6), True, True)
    assert attend(wider).output.tolist() == attend(OWN).output.tolist()
    of_x = with_column_added(OWN, "d_model", 0)
    assert (of_x.w_k.shape, of_x.w_v is OWN.w_v) == ((7, 6), True)
    with pytest.raises(OptionError, match="C_V needs values from rows of their own first"):
        with_column_added(PLAIN, "d_model_v", 0)


def test_rows_that_do_not_fit_are_refused() -> None:
    need = r"C_V must have shape \(n_k, d_model_v\) = \(3, 6\), got \(2, 6\)"
    with pytest.raises(ShapeError, match=need):
        replace(PLAIN, context_v=np.ones((2, 6)))
    with pytest.raises(
        ShapeError, match=r"C_V must have 2 axes, .* a matrix with one row for each"
    ):
        replace(PLAIN, context_v=np.ones(3))


def test_a_link_says_them_and_a_width_of_their_own() -> None:
    assert decode_link(encode_link(OWN)) == OWN
    narrow = scenario_of_distinct_sizes()
    assert decode_link(encode_link(narrow)) == narrow
    assert "d_model_v=23" in encode_link(narrow)
    assert "d_model_v" not in encode_link(OWN)
    assert "_v." not in encode_link(PLAIN).replace("w_v.", "")


def test_a_number_of_the_output_moves_with_them() -> None:
    trace = attend(OWN)
    slopes = influence(trace, Cell("output", None, 1, 2))
    head = trace.weights[0, 1, 0] * PLAIN.w_v[4, :3] @ PLAIN.w_o[:3, 2]
    both = head + trace.weights[1, 1, 0] * PLAIN.w_v[4, 3:] @ PLAIN.w_o[3:, 2]
    assert np.isclose(slopes["context_v"][0, 4], both)
    most = strongest({"x": np.zeros((3, 6)), "context_v": slopes["context_v"]})
    assert most is not None
    assert most[0].step == "context_v"
    assert derive(trace, "context_v", (1, 2)).value == ALONE[1, 2]
    assert [each.cell.step for each in derive(trace, "v", (0, 0)).operands[:2]] == [
        "context_v",
        "w_v",
    ]


def test_a_sentence_says_in_which_rows_a_number_is() -> None:
    trace, cell = attend(OWN), Cell("output", None, 0, 0)
    said = [
        influence_sentence(trace, cell, of, influence(trace, cell)[of]) for of in OF_TOKENS[::2]
    ]
    assert re.search("the [0-9][a-z]{2} number of “t[0-9]”: ", said[0])
    assert re.search("the [0-9][a-z]{2} number of “t[0-9]” in C_V: ", said[1])


def test_notes_say_what_values_are_made_from() -> None:
    of_their_own = "Values are made from rows of their own, C_V, "
    assert of_their_own + "and not from those of the keys." in setting_notes(attend(OWN))
    waves = with_scores(OWN, positions="sinusoidal")
    assert of_their_own + "to which no positions are added." in setting_notes(attend(waves))
    for_two = with_scores(WAVES, sinusoids_for="queries_and_keys")
    said = "Values are made of rows without positions: as in DETR."
    assert any(said in note for note in setting_notes(attend(for_two)))


def test_mistakes_of_the_values_are_named() -> None:
    for_two = with_scores(WAVES, sinusoids_for="queries_and_keys")
    for s, wrong, mistake in (
        (OWN, PLAIN, "The values were made from the rows of the keys, not from their own."),
        (for_two, WAVES, "The positions were added for the values too."),
    ):
        checked = check_numbers(attend(s), "output", None, attend(wrong).output.round(3), 3)
        assert checked.mistake == mistake
    narrow = attend(with_changes(OWN, sizes={"d_model_v": 2}))
    other = np.ones_like(narrow.output)
    assert check_numbers(narrow, "output", None, other, 3).mistake == ""


def above(**changes: object) -> Layer:
    return replace(Layer.of(PLAIN), **changes)


def test_a_layer_above_keeps_them_as_they_were_given() -> None:
    stack = Stack((PLAIN, above(context_v=ALONE)))
    trace = attend(stack)
    np.testing.assert_allclose(trace.layers[1].v, ALONE @ PLAIN.w_v)
    moved = with_layer(stack, 0, PLAIN, with_token_moved(PLAIN, "tokens", 0, 2))
    assert moved.above[0].context_v is not None
    assert moved.above[0].context_v.tolist() == ALONE[[1, 2, 0]].tolist()
    shorter = with_layer(stack, 0, PLAIN, with_tokens(PLAIN, ["A", "B"]))
    assert shorter.above[0].context_v is not None
    assert shorter.above[0].context_v.tolist() == ALONE[:2].tolist()


def test_no_path_of_the_stream_goes_through_their_values() -> None:
    stack = Stack((WAVES, above(context_v=ALONE, scores=ScoreOptions(positions="sinusoidal"))))
    trace = attend(stack)
    found = paths(trace)
    np.testing.assert_allclose(sum(found.values()), trace.stream[-1])
    begins = {path.start for path in found if path.heads and path.heads[-1].layer == 1}
    assert begins == {"context_v"}
    assert Path("context_v", 1, ()) not in found
    assert not composition(PLAIN, replace(PLAIN, context_v=ALONE), "v").any()
    assert composition(PLAIN, replace(PLAIN, context_v=ALONE), "k").any()


def test_waves_for_queries_and_keys_begin_no_path() -> None:
    for_two = with_scores(WAVES, sinusoids_for="queries_and_keys")
    trace = attend(Stack((for_two, above())))
    found = paths(trace)
    np.testing.assert_allclose(sum(found.values()), trace.stream[-1])
    assert {path.start for path in found} == {"x"}


def test_what_a_head_moves_is_then_no_word() -> None:
    words = replace(PLAIN, x=np.eye(6)[:3], tokens=("A", "B", "C"))
    narrow = replace(words, context_v=np.ones((3, 4)), w_v=np.ones((4, 6)))
    trace = attend(Stack((narrow,), residual=False))
    assert head_product(trace, WORDS_LOOK_FOR, 0, 0) is not None
    assert head_product(trace, WORDS_MOVE, 0, 0) is None
    moved = head_product(trace, MOVES, 0, 0)
    assert moved is not None
    assert (len(moved.rows), moved.numbers.shape) == (4, (4, 6))
