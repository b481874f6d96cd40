"""Wrong and hostile links: a scenario or one of our errors, in words and in little memory.

Takes long: links are drawn by chance, and the memory that hostile ones take is traced.
"""

from __future__ import annotations

import base64
import tracemalloc
import zlib
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mha_core.changing.changes import with_mask, with_matrix
from mha_core.changing.layers import as_stack
from mha_core.checks.errors import FormatError, LimitError, MhaError
from mha_core.checks.limits import LIMITS
from mha_core.examples import load_example
from mha_core.io.scenario.files import read_scenario, write_scenario
from mha_core.io.scenario.link import decode_link, encode_link
from mha_core.io.scenario.link_names import PARAMETERS
from mha_core.io.scenario.stack_link import stack_parameters
from mha_core.making.presets import PRESETS, LayerSizes, make_projections
from mha_core.scenario.masks import Mask, Rule
from mha_core.scenario.origin import Origin
from mha_core.scenario.scenario import Scenario
from tests.core.any_scenario import assert_same_to_the_last_bit
from tests.core.io.scenario.replaced_examples import replace_examples
from tests.core.strategies import scenario_of_distinct_sizes

MIB = 2**20
PIZZA = load_example("pizza")


def packed(data: bytes, behind: bytes = b"") -> str:
    return base64.urlsafe_b64encode(zlib.compress(data, 9) + behind).rstrip(b"=").decode()


# What is refused.

WRONG: list[tuple[str, str]] = [
    ("example=pizza&foo=1", "parameter 'foo' must be one that links have, such as heads"),
    ("https://example.org/?exampel=pizza", "got an unknown name. Write example, or remove it"),
    (
        "https://example.org/",
        "The link must have parameters after a question mark, got an address alone",
    ),
    ("example=nonsense", "The example must be one of the-cat"),
    ("example=pizza&example=pizza", "parameter 'example' must be given once, got it twice"),
    ("example", "The example must be one of the-cat"),
    ("dtype=int8", "The number type must be one of float64, float32, got 'int8'"),
    ("tokens=", "parameter 'tokens' must be labels with one blank between them"),
    ("tokens=a++b", "parameter 'tokens' must be labels with one blank between them"),
    ("tokens=a~x", "and ~ only in ~~, ~_ and ~., got 'a~x'"),
    ("tokens=~none", "got '~none'"),
    ("context=~.~.", "parameter 'context' must be labels"),
    ("tokens=%FF", "The link must be in UTF-8, got other bytes"),
    ("d_model=two", "parameter 'd_model' must be a whole number of at most 16 digits, got 'two'"),
    ("d_model=99999999999999999", "'d_model' must be a whole number of at most 16 digits"),
    ("d_model=0", "d_model must be a whole number from 1 to 8192"),
    ("heads=³", "parameter 'heads' must be a whole number"),
    ("heads=3", "n_heads must divide d_model = 1"),
    ("d_model_kv=3", "d_model_kv must be d_model = 1 without a second sequence"),
    ("x=nonsense", "The input must be one of one_hot"),
    ("x_seed=3", "The input must be one of one_hot, .* got ''"),
    ("x=random&x_seed=-1", "The seed must be a whole number from 0"),
    ("weights=nonsense", "The preset must be one of split_only"),
    ("scale=big", "parameter 'scale' must be a finite number, got 'big'"),
    ("scale=1/0", "parameter 'scale' must be a finite number, got '1/0'"),
    ("scale=1/d_k", "parameter 'scale' must be a finite number, got '1/d_k'"),
    ("scale=1e999", "parameter 'scale' must be a finite number, got '1e999'"),
    ("scale=nan", "parameter 'scale' must be a finite number, got 'nan'"),
    ("softcap=0", "The soft cap must be"),
    ("temperature=0", "The temperature must be a number from 0.001 to 1000, got 0"),
    ("temperature=none", "parameter 'temperature' must be a finite number, got 'none'"),
    ("softmax=fast", "softmax must be one of stable, naive, got 'fast'. Take 'stable'"),
    ("positions=up", "positions must be one of none, sinusoidal"),
    ("query_start=-1", "query_start must be"),
    ("mask=nonsense", "A mask must be one of causal, padding"),
    ("mask=nonsense~left.1", "A mask must be one of causal, padding"),
    ("mask=", "A mask must be one of causal, padding"),
    ("mask=causal~left.1", "An option of causal must be one of align, got 'left'"),
    ("mask=sliding_window", "The mask sliding_window must say its left"),
    ("mask=sliding_window~left", "parameter 'mask' must be a whole number"),
    ("mask=sliding_window~left.1~left.2", "'mask' must say each option once"),
    ("mask=sliding_window~left.1.2", "'mask' must be a whole number of at most 16 digits, got '1"),
    ("mask=padding~hidden.9", "padding's hidden must name keys from 0 to 0"),
    ("mask=causal~align.middle", "align must be one of end, start"),
    ("off=a", "parameter 'off' must be a whole number"),
    ("off=", "parameter 'off' must be a whole number"),
    ("off=1", "heads_off must name heads from 0 to 0"),
    ("b_q=5", "parameter 'b_q' must be none, got '5'"),
    ("b_q=none&b_q.rows=1", "parameter 'b_q' must be the only one of its matrix, got b_q.rows too"),
    ("x.rows=1&x.cells=0_0_1", "parameter 'x.cells' must be the only one of its matrix, got x.ro"),
    ("context.rows=1", "parameter 'context' must label the second sequence, got its numbers only"),
    ("x.rows=1_2", "parameter 'x.rows' must have 1 rows of 1 numbers, got '1_2'"),
    ("x.rows=1+2", "parameter 'x.rows' must have 1 rows of 1 numbers"),
    ("x.rows=a", "parameter 'x.rows' must be a finite number, got 'a'"),
    ("x.rows=-inf", "parameter 'x.rows' must be a finite number, got '-inf'"),
    ("additive.rows=inf", "parameter 'additive.rows' must be a finite number, got 'inf'"),
    ("additive_dtype=int8", "'additive_dtype' must be one of float64, float32, got 'int8'"),
    ("custom.rows=2", "parameter 'custom.rows' must hold 1 for open and 0 for hidden, got '2'"),
    ("x.cells=0_0", "'x.cells' must name cells of a matrix of shape .1, 1., each once"),
    ("x.cells=0_1_5", "'x.cells' must name cells of a matrix of shape .1, 1."),
    ("x.cells=-1_0_5", "'x.cells' must name cells of a matrix of shape .1, 1."),
    ("x.cells=0_0_5+0_0_6", "'x.cells' must name cells .*, got '0_0_6'"),
    ("x.cells=0_0_", "parameter 'x.cells' must be a finite number, got ''"),
    ("x.zip=%25", "parameter 'x.zip' must be whole and unchanged, got '%'"),
    ("x.zip=A", "parameter 'x.zip' must be whole and unchanged"),
    ("x.zip=AAAA", "parameter 'x.zip' must be whole and unchanged"),
    (
        f"x.zip={packed(bytes(7))}",
        "parameter 'x.zip' must hold all numbers of its array and no more, got",
    ),
    (
        f"x.zip={packed(bytes(9))}",
        "parameter 'x.zip' must hold all numbers of its array and no more, got",
    ),
    (f"x.zip={packed(bytes(8))[:-4]}", "parameter 'x.zip' must hold all numbers of its array"),
    (f"x.zip={packed(bytes(8), b'more')}", "parameter 'x.zip' must hold all numbers of its array"),
    (f"x.zip={packed(np.array([np.nan]).tobytes())}", "X must hold finite numbers"),
    (f"x.zip={packed(np.array([1e101]).tobytes())}", "X must hold finite numbers"),
    (f"additive.zip={packed(np.array([np.nan]).tobytes())}", "must hold finite numbers"),
    ("dtype=float32&x.rows=1e39", "got inf in row 1, column 1"),
    ("origin=a", "parameter 'origin' must be 5 or, with a model, 8 or 9 labels"),
    ("origin=a+b+c+d+e", "parameter 'origin' must be a whole number"),
    ("&".join(["x=1"] * 1_001), "The link must have at most 1000 parameters, got more"),
    (f"tokens={'+'.join('a' * 16_385)}", "The number of tokens must be at most 16,384"),
    (f"mask={'+'.join(['causal'] * 65)}", "The number of mask rules must be at most 64, got 65"),
    (f"{'A' * 99}=1", "parameter 'A{60}' must be one that links have, .* Remove it"),
    ("hads=4", "got an unknown name. Write heads, or remove it"),
    ("x.cell=1", "Write x.cells, or remove it"),
]


@pytest.mark.parametrize(("text", "message"), WRONG, ids=[text[:40] for text, _ in WRONG])
def test_a_wrong_link_is_refused_in_words(text: str, message: str) -> None:
    with pytest.raises(MhaError, match=message) as refusal:
        decode_link(text)
    assert len(str(refusal.value)) < 600  # a stranger's text does not come back in full


@pytest.mark.parametrize("link", [3, None, b"heads=4"])
def test_what_is_no_link_is_refused_in_words(link: Any) -> None:
    with pytest.raises(MhaError, match="The link must be a text, or names and values, got"):
        decode_link(link)


def test_a_recipe_too_wide_for_a_link_leaves_room_for_the_numbers_it_made() -> None:
    """No link may make a square of 3000, but a matrix of 3000 x 1 fits."""
    sizes = LayerSizes(3_000, 3_000, 1, 1, 1, 1, 1)
    s = Scenario(
        x=np.ones((1, 3_000)),
        **vars(make_projections("zeros", sizes)),
        n_heads=1,
        origin=Origin("", "", 0, "zeros", 0),
    )
    text = encode_link(s)
    assert "origin=~.+~.+0+zeros+0" in text
    assert "weights=" not in text
    assert_same_to_the_last_bit(decode_link(text), s)


def test_the_model_that_made_x_is_said_in_links_and_files_and_nothing_where_there_is_none() -> None:
    pizza = load_example("pizza")
    made = replace(pizza, origin=Origin(model="a b.gguf", model_layer=3, model_text="~ the\ncat"))
    text = encode_link(made)
    assert "origin=~.+~.+0+~.+0+a~_b.gguf+3+~~~_the%0Acat" in text
    assert decode_link(text).origin == made.origin
    for name in ("saved.npz", "saved.json"):
        assert read_scenario(write_scenario(made, name), name) == made
    assert b'"model' not in write_scenario(pizza, "saved.json")
    assert read_scenario(write_scenario(pizza, "saved.json"), "saved.json") == pizza


def test_what_a_decoder_has_read_is_said_only_where_it_has_a_text_of_its_own() -> None:
    pizza = load_example("pizza")
    same = replace(pizza, origin=Origin(model="t5", model_layer=3, model_text="a"))
    other = replace(pizza, origin=replace(same.origin, model_text_of_decoder="b c"))
    assert "origin=~.+~.+0+~.+0+t5+3+a+b~_c" in encode_link(other)
    assert decode_link(encode_link(other)).origin == other.origin
    assert encode_link(same).endswith("+t5+3+a")
    for name in ("saved.npz", "saved.json"):
        assert read_scenario(write_scenario(other, name), name) == other
    assert b"decoder" in write_scenario(other, "saved.json")
    assert b"decoder" not in write_scenario(same, "saved.json")


def test_values_that_are_no_text_are_refused() -> None:
    with pytest.raises(FormatError, match="parameter 'heads' must be a text, got int"):
        decode_link({"heads": 4})  # type: ignore[dict-item] # wrong on purpose


def test_a_scenario_that_no_link_can_hold_is_refused() -> None:
    wide = load_example("pizza-1024")
    noise = np.random.default_rng(1).normal(size=wide.w_q.shape)
    with pytest.raises(LimitError, match=r"The link's length .* Take a smaller layer, or save it"):
        encode_link(with_matrix(wide, "w_q", noise))
    with pytest.raises(LimitError, match=r"The link's length .* Take a smaller layer, or save it"):
        stack_parameters(as_stack(with_matrix(wide, "w_q", noise)))
    with pytest.raises(LimitError, match="The number of mask rules must be at most 64, got 65"):
        encode_link(with_mask(PIZZA, Mask((Rule("causal"),) * 65)))


# Hostile links: a scenario or one of our errors, in little memory.


def most_memory(text: str) -> float:
    """The most that reading a link held at once, in MiB, whatever came of it."""
    tracemalloc.start()
    try:
        decode_link(text)
    except MhaError:
        pass
    finally:
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    return peak / MIB


BOMB = packed(bytes(64 * MIB))
MANY = "+".join("a" * 16_384)


@pytest.mark.parametrize(
    "text",
    [
        f"x.zip={BOMB}",
        f"custom.zip={BOMB}",
        f"additive.zip={BOMB}&additive_dtype=float32",
        f"tokens={MANY}&d_model=8192&x=random",
        f"tokens={MANY}&custom.zip={BOMB}",
        f"tokens={MANY}&context={MANY}&additive.zip={BOMB}",
        "d_model=8192&heads=256&d_k=32&d_v=32",
        "d_model=8192&heads=256&d_k=1&d_v=1&weights=random_orthogonal",
        "example=pizza-1024&d_model=8192",
        "example=pizza-1024&d_out=8192&weights=random",
        f"x.cells={'+'.join(['0_0_1'] * 90_000)}",
        f"mask={'+'.join(['causal'] * 90_000)}",
        "x.rows=" + "1" * MIB,
        "&".join(["x"] * MIB),
        "A" * (LIMITS.link_chars + 1),
    ],
    ids=lambda text: f"{text[:20]}...{text[-20:]}",
)
def test_a_hostile_link_is_refused_in_little_memory(text: str) -> None:
    with pytest.raises(MhaError):
        decode_link(text)
    assert most_memory(text) < 32


@pytest.mark.parametrize("drawn", ["custom", "additive"])
def test_a_drawn_mask_of_an_example_counts_before_it_grows(
    drawn: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    matrix = np.ones((4, 4), np.bool_ if drawn == "custom" else np.float64)
    example = with_mask(PIZZA, Mask(**{drawn: matrix}))
    replace_examples(monkeypatch, pizza=example)
    words = "+".join("a" * 3_000)
    with pytest.raises(
        LimitError, match="cells of all matrices of a link must be at most 8,388,608"
    ):
        decode_link(f"example=pizza&x=zeros&tokens={words}")


def test_the_largest_link_stays_within_its_stated_memory() -> None:
    """Old and new arrays with what compares them: a few times the 64 MiB of LIMITS.link_cells."""
    assert most_memory("example=pizza-1024&weights=random&d_model=1288&heads=8") < 4 * 64


def test_a_memory_hog_would_be_seen() -> None:
    hog = f"tokens={MANY}&d_model=128&x=zeros"
    assert most_memory(hog) > 16


def our_error_or_a_scenario(text: str | dict[str, str]) -> None:
    try:
        message = repr(decode_link(text).sizes)
    except MhaError as error:
        message = str(error)
    assert 0 < len(message) < 1_500


@given(text=st.text(max_size=60))
def test_any_text_is_taken_or_refused(text: str) -> None:
    our_error_or_a_scenario(text)


@given(name=st.sampled_from(sorted(PARAMETERS)), value=st.text(max_size=20))
def test_any_value_of_any_parameter_is_taken_or_refused(name: str, value: str) -> None:
    our_error_or_a_scenario(f"example=pizza&{name}={value}" if name != "example" else value)
    our_error_or_a_scenario({name: value})


WORDS_OF_LINKS = st.sampled_from(
    [
        *("0", "1", "2", "3", "-1", "0.5", "1e300", "-inf", "none", "~none", "float32", "~.", ""),
        *("causal", "padding~hidden.0", "documents~segments.1.1", "0_0_1", "1_1 1_1", "eJxjYAAC"),
        *(sorted(PRESETS)[:4]),
    ]
)


@given(
    given=st.dictionaries(st.sampled_from(sorted(PARAMETERS)), WORDS_OF_LINKS, max_size=4),
    example=st.sampled_from(["pizza", "translation", "two-tokens"]),
)
def test_any_mix_of_plausible_values_is_taken_or_refused(
    given: dict[str, str], example: str
) -> None:
    our_error_or_a_scenario("&".join(f"{k}={v}" for k, v in {"example": example, **given}.items()))


RICH_LINK = encode_link(
    scenario_of_distinct_sizes(
        mask=Mask((Rule("padding", {"hidden": [2]}),), additive=np.full((5, 7), 0.1))
    )
)


@given(length=st.integers(0, len(RICH_LINK)))
def test_a_link_cut_short_is_taken_or_refused(length: int) -> None:
    our_error_or_a_scenario(RICH_LINK[:length])


@given(place=st.integers(0, len(RICH_LINK) - 1), bit=st.integers(0, 6))
def test_a_link_with_a_flipped_bit_is_taken_or_refused(place: int, bit: int) -> None:
    flipped = chr(ord(RICH_LINK[place]) ^ (1 << bit))
    our_error_or_a_scenario(RICH_LINK[:place] + flipped + RICH_LINK[place + 1 :])


@pytest.mark.parametrize("label", ["a" * 200_000, "~~" * 100_000, "~_" * 100_000, "~" * 199_999])
def test_a_very_long_label_takes_little_memory(label: str) -> None:
    tracemalloc.start()
    try:
        with pytest.raises(MhaError):
            decode_link({"tokens": label})
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 64 * len(label)  # 135 for each character where a group is repeated
