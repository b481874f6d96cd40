"""Any matrix of a forward pass comes with its axes, title and symbol, all derived from its step."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from mha_core import attend
from mha_core.checks.errors import OptionError
from mha_core.checks.shapes import FloatArray
from mha_core.layer.made_of import Input
from mha_core.layer.matrices import Axis, axis_of, distinct_names, head_that_serves, labelled_matrix
from mha_core.layer.steps import Step, step
from mha_core.layer.trace import STEPS, Trace
from mha_core.scenario.given_arrays import GIVEN
from mha_core.scenario.masks import Mask, Rule
from mha_core.scenario.score_options import ScoreOptions
from tests.core.strategies import RARE, scenario_of_distinct_sizes, self_attention

TRACE = attend(scenario_of_distinct_sizes(**RARE))
S = TRACE.scenario
SMALL = attend(self_attention(n=3, d_model=4, n_heads=2, tokens=("THE", "CAT", "THE")))
MATRICES = [
    (name, head)
    for name, dims in [(s.name, s.dims) for s in STEPS] + [(n, g.dims) for n, g in GIVEN.items()]
    for head in ([0, 1] if len(dims.axes) == 3 else [None, 1] if "heads*" in str(dims) else [None])
]


@pytest.mark.parametrize(("name", "head"), MATRICES)
def test_every_matrix_has_a_label_for_each_row_and_column(name: str, head: int | None) -> None:
    matrix = labelled_matrix(TRACE, name, head)
    assert matrix.values.shape == (len(matrix.rows.labels), len(matrix.columns.labels))
    assert matrix.title
    assert matrix.name == (name if head is None else f"{name}/{head}")
    assert ("head 2" in matrix.title) == (head == 1)
    assert "_i" not in matrix.symbol or head is None


def test_rows_are_tokens_until_a_projection_makes_queries_and_keys_of_them() -> None:
    called = {name: labelled_matrix(TRACE, name).rows for name in ("x", "context", "q", "k")}
    assert {name: (axis.kind, axis.word) for name, axis in called.items()} == {
        **{"x": ("query", "token"), "context": ("key", "token")},
        **{"q": ("query", ""), "k": ("key", "")},
    }


def test_a_matrix_of_a_head_is_the_head_of_the_array() -> None:
    assert np.array_equal(labelled_matrix(TRACE, "weights", 4).values, TRACE.weights[4])
    assert np.array_equal(labelled_matrix(TRACE, "k_heads", 2).values, TRACE.k_heads[2])


def test_a_part_of_a_projection_is_what_its_head_makes() -> None:
    assert np.array_equal(labelled_matrix(TRACE, "w_q", 1).values, S.w_q[:, 2:4])
    assert np.array_equal(labelled_matrix(TRACE, "w_o", 5).values, S.w_o[85:])
    assert S.b_v is not None
    assert np.array_equal(labelled_matrix(TRACE, "b_v", 2).values, S.b_v[None, 34:])
    part = labelled_matrix(TRACE, "w_q", 1)
    assert (part.title, part.symbol, part.columns) == (
        "W_Q, head 2",
        "W_Q",
        Axis("d_k", ("1", "2")),
    )


@pytest.mark.parametrize(
    ("axis", "kind", "labels", "source"),
    [
        ("n_q", "query", ("THE", "CAT", "THE"), "tokens"),
        ("n_k", "key", ("THE", "CAT", "THE"), "tokens"),
        ("d_k", "d_k", ("1", "2"), ""),
        ("d_out", "output", ("1", "2", "3", "4"), ""),
        ("d_model_kv", "d_model", ("1", "2", "3", "4"), "d_model"),
        ("n_heads*d_v", "concat", ("1.1", "1.2", "2.1", "2.2"), ""),
        ("n_kv_heads*d_k", "head.d_k", ("1.1", "1.2", "2.1", "2.2"), ""),
        ("1", "", ("m_1",), ""),
    ],
)
def test_an_axis_says_what_is_on_it_and_what_may_be_added_to(
    axis: str, kind: str, labels: tuple[str, ...], source: str
) -> None:
    assert axis_of(SMALL.scenario, axis, symbol="m_1") == Axis(kind, labels, source)


def test_keys_of_a_second_sequence_have_its_labels() -> None:
    assert (axis_of(S, "n_k").labels, axis_of(S, "n_k").source) == (
        S.context_tokens,
        "context_tokens",
    )
    assert (axis_of(S, "d_model_kv").kind, axis_of(S, "d_model_kv").source) == (
        "d_model_kv",
        "d_model_kv",
    )


def test_key_value_heads_are_told_from_query_heads_where_they_are_fewer() -> None:
    assert axis_of(S, "n_kv_heads*d_k").labels[2:4] == ("kv2.1", "kv2.2")
    assert axis_of(S, "n_heads*d_k").labels[2:4] == ("2.1", "2.2")
    assert labelled_matrix(TRACE, "k_heads", 1).title == "Keys by head, key/value head 2"
    assert labelled_matrix(SMALL, "k_heads", 1).title == "Keys by head, head 2"


def test_one_head_has_no_number_of_its_own() -> None:
    one = replace(SMALL.scenario, n_heads=1, n_kv_heads=1, d_k=4, d_v=4)
    assert axis_of(one, "n_heads*d_v") == Axis("concat", ("1", "2", "3", "4"))


def test_axes_of_keys_and_values_say_key_and_their_own_width() -> None:
    k, v = labelled_matrix(TRACE, "k_rotated", 0), labelled_matrix(TRACE, "v_heads", 0)
    assert (k.rows.kind, k.columns.kind) == ("key", "d_k")
    assert (v.rows.kind, v.columns.kind) == ("key", "d_v")


def test_a_column_of_one_is_labelled_by_the_symbol() -> None:
    assert labelled_matrix(SMALL, "row_max", 1).columns == Axis("", ("m_2",))


def test_an_array_of_one_axis_is_one_row() -> None:
    blind = labelled_matrix(SMALL, "blind_queries")
    assert (blind.values.shape, blind.rows.labels) == ((1, 3), ("blind",))


def test_names_tell_repeated_tokens_apart_and_leave_the_others_alone() -> None:
    assert labelled_matrix(SMALL, "weights", 0).columns.names == ("THE (1)", "CAT", "THE (3)")
    assert distinct_names(("a", "b")) == ("a", "b")


def test_heads_of_a_group_share_a_matrix() -> None:
    assert [head_that_serves(TRACE, "k_rotated", head) for head in range(6)] == [0, 0, 1, 1, 2, 2]
    assert [head_that_serves(TRACE, "q_rotated", head) for head in range(6)] == list(range(6))


class WithTemperature(Trace):
    """A trace with one more step, as a newcomer adds it."""

    @step("T_i", "n_heads n_q n_k", r"S_i / 2", Input())
    def cooled_scores(self) -> FloatArray:
        """Cooled scores: half of each score."""
        return self.scaled_scores / 2


def test_a_step_that_is_added_needs_no_other_entry() -> None:
    trace = WithTemperature(SMALL.scenario)
    added = labelled_matrix(trace, "cooled_scores", 1)
    assert (added.name, added.title, added.symbol) == (
        "cooled_scores/1",
        "Cooled scores, head 2",
        "T_2",
    )
    assert (added.rows.kind, added.columns.kind) == ("query", "key")
    assert np.array_equal(added.values, SMALL.scaled_scores[1] / 2)


def test_numbers_that_are_parts_of_a_whole_are_marked() -> None:
    marked = {step.name for step in STEPS if step.from_0_to_1}
    assert marked == {"weights", "sink_weights", "mask", "blind_queries", "f_gates", "gates"}
    assert all(
        ((array >= 0) & (array <= 1)).all() for array in (getattr(TRACE, name) for name in marked)
    )


def test_cells_that_the_mask_hides_are_told_from_the_others() -> None:
    causal = attend(replace(SMALL.scenario, mask=Mask((Rule("causal"),))))
    for name in ("masked_scores", "tempered_scores", "weights"):
        hidden = labelled_matrix(causal, name, 0).hidden
        assert hidden is not None
        assert np.array_equal(hidden, ~causal.mask)
    assert labelled_matrix(causal, "raw_scores", 0).hidden is None
    assert labelled_matrix(SMALL, "weights", 0).hidden is None


@pytest.mark.parametrize(
    ("positions", "symbols"), [("none", ("X", "Q_1", "S_1")), ("rope", ("X", "Q_1'", "S_1"))]
)
def test_a_step_that_changes_nothing_goes_by_the_symbol_of_the_one_before(
    positions: Any, symbols: tuple[str, ...]
) -> None:
    s = replace(SMALL.scenario, scores=ScoreOptions(positions=positions))
    trace = attend(s)
    names: list[tuple[str, int | None]] = [
        ("x_positioned", None),
        ("q_rotated", 0),
        ("biased_scores", 0),
    ]
    assert tuple(labelled_matrix(trace, *name).symbol for name in names) == symbols
    capped = attend(replace(s, scores=ScoreOptions(softcap=2.0)))
    assert labelled_matrix(capped, "masked_scores", 1).symbol == "cap(S_2)"
    assert labelled_matrix(capped, "tempered_scores", 1).symbol == "cap(S_2)"
    warm = labelled_matrix(
        attend(replace(s, scores=ScoreOptions(temperature=2))), "tempered_scores", 1
    )
    assert (warm.symbol, warm.title) == ("S_2'", "Scores / T, head 2")


def test_a_hidden_score_is_minus_infinity_and_a_truth_is_one_or_zero() -> None:
    causal = attend(replace(SMALL.scenario, mask=Mask((Rule("causal"),))))
    assert labelled_matrix(causal, "masked_scores", 0).values[0, 2] == -np.inf
    mask = labelled_matrix(causal, "mask").values
    assert (float(mask[0, 2]), float(mask[2, 0])) == (0, 1)


@pytest.mark.parametrize(
    ("name", "head", "words"),
    [
        ("weight", None, "A matrix must be a step of the trace or a given array, got 'weight'"),
        ("scenario", None, "A matrix must be a step"),
        ("weights", None, "The head of weights must be from 0 to 1, got None"),
        ("weights", 2, "The head of weights must be from 0 to 1, got 2"),
        ("weights", -1, "The head of weights must be from 0 to 1, got -1"),
        ("output", 0, "The head of output must be left out: it has no heads, got 0"),
        ("b_q", None, "b_Q must be given, got nothing"),
    ],
)
def test_a_matrix_that_is_not_there_is_refused(name: str, head: int | None, words: str) -> None:
    with pytest.raises(OptionError, match=words):
        labelled_matrix(SMALL, name, head)


def test_every_step_is_a_step_of_the_class() -> None:
    found: list[Any] = [getattr(WithTemperature, s.name) for s in STEPS]
    assert all(isinstance(each, Step) for each in found)
