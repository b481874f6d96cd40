"""The explorer without a browser: every control, every example, and whatever people enter.

Takes long: each test runs the whole page without a browser, some once for each example or control.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from mha_core import Scenario, attend
from mha_core.changing.changes import (
    with_changes,
    with_context,
    with_heads,
    with_heads_off,
    with_matrix,
    with_own_values,
    with_scores,
    with_tokens,
    with_weights,
    with_width,
    with_x,
)
from mha_core.changing.recipes import Recipe
from mha_core.examples import EXAMPLES, load_example
from mha_core.io.scenario.link import decode_link
from mha_core.making.presets import PRESETS
from tests.pages.showing import shows_the_scenario
from tests.pages.visitor import MENUS, Visitor
from tests.running_page import redo, undo
from tests.unpacking import unpacked
from ui.controls.markdown import plain
from ui.controls.sidebar import enter_in_sidebar

Change = Callable[[Scenario], Scenario]

PIZZA = "example=pizza"


# ---- every control -------------------------------------------------------------------------------

CONTROLS: dict[str, tuple[str, Any, Change]] = {
    "tokens": ("tokens", "WE LIKE  PIZZA", lambda s: with_tokens(s, ["WE", "LIKE", "PIZZA"])),
    "more tokens": ("n-tokens", 5, lambda s: with_tokens(s, [*s.tokens, "t5"])),
    "fewer tokens": ("n-tokens", 1, lambda s: with_tokens(s, ["I"])),
    "d_model": ("d-model", 6, lambda s: with_width(s, 6)),
    "d_model that the heads do not divide": (
        "d-model",
        7,
        lambda s: with_changes(s, sizes={"d_model": 7, "d_k": 4, "d_v": 4}),
    ),
    "X": ("x", "sinusoids", lambda s: with_x(s, "sinusoids")),
    "second sequence": ("context", "ES GUSTA", lambda s: with_context(s, ["ES", "GUSTA"])),
    "heads": ("heads", 4, lambda s: with_heads(s, 4)),
    "heads that do not divide d_model": ("any-heads", 3, lambda s: with_heads(s, 3, 3, 4, 4)),
    "key/value heads": ("kv-heads", 1, lambda s: with_heads(s, 2, 1, 4, 4)),
    "d_k": ("d-k", 3, lambda s: with_heads(s, 2, 2, 3, 4)),
    "d_v": ("d-v", 5, lambda s: with_heads(s, 2, 2, 4, 5)),
    "preset": ("weights", "split_only", lambda s: with_weights(s, "split_only")),
    "preset that is built for an input": (
        "weights",
        "previous_token",
        lambda s: with_changes(s, x=Recipe("one_hot_position"), weights=Recipe("previous_token")),
    ),
    "W_Q = W_K": ("share", True, lambda s: with_matrix(s, "w_k", s.w_q)),
    "scale": ("scale", "none", lambda s: with_scores(s, scale="none")),
    "scale as a fraction": ("scale", "1/3", lambda s: with_scores(s, scale=1 / 3)),
    "scale with a comma": ("scale", "-2,5", lambda s: with_scores(s, scale=-2.5)),
    "scale with a Unicode minus": ("scale", "−1e-3", lambda s: with_scores(s, scale=-0.001)),
    "positions": ("positions", "rope", lambda s: with_scores(s, positions="rope")),
    "soft cap": ("softcap", "1,5", lambda s: with_scores(s, softcap=1.5)),
    "temperature": ("temperature", "1/2", lambda s: with_scores(s, temperature=0.5)),
    "softmax": ("softmax", "naive", lambda s: with_scores(s, softmax="naive")),
    "values from rows of their own": ("own-values", True, with_own_values),
    "head off": ("heads-on", [0], lambda s: with_heads_off(s, [1])),
}


def test_each_control_changes_the_scenario_and_the_page_shows_it() -> None:
    visitor, pizza = Visitor(PIZZA), load_example("pizza")
    for name, (key, entered, change) in CONTROLS.items():
        visitor.enter(key, entered)
        assert visitor.scenario == change(pizza), name
        assert visitor.errors == [], name
        assert shows_the_scenario(visitor), name
        assert visitor.title in ("Pizza, a language model, changed", "Your own setting"), name
        assert decode_link(visitor.address) == visitor.scenario, name
        undo(visitor.session)
        redo(visitor.session)
        assert visitor.scenario == change(pizza), name
        visitor.press("Undo")
        assert visitor.scenario == pizza, name
        assert shows_the_scenario(visitor), name


def test_queries_begin_where_one_says() -> None:
    visitor = Visitor(f"{PIZZA}&positions=rope").enter("query_start", "3")
    pizza = load_example("pizza")
    assert visitor.scenario == with_scores(pizza, positions="rope", query_start=3)
    assert shows_the_scenario(visitor)


def test_positions_that_do_not_follow_a_cache_are_named_on_the_page() -> None:
    visitor = Visitor("example=translation&positions=rope&query_start=follow")
    assert "Positions do not follow" not in visitor.words
    visitor.enter("query_start", "0")
    assert "the first query is at 0. After a decoder's cache of these keys" in visitor.words
    visitor.enter("query_start", "0.5")
    assert visitor.complains("query_start must be a whole number from 0")


ROTATIONS = {
    "rope_base": (" 500 ", 500.0),
    "rope_columns": (" 2 ", 2),
    "rope_pairs": ("halves", "halves"),
    "rope_frequencies": ("1, -1/8", (1.0, -0.125)),
    "rope_places": (" 0 0; 0 1\n-1.5 0; 1/2 1 ", ((0, 0), (0, 1), (-1.5, 0), (0.5, 1))),
}


@pytest.mark.parametrize("name", ROTATIONS)
def test_rope_turns_as_one_says(name: str) -> None:
    entered, value = ROTATIONS[name]
    visitor = Visitor(f"{PIZZA}&positions=rope").enter(name, entered)
    assert visitor.errors == []
    assert visitor.scenario == with_scores(load_example("pizza"), positions="rope", **{name: value})
    assert shows_the_scenario(visitor)
    assert decode_link(visitor.address) == visitor.scenario


NORMS = {
    "qk_norm": ("all", "all"),
    "qk_norm_eps": (" 1/4 ", 0.25),
    "q_gain": ("1 2, -1/2 0", (1.0, 2.0, -0.5, 0.0)),
    "k_gain": ("ones", None),
    "qk_norm_kind": ("layer", "layer"),
    "q_shift": ("1 2, -1/2 0 0 0 1 3", (1.0, 2.0, -0.5, 0.0, 0.0, 0.0, 1.0, 3.0)),  # of each head
    "k_shift": ("zeros", None),
}


@pytest.mark.parametrize("name", NORMS)
def test_queries_and_keys_are_normed_as_one_says(name: str) -> None:
    entered, value = NORMS[name]
    visitor = Visitor(f"{PIZZA}&qk_norm=head&open=into").enter(name, entered)
    assert visitor.errors == []
    options = {"qk_norm": "head", name: value}
    assert visitor.scenario == with_scores(load_example("pizza"), **options)
    assert shows_the_scenario(visitor)
    assert decode_link(visitor.address) == visitor.scenario
    said = " ".join(caption.value for caption in visitor.at.caption)
    assert "divided by its root mean square" in said


def said_by(visitor: Visitor) -> str:
    return " ".join(caption.value for caption in visitor.at.caption).replace("\\", "")


def test_the_norm_may_be_a_layer_norm_after_the_rotation() -> None:
    visitor = Visitor(f"{PIZZA}&qk_norm=head&positions=rope&open=into")
    visitor.enter("qk_norm_kind", "layer").enter("qk_norm_place", "after")
    options = {"qk_norm": "head", "positions": "rope", "qk_norm_kind": "layer"}
    expected = with_scores(load_example("pizza"), **options, qk_norm_place="after")
    assert (visitor.errors, visitor.scenario) == ([], expected)
    assert decode_link(visitor.address) == visitor.scenario
    for words in ("it subtracts the mean of the row", "turned first, then normed", "rope(Q_i) ="):
        assert words in said_by(visitor)


def test_values_are_normed_as_one_says() -> None:
    visitor = Visitor(f"{PIZZA}&open=into").enter("v_norm", "rms").enter("v_gain", "1 2 3 4")
    visitor.enter("v_norm_eps", "1/4")
    options = {"v_norm": "rms", "v_norm_eps": 0.25, "v_gain": (1.0, 2.0, 3.0, 4.0)}
    assert (visitor.errors, visitor.scenario) == ([], with_scores(load_example("pizza"), **options))
    assert shows_the_scenario(visitor)
    assert "Each value of a head is divided by its root mean square" in said_by(visitor)


def test_the_concatenation_is_normed_as_one_says() -> None:
    visitor = Visitor(f"{PIZZA}&open=together").enter("concat_norm", "layer")
    visitor.enter("concat_shift", "1 0 0 0 0 0 0 2").enter("concat_norm_eps", "1/4")
    shift = (1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 2.0)
    options = {"concat_norm": "layer", "concat_norm_eps": 0.25, "concat_shift": shift}
    assert (visitor.errors, visitor.scenario) == ([], with_scores(load_example("pizza"), **options))
    assert decode_link(visitor.address) == visitor.scenario
    assert "the outputs of all heads in a row lose their mean" in said_by(visitor)


def test_gains_alone_and_the_factor_of_values_are_told_on_the_way_into_the_heads() -> None:
    visitor = Visitor(f"{PIZZA}&open=into").enter("qk_norm", "gains").enter("q_gain", "1 2 3 4")
    visitor.enter("v_scale", "1/2")
    options = {"qk_norm": "gains", "q_gain": (1.0, 2.0, 3.0, 4.0), "v_scale": 0.5}
    assert (visitor.errors, visitor.scenario) == ([], with_scores(load_example("pizza"), **options))
    assert decode_link(visitor.address) == visitor.scenario
    said = said_by(visitor)
    assert "Nothing is divided: each column of a head's queries and keys" in said
    assert "Values are multiplied by 0.5." in said
    assert "the mean of the squares" not in said


def test_what_stands_before_w_o_and_the_factor_of_the_output_are_told_together() -> None:
    visitor = Visitor(f"{PIZZA}&open=together").enter("concat_function", "hardswish")
    visitor.enter("output_scale", "1/4")
    options = {"concat_function": "hardswish", "output_scale": 0.25}
    assert (visitor.errors, visitor.scenario) == ([], with_scores(load_example("pizza"), **options))
    assert shows_the_scenario(visitor)
    said = said_by(visitor)
    assert "each number x becomes hardswish(x): 0 below -3" in said
    assert "The output is multiplied by 0.25." in said


def test_the_way_into_the_heads_says_which_columns_turn_together() -> None:
    part = "rope_columns=4&rope_pairs=halves"
    visitor = Visitor(f"example=the-cat&heads=1&positions=rope&{part}&open=into")

    def said() -> str:
        return " ".join(caption.value for caption in visitor.at.caption).replace("\\", "")

    assert "turns pair c of the columns by p / 10000^(2c/4)." in said()
    assert "Only the first 4 columns turn. Pair c is the columns c + 1 and c + 3." in said()
    visitor.enter("rope_frequencies", "1 1/4")
    assert "turns pair c of the columns by p times its frequency." in said()
    visitor.enter("rope_pairs", "crossed")
    assert "each by an angle of its own: as in V-JEPA 2." in said()
    assert "From the first column on, c of its angle is 0 1 0 1." in said()


def test_a_grid_of_places_is_typed_by_its_sides_and_moves_with_its_tokens() -> None:
    visitor = Visitor(f"{PIZZA}&positions=rope").enter("rope_places", "2x2")
    assert visitor.shows("rope_places") == "2 x 2"
    assert visitor.enter("rope_axes", "1 0").enter("rope_series", "all").errors == []
    said = {"rope_places": "2x2", "rope_axes": "1 0", "rope_series": "all"}
    assert said.items() <= visitor.address.items()
    places = visitor.scenario.scores.rope_places
    visitor.enter("n-tokens", 5)
    assert visitor.errors == []
    assert visitor.shows("rope_places") == "0 0; 0 1; 1 0; 1 1; 1 2"
    visitor.press("Undo")
    assert visitor.scenario.scores.rope_places == places
    visitor.enter("rope_places", "0 1 2 7")
    assert visitor.scenario.scores.rope_places == ((0,), (1,), (2,), (7,))
    assert visitor.shows("rope_places") == "0; 1; 2; 7"


def test_the_way_into_the_heads_says_where_tokens_stand() -> None:
    part = "positions=rope&rope_places=0_0+0_1+1_0+1_1.5"
    visitor = Visitor(f"example=pizza&{part}&open=into")

    def said() -> str:
        return " ".join(caption.value for caption in visitor.at.caption).replace("\\", "")

    assert "In the row at place p, R_p turns pair c of the columns by p / 10000^(2c/r)." in said()
    assert "From the first pair on, the axes are 0 1, counted from 0." in said()
    assert "The pairs of an axis have their own c and are r columns." in said()
    assert "Places: “I” at 0, 0; “LOVE” at 0, 1; " in said()
    assert "at 1, 1.5." in said()
    visitor.enter("rope_places", "0; 1; 2; 7")
    assert "by p / 10000^(2c/d_k)." in said()
    assert "axis" not in said()


def test_what_a_control_shows_is_what_the_scenario_says() -> None:
    visitor = Visitor("example=grouped-query")
    s = visitor.scenario
    shown = {
        "tokens": " ".join(s.tokens),
        "n-tokens": s.n_q,
        "d-model": s.d_model,
        "heads": s.n_heads,
        "any-heads": s.n_heads,
        "kv-heads": s.n_kv_heads,
        "d-k": s.d_k,
        "d-v": s.d_v,
        "positions": s.scores.positions,
        "softmax": s.scores.softmax,
    }
    assert {key: visitor.shows(key) for key in shown} == shown


def test_every_preset_comes_with_its_sentence_and_its_seed_if_it_has_one() -> None:
    visitor = Visitor(PIZZA)
    for name, preset in PRESETS.items():
        visitor.enter("weights", name)
        assert visitor.scenario.origin.weights == name
        assert shows_the_scenario(visitor), name
        assert preset.sentence in visitor.words
        assert visitor.has("weights-seed") is preset.seeded, name


def test_another_seed_draws_other_weights() -> None:
    visitor = Visitor(PIZZA).enter("weights", "random").enter("weights-seed", 7)
    assert visitor.scenario == with_weights(load_example("pizza"), "random", 7)


def test_another_seed_draws_another_x() -> None:
    visitor = Visitor(PIZZA).enter("x", "word_vectors").enter("x-seed", 7)
    assert visitor.scenario == with_x(load_example("pizza"), "word_vectors", 7)
    assert not visitor.enter("x", "one_hot").has("x-seed")


def test_one_hot_words_take_the_width_they_need() -> None:
    visitor = Visitor(PIZZA).enter("x", "one_hot").enter("tokens", "a b c d e f g h i")
    assert visitor.scenario.d_model == 10  # nine words, and two heads
    np.testing.assert_array_equal(visitor.scenario.x, np.eye(9, 10))
    visitor.enter("context", "k l m n o p q r s t u")
    assert visitor.scenario.d_model_kv == 11
    np.testing.assert_array_equal(visitor.scenario.keys_from, np.eye(11))


def test_a_width_that_cannot_be_less_says_so() -> None:
    said = "These tokens need a d_model of 3 or more."
    visitor = Visitor("tokens=A+B+A+C&d_model=4&x=one_hot&weights=random")
    assert said not in visitor.words
    assert said in visitor.enter("d-model", 3).words
    assert said not in visitor.enter("x", "random").words


def test_a_second_sequence_comes_and_goes() -> None:
    visitor = Visitor(PIZZA).enter("context", "ES GUSTA").enter("context", "")
    assert visitor.scenario.context is None


def test_rows_that_values_alone_are_made_from_come_and_go() -> None:
    visitor = Visitor(f"{PIZZA}&positions=sinusoidal").enter("own-values", True)
    pizza = with_scores(load_example("pizza"), positions="sinusoidal")
    assert visitor.scenario.context_v is not None
    np.testing.assert_array_equal(visitor.scenario.context_v, attend(pizza).x_positioned)
    assert "Values come from rows of their own, C_V." in visitor.words
    assert visitor.enter("own-values", False).scenario == pizza


def test_positions_may_be_for_queries_and_keys_alone() -> None:
    visitor = Visitor(f"{PIZZA}&positions=sinusoidal").enter("sinusoids_for", "queries_and_keys")
    options = {"positions": "sinusoidal", "sinusoids_for": "queries_and_keys"}
    assert visitor.scenario == with_scores(load_example("pizza"), **options)
    assert "Values are made of rows without positions: as in DETR." in visitor.words
    assert decode_link(visitor.address) == visitor.scenario
    assert (
        not visitor.enter("sinusoids_for", "everything")
        .enter("positions", "none")
        .has("sinusoids_for")
    )


def test_heads_share_the_width_again_as_soon_as_they_can() -> None:
    visitor = Visitor(PIZZA).enter("d-model", 9)
    assert visitor.scenario.d_k == 4
    assert "2 does not divide 9" in visitor.words
    visitor.enter("d-model", 10)
    assert (visitor.scenario.d_k, visitor.scenario.d_v) == (5, 5)


def test_the_page_says_which_head_counts_do_not_divide() -> None:
    assert "(3, 5, 6, 7 do not divide 8)." in Visitor(PIZZA).words


def test_shared_projections_part_again_only_where_a_preset_tells_them_apart() -> None:
    visitor = Visitor(PIZZA).enter("weights", "random").enter("share", True).enter("share", False)
    assert visitor.scenario == with_weights(load_example("pizza"), "random")
    visitor = Visitor("example=two-tokens").enter("share", False)  # its W_Q is W_K
    assert visitor.complains("W_K must come from a preset in which it differs from W_Q, got given")


# ---- the view ------------------------------------------------------------------------------------


def test_saved_pictures_are_named_after_their_example() -> None:
    visitor = Visitor("example=pizza&head=2")
    names = {unpacked(data)["name"] for data in visitor.sent}
    assert {"pizza heads", "pizza Head 2", "pizza together"} <= names


def test_decimals_and_values_are_written_in_the_cells() -> None:
    visitor = Visitor(PIZZA).enter("decimals", 4)
    assert visitor.plots["heads"]["figure"]["decimals"] == 4
    visitor.enter("values", False)
    assert visitor.plots["heads"]["figure"]["decimals"] is None


@pytest.mark.parametrize("scores", ["raw", "scaled", "masked"])
def test_the_scores_shown_are_those_asked_for(scores: str) -> None:
    visitor = Visitor(PIZZA).enter("scores", scores)
    expected = getattr(attend(visitor.scenario), f"{scores}_scores")[1]
    seen = visitor.matrices[f"{scores}_scores/1"]
    visible = np.isfinite(seen)
    np.testing.assert_array_equal(seen[visible], expected[visible])


def test_rows_of_the_picture_keep_their_order_and_one_always_stays() -> None:
    visitor = Visitor(PIZZA).enter("rows", ["outputs", "scores"])
    assert visitor.view.rows == ("scores", "outputs")
    np.testing.assert_array_equal(
        visitor.matrices["head_outputs/1"], attend(visitor.scenario).head_outputs[1]
    )
    assert visitor.enter("rows", []).view.rows == ("scores", "outputs")
    assert visitor.shows("rows") == ["scores", "outputs"]


def test_a_palette_and_a_colour_scale_of_its_own() -> None:
    visitor = Visitor(PIZZA).enter("palette", "grey").enter("shared_scale", False)
    heads = visitor.plots["heads"]["figure"]
    assert heads["scales"]["sequential"]["light"][-1][1] == "#262626"
    assert len({matrix["high"] for matrix in heads["matrices"][:2]}) == 2


def test_a_picked_head_is_shown_whole_and_let_go_with_its_number() -> None:
    visitor = Visitor(PIZZA).enter("heads", 4).enter("head", 3)
    assert {f"{step}/3" for step in ("q_rotated", "k_rotated", "v_heads", "head_outputs")} <= set(
        visitor.matrices
    )
    assert "Head 4" in visitor.plots
    visitor.enter("heads", 2)
    assert visitor.view.head is None
    assert "Head 4" not in visitor.plots


def test_heads_come_by_pages_and_the_address_says_which() -> None:
    many = "tokens=A+B&d_model=32&heads=32&x=random&weights=random"
    visitor = Visitor(f"{many}&page=1")
    assert "weights/15" in visitor.matrices
    assert "weights/16" not in visitor.matrices
    visitor.enter("page", 2)
    assert "weights/31" in visitor.matrices
    assert visitor.address["page"] == "2"
    assert "weights/31" in Visitor(f"{many}&page=2").matrices
    assert visitor.enter("heads", 16).view.page == 0
    assert "weights/15" in visitor.matrices


def test_what_each_head_adds_comes_by_pages_too() -> None:
    visitor = Visitor("tokens=A+B&d_model=32&heads=32&x=random&weights=random")
    assert {"contributions/0", "contributions/15"} <= set(visitor.matrices)
    assert "contributions/16" not in visitor.matrices
    pages = visitor.at.button_group(key="added-page-of-2")
    assert pages.options == ["1 to 16", "17 to 32"]
    pages.set_value(2)
    visitor.run()
    assert "contributions/31" in visitor.matrices
    assert "contributions/0" not in visitor.matrices


def test_a_page_that_is_not_there_is_the_last_one() -> None:
    visitor = Visitor("tokens=A+B&d_model=32&heads=32&x=random&weights=random&page=9")
    assert visitor.errors == []
    assert "weights/31" in visitor.matrices
    assert visitor.shows("page") == 2


# ---- examples ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_example_opens_with_its_claims_ticked(name: str) -> None:
    visitor = Visitor(f"example={name}", opened=MENUS)
    example = EXAMPLES[name]
    assert visitor.title == example.title
    assert visitor.errors == []
    claims = next(node.value for node in visitor.at.get("html") if 'class="claims"' in node.value)
    assert claims.count('class="yes"') == len(example.claims)
    assert 'class="no"' not in claims
    assert shows_the_scenario(visitor)
    for said in (example.sentence, *(claim.sentence for claim in example.claims)):
        assert said in visitor.words
    for erratum in example.errata:
        assert erratum.truth in visitor.words


def test_a_claim_that_no_longer_holds_is_not_ticked() -> None:
    visitor = Visitor(PIZZA).mask_by()
    claims = next(node.value for node in visitor.at.get("html") if 'class="claims"' in node.value)
    assert 'class="no"' in claims


def test_claims_about_other_tokens_stay_in_their_place_and_say_so() -> None:
    visitor = Visitor(PIZZA).enter("tokens", "I EAT PEPPERONI PIZZA")
    claims = next(node.value for node in visitor.at.get("html") if 'class="claims"' in node.value)
    assert claims.count('class="open"') == len(EXAMPLES["pizza"].claims)
    assert 'class="yes"' not in claims
    assert f"About the example as it was: {EXAMPLES['pizza'].sentence}" in visitor.words


def test_examples_are_picked_from_a_list_that_says_what_each_shows() -> None:
    visitor = Visitor(opened=["examples"])
    says = {name: f"**{e.title}** :small[{e.sentence}]" for name, e in EXAMPLES.items()}
    assert visitor.examples_offered == says
    visitor.enter("tokens", "")
    visitor.open_example("grouped-query")
    assert visitor.scenario == load_example("grouped-query")
    assert visitor.errors == []
    assert visitor.address == {"example": "grouped-query"}


def test_a_changed_example_is_picked_anew_by_picking_it_again() -> None:
    visitor = Visitor(PIZZA, opened=["examples"]).enter("softcap", "1")
    assert visitor.open_example("pizza").scenario == load_example("pizza")


def test_what_is_told_of_an_example_is_told_of_no_other_tokens() -> None:
    visitor = Visitor(PIZZA)
    sentence, erratum = EXAMPLES["pizza"].sentence, plain(EXAMPLES["pizza"].errata[0].truth)
    assert sentence in visitor.words
    assert "Erratum" in visitor.words
    visitor.enter("tokens", "WE LIKE IT")
    assert visitor.title == "Your own setting"
    assert sentence not in visitor.words
    assert erratum not in visitor.words


def test_reset_leads_back_to_the_example_and_undo_back_again() -> None:
    visitor = Visitor(PIZZA).enter("tokens", "A B").enter("scale", "none")
    changed = visitor.scenario
    assert visitor.press("Reset").scenario == load_example("pizza")
    assert visitor.press("Undo").scenario == changed


# ---- every size ----------------------------------------------------------------------------------


def test_every_width_and_every_head_count_is_shown() -> None:
    """tests/ui/edits/test_entries.py takes every pair."""
    visitor = Visitor(f"{PIZZA}&x=random")
    for d_model in range(1, 17):
        enter_in_sidebar(visitor.session, "d-model", str(d_model))
        visitor.enter("any-heads", 17 - d_model)
        assert (visitor.scenario.d_model, visitor.scenario.n_heads) == (d_model, 17 - d_model)
        assert visitor.errors == []
        assert shows_the_scenario(visitor)


# ---- sessions ------------------------------------------------------------------------------------


def test_two_visitors_do_not_share() -> None:
    first, second = Visitor(PIZZA), Visitor(PIZZA)
    first.enter("tokens", "SECRET WORDS").enter("decimals", 5).enter("scale", "abc")
    second.run()
    assert second.scenario == load_example("pizza")
    assert "SECRET" not in second.words
    assert second.errors == []
    assert second.view.decimals == 2


@pytest.mark.parametrize(
    ("section", "key"),
    [
        ("input", "tokens"),
        ("heads", "heads"),
        ("weights", "weights"),
        ("mask", "rules"),
        ("scores", "scale"),
        ("view", "decimals"),
    ],
)
def test_a_teachers_link_puts_a_section_away(section: str, key: str) -> None:
    assert Visitor(PIZZA).has(key)
    hidden = Visitor(f"{PIZZA}&hide={section}")
    assert not hidden.has(key)
    assert shows_the_scenario(hidden)
    assert hidden.address["hide"] == section


def test_a_teachers_link_puts_the_examples_away() -> None:
    assert Visitor(PIZZA, opened=["examples"]).examples_offered
    assert not Visitor(f"{PIZZA}&hide=example", opened=["examples"]).examples_offered


def test_whoever_hides_all_still_has_the_pictures() -> None:
    visitor = Visitor(f"{PIZZA}&hide=example,input,heads,weights,mask,scores,view,editors")
    assert shows_the_scenario(visitor)
    assert visitor.at.sidebar.children == {}  # no empty sidebar beside them
