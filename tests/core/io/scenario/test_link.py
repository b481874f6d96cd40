"""A link is short and readable, brings every bit back, and does no harm whoever wrote it."""

from __future__ import annotations

import base64
import zlib
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qsl

import numpy as np
import pytest
from hypothesis import given

from mha_core.changing.changes import (
    with_changes,
    with_context,
    with_dtype,
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
from mha_core.changing.layers import as_stack
from mha_core.checks.errors import LimitError
from mha_core.examples import EXAMPLES, load_example
from mha_core.io.scenario.link import decode_link, encode_link
from mha_core.io.scenario.link_names import PARAMETERS
from mha_core.io.scenario.link_values import read_array, write_array
from mha_core.io.scenario.link_writing import arrays_to_write
from mha_core.io.scenario.stack_link import stack_parameters
from mha_core.mask_rules.registry import MASKS
from mha_core.scenario.masks import Mask, Rule
from mha_core.scenario.origin import Origin
from mha_core.scenario.scenario import Scenario
from tests.core.any_scenario import (
    AWKWARD_LABELS,
    any_scenario,
    assert_same_to_the_last_bit,
    changed_example,
    origins,
)
from tests.core.io.scenario.replaced_examples import replace_examples

MIB = 2**20


def packed(data: bytes) -> str:
    return base64.urlsafe_b64encode(zlib.compress(data, 9)).rstrip(b"=").decode()


# There and back.


@given(scenario=any_scenario())
def test_any_scenario_comes_back_to_the_last_bit(scenario: Scenario) -> None:
    assert_same_to_the_last_bit(decode_link(encode_link(scenario)), scenario)


@given(scenario=changed_example())
def test_a_changed_example_comes_back_to_the_last_bit(scenario: Scenario) -> None:
    assert_same_to_the_last_bit(decode_link(encode_link(scenario)), scenario)


@given(scenario=changed_example())
def test_names_and_values_say_the_same_as_the_text(scenario: Scenario) -> None:
    given = stack_parameters(as_stack(scenario))
    text = encode_link(scenario)
    assert list(given.items()) == parse_qsl(text, keep_blank_values=True, errors="surrogatepass")
    assert_same_to_the_last_bit(decode_link(given), scenario)
    assert set(given) <= {*PARAMETERS, "layers"}  # it is one of several layers of its example


@given(scenario=changed_example(), origin=origins())
def test_a_false_origin_makes_a_link_longer_but_never_wrong(
    scenario: Scenario, origin: Origin
) -> None:
    pretender = replace(scenario, origin=origin)
    assert_same_to_the_last_bit(decode_link(encode_link(pretender)), pretender)


@given(scenario=changed_example())
def test_the_order_of_parameters_plays_no_part(scenario: Scenario) -> None:
    given = stack_parameters(as_stack(scenario))
    assert decode_link(dict(reversed(given.items()))) == scenario


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_is_its_name(name: str) -> None:
    s = load_example(name)
    alone = "&layers=1" if EXAMPLES[name].build_stack else ""
    assert encode_link(s) == f"example={name}{alone}"
    assert_same_to_the_last_bit(decode_link(encode_link(s)), s)


# Links as people see them.

PIZZA = load_example("pizza")
PATCHES = load_example("pizza-patches")
TRANSLATION = load_example("translation")
GRID = ((0.0, 0.0), (0.0, 1.0), (1.0, 0.0), (1.0, 1.0))
OLDER_THAN_CACHES = "example=translation&positions=rope"  # the first position was always 0 then
ALONE = "example=translation&context=~none&positions=rope"
BY_NUMBERS = load_example("two-tokens")


def edited(s: Scenario, name: str, *cells: tuple[int, int, float]) -> Scenario:
    array = getattr(s, name).copy()
    for row, column, value in cells:
        array[row, column] = value
    return with_matrix(s, name, array)


READABLE: list[tuple[Scenario, str]] = [
    (with_heads(PIZZA, 4), "example=pizza&heads=4"),
    (with_heads(PIZZA, 4, 1), "example=pizza&heads=4&kv_heads=1"),
    (with_heads(PIZZA, 2, 2, 3, 5), "example=pizza&d_k=3&d_v=5"),
    (with_heads(PIZZA, 2, d_k=4, d_v=3), "example=pizza&d_v=3"),
    (with_width(PIZZA, 12), "example=pizza&d_model=12"),
    (with_mask(PATCHES, PIZZA.mask), "example=pizza-patches&mask=causal"),
    (with_mask(PIZZA, Mask()), "example=pizza&mask=none"),
    (
        with_mask(
            PIZZA, Mask((Rule("sliding_window", {"left": 2, "align": "start"}), *PIZZA.mask.rules))
        ),
        "example=pizza&mask=sliding_window~left.2~align.start+causal",
    ),
    (
        with_mask(PIZZA, Mask((Rule("padding", {"hidden": [0, 2]}),))),
        "example=pizza&mask=padding~hidden.0.2",
    ),
    (
        with_mask(PIZZA, Mask((Rule("padding", {"hidden": []}),))),
        "example=pizza&mask=padding~hidden",
    ),
    (
        with_mask(PIZZA, Mask(PIZZA.mask.rules, custom=~np.eye(4, 4, 2, dtype=np.bool_))),
        "example=pizza&custom.cells=0_2_0+1_3_0",
    ),
    (
        with_mask(PIZZA, Mask(PIZZA.mask.rules, additive=np.diag([-np.inf, 0.5, 0, 0]))),
        "example=pizza&additive.cells=0_0_-inf+1_1_0.5",
    ),
    (
        with_mask(PIZZA, Mask(PIZZA.mask.rules, additive=np.diag([1, 0, 0, 0]).astype(np.float32))),
        "example=pizza&additive.cells=0_0_1&additive_dtype=float32",
    ),
    (with_scores(PIZZA, scale="none"), "example=pizza&scale=none"),
    (with_scores(PIZZA, scale=0.5, softcap=30.0), "example=pizza&scale=0.5&softcap=30"),
    (with_scores(PIZZA, temperature=0.5), "example=pizza&temperature=0.5"),
    (with_scores(PIZZA, softmax="naive"), "example=pizza&softmax=naive"),
    (
        with_scores(PIZZA, positions="rope", query_start=3),
        "example=pizza&positions=rope&query_start=3",
    ),
    (
        with_scores(PIZZA, positions="rope", rope_places=GRID),
        "example=pizza&positions=rope&rope_places=2x2",
    ),
    (
        with_scores(PIZZA, rope_places=((0, 1), (2.5, -1e-7)), rope_axes=(0, 1)),
        "example=pizza&rope_places=0_1+2.5_-1e-07&rope_axes=0+1",
    ),
    (with_scores(PIZZA, rope_places=((0, 1),)), "example=pizza&rope_places=0_1"),
    (
        with_scores(PIZZA, rope_places=((0,), (1,), (7,)), rope_series="all"),
        "example=pizza&rope_places=0+1+7&rope_series=all",
    ),
    (with_scores(PIZZA, r_places=((0, 0), (0, 1), (1, -1))), "example=pizza&r_places=0_0+0_1+1_-1"),
    (with_scores(PIZZA, r_places=((0,), (2,))), "example=pizza&r_places=0+2"),
    (
        with_scores(TRANSLATION, positions="rope"),
        "example=translation&positions=rope&query_start=follow",
    ),
    (with_scores(TRANSLATION, positions="rope", query_start=0), OLDER_THAN_CACHES),
    (with_scores(TRANSLATION, query_start=0), "example=translation&query_start=0"),
    (with_scores(with_context(TRANSLATION, None), positions="rope"), ALONE),
    (with_heads_off(PIZZA, [1]), "example=pizza&off=1"),
    (with_tokens(PIZZA, ["I", "LOVE", "BIG", "PIZZA"]), "example=pizza&tokens=I+LOVE+BIG+PIZZA"),
    (with_tokens(PIZZA, ["New York", "~", "", "é"]), "example=pizza&tokens=New~_York+~~+~.+%C3%A9"),
    (with_context(TRANSLATION, None), "example=translation&context=~none"),
    (with_context(TRANSLATION, ["NO"]), "example=translation&context=NO"),
    (
        with_weights(with_x(PIZZA, "random", 7), "zeros"),
        "example=pizza&x=random&x_seed=7&weights=zeros",
    ),
    (edited(PIZZA, "x", (2, 3, 0.5), (0, 1, -0.0)), "example=pizza&x.cells=0_1_-0+2_3_0.5"),
    (with_matrix(PIZZA, "b_o", [0, 0, 1e22, 0, 0, 0, 0, 0]), "example=pizza&b_o.cells=2_1e22"),
    (with_matrix(PIZZA, "b_q", np.arange(8)), "example=pizza&b_q.rows=0_1_2_3_4_5_6_7"),
    (with_dtype(PATCHES, "float32"), "example=pizza-patches&dtype=float32"),
    (
        with_tokens(BY_NUMBERS, ["A", "B", "C"]),
        "example=two-tokens&tokens=A+B+C&x.rows=1_0_1_0+0_2_0_2+0_0_0_0",
    ),
    (
        with_context(BY_NUMBERS, ["A", "B", "C"]),
        "example=two-tokens&context=A+B+C&context.rows=1_0_1_0+0_2_0_2+0_0_0_0",
    ),
]


@pytest.mark.parametrize(("scenario", "text"), READABLE, ids=[text for _, text in READABLE])
def test_a_link_says_what_differs(scenario: Scenario, text: str) -> None:
    assert encode_link(scenario) == text
    assert_same_to_the_last_bit(decode_link(text), scenario)


def test_what_an_example_sets_can_be_taken_away(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = Mask(PIZZA.mask.rules, np.eye(4, dtype=np.bool_), np.ones((4, 4)))
    rich = with_mask(with_matrix(with_heads_off(PIZZA, [0]), "b_q", np.ones(8)), drawn)
    rich = with_scores(rich, scale="none", softcap=3.0, temperature=2.0)
    replace_examples(monkeypatch, pizza=rich)
    text = (
        "example=pizza&scale=root_d_k&softcap=none&temperature=1"
        "&off=none&b_q=none&custom=none&additive=none"
    )
    assert encode_link(PIZZA) == text
    assert decode_link(text) == PIZZA


def test_a_change_of_mind_leaves_no_trace_in_the_link() -> None:
    s = with_tokens(with_heads(with_width(PIZZA, 16), 4), ["A"])
    assert (
        encode_link(with_tokens(with_width(with_heads(s, 2), 8), PIZZA.tokens)) == "example=pizza"
    )


# New tokens of an X given as numbers. A link that says nothing of their rows means random ones, as
# when the first links were written. Now they are zeros, and a link says so.


@pytest.mark.parametrize(("field", "words"), [("tokens", "tokens"), ("context_tokens", "context")])
def test_a_link_from_when_new_rows_were_drawn_still_leads_to_them(field: str, words: str) -> None:
    changed: dict[str, Any] = {field: ["A", "B", "C"]}
    grown = with_changes(BY_NUMBERS, **changed, draw_new_rows=True)
    text = f"example=two-tokens&{words}=A+B+C"
    assert_same_to_the_last_bit(decode_link(text), grown)
    assert encode_link(grown) == text


@pytest.mark.parametrize("sequence", ["x", "context"])
@pytest.mark.parametrize("row", [[0, 0, 0, 0], [5, 0, 0, 0], None])
def test_edits_of_drawn_rows_come_back(sequence: str, row: list[float] | None) -> None:
    words = {"x": "tokens", "context": "context_tokens"}[sequence]
    changed: dict[str, Any] = {words: ["A", "B", "C", "D"]}
    grown = with_changes(BY_NUMBERS, **changed, draw_new_rows=True)
    array = getattr(grown, sequence).copy()
    if row is None:
        array[2, 1] += 0.25
    else:
        array[2] = row
    s = with_matrix(grown, sequence, array)
    given = stack_parameters(as_stack(s))
    assert f"{sequence}.cells" not in given
    assert_same_to_the_last_bit(decode_link(given), s)


@pytest.mark.parametrize("sequence", ["x", "context"])
def test_cells_are_read_over_zeros_as_they_were_before_rows_were_drawn(sequence: str) -> None:
    words = {"x": "tokens", "context": "context"}[sequence]
    s = decode_link(f"example=two-tokens&{words}=A+B+C+D&{sequence}.cells=2_0_5+0_1_7")
    expected = [[1, 7, 1, 0], [0, 2, 0, 2], [5, 0, 0, 0], [0, 0, 0, 0]]
    assert getattr(s, sequence).tolist() == expected
    assert_same_to_the_last_bit(decode_link(encode_link(s)), s)


def test_an_x_of_zeros_is_still_told_by_a_few_cells() -> None:
    text = "tokens=A+B+C&d_model=6&x.cells=2_4_9"
    s = decode_link(text)
    np.testing.assert_array_equal(s.x, 9 * np.eye(3, 6, 2) * (np.arange(3) == 2)[:, None])
    assert encode_link(s) == text


def test_only_letters_digits_and_four_signs_need_no_percent() -> None:
    rich = with_mask(
        edited(PIZZA, "w_q", (0, 1, -1e-7)),
        Mask((Rule("documents", {"segments": [-1, 2, 2, 3]}),), additive=np.full((4, 4), 1 / 3)),
    )
    assert "%" not in encode_link(with_scores(rich, scale=1e22, softcap=1e-5, temperature=1 / 3))


def test_a_link_by_hand_needs_no_example() -> None:
    s = decode_link("tokens=I+LOVE+PIZZA&d_model=4&heads=2&x=one_hot&weights=split_only")
    assert (s.n_q, s.d_k, s.origin) == (3, 2, Origin("", "one_hot", 0, "split_only", 0))
    np.testing.assert_array_equal(s.x, np.eye(3, 4))
    np.testing.assert_array_equal(s.w_q, np.eye(4))
    assert decode_link("").sizes == {**dict.fromkeys(s.sizes, 1), "n_distances": 0}


@pytest.mark.parametrize(
    "address",
    [
        "example=pizza&heads=4",
        "?example=pizza&heads=4",
        "https://explorer.example.org/?example=pizza&heads=4",
        "  http://localhost:8501/explore?example=pizza&heads=4#the-weights\n",
        "localhost:8501?example=pizza&decimals=3&heads=4&cell=weights/0:1.2&hide=editors",
        "/explore?utm_source=mail&example=pizza&fbclid=x&heads=4&embed=true",
    ],
)
def test_a_whole_address_is_read_for_what_it_says_of_the_scenario(address: str) -> None:
    assert decode_link(address) == with_heads(PIZZA, 4)


def test_names_and_values_of_an_address_are_read_in_the_same_way() -> None:
    assert decode_link({"example": "pizza", "decimals": "3", "embed": "true"}) == PIZZA


def test_what_was_written_without_an_address_keeps_its_signs() -> None:
    assert decode_link("tokens=why?+a#b").tokens == ("why?", "a#b")


@pytest.mark.parametrize("seed", [0, 6])
def test_a_seed_alone_draws_the_examples_recipe_again(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    five = with_weights(PIZZA, "random", 5)
    replace_examples(monkeypatch, pizza=five)
    other = with_weights(five, "random", seed)
    assert encode_link(other) == f"example=pizza&weights_seed={seed}"
    assert_same_to_the_last_bit(decode_link(encode_link(other)), other)


@pytest.mark.parametrize(("of_example", "wanted"), [("f4", "f8"), ("f8", "f4")])
def test_an_additive_mask_of_another_type_is_another_mask(
    of_example: str, wanted: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def with_halves(dtype: str) -> Scenario:
        return with_mask(PIZZA, Mask(additive=np.full((4, 4), 0.5, dtype)))

    replace_examples(monkeypatch, pizza=with_halves(of_example))
    s = with_halves(wanted)
    assert_same_to_the_last_bit(decode_link(encode_link(s)), s)


@pytest.mark.parametrize(
    ("query", "scale"),
    [
        ("scale=1/8", 0.125),
        ("scale=sqrt(2)/2", 2**-0.5),
        ("scale=1/sqrt(d_k)", "1/sqrt(d_k)"),
        ("scale=off", "none"),
        ("temperature=1/2", "1/sqrt(d_k)"),
    ],
)
def test_an_option_may_be_written_as_in_its_field(query: str, scale: float | str) -> None:
    scores = decode_link(f"example=pizza&{query}").scores
    assert scores.scale == scale
    assert scores.temperature == (0.5 if "temperature" in query else 1)


def test_options_of_rules_are_told_apart_by_the_masks_own_types() -> None:
    rules = (
        Rule("causal", {"align": "start"}),
        Rule("padding", {"hidden": [3]}),
        Rule("sliding_window", {"left": 3, "right": 1}),
        Rule("prefix_lm", {"prefix": 2}),
        Rule("documents", {"segments": [1, 1, 2, 2], "query_segments": [1, 2, 2, 1]}),
        Rule("global_local", {"global_tokens": [0], "left": 1, "align": "end"}),
        Rule("strided", {"stride": 2}),
        Rule("dilated", {"step": 3}),
    )
    assert {rule.name for rule in rules} == set(MASKS)
    s = with_mask(PIZZA, Mask(rules))
    assert decode_link(encode_link(s)).mask.rules == rules


@pytest.mark.parametrize("label", AWKWARD_LABELS)
def test_any_label_comes_back(label: str) -> None:
    s = with_tokens(PATCHES, [label, "x", label, label])
    assert decode_link(encode_link(s)).tokens == s.tokens


# Forms of arrays.


def test_the_shortest_form_is_taken() -> None:
    zeros = np.zeros((8, 8))
    some = zeros.copy()
    some[3, 5] = 2
    assert write_array(some, zeros) == ("cells", "3_5_2")
    assert write_array(np.arange(6.0).reshape(2, 3), None) == ("rows", "0_1_2 3_4_5")
    form, text = write_array(np.ones((8, 8)), zeros) or ("", "")
    assert form == "zip"
    assert len(text) < len("_".join("1" * 64))
    assert write_array(np.zeros((1, 2)), None) == ("rows", "0_0")
    large = np.zeros((40, 40))
    large[0, 39] = 1
    assert write_array(large, np.zeros((40, 40))) == ("cells", "0_39_1")
    assert (write_array(large + 1, large) or [""])[0] == "zip"


def test_what_is_the_same_is_not_written() -> None:
    ones = np.ones((2, 3))
    assert write_array(ones, ones) is None
    assert write_array(ones, ones.copy()) is None
    assert write_array(ones > 0, ones > 0) is None


@pytest.mark.parametrize("dtype", ["float64", "float32", ">f8", "bool"])
def test_bytes_come_back_whatever_the_machine(dtype: str) -> None:
    array = (np.arange(1_500).reshape(30, 50) % 7).astype(dtype)
    form, text = write_array(array, None) or ("", "")
    back = read_array("x.zip", form, text, np.zeros((30, 50), dtype))
    np.testing.assert_array_equal(back, array)
    assert (form, back.dtype) == ("zip", np.dtype(dtype))
    sent = zlib.decompress(base64.urlsafe_b64decode(text + "=="))
    little = np.packbits(array) if dtype == "bool" else array.astype(dtype.replace(">", "<"))
    assert sent == little.tobytes()


def test_a_shorter_limit_refuses_what_no_array_within_it_could_say() -> None:
    drawn = np.random.default_rng(5).standard_normal((64, 64))
    wide = with_matrix(with_weights(with_width(load_example("pizza"), 64), "random"), "w_q", drawn)
    assert stack_parameters(as_stack(wide))["w_q.zip"]
    with pytest.raises(LimitError, match="The link's length must be at most 6,000, got"):
        stack_parameters(as_stack(wide), 6_000)


def test_arrays_to_write_are_those_that_differ_from_the_start_of_the_link() -> None:
    start = load_example("pizza")
    minus_zero = np.where(start.w_q == 0, -0.0, start.w_q)
    edited = replace(start, w_q=minus_zero, w_k=start.w_k.copy(), b_o=np.zeros(start.d_out))
    assert arrays_to_write(edited, start) == {"w_q", "b_o"}
    assert arrays_to_write(start, start) == frozenset()
    in_float32 = with_dtype(start, "float32")
    assert arrays_to_write(in_float32, start) == set(start.given())
