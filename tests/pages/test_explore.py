"""The explorer without a browser: every control, every example, and whatever people enter."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from types import ModuleType, SimpleNamespace
from typing import Any
from urllib.parse import parse_qsl, quote

import numpy as np
import pytest

from mha_core import STEPS, Scenario, attend
from mha_core.changing.changes import (
    with_changes,
    with_context,
    with_heads,
    with_heads_off,
    with_mask,
    with_matrix,
    with_scores,
    with_tokens,
    with_weights,
    with_width,
    with_x,
)
from mha_core.changing.recipes import Recipe
from mha_core.checks.shapes import FloatArray
from mha_core.examples import EXAMPLES, load_example
from mha_core.io.scenario.link import decode_link, encode_link
from mha_core.layer.cells import Cell
from mha_core.making.presets import PRESETS
from mha_core.reading.sentences import setting_notes
from mha_core.scenario.mask_functions import MASKS
from mha_core.scenario.masks import Mask, Rule
from tests.form_fields import fields_on
from tests.pages.visitor import Visitor, unmarked
from tests.unpacking import unpacked
from ui.blocks import heads_picture, together, top, what_to_look_for
from ui.controls.markdown import plain
from ui.controls.sidebar.mask import TITLES
from ui.edits import page_limits
from ui.figures import pictures as pictures_module
from ui.figures.board import short_label
from ui.state import View, address, binding, in_words

Change = Callable[[Scenario], Scenario]

PIZZA = "example=pizza"
HOSTILE = (
    "<script>alert(1)</script>",
    "**x**",
    "$x$",
    ":red[x]",
    ":material/home:",
    "[a](https://example.org)",
    "`x`",
    "</ul>",
    "&amp;",
    "🍕",
    "x" * 200,
)


def shows_the_scenario(visitor: Visitor) -> bool:
    """The pictures hold the numbers of the scenario, worked out again."""
    trace = attend(visitor.scenario)
    seen = visitor.matrices
    hidden = np.where(trace.mask, 1.0, np.nan)
    expected = {"output": trace.output, "concat": trace.concat}
    for head in range(min(visitor.scenario.n_heads, 16)):
        expected[f"weights/{head}"] = trace.weights[head] * hidden
        expected[f"contributions/{head}"] = trace.contributions[head]
    return all(pictures(seen[name], array) for name, array in expected.items())


def pictures(seen: FloatArray, array: FloatArray) -> bool:
    """The very numbers; of an array too large for a picture, the means of blocks."""
    if seen.shape == array.shape:
        return np.array_equal(seen, array.astype(seen.dtype), equal_nan=True)
    (rows, height), (columns, width) = (
        (n, -(-whole // n)) for n, whole in zip(seen.shape, array.shape, strict=True)
    )
    missing = [(0, rows * height - len(array)), (0, columns * width - array.shape[1])]
    blocks = np.pad(array.astype(float), missing, constant_values=np.nan)
    means = np.nanmean(blocks.reshape(rows, height, columns, width), axis=(1, 3))
    return np.allclose(seen, means, rtol=1e-5, atol=1e-6)


# ---- every control ------------------------------------------------------------------------------

CONTROLS: dict[str, tuple[str, Any, Change]] = {
    "tokens": ("tokens", "WE LIKE  PIZZA", lambda s: with_tokens(s, ["WE", "LIKE", "PIZZA"])),
    "more tokens": (
        "n-tokens",
        5,
        lambda s: with_tokens(s, [*s.tokens, "t5"]),
    ),
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
    "head off": ("heads-on", [0], lambda s: with_heads_off(s, [1])),
}


@pytest.mark.parametrize("name", CONTROLS)
def test_a_control_changes_the_scenario_and_the_page_shows_it(name: str) -> None:
    key, entered, change = CONTROLS[name]
    visitor = Visitor(PIZZA).enter(key, entered)
    assert visitor.scenario == change(load_example("pizza"))
    assert visitor.errors == []
    assert shows_the_scenario(visitor)
    assert visitor.title in ("Pizza, a language model, changed", "Your own setting")
    assert decode_link(visitor.address) == visitor.scenario
    visitor.press("Undo")
    assert visitor.scenario == load_example("pizza")
    assert shows_the_scenario(visitor)
    assert visitor.press("Redo").scenario == change(load_example("pizza"))


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


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_comes_with_its_sentence_and_its_seed_if_it_has_one(preset: str) -> None:
    visitor = Visitor(PIZZA).enter("weights", preset)
    assert visitor.scenario.origin.weights == preset
    assert shows_the_scenario(visitor)
    assert PRESETS[preset].sentence in visitor.words
    assert visitor.has("weights-seed") is PRESETS[preset].seeded


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


def test_heads_share_the_width_again_as_soon_as_they_can() -> None:
    visitor = Visitor(PIZZA).enter("d-model", 9)
    assert visitor.scenario.d_k == 4
    assert "2 does not divide 9" in visitor.words
    visitor.enter("d-model", 10)
    assert (visitor.scenario.d_k, visitor.scenario.d_v) == (5, 5)


def test_the_page_says_which_head_counts_do_not_divide() -> None:
    assert "3, 5, 6, 7 do not divide 8." in Visitor(PIZZA).words


def test_shared_projections_part_again_only_where_a_preset_tells_them_apart() -> None:
    visitor = Visitor(PIZZA).enter("weights", "random").enter("share", True).enter("share", False)
    assert visitor.scenario == with_weights(load_example("pizza"), "random")
    visitor = Visitor("example=two-tokens").enter("share", False)  # its W_Q is W_K
    assert visitor.complains("W_K must come from a preset in which it differs from W_Q, got given")


# ---- the mask -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", MASKS)
def test_every_mask_starts_as_one_that_hides_and_shows_something(name: str) -> None:
    visitor = Visitor("example=eight-tokens").mask_by(name)
    mask = attend(visitor.scenario).mask
    assert not mask.all()
    assert mask.any(axis=1).all()
    assert shows_the_scenario(visitor)
    assert f" hides {mask.size - mask.sum()} of {mask.size} cells." in visitor.words
    assert setting_notes(attend(visitor.scenario))[0] in visitor.words
    assert TITLES[name].lower() in visitor.words


OPTIONS: dict[str, tuple[str, Any, dict[str, Any]]] = {
    "padding hidden": ("padding hidden", [2, 0], {"hidden": (0, 2)}),
    "window left": ("sliding_window left", 2, {"left": 2, "right": 1}),
    "window right": ("sliding_window right", 0, {"left": 1, "right": 0}),
    "prefix": ("prefix_lm prefix", 3, {"prefix": 3}),
    "documents": ("documents segments", "1, 1 7 7", {"segments": (1, 1, 7, 7)}),
    "global tokens": (
        "global_local global_tokens",
        [3],
        {"global_tokens": (3,), "left": 1, "right": 1},
    ),
    "global left": (
        "global_local left",
        0,
        {"global_tokens": (0,), "left": 0, "right": 1},
    ),
    "stride": ("strided stride", 3, {"stride": 3}),
}


@pytest.mark.parametrize("name", OPTIONS)
def test_every_option_of_a_mask_can_be_set(name: str) -> None:
    key, entered, options = OPTIONS[name]
    rule = key.split()[0]
    visitor = Visitor(PIZZA).mask_by(rule).enter(key, entered)
    assert visitor.scenario.mask.rules == (Rule(rule, options),)
    assert shows_the_scenario(visitor)


ALIGNED = [name for name in MASKS if name not in ("padding", "documents")]


@pytest.mark.parametrize("name", ALIGNED)
def test_queries_may_stand_at_either_end_of_other_keys(name: str) -> None:
    visitor = Visitor("example=translation").mask_by(name)
    key = f"{name} align"
    assert visitor.shows(key) == "end"
    visitor.enter(key, "start")
    assert visitor.scenario.mask.rules[0].options["align"] == "start"
    assert shows_the_scenario(visitor)
    assert not Visitor(PIZZA).mask_by(name).has(key)  # where there is but one place


def test_documents_are_given_for_other_queries_too() -> None:
    visitor = Visitor("example=translation").mask_by("documents")
    visitor.enter("documents query_segments", "2 2 1")
    assert visitor.scenario.mask.rules[0].options["query_segments"] == (2, 2, 1)
    visitor.enter("documents query_segments", "")
    assert visitor.complains(
        "documents' query_segments must have one number for each query, 3 in all"
    )


def test_masks_combine_and_leave_again() -> None:
    visitor = Visitor(PIZZA).mask_by("causal", "strided")
    assert [rule.name for rule in visitor.scenario.mask.rules] == ["causal", "strided"]
    visitor.enter("strided stride", 3).mask_by("strided", "padding")
    assert visitor.scenario.mask.rules == (
        Rule("strided", {"stride": 3}),
        Rule("padding", {"hidden": (3,)}),
    )
    assert visitor.mask_by().scenario.mask == Mask()
    assert "Hides nothing." in visitor.words


def test_a_rule_that_a_link_gives_twice_has_both_its_options_on_the_page() -> None:
    rules = (Rule("sliding_window", {"left": 2}), Rule("sliding_window", {"left": 1}))
    visitor = Visitor(encode_link(with_mask(load_example("pizza"), Mask(rules))))
    assert visitor.shows("rules") == ["sliding_window"]
    visitor.enter("sliding_window 2 left", 0)
    assert [rule.options["left"] for rule in visitor.scenario.mask.rules] == [2, 0]
    visitor.mask_by("sliding_window", "causal")
    assert len(visitor.scenario.mask.rules) == 3


def test_all_keys_hidden_is_a_blind_query_and_the_page_says_so() -> None:
    visitor = Visitor(PIZZA).mask_by("padding").enter("padding hidden", [0, 1, 2, 3])
    assert not attend(visitor.scenario).mask.any()
    assert shows_the_scenario(visitor)
    assert "may attend to nothing" in visitor.words


def test_same_words_are_ticked_by_their_place() -> None:
    visitor = Visitor(PIZZA).enter("tokens", "SO SO GOOD").mask_by("padding")
    choices = fields_on(visitor.at)["padding hidden"]["choices"]
    assert choices == [[0, "1 SO"], [1, "2 SO"], [2, "3 GOOD"]]
    assert visitor.enter("padding hidden", [0]).scenario.mask.rules[0].options["hidden"] == (0,)


def test_tokens_of_a_long_text_are_kept_in_their_order() -> None:
    visitor = Visitor(PIZZA).enter("n-tokens", 25).mask_by("padding")
    assert visitor.enter("padding hidden", [24, 3]).scenario.mask.rules[0].options["hidden"] == (
        3,
        24,
    )


# ---- the view -----------------------------------------------------------------------------------


def test_saved_pictures_are_named_after_their_example() -> None:
    visitor = Visitor("example=pizza&head=2")
    names = {unpacked(data)["name"] for data in visitor.sent}
    assert {"pizza heads", "pizza Head 2", "pizza together"} <= names


def test_decimals_and_values_are_written_in_the_cells() -> None:
    visitor = Visitor(PIZZA).enter("decimals", 4)
    assert visitor.plots["heads"]["figure"]["layout"]["meta"]["decimals"] == 4
    visitor.enter("values", False)
    assert visitor.plots["heads"]["figure"]["layout"]["meta"]["decimals"] is None


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
    assert heads["data"][-1]["colorscale"][-1][1] == "#262626"
    assert len({trace["zmax"] for trace in heads["data"][:2]}) == 2


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
    visitor = Visitor(many)
    assert "weights/15" in visitor.matrices
    assert "weights/16" not in visitor.matrices
    visitor.enter("page", 2)
    assert "weights/31" in visitor.matrices
    assert visitor.address["page"] == "2"
    assert "weights/31" in Visitor(f"{many}&page=2").matrices
    assert visitor.enter("heads", 16).view.page == 1
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


# ---- examples -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_example_opens_with_its_claims_ticked(name: str) -> None:
    visitor = Visitor(f"example={name}")
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
    assert f"Of the example's own tokens: {EXAMPLES['pizza'].sentence}" in visitor.words


def test_examples_are_picked_from_a_list_that_says_what_each_shows() -> None:
    visitor = Visitor()
    says = {name: f"**{e.title}** :small[{e.sentence}]" for name, e in EXAMPLES.items()}
    assert visitor.examples_offered == says
    visitor.enter("tokens", "")
    visitor.open_example("grouped-query")
    assert visitor.scenario == load_example("grouped-query")
    assert visitor.errors == []
    assert visitor.address == {"example": "grouped-query"}


def test_a_changed_example_is_picked_anew_by_picking_it_again() -> None:
    visitor = Visitor(PIZZA).enter("softcap", "1")
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


# ---- every size ---------------------------------------------------------------------------------


@pytest.mark.parametrize("d_model", range(1, 17))
def test_a_width_takes_every_head_count(d_model: int) -> None:
    visitor = Visitor(f"{PIZZA}&x=random").enter("d-model", d_model)
    for n_heads in range(1, 17):
        visitor.enter("any-heads", n_heads)
        assert visitor.errors == []
        assert (visitor.scenario.d_model, visitor.scenario.n_heads) == (d_model, n_heads)
        assert shows_the_scenario(visitor)


# ---- wrong entries ------------------------------------------------------------------------------

WRONG: dict[str, tuple[str, Any, str]] = {
    "no tokens": ("tokens", "  ", "The text must hold at least one word"),
    "too many tokens": ("tokens", "a " * 513, "The number of tokens on this page must be at most"),
    "a long token": ("tokens", "x" * 201, "A token must be text of at most 200 characters"),
    "too many tokens by number": ("n-tokens", 513, "The number of tokens must be a whole number"),
    "no tokens by number": ("n-tokens", 0, "The number of tokens must be a whole number from 1"),
    "a negative number of tokens": ("n-tokens", -1, "The number of tokens must be a whole number"),
    "half a token": ("n-tokens", 2.5, "The number of tokens must be a whole number, got 2.5"),
    "d_model of 0": ("d-model", 0, "d_model must be a whole number from 1 to 1024, got 0"),
    "a huge d_model": ("d-model", 1e20, "d_model must be a whole number from 1 to 1024"),
    "too many heads": ("any-heads", 33, "The number of heads must be a whole number from 1 to 32"),
    "key/value heads that do not divide": ("kv-heads", 3, "n_kv_heads must divide n_heads = 4"),
    "d_k of 0": ("d-k", 0, "d_k must be a whole number from 1 to 1024"),
    "a scale in letters": ("scale", "abc", "The scale must be made of numbers, signs, sqrt"),
    "an infinite scale": ("scale", "inf", "The scale must be made of numbers, signs, sqrt"),
    "two scales": ("scale", "1 2", "The scale must have a sign such as * before 2"),
    "a huge scale": ("scale", "1e200", "The scale must hold finite numbers of at most 1e+100"),
    "a soft cap below 0": ("softcap", "-1", "The soft cap must"),
    "a soft cap in letters": (
        "softcap",
        "<b>",
        "The soft cap must be a number or an expression, got",
    ),
    "a temperature of 0": ("temperature", "0", "The temperature must be a number from 0.001"),
    "a long second sequence": ("context", "a " * 513, "The number of tokens on this page"),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_entry_is_refused_in_words_and_kept(name: str) -> None:
    key, entered, message = WRONG[name]
    visitor = Visitor(PIZZA).enter("heads", 4).enter(key, entered)
    good = with_heads(load_example("pizza"), 4)
    assert visitor.complains(message), visitor.errors
    assert visitor.shows(key) == entered
    assert visitor.scenario == good
    assert shows_the_scenario(visitor)
    visitor.enter("scale" if key != "scale" else "softcap", "2")  # something else goes on
    assert visitor.shows(key) == entered
    assert len(visitor.errors) == 1


NUMBER_FIELDS = (
    *("n-tokens", "d-model", "x-seed", "any-heads", "kv-heads", "d-k", "d-v", "weights-seed"),
    *("query-start", "sliding_window left", "sliding_window right", "strided stride"),
)


@pytest.mark.parametrize("key", NUMBER_FIELDS)
def test_every_refusal_of_a_number_field_calls_it_by_one_name(key: str) -> None:
    visitor = Visitor("tokens=A+B+C+D&d_model=8&x=random&weights=random&positions=rope")
    visitor.enter("rules", ["sliding_window"]).enter("rule strided", True)
    names = set()
    for wrong in (0.5, -1):
        (error,) = visitor.enter(key, wrong).errors
        names.add(error.replace("\\", "").partition(" must ")[0])
    assert len(names) == 1


WRONG_SEEDS = [-1, 2**32, 0.5]


@pytest.mark.parametrize("seed", WRONG_SEEDS)
@pytest.mark.parametrize(("key", "other"), [("x", "random"), ("weights", "random")])
def test_a_wrong_seed_is_refused(key: str, other: str, seed: float) -> None:
    visitor = Visitor(PIZZA).enter(key, other).enter(f"{key}-seed", seed)
    assert len(visitor.errors) == 1
    assert "must be a whole number" in visitor.errors[0].replace("\\", "")
    assert visitor.shows(f"{key}-seed") == seed


WRONG_OPTIONS: dict[str, tuple[str, Any, str]] = {
    "a window below 0": ("sliding_window left", -1, "sliding_window's left must be a whole number"),
    "half a window": (
        "sliding_window left",
        0.5,
        "sliding_window's left must be a whole number",
    ),
    "a stride of 0": ("strided stride", 0, "strided's stride must be a whole number from 1"),
    "too few documents": ("documents segments", "1 2", "documents' segments must have one number"),
    "documents in letters": ("documents segments", "a b c d", "The list must hold whole numbers"),
}


@pytest.mark.parametrize("name", WRONG_OPTIONS)
def test_a_wrong_option_of_a_mask_is_refused_and_kept(name: str) -> None:
    key, entered, message = WRONG_OPTIONS[name]
    visitor = Visitor(PIZZA).mask_by(key.split()[0])
    good = visitor.scenario
    visitor.enter(key, entered)
    assert visitor.complains(message), visitor.errors
    assert visitor.shows(key) == entered
    assert visitor.scenario == good


def test_rope_on_an_odd_width_is_refused_where_it_was_chosen() -> None:
    visitor = Visitor(PIZZA).enter("d-k", 3).enter("positions", "rope")
    assert visitor.complains("d_k must be even for RoPE, which turns columns in pairs, got 3")
    assert visitor.shows("positions") == "none"  # choosing RoPE again is then an event
    assert visitor.enter("scale", "2").errors != []
    assert visitor.enter("d-k", 4).errors == []


@pytest.mark.parametrize("label", ["\ud800", "a\udfff"])
def test_half_a_character_from_a_file_is_refused(label: str) -> None:
    visitor = Visitor(PIZZA)
    odd = replace(visitor.scenario, tokens=(label, "b", "c", "d"))
    visitor.session.attempt("address", "a file", lambda _: odd)
    assert visitor.run().complains("A label must consist of whole characters")


def test_a_refusal_goes_when_another_control_mends_it() -> None:
    visitor = Visitor(PIZZA).enter("n-tokens", -1).enter("tokens", "A B")
    assert visitor.errors == []
    assert visitor.shows("n-tokens") == 2


def test_an_emptied_number_is_no_entry() -> None:
    visitor = Visitor(PIZZA).enter("n-tokens", -1).enter("n-tokens", "")
    assert visitor.scenario == load_example("pizza")
    assert visitor.shows("n-tokens") == 4


def test_undo_forgets_what_was_refused() -> None:
    visitor = Visitor(PIZZA).enter("heads", 4).enter("scale", "abc").press("Undo")
    assert visitor.errors == []
    assert visitor.shows("scale") == "1/sqrt(d_k)"


@pytest.mark.parametrize("label", HOSTILE)
def test_a_hostile_label_is_shown_as_text(label: str) -> None:
    visitor = Visitor(PIZZA).enter("tokens", f"{label} b c").mask_by("padding")
    visitor.enter("padding hidden", [0, 1, 2])
    assert visitor.scenario.tokens[0] == label
    assert visitor.shows("tokens").split()[0] == label
    assert visitor.errors == []
    pictures = [node.value for node in visitor.at.get("html")]
    assert not any("<script" in html or "</ul></ul>" in html for html in pictures)
    meta = visitor.plots["heads"]["figure"]["data"][0]["meta"]
    assert meta["row_labels"][0] == label  # plain text, which the component writes as text
    assert f"Queries “{label}”, “b” and “c” may attend to nothing" in visitor.words
    assert fields_on(visitor.at)["padding hidden"]["choices"][0] == [0, short_label(label)]


# ---- sessions -----------------------------------------------------------------------------------


def test_two_visitors_do_not_share() -> None:
    first, second = Visitor(PIZZA), Visitor(PIZZA)
    first.enter("tokens", "SECRET WORDS").enter("decimals", 5).enter("scale", "abc")
    second.run()
    assert second.scenario == load_example("pizza")
    assert "SECRET" not in second.words
    assert second.errors == []
    assert second.view.decimals == 2


def test_the_page_stands_in_the_navigation() -> None:
    visitor = Visitor(PIZZA, page="pages/navigation.py")
    assert visitor.title == EXAMPLES["pizza"].title
    assert shows_the_scenario(visitor)


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
    assert Visitor(PIZZA).examples_offered
    assert not Visitor(f"{PIZZA}&hide=example").examples_offered


def test_whoever_hides_all_still_has_the_pictures() -> None:
    visitor = Visitor(f"{PIZZA}&hide=example,input,heads,weights,mask,scores,view,editors")
    assert shows_the_scenario(visitor)
    assert visitor.at.sidebar.children == {}  # no empty sidebar beside them


# ---- the address --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("example=nope", "The example must be one of"),
        ("example=pizza&heads=0", "n_heads must be a whole number"),
        ("example=pizza&mask=nope", "A mask must be one of"),
        ("example=pizza&x.zip=AAAA", "The link's parameter"),
        ("tokens=A&d_model=99999999", "d_model must be a whole number"),
        ("example=pizza&scale=abc", "The link's parameter"),
        (
            f"example=pizza&tokens={quote(' '.join('a' * 20_000))}",
            "The number of tokens must be at most",
        ),
        (
            f"tokens={quote(' '.join('a' * 9_000))}",
            "The number of scores on this page must be at most",
        ),
    ],
)
def test_a_wrong_address_opens_the_first_example_and_says_why(address: str, message: str) -> None:
    visitor = Visitor(address)
    assert visitor.complains(message), visitor.errors
    assert visitor.scenario == load_example("two-tokens")
    assert visitor.address == dict(parse_qsl(address))  # it stays, to be mended
    assert shows_the_scenario(visitor)
    assert visitor.enter("heads", 1).errors == []
    assert visitor.address == {"example": "two-tokens", "heads": "1"}


@pytest.mark.parametrize(
    "wrong",
    [
        "decimals=7",
        "decimals=0000000009999999999",
        "decimals=" + "9" * 5000,
        "decimals=-1",
        "colors=red",
        "palette=rainbow",
        "show=all",
        "rows=",
        "head=3",
        "head=0",
        "cell=weights/0",
        "cell=weights/0:0.1",
        "hide=everything",
    ],
)
def test_a_wrong_view_keeps_the_scenario_and_says_why(wrong: str) -> None:
    visitor = Visitor(f"{PIZZA}&{wrong}")
    assert visitor.complains(f"{wrong.split('=')[0]} in the address must"), visitor.errors
    assert visitor.scenario == load_example("pizza")
    assert visitor.enter("values", False).errors == []
    assert visitor.address == {"example": "pizza", "values": "off"}


@pytest.mark.parametrize(
    "cell",
    [
        *("w_o:99.1", "w_o:1.99", "output:5.1", "concat:99999.99999"),
        *("q/99:1.1", "q/x:1.1", "q/-1:1.1", "q/²:1.1", "weights/7:1.1", "mask:9.9"),
        *("contributions/99:1.1", "block/w_o:1.1", "nothing:1.1", "__class__:1.1", "/:1.1"),
    ],
)
def test_a_cell_that_is_not_there_is_refused_in_words_and_all_else_opens(cell: str) -> None:
    visitor = Visitor(f"example=pizza&head=1&cell={quote(cell)}")
    (error,) = visitor.errors
    assert unmarked(error).startswith("cell in the address must")
    assert visitor.scenario == load_example("pizza")
    assert visitor.session.view == View(head=0)


def test_a_cell_of_a_wide_layer_is_there() -> None:
    visitor = Visitor("example=eight-tokens-512&cell=w_o:99.1")
    assert visitor.errors == []
    assert visitor.session.view.cell == Cell("w_o", None, 98, 0)


def test_a_state_too_large_for_a_link_says_so_and_the_address_keeps_the_view() -> None:
    rng = np.random.default_rng(3)
    large = with_matrix(load_example("eight-tokens-512"), "w_q", rng.standard_normal((512, 512)))
    visitor = Visitor()
    visitor.session.open(large)
    visitor.run()
    assert "too much for a link" in visitor.words
    assert any(button.label.startswith("NPZ") for button in visitor.at.get("download_button"))
    assert visitor.enter("decimals", 3).address == {"decimals": "3"}


def test_every_matrix_can_be_chosen_for_saving() -> None:
    visitor = Visitor(PIZZA)
    choice = visitor.at.selectbox(key="matrix-to-save")
    assert choice.value == "weights"
    steps = [step for step in STEPS if len(step.dims.axes) > 1]
    titles = [f"{step.title}, {step.symbol}" for step in steps]
    assert choice.options == [titles[0], "W_Q", "W_K", "W_V", "W_O", *titles[1:]]
    for name in ("w_q", *(step.name for step in steps)):
        visitor.at.selectbox(key="matrix-to-save").set_value(name)
        visitor.run()
        by_head = axes_of(visitor, name) == 3
        assert len([box for box in visitor.at.selectbox if box.key == "head-to-save"]) == by_head


def axes_of(visitor: Visitor, name: str) -> int:
    trace = visitor.session.trace
    return int(getattr(trace if hasattr(trace, name) else trace.scenario, name).ndim)


def test_numbers_that_were_changed_since_a_recipe_made_them_are_said_to_be() -> None:
    said = "Some of these numbers were changed by hand."
    assert said not in Visitor("tokens=A+B&d_model=4&x=random&weights=random").words
    x = Visitor("tokens=A+B&d_model=4&x=random&weights=random&x.cells=0_0_7")
    w = Visitor("tokens=A+B&d_model=4&x=random&weights=random&w_q.cells=0_0_7")
    assert x.words.count(said) == w.words.count(said) == 1


def test_a_change_of_size_is_no_change_by_hand() -> None:
    said = "Some of these numbers were changed by hand."
    visitor = Visitor(PIZZA)
    assert visitor.scenario.origin.weights == ""  # its projections are given as numbers
    assert said not in visitor.enter("d-model", 6).words
    assert said not in visitor.enter("n-tokens", 6).words
    edited = with_matrix(load_example("pizza"), "w_q", 2 * load_example("pizza").w_q)
    assert Visitor(encode_link(edited)).words.count(said) == 1


def test_what_was_refused_is_chosen_again_and_tried_again() -> None:
    visitor = Visitor(PIZZA).enter("d-k", 3).enter("positions", "rope")
    assert visitor.complains("")
    assert visitor.shows("positions") == "none"  # so that choosing it again is an event
    visitor.enter("positions", "rope")
    assert visitor.complains("")
    assert visitor.enter("d-k", 4).errors == []
    assert visitor.enter("positions", "rope").scenario.scores.positions == "rope"


@pytest.mark.parametrize("key", ["page", "head"])
def test_a_field_that_the_browser_has_lost_changes_nothing(key: str) -> None:
    visitor = Visitor("tokens=A+B&d_model=32&heads=32&x=random&weights=random")
    before = visitor.session.now
    visitor.widget(key).set_value(None)
    visitor.run()
    assert visitor.session.now == before
    assert visitor.errors == []


def test_what_a_browser_repeats_over_a_new_connection_is_no_entry(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The connection was cut before the browser heard that there are four heads to be on."""
    connection = ["first"]
    monkeypatch.setattr(binding, "connection", lambda: connection[0])
    monkeypatch.setattr(binding, "ECHO", 0)
    visitor = Visitor(PIZZA).enter("heads", 4)
    connection[0] = "second"
    visitor.enter("heads-on", [0, 1])
    assert visitor.scenario == with_heads(load_example("pizza"), 4)
    assert visitor.shows("heads-on") == [0, 1, 2, 3]
    connection[0] = "third"
    visitor.enter("heads-on", [])
    assert visitor.scenario == with_heads(load_example("pizza"), 4)
    connection[0] = "fourth"
    assert visitor.enter("heads-on", [2]).scenario.heads_off == {0, 1, 3}  # entered meanwhile


def test_who_hides_the_editors_hides_the_drawing_of_the_mask() -> None:
    assert "mask" in Visitor(PIZZA).plots
    assert "mask" not in Visitor(f"{PIZZA}&hide=editors").plots


def test_an_example_is_shown_only_while_its_tokens_are() -> None:
    assert Visitor(PIZZA).session.example_shown is EXAMPLES["pizza"]
    assert Visitor(f"{PIZZA}&tokens=A+B").session.example_shown is None


def test_a_sum_names_the_bias_where_there_is_one() -> None:
    assert "(coloured by head) times W_O." in Visitor(PIZZA).words
    with_bias = Visitor(f"{PIZZA}&b_o.rows=1_2_3_4_5_6_7_8")
    assert "(coloured by head) times W_O, plus b_O." in with_bias.words, with_bias.errors


def test_pale_weights_say_how_to_see_them() -> None:
    pale = Visitor("tokens=" + " ".join("abcdefghij") + "&d_model=4&x=random&scale=0")
    assert "their colours are pale" in pale.words
    assert "their colours are pale" not in pale.enter("shared_scale", False).words
    assert "their colours are pale" not in Visitor(PIZZA).words


def test_recipes_of_unknown_names_are_numbers_as_given() -> None:
    """`origin` is a hint: a link or a file may name what is not there."""
    odd = replace(
        load_example("pizza"), origin=replace(load_example("pizza").origin, x="?", weights="?")
    )
    visitor = Visitor(encode_link(odd))
    assert visitor.shows("x") == ""
    assert visitor.shows("weights") == ""
    assert visitor.enter("tokens", "A B C").errors == []
    assert visitor.enter("share", True).enter("share", False).complains("W_K must come from")


# ---- the work of a rerun ------------------------------------------------------------------------


FIGURES = (
    "into_heads_figure",
    "heads_figure",
    "together_figure",
    "mask_figure",
    "additive_figure",
    "step_figure",
)


def counted(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often a page makes what is worth making once."""
    calls: Counter[str] = Counter()

    def count(module: ModuleType, name: str) -> None:
        function = getattr(module, name)

        def counting(*args: Any, **options: Any) -> Any:
            calls[name] += 1
            return function(*args, **options)

        monkeypatch.setattr(module, name, counting)

    count(page_limits, "attend")
    count(in_words, "link_parameters")
    count(address, "decode_link")
    count(heads_picture, "all_readings")
    count(what_to_look_for, "setting_notes")
    for name in ("output_change", "contributions_gap"):
        count(together, name)
    count(top, "strip")
    for name in FIGURES:
        count(pictures_module, name)
    return calls


def test_nothing_is_computed_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    visitor = Visitor(f"{PIZZA}&off=1&open=into")
    calls = counted(monkeypatch)
    visitor.enter("scale", "0.5")
    assert set(calls.values()) == {1}
    assert set(calls) >= {"attend", "link_parameters", "all_readings", "strip", "output_change"}
    assert set(calls) >= {*FIGURES}
    calls.clear()
    visitor.run()
    visitor.enter("head", 1)
    visitor.session.look_at(cell=Cell("weights", 0, 1, 1))
    visitor.run()
    assert visitor.address["cell"] == "weights/0:2.2"
    visitor.enter("scale", "abc")
    assert calls == Counter()
    visitor.enter("decimals", 4).run()
    assert calls == Counter(FIGURES)


def test_a_field_is_set_only_where_it_shows_something_else() -> None:
    """Setting a field takes away what somebody is typing there meanwhile."""
    visitor = Visitor(PIZZA).run()

    def fields_set() -> set[str]:
        controls = visitor.controls.values()
        return {c.key for c in controls if getattr(c.proto, "set_value", False)} - {
            binding.RECEIPT_KEY
        }

    assert fields_set() == set()
    visitor.enter("heads", 4)
    assert fields_set() == {"enter-heads-on", "view-order"}  # two heads had no order


def test_a_browser_has_time_to_paint_new_pictures_and_only_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pauses: list[float] = []
    monkeypatch.setattr(heads_picture, "SLEEP", 0.06)
    monkeypatch.setattr(heads_picture, "time", SimpleNamespace(sleep=pauses.append))
    visitor = Visitor(PIZZA)
    assert pauses == [0.06]
    visitor.run().enter("head", 1).enter("scale", "abc")
    assert pauses == [0.06]
    visitor.enter("scale", "0.5")
    assert pauses == [0.06] * 2
    visitor.enter("decimals", 4)
    assert pauses == [0.06] * 3
