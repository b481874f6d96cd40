"""Each control turns a scenario into the next one and keeps what still has a place."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mha_core import attend
from mha_core.changing.changes import (
    with_changes,
    with_context,
    with_dtype,
    with_mask,
    with_mask_cells_toggled,
    with_matrix,
    with_scores,
    with_tokens,
    with_weights,
    with_width,
    with_x,
)
from mha_core.changing.recipes import LAYER_SIZES
from mha_core.checks.errors import MhaError, NumberError, OptionError, ShapeError
from mha_core.examples import load_example
from mha_core.making.inputs import make_x
from mha_core.scenario.given_arrays import GIVEN
from mha_core.scenario.masks import Mask, Rule
from mha_core.scenario.origin import Origin
from mha_core.scenario.scenario import Scenario
from tests.core.changing.beginnings import WORDS, by_numbers, by_recipe
from tests.core.strategies import (
    RARE,
    random_arrays,
    scenario_of_distinct_sizes,
    scenarios,
    self_attention,
)

# Recipes.


def test_x_made_afresh_drops_edits_and_fills_both_sequences() -> None:
    edited = with_matrix(with_context(by_recipe(), ["A", "B"]), "x", np.ones((3, 8)))
    s = with_x(edited, "sinusoids", 9)
    assert s.context is not None
    np.testing.assert_array_equal(s.x, make_x("sinusoids", WORDS, 8))
    np.testing.assert_array_equal(s.context, make_x("sinusoids", ["A", "B"], 8))
    assert (s.origin.x, s.origin.x_seed) == ("sinusoids", 9)
    assert with_x(with_matrix(by_recipe(), "x", np.ones((3, 8))), "word_vectors", 3) == by_recipe()


def test_weights_made_afresh_drop_edits_and_leave_biases() -> None:
    before = by_recipe(b_q=np.arange(8.0))
    edited = with_matrix(before, "w_q", np.ones((8, 8)))
    assert with_weights(edited, "random", 5) == before
    other = with_weights(edited, "shared_qk", 6)
    assert other.b_q is before.b_q
    np.testing.assert_array_equal(other.w_q, other.w_k)
    assert (other.origin.weights, other.origin.weights_seed) == ("shared_qk", 6)


def test_names_that_nobody_knows_are_refused() -> None:
    with pytest.raises(OptionError, match="The input must be one of one_hot"):
        with_x(by_numbers(), "nonsense")
    with pytest.raises(OptionError, match="The preset must be one of split_only"):
        with_weights(by_numbers(), "nonsense")


# Arrays by hand.


@pytest.mark.parametrize("name", GIVEN)
def test_every_array_can_be_edited_and_keeps_its_origin(name: str) -> None:
    recipes = Origin("", "random", 1, "random", 2)
    before = scenario_of_distinct_sizes(**RARE, origin=recipes)
    edited = getattr(before, name) + 1
    after = with_matrix(before, name, edited.tolist())
    assert after == replace(before, **{name: edited})
    assert after.origin == before.origin


def test_a_bias_can_be_added_and_taken_away() -> None:
    before = by_numbers()
    after = with_matrix(before, "b_o", np.arange(6.0))
    assert after.b_o is not None
    assert with_matrix(after, "b_o", None) == before


def test_arrays_that_do_not_fit_are_refused() -> None:
    with pytest.raises(ShapeError, match=r"X must have shape \(n_q, d_model\) = \(3, 6\), got"):
        with_matrix(by_numbers(), "x", np.ones((4, 6)))
    with pytest.raises(OptionError, match="The matrix must be one of x, context, context_v, w_q"):
        with_matrix(by_numbers(), "w_z", np.ones((3, 6)))
    with pytest.raises(OptionError, match="C needs a second sequence first"):
        with_matrix(by_numbers(), "context", np.ones((3, 6)))
    with pytest.raises(MhaError, match="W_Q must"):
        with_matrix(by_numbers(), "w_q", None)


# Number types.


def test_an_edit_in_float64_leaves_float32_what_it_is() -> None:
    s = with_dtype(by_recipe(), "float32")
    for after in (
        with_matrix(s, "x", np.full((3, 8), 0.1)),
        with_tokens(s, ["A"]),
        with_width(s, 16),
        with_x(s, "random", 1),
        with_weights(s, "random", 1),
        with_context(s, ["A", "B"]),
    ):
        assert {array.dtype for array in after.given().values()} == {np.dtype(np.float32)}


def test_float32_is_no_edit_by_hand() -> None:
    s = with_tokens(with_dtype(by_recipe(), "float32"), ["A"])
    np.testing.assert_array_equal(s.x, make_x("word_vectors", ["A"], 8, 3).astype(np.float32))


def test_numbers_beyond_float32_are_refused_in_words() -> None:
    s = with_dtype(by_numbers(), "float32")
    with pytest.raises(NumberError, match="inf in row 1, column 1"):
        with_matrix(s, "x", np.full((3, 6), 1e39))
    with pytest.raises(NumberError, match="inf in row 1, column 1"):
        with_dtype(by_numbers(x=np.full((3, 6), 1e39)), "float32")


def test_other_number_types_are_refused() -> None:
    with pytest.raises(OptionError, match="number type must be one of float64, float32, got 'int'"):
        with_dtype(by_numbers(), "int")


# Mask and scores.


def test_mask_and_scores_are_set_as_they_are_given() -> None:
    mask = Mask((Rule("causal"),))
    s = with_scores(with_mask(by_numbers(), mask), scale=2.0, positions="alibi")
    assert s.mask is mask
    assert (s.scores.scale, s.scores.positions, s.scores.softcap) == (2.0, "alibi", None)
    assert with_scores(s, softcap=5.0).scores.scale == 2.0
    assert with_scores(s, temperature=0.5).scores.temperature == 0.5
    with pytest.raises(OptionError, match="A score option must be one of scale, softcap, posit"):
        with_scores(s, sharpness=1.0)


def test_changes_that_fit_only_together_are_made_in_one_step() -> None:
    turned = with_scores(by_numbers(d_model=8, n_heads=2), positions="rope")
    with pytest.raises(ShapeError, match="d_k must be even for RoPE"):
        with_width(turned, 6)
    still = replace(turned.scores, positions="none")
    assert with_changes(turned, sizes={"d_model": 6}, scores=still).d_k == 3


# Laws.


@given(scenario=scenarios())
def test_no_change_changes_nothing(scenario: Scenario) -> None:
    same = with_changes(scenario)
    assert same == scenario
    assert all(same.given()[name] is array for name, array in scenario.given().items())


@given(
    scenario=scenarios(), more=st.fixed_dictionaries(dict.fromkeys(LAYER_SIZES, st.integers(0, 3)))
)
def test_growing_and_shrinking_back_gives_the_same_scenario(
    scenario: Scenario, more: dict[str, int]
) -> None:
    cross = scenario.context is not None
    back = {name: scenario.sizes[name] for name in LAYER_SIZES}
    larger = {name: n if "heads" in name else n + more[name] for name, n in back.items()}
    if not cross:
        larger["d_model_kv"] = larger["d_model"]
    if scenario.context_v is None:
        larger["d_model_v"] = larger["d_model_kv"]
    grown = with_changes(
        scenario,
        tokens=(*scenario.tokens, "one more"),
        context_tokens=(*scenario.context_tokens, "one more") if cross else (),
        sizes=larger,
        scores=replace(scenario.scores, positions="none"),
    )
    shrunk = with_changes(
        grown,
        tokens=scenario.tokens,
        context_tokens=scenario.context_tokens,
        sizes=back,
        scores=scenario.scores,
    )
    assert shrunk == scenario


@given(scenario=scenarios(), to=scenarios())
def test_any_sizes_lead_to_any_others(scenario: Scenario, to: Scenario) -> None:
    after = with_changes(
        scenario,
        tokens=to.tokens,
        context_tokens=to.context_tokens,
        sizes={name: to.sizes[name] for name in LAYER_SIZES},
        scores=to.scores,
    )
    assert {name: after.sizes[name] for name in LAYER_SIZES} == {
        name: to.sizes[name] for name in LAYER_SIZES
    }
    assert after.d_g == (after.d_v if scenario.d_g == scenario.d_v else 1)
    assert after.reach == scenario.reach  # on each axis, of which there may be others now
    assert (after.n_distances > 0) == (scenario.n_distances > 0)
    assert after.dtype == scenario.dtype


def test_random_arrays_are_not_all_zero() -> None:
    """With zeros, the laws above would be true whatever the code did."""
    arrays = random_arrays(scenario_of_distinct_sizes().sizes, list(GIVEN), seed=1, dtype=float)
    assert all(array.all() for array in arrays.values())


def test_drawing_hides_a_key_from_a_query_and_shows_it_again() -> None:
    before = by_recipe()
    hidden = with_mask_cells_toggled(before, [(1, 2)])
    assert np.argwhere(~attend(hidden).mask).tolist() == [[1, 2]]
    two = with_mask_cells_toggled(hidden, [(0, 0)])
    assert np.argwhere(~attend(two).mask).tolist() == [[0, 0], [1, 2]]
    assert with_mask_cells_toggled(two, [(0, 0), (1, 2)]) == before


def test_the_first_of_several_cells_says_whether_all_are_hidden() -> None:
    one = with_mask_cells_toggled(by_recipe(), [(1, 2)])
    two = with_mask_cells_toggled(one, [(0, 0), (1, 2)])
    assert np.argwhere(~attend(two).mask).tolist() == [[0, 0], [1, 2]]
    assert with_mask_cells_toggled(two, [(0, 0), (2, 2)]) == one


def test_drawing_does_not_overrule_a_rule() -> None:
    causal = by_recipe(mask=Mask((Rule("causal"),)))
    with pytest.raises(OptionError, match="query I, key PIZZA, which a rule hides"):
        with_mask_cells_toggled(causal, [(0, 2)])


@pytest.mark.parametrize("place", [(3, 0), (0, 3), (-1, 0)])
def test_a_cell_beside_the_mask_is_refused(place: tuple[int, int]) -> None:
    with pytest.raises(OptionError, match="must be one of the mask, of 3 queries and 3 keys"):
        with_mask_cells_toggled(self_attention(3, 4, 2), [place])


def test_the_model_that_made_x_is_named_as_long_as_x_stays() -> None:
    made = replace(
        load_example("pizza"), origin=Origin(model="t5", model_layer=1, model_text_of_decoder="a")
    )
    assert with_weights(made, "zeros", 0).origin == replace(made.origin, weights="zeros")
    assert with_tokens(made, ["I", "LOVE"]).origin.model == ""
