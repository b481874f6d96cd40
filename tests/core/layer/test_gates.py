"""A gate between the heads and W_O: each number of a head times a number from 0 to 1."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from mha_core import Scenario, Stack, attend, decode_link, encode_link
from mha_core.changing.changes import with_changes, with_gate, with_matrix
from mha_core.changing.reordering import with_column_moved, with_head_moved
from mha_core.checks.errors import FormatError, ShapeError
from mha_core.layer.cells import Cell
from mha_core.layer.derivation import derive, feeds
from mha_core.layer.equations import equations
from mha_core.layer.influence import influence
from mha_core.layer.matrices import labelled_matrix
from mha_core.reading.metrics import output_change
from mha_core.reading.setting_notes import setting_notes
from mha_core.stack.layer import Layer
from mha_core.stack.paths import paths
from tests.core.strategies import self_attention

PLAIN = self_attention(3, 4, 2)
# Of head 1, the first number is halved. Heads let through 0.6 and 0.2 on average.
OPEN_BY = np.array([0.5, 0.7, 0.25, 0.15])
FIXED = replace(PLAIN, w_g=np.zeros((4, 4)), b_g=np.log(OPEN_BY / (1 - OPEN_BY)))
DRAWN = np.random.default_rng(5).normal(size=(4, 4))


def test_each_number_of_a_head_is_multiplied_by_its_own() -> None:
    trace, plain = attend(FIXED), attend(PLAIN)
    np.testing.assert_array_equal(trace.head_outputs, plain.head_outputs)
    np.testing.assert_allclose(trace.concat, plain.concat * OPEN_BY)
    np.testing.assert_allclose(trace.output, plain.concat * OPEN_BY @ PLAIN.w_o)


def test_one_number_may_be_for_all_of_a_head() -> None:
    of_heads = replace(PLAIN, w_g=DRAWN[:, :2])
    repeated = replace(PLAIN, w_g=np.repeat(DRAWN[:, :2], 2, axis=1))
    assert (of_heads.d_g, repeated.d_g, PLAIN.d_g) == (1, 2, 2)
    assert attend(of_heads).gates.shape == (2, 3, 1)
    np.testing.assert_allclose(attend(of_heads).output, attend(repeated).output)


def test_a_column_is_called_by_its_head_where_each_has_one() -> None:
    for width, labels in ((1, ("1", "2")), (2, ("1.1", "1.2", "2.1", "2.2"))):
        columns = labelled_matrix(attend(with_gate(PLAIN, width)), "w_g").columns
        assert (columns.kind, columns.labels) == ("head.d_g", labels)


def test_it_reads_x_with_its_positions() -> None:
    s = replace(PLAIN, w_g=DRAWN, scores=replace(PLAIN.scores, positions="sinusoidal"))
    trace = attend(s)
    np.testing.assert_allclose(trace.g, trace.x_positioned @ DRAWN)


def test_a_gate_that_is_far_shut_overflows_nothing() -> None:
    trace = attend(replace(FIXED, b_g=np.array([-1e5, 1e5, 0, 0])))
    np.testing.assert_array_equal(trace.gates[0], [[0, 1]] * 3)


def test_other_widths_and_a_lonely_bias_are_refused() -> None:
    with pytest.raises(
        ShapeError, match=r"W_G must have 4 columns, or 2: one for each head, got 3"
    ):
        replace(PLAIN, w_g=np.ones((4, 3)))
    with pytest.raises(ShapeError, match="b_G must stand with W_G"):
        replace(PLAIN, b_g=np.ones(4))
    with pytest.raises(ShapeError, match="b_G must have shape"):
        replace(PLAIN, w_g=np.ones((4, 2)), b_g=np.ones(4))


def test_without_a_gate_all_stands_open() -> None:
    trace = attend(PLAIN)
    assert trace.gated_outputs is trace.head_outputs
    assert (trace.gates == 1).all()
    assert not trace.g.any()
    assert derive(trace, "g", (0, 0)).because == "there is no gate"
    assert derive(trace, "gates", (1, 0, 0)).write("text") == "gate_2[t1, 1] = 1.00"
    assert [*feeds(trace, "g", (0, 0))] == []


def test_numbers_say_what_they_are_made_of() -> None:
    trace = attend(FIXED)
    gate = derive(trace, "gates", (1, 2, 0))
    assert gate.write("text") == "gate_2[t3, 1] = σ(G[t3, 2.1]) = σ(\N{MINUS SIGN}1.10) = 0.25"
    assert gate.write("latex").startswith(
        r"\mathrm{gate}_2[\text{t3}, \text{1}] = \sigma(G[\text{t3}, \text{2.1}])"
    )
    gates, g = trace.gates, trace.g
    comparison = gate.write("python").partition("#")[0]
    assert eval(comparison, {"np": np, "gates": gates, "g": g})  # noqa: S307 - our own text
    gated = derive(trace, "gated_outputs", (1, 2, 0)).write("text")
    assert gated.startswith("head_2'[t3, 1] = head_2[t3, 1]·gate_2[t3, 1] = ")
    of_head = attend(replace(PLAIN, w_g=DRAWN[:, :2]))
    read = [fed.cell for fed in feeds(of_head, "gates", (1, 2, 0))]
    assert read == [Cell("gated_outputs", 1, 2, 0), Cell("gated_outputs", 1, 2, 1)]


def test_formulas_speak_of_it_only_where_it_is() -> None:
    shown = ("g", "gates", "gated_outputs", "concat", "contributions")
    told = {title: latex for title, latex in equations(FIXED, shown)}
    assert told["Gate scores"] == "G = X W_G + b_G"
    assert told["Gate"] == r"\mathrm{gate}_i = \sigma(\mathrm{split}(G)_i)"
    assert told["Gated outputs"] == r"\mathrm{head}_i' = \mathrm{head}_i \odot \mathrm{gate}_i"
    assert told["Concatenation"] == r"\mathrm{concat} = \mathrm{Concat}_i(\mathrm{head}_i')"
    assert told["Contributions"] == r"\mathrm{head}_i' W_{O,i}"
    without = {title: latex for title, latex in equations(PLAIN, ("concat", "contributions"))}
    assert without["Concatenation"] == r"\mathrm{concat} = \mathrm{Concat}_i(\mathrm{head}_i)"
    assert without["Contributions"] == r"\mathrm{head}_i W_{O,i}"


def test_the_output_moves_with_the_gate_by_what_it_lets_through() -> None:
    slopes = influence(attend(FIXED), Cell("concat", None, 1, 2))["b_g"]
    was, by = attend(FIXED).head_outputs[1, 1, 0], OPEN_BY[2] * (1 - OPEN_BY[2])
    np.testing.assert_allclose(slopes, [0, 0, was * by, 0])


def test_a_gate_comes_half_open_and_goes_with_its_bias() -> None:
    half = with_gate(PLAIN, 1)
    assert (attend(half).gates == 0.5).all()
    np.testing.assert_allclose(attend(half).output, attend(PLAIN).output / 2)
    np.testing.assert_array_equal(with_gate(with_gate(half, 2), 1).w_g, half.w_g)
    of_head = replace(PLAIN, w_g=DRAWN[:, :2], b_g=np.array([1.0, -2]))
    in_numbers = with_gate(of_head, 2)
    np.testing.assert_array_equal(in_numbers.b_g, [1, 1, -2, -2])
    np.testing.assert_allclose(attend(in_numbers).output, attend(of_head).output)
    np.testing.assert_allclose(
        with_gate(replace(PLAIN, w_g=DRAWN), 1).w_g[:, 1], DRAWN[:, 2:].mean(1)
    )
    alone = with_matrix(PLAIN, "b_g", FIXED.b_g)
    np.testing.assert_array_equal(attend(alone).output, attend(FIXED).output)
    assert with_matrix(FIXED, "w_g", None) == PLAIN
    assert with_matrix(FIXED, "b_g", None).w_g is not None


def test_it_follows_columns_heads_and_sizes() -> None:
    s = replace(FIXED, w_g=DRAWN)
    moved = with_head_moved(s, 0, 1)
    np.testing.assert_array_equal(moved.w_g, DRAWN[:, [2, 3, 0, 1]])
    np.testing.assert_allclose(attend(moved).output, attend(s).output)
    np.testing.assert_allclose(
        attend(with_column_moved(s, "d_model", 0, 2)).output, attend(s).output
    )
    wider = with_changes(s, sizes={"d_v": 3})
    assert wider.w_g.shape == (4, 6)
    np.testing.assert_array_equal(wider.w_g[:, [0, 1, 3, 4]], DRAWN)
    one = with_changes(replace(PLAIN, w_g=DRAWN[:, :2]), sizes={"d_v": 3})
    np.testing.assert_array_equal(one.w_g, DRAWN[:, :2])


@pytest.mark.parametrize("width", [1, 2])
def test_paths_and_heads_that_are_off_add_up_with_a_gate(width: int) -> None:
    first: Scenario = replace(PLAIN, w_g=DRAWN[:, : 2 * width], b_v=np.arange(4.0), b_o=np.ones(4))
    trace = attend(Stack((first, Layer.of(first))))
    np.testing.assert_allclose(sum(paths(trace).values()), trace.stream[-1])
    on, off = attend(first), attend(replace(first, heads_off={1}))
    assert output_change(on, without=[1]).rows == pytest.approx(output_change(on, without=off).rows)


@pytest.mark.parametrize(
    ("s", "says"),
    [
        (with_gate(PLAIN, 1), "by 0.50 everywhere."),
        (FIXED, "by 0.40 on average, from 0.20 in head 2 to 0.60 in head 1."),
        (self_attention(3, 4, 1, w_g=np.zeros((4, 4)), b_g=FIXED.b_g), "by 0.40 on average."),
    ],
)
def test_a_note_says_how_far_it_is_open(s: Scenario, says: str) -> None:
    before = "A gate before W_O multiplies what the heads give: "
    assert f"{before}{says}" in setting_notes(attend(s))
    assert not any(note.startswith("A gate") for note in setting_notes(attend(PLAIN)))


def test_a_link_says_how_wide_a_gate_is_only_where_that_does_not_follow() -> None:
    of_numbers, of_heads = (with_gate(PLAIN, width) for width in (2, 1))
    assert "d_g=" not in encode_link(of_numbers)
    assert "d_g=" not in encode_link(PLAIN)
    query = encode_link(of_heads)
    assert "d_g=1&" in query
    assert decode_link(query) == of_heads
    with pytest.raises(FormatError, match="'d_g' must be 1 or d_v = 2, got 3"):
        decode_link(query.replace("d_g=1&", "d_g=3&"))
