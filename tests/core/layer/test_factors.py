"""A gate of what the heads add to their scores: each query has a factor of its own."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from mha_core import Layer, Scenario, Stack, attend
from mha_core.changing.additions import with_gate_of_additions
from mha_core.changing.changes import with_changes, with_context, with_matrix
from mha_core.changing.reordering import with_column_moved, with_head_moved, with_token_moved
from mha_core.checks.errors import ShapeError
from mha_core.layer.cells import Cell
from mha_core.layer.derivation import derive, feeds
from mha_core.layer.equations import equations
from mha_core.layer.influence import influence
from mha_core.layer.matrices import labelled_matrix
from mha_core.reading.homework import check_numbers
from mha_core.reading.setting_notes import setting_notes
from mha_core.scenario.given_arrays import OF_FACTORS
from tests.core.strategies import self_attention

ADDED = np.arange(18.0).reshape(6, 3)
ADDING = self_attention(3, 4, 2, b_s=ADDED)
# Head 1 has the shares 1/2 and 3/4, head 2 has 1/4 and 1/5.
SHARES = np.array([1 / 2, 3 / 4, 1 / 4, 1 / 5])
FIXED = replace(
    ADDING, w_f=np.zeros((4, 4)), b_f=np.log(SHARES / (1 - SHARES)), c_f=np.array([4.0, 10])
)
FACTORS = [1 / 2 * (3 / 4 * 4 - 1) + 2, 1 / 4 * (1 / 5 * 10 - 1) + 2]  # 3 and 2.25
DRAWN = replace(FIXED, w_f=np.random.default_rng(5).normal(size=(4, 4)))


def test_a_head_adds_its_numbers_times_the_factor_of_the_query() -> None:
    trace = attend(FIXED)
    np.testing.assert_allclose(trace.factors[..., 0], [[each] * 3 for each in FACTORS])
    np.testing.assert_allclose(trace.bias[0], 3 * ADDED[:3])
    np.testing.assert_allclose(trace.bias[1], 2.25 * ADDED[3:])


def test_without_constants_they_are_1() -> None:
    without, ones = (attend(replace(DRAWN, c_f=c_f)) for c_f in (None, np.ones(2)))
    np.testing.assert_array_equal(without.output, ones.output)


def test_only_what_heads_add_of_their_own_is_multiplied() -> None:
    mask = replace(ADDING.mask, additive=np.full((3, 3), 7.0))
    both = replace(FIXED, mask=mask, scores=replace(FIXED.scores, positions="alibi"))
    alone = replace(both, b_s=None, **dict.fromkeys(OF_FACTORS))
    np.testing.assert_allclose(attend(both).bias, attend(alone).bias + attend(FIXED).bias)


def test_it_reads_x_with_its_positions() -> None:
    s = replace(DRAWN, scores=replace(DRAWN.scores, positions="sinusoidal"))
    trace = attend(s)
    np.testing.assert_allclose(trace.f, trace.x_positioned @ DRAWN.w_f + FIXED.b_f)


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"w_f": np.ones((4, 4)), "b_s": None}, "W_F must stand with b_S"),
        ({"b_f": np.ones(4)}, "b_F must stand with W_F"),
        ({"c_f": np.ones(2)}, "c_F must stand with W_F"),
        ({"w_f": np.ones((4, 2))}, r"W_F must have shape \(d_model, n_heads\*2\)"),
    ],
)
def test_a_part_of_it_alone_is_refused(fields: dict[str, np.ndarray], says: str) -> None:
    with pytest.raises(ShapeError, match=says):
        replace(ADDING, **fields)


def test_without_it_every_factor_is_1_and_no_step_says_more() -> None:
    trace = attend(ADDING)
    assert (trace.factors == 1).all()
    assert not trace.f_gates.any()
    assert derive(trace, "f", (0, 0)).because == "there is no gate of b_S"
    assert derive(trace, "factors", (1, 0, 0)).write("text") == "f_2[t1] = 1.00"
    for name in ("f_gates", "factors"):
        assert [*feeds(trace, name, (0, 0, 0))] == []
    assert derive(trace, "bias", (0, 1, 2)).write("text") == "B_1[t2, t3] = b_S[1.2, t3] = 5.00"
    assert [latex for _, latex in equations(ADDING, ("bias",))] == ["B_i = b_{S,i}"]


def test_numbers_say_what_they_are_made_of() -> None:
    trace = attend(FIXED)
    said = derive(trace, "factors", (1, 2, 0)).write("text")
    minus = "\N{MINUS SIGN}"
    assert said == (
        f"f_2[t3] = 2 {minus} gate(F_2)[t3, 1]·(1 {minus} gate(F_2)[t3, 2]·c_F[2]) = "
        f"2 {minus} 0.25·(1 {minus} 0.20·10.00) = 2.25"
    )
    plain = derive(attend(replace(FIXED, c_f=None)), "factors", (1, 2, 0)).write("text")
    assert plain.startswith(f"f_2[t3] = 2 {minus} gate(F_2)[t3, 1]·(1 {minus} gate(F_2)[t3, 2]) = ")
    added = derive(trace, "bias", (1, 2, 0)).write("text")
    assert added == "B_2[t3, t1] = f_2[t3]·b_S[2.3, t1] = 2.25·15.00 = 33.75"
    read = [fed.cell for fed in feeds(trace, "f_gates", (1, 2, 0))]
    assert read == [Cell("factors", 1, 2, 0)]
    read = [fed.cell for fed in feeds(trace, "c_f", (1,))]
    assert read == [Cell("factors", 1, row, 0) for row in range(3)]
    read = [fed.cell for fed in feeds(trace, "factors", (1, 2, 0))]
    assert read == [Cell("bias", 1, 2, key) for key in range(3)]


def test_formulas_are_those_of_the_paper() -> None:
    told = dict(equations(FIXED, ("f", "f_gates", "factors", "bias")))
    assert told["Gate scores of additions"] == "F = X W_F + b_F"
    assert told["Gate of additions"] == r"\mathrm{gate}(F_i) = \sigma(\mathrm{split}(F)_i)"
    shares = r"\mathrm{gate}(F_i)"
    assert (
        told["Factors of additions"]
        == rf"f_i = 2 - {shares}_{{q1}} (1 - {shares}_{{q2}} \, c_{{F,i}})"
    )
    assert told["Additions"] == r"B_i = f_i \odot b_{S,i}"


def test_its_columns_are_counted_within_each_head() -> None:
    trace = attend(FIXED)
    assert labelled_matrix(trace, "w_f").columns.labels == ("1.1", "1.2", "2.1", "2.2")
    assert labelled_matrix(trace, "f_gates", 1).columns.labels == ("1", "2")


def test_a_score_moves_with_the_constant_and_the_bias_of_its_head() -> None:
    slopes = influence(attend(FIXED), Cell("biased_scores", 1, 2, 0))
    first, second = SHARES[2:]
    np.testing.assert_allclose(slopes["c_f"], [0, first * second * 15])
    by_first, by_second = (second * 10 - 1) * 15, first * 10 * 15
    open_first, open_second = first * (1 - first), second * (1 - second)
    np.testing.assert_allclose(
        slopes["b_f"], [0, 0, by_first * open_first, by_second * open_second]
    )
    assert slopes["b_s"][5, 0] == pytest.approx(2.25)


def test_it_comes_with_factors_of_175_and_goes_with_what_it_multiplies() -> None:
    new = with_gate_of_additions(ADDING)
    assert (attend(new).factors == 1.75).all()
    assert with_gate_of_additions(new) is new
    np.testing.assert_array_equal(
        with_gate_of_additions(self_attention(3, 4, 2)).b_s, np.zeros((6, 3))
    )
    alone = with_matrix(ADDING, "c_f", [4, 10])
    assert (attend(alone).factors[0] == 1 / 2 * (1 / 2 * 4 - 1) + 2).all()
    assert with_matrix(FIXED, "w_f", None) == ADDING
    assert with_matrix(FIXED, "b_s", None) == replace(ADDING, b_s=None)
    without_bias = with_matrix(FIXED, "b_f", None)
    assert without_bias.w_f is not None
    assert without_bias.c_f is not None
    crossed = replace(with_context(self_attention(3, 4, 2), ["a", "b"]), b_s=np.ones((6, 2)))
    back = with_context(with_gate_of_additions(crossed), None)
    assert (back.b_s, back.w_f) == (None, None)


def test_it_follows_heads_columns_tokens_and_sizes() -> None:
    moved = with_head_moved(DRAWN, 0, 1)
    np.testing.assert_array_equal(moved.w_f, DRAWN.w_f[:, [2, 3, 0, 1]])
    np.testing.assert_array_equal(moved.c_f, [10, 4])
    for same in (moved, with_column_moved(DRAWN, "d_model", 0, 2)):
        np.testing.assert_allclose(attend(same).output, attend(DRAWN).output)
    turned = attend(with_token_moved(DRAWN, "tokens", 0, 2)).output
    np.testing.assert_allclose(turned, attend(DRAWN).output[[1, 2, 0]])
    more = with_changes(DRAWN, sizes={"n_heads": 4})
    np.testing.assert_array_equal(more.c_f, [4, 10, 1, 1])
    np.testing.assert_array_equal(more.w_f[:, :4], DRAWN.w_f)
    assert not more.w_f[:, 4:].any()


def test_a_layer_above_has_one_too() -> None:
    stack = Stack((ADDING, Layer.of(FIXED)))
    first, second = attend(stack).layers
    alone = attend(replace(FIXED, x=first.scenario.x + first.output))
    np.testing.assert_allclose(second.output, alone.output)


def test_a_forgotten_gate_is_named() -> None:
    forgotten = attend(ADDING).weights[0].round(3)
    found = check_numbers(attend(FIXED), "weights", 0, forgotten, 3)
    assert found.mistake == "The gate of b_S was forgotten."


@pytest.mark.parametrize(
    ("s", "says"),
    [
        (with_gate_of_additions(ADDING), "by 1.75 everywhere."),
        (FIXED, "by 2.62 on average, from 2.25 in head 2 to 3.00 in head 1."),
        (self_attention(3, 4, 1, b_s=ADDED[:3], w_f=np.eye(4)[:, :2]), "on average."),
    ],
)
def test_a_note_says_how_much_it_multiplies(s: Scenario, says: str) -> None:
    before = "A gate multiplies what each head adds to its scores: "
    (note,) = (note for note in setting_notes(attend(s)) if note.startswith(before))
    assert note.endswith(says)
    assert not any(note.startswith(before) for note in setting_notes(attend(ADDING)))
