"""What the controls do where the page decides more than the core."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from mha_core import Scenario, attend
from mha_core.changing.changes import with_heads, with_scores, with_tokens, with_x
from mha_core.changing.rules import first_rule, options_of
from mha_core.checks.errors import HeadsError, LimitError, MhaError, NumberError, OptionError
from mha_core.examples import load_example
from mha_core.making.inputs import INPUTS
from mha_core.making.presets import PRESETS
from mha_core.mask_rules.registry import MASKS, RULES
from ui.controls.sidebar.heads import head_sentence
from ui.controls.sidebar.mask import token_labels
from ui.edits import entries
from ui.edits.token_text import write_tokens

PIZZA = load_example("pizza")
ANY_WIDTH = with_x(PIZZA, "random")


def test_every_pair_of_width_and_head_count_up_to_16_works() -> None:
    for d_model, n_heads in product(range(1, 17), repeat=2):
        s = entries.with_head_count(entries.with_d_model(ANY_WIDTH, d_model), n_heads)
        assert (s.d_model, s.n_heads) == (d_model, n_heads)
        assert attend(s).output.shape == (4, d_model)
        if d_model % n_heads == 0:
            assert n_heads * s.d_k == n_heads * s.d_v == d_model
        assert str(s.d_k) in head_sentence(s)


def test_every_pair_works_in_the_other_order_too() -> None:
    for d_model, n_heads in product(range(1, 17), repeat=2):
        s = entries.with_d_model(entries.with_head_count(ANY_WIDTH, n_heads), d_model)
        assert (s.d_model, s.n_heads) == (d_model, n_heads)
        if d_model % n_heads == 0:
            assert n_heads * s.d_k == n_heads * s.d_v == d_model


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize(("d_model", "n_heads"), [(11, 1), (10, 2), (15, 3)])
def test_every_preset_works_where_heads_share_the_width(
    preset: str, d_model: int, n_heads: int
) -> None:
    s = entries.with_head_count(entries.with_d_model(ANY_WIDTH, d_model), n_heads)
    changed = entries.with_preset(s, preset, 1)
    assert (changed.n_heads, changed.origin.weights) == (n_heads, preset)
    assert np.isfinite(attend(changed).output).all()


@pytest.mark.parametrize(
    ("preset", "need"),
    [
        ("split_only", "W_Q must be square to be the identity"),
        ("split_then_project", "d_model must be cut into 2 equal slices"),
    ],
)
def test_a_preset_that_heads_of_odd_widths_do_not_allow_says_why(preset: str, need: str) -> None:
    with pytest.raises(MhaError, match=need):
        entries.with_preset(entries.with_d_model(ANY_WIDTH, 7), preset, 1)


@pytest.mark.parametrize("n_heads", [1, 2, 3])
def test_a_preset_that_needs_a_wider_x_gives_rope_an_even_d_k(n_heads: int) -> None:
    turned = with_scores(with_heads(ANY_WIDTH, n_heads, d_k=2, d_v=2), positions="rope")
    follows = entries.with_d_model(turned, 2 * n_heads)
    s = entries.with_preset(follows, "previous_token", 0)
    assert s.origin.weights == "previous_token"
    assert s.d_k % 2 == 0
    assert s.d_k * n_heads == s.d_model >= 8


@pytest.mark.parametrize("start", [PIZZA, ANY_WIDTH])
@pytest.mark.parametrize("name", INPUTS)
def test_every_input_takes_the_width_it_needs(start: Scenario, name: str) -> None:
    s = entries.with_input(entries.with_typed_tokens(start, "a b c d e f g"), name, 0)
    assert s.origin.x == name
    assert s.d_model == {"one_hot_position": 14, "trained_words": 64}.get(name, 8)


# Sentences on heads


@pytest.mark.parametrize(
    ("d_model", "n_heads", "said"),
    [
        (8, 2, "2 heads of width 4 (3, 5, 6, 7 do not divide 8)."),
        (4, 1, "1 head of width 4 (3 does not divide 4)."),
        (2, 2, "2 heads of width 1."),
        (7, 2, "2 heads of width 4, as 2 does not divide 7."),
    ],
)
def test_the_sentence_on_heads(d_model: int, n_heads: int, said: str) -> None:
    s = entries.with_d_model(entries.with_head_count(ANY_WIDTH, n_heads), d_model)
    assert head_sentence(s) == said


def test_the_sentence_on_heads_tells_two_widths_apart() -> None:
    s = entries.with_size("d_v")(PIZZA, 3)
    assert head_sentence(s).startswith("2 heads of widths d_k = 4 and d_v = 3 (")


# Tokens


def test_a_count_of_tokens_cuts_or_numbers_new_ones() -> None:
    assert entries.with_token_count(PIZZA, 2).tokens == ("I", "LOVE")
    assert entries.with_token_count(PIZZA, 6).tokens == (*PIZZA.tokens, "t5", "t6")
    taken = with_tokens(PIZZA, ("t4", "t3"))
    assert entries.with_token_count(taken, 4).tokens == ("t4", "t3", "t5", "t6")


@pytest.mark.parametrize("count", [0, -1, 513, 10**9])
def test_a_count_of_tokens_has_its_limits(count: int) -> None:
    with pytest.raises(NumberError, match="number of tokens must be a whole number from 1 to 512"):
        entries.with_token_count(PIZZA, count)


def test_a_text_has_the_same_limit() -> None:
    many = "a " * 513
    for change in (entries.with_typed_tokens, entries.with_typed_context):
        with pytest.raises(LimitError, match="tokens on this page must be at most 512, got 513"):
            change(ANY_WIDTH, many)
        assert change(ANY_WIDTH, many[:-2])


def test_what_the_field_shows_of_tokens_with_blanks_keeps_them_when_a_key_is_typed() -> None:
    s = load_example("eight-tokens-512")
    assert write_tokens(s.tokens).startswith('"token 1" "token 2" ')
    changed = entries.with_typed_tokens(s, write_tokens(s.tokens) + "x")
    assert changed.tokens == (*s.tokens[:7], "token 8x")
    assert entries.with_typed_tokens(s, write_tokens(s.tokens)) == s
    assert entries.with_typed_tokens(s, write_tokens(s.tokens) + " x").tokens == (*s.tokens, "x")


def test_the_second_sequence_is_read_in_the_same_way() -> None:
    s = entries.with_typed_context(ANY_WIDTH, '"New York" x')
    assert s.context_tokens == ("New York", "x")
    assert entries.with_typed_context(s, write_tokens(s.context_tokens)) == s
    assert entries.with_typed_context(s, "").context is None


# Masks


@pytest.mark.parametrize("name", MASKS)
def test_every_option_of_every_mask_has_a_control(name: str) -> None:
    options = options_of(first_rule(PIZZA, name))
    assert [*options] == [option.name for option in RULES[name].options]


def test_tokens_are_named_so_that_each_can_be_picked() -> None:
    assert token_labels(["I", "LOVE"]) == ["I", "LOVE"]
    assert token_labels(["SO", "SO"]) == ["1 SO", "2 SO"]
    assert token_labels(["a", " "]) == ["1 a", "2"]
    assert token_labels(["x" * 20, "x" * 30]) == ["1 xxxxxxxxxxxxx…", "2 xxxxxxxxxxxxx…"]


# Numbers as typed


@pytest.mark.parametrize(
    ("text", "scale"),
    [
        ("", "1/sqrt(d_k)"),
        (" 1 / sqrt(d_k) ", "1/sqrt(d_k)"),
        ("1/√d_k", "1/sqrt(d_k)"),
        ("none", "none"),
        ("off", "none"),
        ("1/3", 1 / 3),
        ("1/√(d_k)", "1/sqrt(d_k)"),
        ("None", "none"),
        ("-2,5", -2.5),
        ("\N{MINUS SIGN}1e-3", -0.001),
        ("1/sqrt(64)", 0.125),
        ("1/d_k", 0.25),
        ("sqrt(2)/2", 2**0.5 / 2),
        ("2^-3", 0.125),
    ],
)
def test_a_scale_as_people_write_it(text: str, scale: float | str) -> None:
    assert entries.TYPED["scale"](PIZZA, text).scores.scale == scale


@pytest.mark.parametrize(
    ("text", "cap"), [("", None), ("none", None), ("1,5", 1.5), ("3/2", 1.5), ("2*d_k", 8)]
)
def test_a_soft_cap_as_people_write_it(text: str, cap: float | None) -> None:
    assert entries.TYPED["softcap"](PIZZA, text).scores.softcap == cap


@pytest.mark.parametrize(
    ("text", "temperature"),
    [("", 1), (" ", 1), ("1", 1), ("1/2", 0.5), ("0,7", 0.7), ("sqrt(2)", 2**0.5), ("d_k", 4)],
)
def test_a_temperature_as_people_write_it(text: str, temperature: float) -> None:
    assert entries.TYPED["temperature"](PIZZA, text).scores.temperature == temperature


@pytest.mark.parametrize(
    "text", ["abc", "1 2", "inf", "nan", "1,234", "1 234,5", "0x10", "1/0", "1e101"]
)
def test_junk_is_refused_with_a_way_out(text: str) -> None:
    with pytest.raises(NumberError) as caught:
        entries.TYPED["scale"](PIZZA, text)
    assert str(caught.value).startswith("The scale must")
    assert str(caught.value).endswith(
        "Write a number such as 0.5, or an expression such as 1/3, 2^-3 or 1/sqrt(64)."
    )
    with pytest.raises(NumberError, match="The soft cap must"):
        entries.TYPED["softcap"](PIZZA, text)
    with pytest.raises(NumberError, match="The temperature must"):
        entries.TYPED["temperature"](PIZZA, text)


def test_a_list_of_whole_numbers_as_people_write_it() -> None:
    assert entries.whole_numbers("1 1, 2") == (1, 1, 2)
    assert entries.whole_numbers("") == ()


@pytest.mark.parametrize("word", ["a", "-1", "1.5", "²", "1" * 10])
def test_what_is_no_list_of_whole_numbers_is_refused(word: str) -> None:
    with pytest.raises(OptionError, match="The list must hold whole numbers"):
        entries.whole_numbers(f"1 {word}")


def test_heads_of_keys_must_still_divide_the_heads() -> None:
    with pytest.raises(HeadsError, match="n_kv_heads must divide n_heads = 2, got 3"):
        entries.with_size("n_kv_heads")(PIZZA, 3)
    assert entries.with_size("n_kv_heads")(with_heads(PIZZA, 4), 2).n_kv_heads == 2
