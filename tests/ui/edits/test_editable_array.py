"""What an editor shows of a scenario, and what becomes of the numbers it puts back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from mha_core import Scenario, attend
from mha_core.changing.changes import (
    with_dtype,
    with_heads,
    with_mask,
    with_matrix,
    with_own_values,
    with_tokens,
)
from mha_core.changing.distances import with_reach
from mha_core.checks.errors import NumberError, OptionError, ShapeError
from mha_core.checks.shapes import FloatArray
from mha_core.examples import load_example
from mha_core.io.matrix.files import read_matrix, write_matrix
from mha_core.scenario.given_arrays import GIVEN, OF_TOKENS
from mha_core.scenario.masks import Mask, Rule
from ui.edits.editable_array import EDITABLE, Editable
from ui.figures.drawing import matrix_of

SIZES = {"n_heads": 4, "n_kv_heads": 2, "d_k": 3, "d_v": 5}
SHAPES = {
    "x": (2, 7),
    "context": (17, 11),
    "context_v": (17, 19),
    "w_q": (7, 12),
    "w_k": (11, 6),
    "w_v": (19, 10),
    "w_o": (20, 13),
    "b_q": (12,),
    "b_k": (6,),
    "b_v": (10,),
    "b_o": (13,),
    "b_s": (8, 17),
    "w_f": (7, 8),
    "b_f": (8,),
    "c_f": (4,),
    "sinks": (4,),
    "r_k": (3, 12),
    "r_q": (3, 12),
    "w_g": (7, 20),
    "b_g": (20,),
}
PARTS = [
    *[Editable(name) for name in EDITABLE],
    *[Editable(name, 3) for name in GIVEN if name not in (*OF_TOKENS, "b_o")],
]


@pytest.fixture
def s() -> Scenario:
    """Grouped queries, a second sequence, every bias and both masks, in sizes that all differ."""
    draw = np.random.default_rng(1)
    arrays = {name: draw.normal(size=shape) for name, shape in SHAPES.items()}
    mask = Mask(custom=draw.random((2, 17)) < 0.8, additive=draw.normal(size=(2, 17)))
    return Scenario(**arrays, **SIZES, tokens=("I", "LOVE"), mask=mask)


def test_every_array_of_a_scenario_can_be_edited() -> None:
    assert list(EDITABLE) == [*GIVEN, "mask.custom", "mask.additive"]


@pytest.mark.parametrize("part", PARTS, ids=lambda part: part.file_name)
def test_what_is_put_is_what_is_shown_then(s: Scenario, part: Editable) -> None:
    shape = part.numbers(s).shape
    new: FloatArray = np.random.default_rng(2).normal(size=shape)
    if part.name == "mask.custom":
        new = np.where(new > -1, 1.0, 0.0)
    after = part.put(s, new)
    assert part.numbers(after).tobytes() == new.tobytes()
    assert part.dims.shape(s.sizes) == shape


@pytest.mark.parametrize("part", PARTS, ids=lambda part: part.file_name)
def test_putting_back_what_is_shown_changes_nothing(s: Scenario, part: Editable) -> None:
    assert part.put(s, part.numbers(s)) == s


@pytest.mark.parametrize(
    ("name", "head", "expected"),
    [
        ("w_q", 1, np.s_[:, 3:6]),
        ("w_k", 1, np.s_[:, 0:3]),
        ("w_k", 2, np.s_[:, 3:6]),
        ("w_v", 3, np.s_[:, 5:10]),
        ("w_o", 3, np.s_[15:20, :]),
        ("b_q", 2, np.s_[:, 6:9]),
    ],
)
def test_a_head_has_its_own_columns_and_its_own_rows_of_w_o(
    s: Scenario, name: str, head: int, expected: tuple[slice, slice]
) -> None:
    whole = np.atleast_2d(getattr(s, name))
    assert np.array_equal(Editable(name, head).numbers(s), whole[expected])


def test_what_one_head_is_given_leaves_the_others_alone(s: Scenario) -> None:
    after = Editable("w_q", 1).put(s, np.ones((7, 3)))
    assert (after.w_q[:, 3:6] == 1).all()
    assert np.array_equal(after.w_q[:, :3], s.w_q[:, :3])
    assert np.array_equal(after.w_q[:, 6:], s.w_q[:, 6:])


def test_heads_that_share_keys_are_named_and_change_together(s: Scenario) -> None:
    part = Editable("w_k", 2)
    assert list(part.shared_by(s)) == [2, 3]
    after = part.put(s, np.ones((11, 3)))
    assert (Editable("w_k", 3).numbers(after) == 1).all()
    assert list(Editable("w_q", 2).shared_by(s)) == []
    assert list(Editable("w_k").shared_by(s)) == []


def test_the_only_keys_are_shared_by_all_heads() -> None:
    s = with_heads(load_example("pizza"), 2, 1, 4, 4)
    assert list(Editable("w_k").shared_by(s)) == [0, 1]
    assert list(Editable("w_q").shared_by(s)) == []
    assert list(Editable("w_q").heads(s)) == [0, 1]
    assert list(Editable("w_k").heads(s)) == []


@pytest.mark.parametrize("name", EDITABLE)
def test_only_an_array_of_several_heads_has_parts(s: Scenario, name: str) -> None:
    of_heads = name in GIVEN and name not in (*OF_TOKENS, "b_o")
    assert list(Editable(name).heads(s)) == ([0, 1, 2, 3] if of_heads else [])
    assert list(Editable(name).heads(with_heads(load_example("pizza"), 1))) == []


def test_vectors_of_distances_begin_with_zeros_for_two_each_way(s: Scenario) -> None:
    bare, part = replace(s, r_k=None, r_q=None), Editable("r_k")
    assert part.labels(bare, 0) == ("-2", "-1", "0", "+1", "+2")
    assert part.labels(bare, 1)[:4] == ("1.1", "1.2", "1.3", "2.1")
    assert np.array_equal(part.numbers(bare), np.zeros((5, 12)))
    after = Editable("r_k", 1).put(bare, np.ones((5, 3)))
    assert np.array_equal(after.r_k.sum(axis=0), [0] * 3 + [5] * 3 + [0] * 6)
    assert part.left_out(after) == bare


def test_there_may_be_vectors_for_more_distances(s: Scenario) -> None:
    alone, part = replace(s, r_q=None), Editable("r_k")
    assert part.put(alone, np.ones((7, 12))).n_distances == 7
    with pytest.raises(ShapeError, match="odd number of rows"):
        part.put(alone, np.ones((4, 12)))
    with pytest.raises(ShapeError, match="R_Q"):  # the other has a row for each of three
        part.put(s, np.ones((7, 12)))
    with pytest.raises(ShapeError, match="R_K of head 2"):
        Editable("r_k", 1).put(alone, np.ones((7, 3)))


@pytest.mark.parametrize("name", EDITABLE)
def test_a_title_is_short_where_there_is_little_room(name: str) -> None:
    assert len(Editable(name).short_title) <= len("Additive mask")


@pytest.mark.parametrize(
    ("name", "head", "axis", "index", "expected"),
    [
        ("x", None, 0, 1, "LOVE"),
        ("x", None, 1, 6, "7"),
        ("context", None, 0, 16, "c17"),
        ("w_q", None, 1, 4, "2.2"),
        ("w_k", None, 1, 4, "kv2.2"),
        ("w_o", None, 0, 19, "4.5"),
        ("w_o", None, 1, 12, "13"),
        ("w_q", 3, 1, 2, "3"),
        ("b_o", None, 0, 0, "b_O"),
        ("mask.custom", None, 0, 0, "I"),
        ("mask.custom", None, 1, 0, "c1"),
    ],
)
def test_rows_and_columns_are_called_by_token_or_number(
    s: Scenario, name: str, head: int | None, axis: int, index: int, expected: str
) -> None:
    assert Editable(name, head).labels(s, axis)[index] == expected


def test_keys_of_as_many_heads_as_queries_are_called_by_the_head_alone() -> None:
    s = load_example("pizza")
    assert [Editable("w_k").labels(s, 1)[i] for i in (0, 7)] == ["1.1", "2.4"]


def test_the_pictures_call_columns_and_rows_by_the_same_names(s: Scenario) -> None:
    picture = matrix_of(attend(s), "w_o")
    rows = list(Editable("w_o").labels(s, 0)[:20])
    assert list(picture.row_labels) == rows
    assert rows[:6] == ["1.1", "1.2", "1.3", "1.4", "1.5", "2.1"]


def test_keys_are_called_by_the_tokens_of_x_where_there_is_no_second_sequence() -> None:
    s = load_example("pizza")
    assert Editable("mask.custom").labels(s, 1)[3] == "PIZZA"


def test_what_was_left_out_is_shown_as_what_it_stands_for() -> None:
    s = load_example("pizza")
    assert Editable("b_v", 1).numbers(s).tolist() == [[0, 0, 0, 0]]
    assert (Editable("mask.custom").numbers(s) == 1).all()
    assert (Editable("mask.additive").numbers(s) == 0).all()


@pytest.mark.parametrize("name", ["b_q", "b_o", "mask.custom", "mask.additive"])
def test_what_is_left_out_again_is_gone(s: Scenario, name: str) -> None:
    after = Editable(name).left_out(s)
    owner, field = (after.mask, name[5:]) if name.startswith("mask.") else (after, name)
    assert getattr(owner, field) is None
    assert Editable(name).may_be_left_out


# The additive mask


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("kind", ["csv", "npy"])
def test_an_additive_mask_from_its_own_file_is_the_same_bits(dtype: str, kind: str) -> None:
    added = np.array([[-np.inf, 0.1, 1 / 3, -0.0]] * 4, dtype)
    s = with_mask(load_example("pizza"), Mask(additive=added))
    part = Editable("mask.additive")
    data = write_matrix(part.numbers(s), f"m.{kind}")
    after = part.put(s, read_matrix(data, f"m.{kind}", minus_infinity=True))
    assert after == s
    assert after.mask.additive is not None
    assert after.mask.additive.dtype == dtype
    assert after.mask.additive.tobytes() == added.tobytes()


def test_the_first_additive_mask_takes_the_scenarios_number_type() -> None:
    s = with_dtype(load_example("pizza"), "float32")
    after = Editable("mask.additive").put(s, np.full((4, 4), 0.1))
    assert after.mask.additive is not None
    assert after.mask.additive.dtype == np.float32


@pytest.mark.parametrize("number", [-1e99, 1e99])
def test_a_number_too_large_for_the_masks_type_does_not_become_one_that_hides(
    number: float,
) -> None:
    s = with_dtype(load_example("pizza"), "float32")
    numbers = np.zeros((4, 4))
    numbers[1, 2] = number
    with pytest.raises(NumberError) as refused:
        Editable("mask.additive").put(s, numbers)
    assert str(refused.value) == (
        "The additive mask (where it is not -inf) must hold finite numbers of at most 1e+100 in "
        f"size, got {np.sign(number) * np.inf} in row 2, column 3. Replace that value by a number."
    )


@pytest.mark.parametrize("name", EDITABLE)
def test_minus_infinity_is_a_number_of_the_additive_mask_alone(name: str) -> None:
    assert Editable(name).minus_infinity is (name == "mask.additive")


# Rows of a sequence


def test_more_rows_of_x_bring_new_tokens_and_the_mask_keeps_what_fits() -> None:
    s = load_example("pizza")
    hidden = np.ones((4, 4), bool)
    hidden[3, 0] = False
    s = replace(s, mask=Mask((Rule("causal"),), custom=hidden))
    x = np.arange(48.0).reshape(6, 8)
    after = Editable("x").put(s, x)
    assert after.tokens == ("I", "LOVE", "PEPPERONI", "PIZZA", "t5", "t6")
    assert np.array_equal(after.x, x)
    named = with_tokens(s, ("t6", "t3", "a", "b"))
    assert Editable("x").put(named, x).tokens == ("t6", "t3", "a", "b", "t5", "t7")
    assert after.mask.custom is not None
    assert np.array_equal(after.mask.custom[:4, :4], hidden)
    assert after.mask.custom[4:].all()
    assert np.array_equal(after.w_q, s.w_q)


def test_fewer_rows_of_x_drop_the_last_tokens() -> None:
    after = Editable("x").put(load_example("pizza"), np.ones((1, 8)))
    assert after.tokens == ("I",)


def test_other_rows_of_the_second_sequence_leave_the_queries_alone(s: Scenario) -> None:
    after = Editable("context").put(s, np.ones((19, 11)))
    assert after.tokens == s.tokens
    assert after.context_tokens[-3:] == ("c17", "c18", "c19")
    assert after.n_k == 19
    assert after.values_from[:17].tolist() == s.values_from.tolist()
    assert not after.values_from[17:].any()


def test_other_rows_of_x_leave_the_second_sequence_alone(s: Scenario) -> None:
    after = Editable("x").put(s, np.ones((3, 7)))
    assert (after.n_q, after.n_k) == (3, 17)


def test_a_sequence_of_another_width_is_refused_with_the_right_one(s: Scenario) -> None:
    with pytest.raises(ShapeError) as refused:
        Editable("x").put(s, np.ones((3, 8)))
    assert str(refused.value) == (
        "X must have d_model = 7 columns, got (3, 8). "
        "Give rows of 7 numbers, or change d_model first."
    )


def test_new_rows_take_the_scenarios_number_type() -> None:
    s = with_dtype(load_example("pizza"), "float32")
    after = Editable("x").put(s, np.full((2, 8), 0.1))
    assert after.dtype == np.float32
    with pytest.raises(NumberError, match="X must hold finite numbers"):
        Editable("x").put(s, np.full((2, 8), 1e99))


# Refusals


def test_a_wrong_shape_is_refused_with_the_right_one(s: Scenario) -> None:
    with pytest.raises(ShapeError) as refused:
        Editable("w_q", 1).put(s, np.ones((3, 4)))
    assert str(refused.value) == (
        "W_Q of head 2 must have shape (d_model, d_k) = (7, 3), got (3, 4). "
        "Give 7 rows of 3 numbers."
    )


def test_a_bias_may_come_as_a_column(s: Scenario) -> None:
    column = np.arange(13.0).reshape(13, 1)
    after = Editable("b_o").put(s, column)
    assert after.b_o is not None
    assert after.b_o.tolist() == column[:, 0].tolist()


def test_a_mask_of_other_numbers_than_0_and_1_is_refused(s: Scenario) -> None:
    numbers = np.ones((2, 17))
    numbers[1, 4] = 0.5
    with pytest.raises(NumberError) as refused:
        Editable("mask.custom").put(s, numbers)
    assert str(refused.value) == (
        "The drawn mask must hold 1 (may attend) and 0 (hidden), got 0.5 in row 2, column 5. "
        "Write 0 or 1."
    )


@pytest.mark.parametrize("head", [4, -1])
def test_a_head_that_does_not_exist_is_refused(s: Scenario, head: int) -> None:
    with pytest.raises(OptionError, match="The head must be from 1 to 4"):
        Editable("w_q", head).numbers(s)


def test_a_second_sequence_that_does_not_exist_is_refused() -> None:
    with pytest.raises(OptionError, match="C needs a second sequence first"):
        Editable("context").numbers(load_example("pizza"))


def test_rows_for_values_alone_are_switched_on_before_they_are_edited(s: Scenario) -> None:
    pizza, rows = load_example("pizza"), Editable("context_v")
    with pytest.raises(OptionError, match="C_V needs values from rows of their own first"):
        rows.numbers(pizza)
    assert [rows.is_there(each) for each in (pizza, with_own_values(pizza))] == [False, True]
    assert rows.left_out(with_own_values(pizza)) == pizza
    assert rows.left_out(s).d_model_v == s.d_model_kv


# Cells


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1e-3", 0.001),
        ("-2,5", -2.5),
        ("1/4", 0.25),
        ("\N{MINUS SIGN}.5", -0.5),
        (" 7 ", 7.0),
        ("+3", 3.0),
    ],
)
def test_a_cell_is_read_as_people_write(text: str, value: float) -> None:
    assert Editable("x").read_cell(text, "here") == value


@pytest.mark.parametrize(
    ("text", "got"),
    [
        ("", "an empty cell"),
        ("abc", "'abc'"),
        ("1 2", "'1 2'"),
        ("1,234", "'1,234'"),
        ("inf", "'inf'"),
        ("1e999", "'1e999'"),
        ("1/0", "'1/0'"),
        ("=A1", "'=A1'"),
        ("<b>", "'<b>'"),
    ],
)
def test_a_cell_without_a_number_is_refused_by_its_place(text: str, got: str) -> None:
    with pytest.raises(NumberError) as refused:
        Editable("x").read_cell(text, "X, row 2 (LOVE), column 3")
    assert str(refused.value).startswith("X, row 2 (LOVE), column 3 must ")
    assert f"got {got}. " in str(refused.value)


@pytest.mark.parametrize("text", ["-inf", "-INF", " -Infinity", "\N{MINUS SIGN}∞"])
def test_minus_infinity_hides_in_the_additive_mask_and_nowhere_else(text: str) -> None:
    assert Editable("mask.additive").read_cell(text, "here") == -np.inf
    with pytest.raises(NumberError, match="here must hold"):
        Editable("x").read_cell(text, "here")


@pytest.mark.parametrize("text", ["2", "-1", "0.5"])
def test_a_cell_of_the_custom_mask_is_0_or_1(text: str) -> None:
    assert Editable("mask.custom").read_cell("0", "here") == 0
    with pytest.raises(NumberError, match=r"here must hold 1 \(may attend\) and 0 \(hidden\)"):
        Editable("mask.custom").read_cell(text, "here")


# What made it


@pytest.mark.parametrize(
    ("example", "name", "source"),
    [
        ("pizza", "x", "made by One-hot words"),
        ("grouped-query", "w_q", "made by Random"),
        ("three-tokens", "w_q", "in the example"),
        ("pizza", "b_q", ""),
        ("pizza", "mask.custom", ""),
    ],
)
def test_the_source_of_an_array_is_told(example: str, name: str, source: str) -> None:
    assert Editable(name).source(load_example(example)) == source


def test_numbers_without_an_origin_have_no_source(s: Scenario) -> None:
    assert [Editable(name).source(s) for name in EDITABLE] == [""] * len(EDITABLE)


@pytest.mark.parametrize(
    ("example", "name"),
    [("pizza", "x"), ("grouped-query", "w_k"), ("three-tokens", "w_o"), ("translation", "context")],
)
def test_an_edited_array_is_made_again_as_it_was(example: str, name: str) -> None:
    before = load_example(example)
    edited = with_matrix(before, name, getattr(before, name) + 1)
    other = "w_v" if name != "w_v" else "w_q"
    edited = with_matrix(edited, other, getattr(before, other) + 1)
    after = Editable(name).made_again(edited)
    assert np.array_equal(getattr(after, name), getattr(before, name))
    assert np.array_equal(getattr(after, other), getattr(edited, other))


def test_a_head_is_made_again_alone() -> None:
    before = load_example("grouped-query")
    edited = with_matrix(before, "w_q", before.w_q + 1)
    after = Editable("w_q", 1).made_again(edited)
    changed = after.w_q == before.w_q
    assert changed[:, before.d_k : 2 * before.d_k].all()
    assert not changed[:, : before.d_k].any()


def test_an_example_of_other_sizes_cannot_make_an_array_again() -> None:
    s = Editable("x").put(load_example("three-tokens"), np.ones((5, 6)))
    with pytest.raises(ShapeError, match=r"X must have shape .* = \(5, 6\), got \(3, 6\)"):
        Editable("x").made_again(s)


PIZZA = load_example("pizza")
ADDS = np.ones((PIZZA.n_heads * PIZZA.n_q, PIZZA.n_k))
GATED = replace(PIZZA, w_g=np.ones((PIZZA.d_model, PIZZA.n_heads)))


@pytest.mark.parametrize(
    ("names", "having"),
    [
        (("w_f", "b_f", "c_f"), replace(PIZZA, b_s=ADDS)),
        (("r_k", "r_q"), with_reach(PIZZA, 2)),
        (("w_g", "b_g"), GATED),
    ],
    ids=["gate of additions", "distances", "gate"],
)
def test_what_the_sidebar_switches_on_is_offered_from_then_on(
    names: Sequence[str], having: Scenario
) -> None:
    for name in names:
        assert [Editable(name).is_offered(s) for s in (PIZZA, having)] == [False, True]
