"""A scenario to JSON and back to the last bit; everything else is refused in words."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mha_core.changing.layers import as_stack
from mha_core.checks.errors import (
    FormatError,
    LimitError,
    MhaError,
    NumberError,
    OptionError,
    ShapeError,
)
from mha_core.checks.limits import LIMITS
from mha_core.examples import EXAMPLES, load_example
from mha_core.io.scenario import json_text as scenario_json
from mha_core.io.scenario.plain_json import laid_out
from mha_core.io.scenario.settings import settings_of
from mha_core.io.scenario.stack_files import stack_from_json, stack_to_json
from mha_core.scenario.given_arrays import GIVEN
from mha_core.scenario.masks import Mask, Rule
from mha_core.scenario.origin import Origin
from mha_core.scenario.scenario import Scenario
from mha_core.scenario.score_options import ScoreOptions
from tests.core.any_scenario import any_scenario, assert_same_to_the_last_bit, changed_example
from tests.core.strategies import scenario_of_distinct_sizes

I_2 = [[1.0, 0.0], [0.0, 1.0]]
LEAST: dict[str, Any] = {
    **{"format": "attention-scenario", "version": 1, "n_heads": 1},
    **dict.fromkeys(["x", "w_q", "w_k", "w_v", "w_o"], I_2),
}


def scenario_to_json(s: Scenario) -> str:
    return stack_to_json(as_stack(s))


def scenario_from_json(text: str | bytes) -> Scenario:
    return stack_from_json(text).first


def read(**fields: Any) -> Scenario:
    """The smallest scenario with some fields set."""
    return scenario_from_json(json.dumps(LEAST | fields))


# There and back.


@given(scenario=any_scenario())
def test_any_scenario_comes_back_to_the_last_bit(scenario: Scenario) -> None:
    assert_same_to_the_last_bit(scenario_from_json(scenario_to_json(scenario)), scenario)


@given(scenario=changed_example())
def test_a_changed_example_comes_back_to_the_last_bit(scenario: Scenario) -> None:
    assert_same_to_the_last_bit(scenario_from_json(scenario_to_json(scenario)), scenario)


@pytest.mark.parametrize("name", [name for name in EXAMPLES if load_example(name).d_model < 1024])
def test_examples_come_back(name: str) -> None:
    s = load_example(name)
    assert_same_to_the_last_bit(scenario_from_json(scenario_to_json(s)), s)


def test_a_file_reads_like_the_scenario() -> None:
    one = np.array([[2.0]])
    s = Scenario(
        x=np.array([[0.1], [-0.0]]),
        **{"w_q": one, "w_k": one, "w_v": one, "w_o": one, "b_o": np.array([1e-300])},
        n_heads=1,
        tokens=("日本", 'say "no"'),
        mask=Mask(
            (Rule("causal"), Rule("padding", {"hidden": [1]})),
            custom=np.array([[True, False], [True, True]]),
            additive=np.array([[0.5, -np.inf], [0, 0]], np.float32),
        ),
        scores=ScoreOptions(softcap=30.0),
        heads_off=frozenset({0}),
        origin=Origin(example="mine", x="random", x_seed=7),
    )
    assert scenario_to_json(s) == (
        """{
  "format": "attention-scenario",
  "version": 1,
  "dtype": "float64",
  "tokens": ["日本", "say \\"no\\""],
  "n_heads": 1,
  "n_kv_heads": 1,
  "d_k": 1,
  "d_v": 1,
  "x": [
    [0.1],
    [-0.0]
  ],
  "w_q": [
    [2.0]
  ],
  "w_k": [
    [2.0]
  ],
  "w_v": [
    [2.0]
  ],
  "w_o": [
    [2.0]
  ],
  "b_o": [1e-300],
  "mask": {
    "rules": [
      {"name": "causal", "options": {}},
      {"name": "padding", "options": {"hidden": [1]}}
    ],
    "custom": [
      [true, false],
      [true, true]
    ],
    "additive_dtype": "float32",
    "additive": [
      [0.5, "-inf"],
      [0.0, 0.0]
    ]
  },
  "scores": {
    "scale": "1/sqrt(d_k)",
    "softcap": 30.0,
    "positions": "none",
    "query_start": 0
  },
  "heads_off": [0],
  "origin": {
    "example": "mine",
    "x": "random",
    "x_seed": 7,
    "weights": "",
    "weights_seed": 0
  }
}"""
    )


def test_a_file_by_hand_needs_little() -> None:
    identity = np.eye(2)
    least = Scenario(x=identity, w_q=identity, w_k=identity, w_v=identity, w_o=identity, n_heads=1)
    assert read() == least
    assert read(x=[[1, 0], [0, 1]], b_q=None, context=None, mask={}, scores={}) == least
    assert read(mask={"custom": None, "additive": None, "rules": []}, origin={}) == least
    assert read(scores={"softcap": None, "scale": 2}).scores.scale == 2.0
    assert read(scores={"temperature": 0.5}).scores.temperature == 0.5
    assert read(mask={"rules": [{"name": "causal"}]}).mask.rules == (Rule("causal"),)


def test_a_temperature_is_written_where_it_is_not_1() -> None:
    warm = scenario_of_distinct_sizes(scores=ScoreOptions(temperature=2))
    assert '"temperature": 2' in scenario_to_json(warm)
    assert_same_to_the_last_bit(scenario_from_json(scenario_to_json(warm)), warm)
    assert "temperature" not in scenario_to_json(read())


def test_a_softmax_is_written_where_it_is_not_stable() -> None:
    naive = scenario_of_distinct_sizes(scores=ScoreOptions(softmax="naive"))
    assert '"softmax": "naive"' in scenario_to_json(naive)
    assert_same_to_the_last_bit(scenario_from_json(scenario_to_json(naive)), naive)
    assert "softmax" not in scenario_to_json(read())
    assert read(scores={}).scores.softmax == "stable"


def test_places_are_written_row_by_row() -> None:
    chosen = ScoreOptions(
        positions="rope", rope_places=((0.0, 0.0), (0.0, 1.0), (2.5, -1.0)), rope_axes=(1,)
    )
    s = replace(read(x=[[1, 0], [0, 1], [1, 1]]), scores=chosen)
    text = scenario_to_json(s)
    assert_same_to_the_last_bit(scenario_from_json(text), s)
    said = json.loads(text)["scores"]
    assert said["rope_places"] == [[0, 0], [0, 1], [2.5, -1]]
    assert said["rope_axes"] == [1]
    assert "rope_" not in scenario_to_json(read())


def test_places_of_distances_are_whole_numbers() -> None:
    s = replace(read(), scores=ScoreOptions(r_places=((0, 0), (-1, 2))))
    text = scenario_to_json(s)
    assert_same_to_the_last_bit(scenario_from_json(text), s)
    assert json.loads(text)["scores"]["r_places"] == [[0, 0], [-1, 2]]
    assert "r_places" not in scenario_to_json(read())


@pytest.mark.parametrize(
    ("said", "needs"),
    [
        ({"r_places": [[0], [0.5]]}, "'scores.r_places' must be a whole number"),
        ({"rope_places": [0, 1]}, "'scores.rope_places' must be a list"),
        ({"rope_places": [[0], ["a"]]}, "'scores.rope_places' must be a finite number"),
        ({"rope_axes": [0.5]}, "'scores.rope_axes' must be a whole number"),
        ({"rope_places": [[0], [1, 2]]}, "The places must have 1 number in every row"),
    ],
)
def test_places_that_are_none_are_refused(said: dict[str, Any], needs: str) -> None:
    with pytest.raises(MhaError) as caught:
        read(scores=said)
    assert needs in str(caught.value)


def test_a_file_keeps_its_first_position_and_one_that_says_none_means_0() -> None:
    """So it was before queries could follow a cache; without one, a file is the same as then."""
    two = {"context": [[1, 0], [0, 1], [1, 1]], "w_k": I_2}
    for said in ({"query_start": 0}, {}):
        assert read(**two, scores={"positions": "rope", **said}).query_start == 0
    following = read(**two, scores={"positions": "rope", "query_start": None})
    assert following.query_start == 1
    assert '"query_start": null' in scenario_to_json(following)
    assert_same_to_the_last_bit(scenario_from_json(scenario_to_json(following)), following)
    assert '"query_start": 0' in scenario_to_json(read())


def test_numbers_of_numpys_are_written_as_numbers() -> None:
    scale, start = np.float32(0.5), np.int64(3)
    scores = ScoreOptions(scale, query_start=start)  # type: ignore[arg-type] # NumPy's are taken too
    s = scenario_of_distinct_sizes(scores=scores, heads_off={np.int64(1)})
    assert_same_to_the_last_bit(scenario_from_json(scenario_to_json(s)), s)


def test_float32_numbers_that_are_no_float32_are_rounded_to_one() -> None:
    s = read(dtype="float32", x=[[0.1, 0], [0, 1]])
    assert s.dtype == np.float32
    assert s.x[0, 0] == np.float32(0.1)


# What is refused.

WRONG_FIELDS: list[tuple[dict[str, Any], str]] = [
    ({"foo": 1}, r"The field 'foo' must be one that version 1 knows \(format, version, dtype, x"),
    ({"foo": 1}, "got another in a file of version 1"),
    ({"version": 2}, "The field 'version' must be 1, got 2. Open the file with the version"),
    ({"version": True}, "The field 'version' must be 1, got true"),
    ({"version": 1.0}, "The field 'version' must be 1, got 1.0"),
    ({"version": None}, "The field 'version' must be 1, got nothing"),
    ({"format": "trace"}, 'The file must say "format": "attention-scenario", got \'trace\''),
    ({"dtype": "float16"}, "The field 'dtype' must be one of float64, float32, got 'float16'"),
    ({"dtype": []}, "The field 'dtype' must be one of float64, float32, got a list"),
    ({"n_heads": "2"}, "The field 'n_heads' must be a whole number of at most 2^53"),
    ({"n_heads": True}, "The field 'n_heads' must be a whole number .* got true"),
    ({"n_heads": 1.0}, "The field 'n_heads' must be a whole number .* got 1.0"),
    ({"n_heads": 10**99}, r"The field 'n_heads' must be a whole number .* got 10{59}\.\.\."),
    ({"tokens": "I LOVE"}, "The field 'tokens' must be a list, got 'I LOVE'"),
    ({"tokens": ["I", 2]}, "The field 'tokens' must be a text, got 2"),
    ({"tokens": {}}, "The field 'tokens' must be a list, got an object"),
    ({"x": [1, 2]}, "The field 'x' must be a list, got 1"),
    ({"x": None}, "The field 'x' must be a list, got nothing"),
    ({"x": [[1, 2], [3]]}, "The field 'x' must have rows of equal length, got rows of 1 and of 2"),
    ({"x": [[1, "2"], [3, 4]]}, "The field 'x' must be a finite number, got '2'"),
    ({"x": [[1, True], [3, 4]]}, "The field 'x' must be a finite number, got true"),
    ({"x": [[1, None], [3, 4]]}, "The field 'x' must be a finite number, got nothing"),
    ({"x": [[1, 10**400], [3, 4]]}, "The field 'x' must be a finite number, got 100000"),
    ({"x": [["-inf", 1], [3, 4]]}, "The field 'x' must be a finite number, got '-inf'"),
    ({"b_q": [[1, 2]]}, "The field 'b_q' must be a finite number, got a list"),
    ({"mask": []}, "The field 'mask' must be an object with named fields, got a list"),
    ({"mask": {"rule": []}}, "The field 'mask.rule' must be one that version 1 knows .rules, cus"),
    ({"mask": {"rules": {}}}, "The field 'mask.rules' must be a list, got an object"),
    ({"mask": {"rules": [{}]}}, "The field 'mask.rules.name' must be given, got nothing"),
    (
        {"mask": {"rules": [{"name": "causal", "options": []}]}},
        "'mask.rules.options' must be an object with named fields, got a list",
    ),
    (
        {"mask": {"rules": [{"name": "strided", "options": {"stride": 1.5}}]}},
        "'mask.rules.options.stride' must be a whole number of at most 2.53 in size, got 1.5",
    ),
    (
        {"mask": {"rules": [{"name": "padding", "options": {"hidden": [[0]]}}]}},
        "'mask.rules.options.hidden' must be a whole number .* got a list",
    ),
    ({"mask": {"custom": [[1, 0], [0, 1]]}}, "'mask.custom' must be true or false, got 1"),
    ({"mask": {"additive": [["inf", 0], [0, 1]]}}, "'mask.additive' must be a finite number"),
    ({"mask": {"additive_dtype": "int8"}}, "'mask.additive_dtype' must be one of float64, flo"),
    ({"mask": {"additive_dtype": {}}}, "'mask.additive_dtype' must be one of float64, float32"),
    ({"scores": {"scale": None}}, "The field 'scores.scale' must be a finite number, got nothing"),
    ({"scores": {"positions": 3}}, "The field 'scores.positions' must be a text, got 3"),
    ({"scores": {"query_start": 0.5}}, "The field 'scores.query_start' must be a whole number"),
    ({"heads_off": [True]}, "The field 'heads_off' must be a whole number"),
    ({"origin": {"x_seed": "7"}}, "The field 'origin.x_seed' must be a whole number"),
    ({"origin": {"example": 7}}, "The field 'origin.example' must be a text, got 7"),
    ({"A" * 99: 1}, r"The field 'A{59}\.\.\. must be one that version 1 knows"),
]


@pytest.mark.parametrize(("fields", "message"), WRONG_FIELDS)
def test_a_wrong_field_is_named(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(FormatError, match=message.replace("2^53", r"2\^53")):
        read(**fields)


WRONG_SCENARIOS: list[tuple[type[MhaError], dict[str, Any], str]] = [
    (ShapeError, {"x": [[1, 2, 3]]}, r"W_Q must have shape"),
    (ShapeError, {"x": []}, "X must have 2 axes"),
    (NumberError, {"x": [[1e101, 0], [0, 1]]}, "X must hold finite numbers of at most 1e.100"),
    (NumberError, {"dtype": "float32", "x": [[1e39, 0], [0, 1]]}, "got inf in row 1, column 1"),
    (OptionError, {"mask": {"rules": [{"name": "none"}]}}, "A mask must be one of causal, paddi"),
    (OptionError, {"scores": {"positions": "up"}}, "positions must be one of none, sinusoidal"),
    (OptionError, {"scores": {"scale": "big"}}, "The scale must be"),
    (NumberError, {"heads_off": [5]}, "heads_off must name heads from 0 to 0"),
    (LimitError, {"mask": {"rules": [{"name": "causal"}] * 65}}, "mask rules must be at most 64"),
]


@pytest.mark.parametrize(("error", "fields", "message"), WRONG_SCENARIOS)
def test_what_no_scenario_can_be_is_refused_at_its_door(
    error: type[MhaError], fields: dict[str, Any], message: str
) -> None:
    with pytest.raises(error, match=message):
        read(**fields)


@pytest.mark.parametrize("name", ["x", "w_q", "w_k", "w_v", "w_o", "n_heads"])
def test_what_is_missing_is_named(name: str) -> None:
    without = {field: value for field, value in LEAST.items() if field != name}
    with pytest.raises(FormatError, match=f"The field '{name}' must be given, got nothing"):
        scenario_from_json(json.dumps(without))


WRONG_TEXTS = [
    ("", "The file must be JSON, got Expecting value in line 1, column 1"),
    ('{\n"a": 1,}', "The file must be JSON, got .* in line 2, column"),
    ("[1, 2]", 'The file must say "format": "attention-scenario", got a list'),
    ("null", "got nothing"),
    ("{}", 'The file must say "format": "attention-scenario", got nothing'),
    ('{"x": 1, "x": 2}', "The field 'x' must be given once, got it twice"),
    ('{"x": NaN}', "Every number must be finite, got NaN"),
    ('{"x": -Infinity}', "Every number must be finite, got -Infinity"),
    ("[" * 200_000, "The file must be nested a few levels deep"),
    ('{"a":' * 200_000, "The file must be nested a few levels deep"),
    ("9" * 5_000, "The file must hold numbers of a usual length"),
    (json.dumps(LEAST).replace("1.0", "1e999"), "The field 'x' must be a finite number, got Inf"),
    ("\ufeff{}", "The file must be JSON"),
]


@pytest.mark.parametrize(
    ("text", "message"), WRONG_TEXTS, ids=[text[:20] for text, _ in WRONG_TEXTS]
)
def test_a_text_that_is_no_scenario_is_refused(text: str, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        scenario_from_json(text)


def test_a_text_that_is_too_long_is_not_read() -> None:
    with pytest.raises(
        LimitError, match="The scenario as JSON must be at most 20 MB, got a little more"
    ):
        scenario_from_json(" " * (LIMITS.text_chars + 1))


def test_what_could_not_be_read_is_not_written(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(LimitError, match="mask rules must be at most 64, got 65"):
        scenario_to_json(scenario_of_distinct_sizes(mask=Mask((Rule("causal"),) * 65)))
    with pytest.raises(LimitError, match=r"The scenario as JSON .* Save it as .npz"):
        scenario_to_json(load_example("pizza-1024"))


@given(scenario=any_scenario())
def test_what_is_said_to_fit_fits_in_utf_8(scenario: Scenario) -> None:
    bound = len(laid_out(settings_of(scenario)).encode()) + sum(
        scenario_json._most_chars(array) for array in scenario_json._all_arrays(scenario)
    )
    assert len(scenario_to_json(scenario).encode("utf-8")) <= bound


@pytest.mark.parametrize(
    "numbers",
    [
        np.full((30, 30), -2.2250738585072014e-308),
        np.full((30, 30), -1.1754944e-38, np.float32),
        np.full((30, 30), 7.038530691851209e-26, np.float32),
        np.full((900, 1), -0.0),
        np.eye(30),
    ],
)
def test_the_longest_numbers_fit_as_said(numbers: np.ndarray) -> None:
    columns = numbers.shape[1]
    square = np.eye(columns, dtype=numbers.dtype)
    s = Scenario(x=numbers, w_q=square, w_k=square, w_v=square, w_o=square, n_heads=1)
    bound = sum(scenario_json._most_chars(array) for array in scenario_json._all_arrays(s))
    written = len(scenario_to_json(s)) - len(laid_out(settings_of(s)))
    assert written <= bound < 6 * written


def test_float32_is_written_with_its_shortest_digits() -> None:
    x = np.array([[0.1, -2.5e-8], [1, 7.038530691851209e-26]], np.float32)
    square = np.eye(2, dtype=np.float32)
    additive = np.array([[0.3, -np.inf], [0, 0]], np.float32)
    s = Scenario(
        x=x, w_q=square, w_k=square, w_v=square, w_o=square, n_heads=1, mask=Mask(additive=additive)
    )
    text = scenario_to_json(s)
    assert "[0.1, -2.5e-08],\n    [1.0, 7.038530691851209e-26]" in text
    assert '[0.3, "-inf"]' in text
    assert_same_to_the_last_bit(scenario_from_json(text), s)


def test_float32_as_older_files_have_it_is_read_to_the_same_bits() -> None:
    s = read(dtype="float32", x=[[0.10000000149011612, 1], [0, 1]])
    assert s.x.dtype == np.float32
    assert s.x[0, 0] == np.float32(0.1)


# Hostile and broken files: a scenario or one of our errors, nothing else.

JSON_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text(max_size=5)
    | st.sampled_from(["-inf", "causal", "padding", "float32", "name", "hidden"]),
    lambda inside: (
        st.lists(inside, max_size=3)
        | st.dictionaries(st.text(max_size=5) | st.sampled_from(["name", "options"]), inside)
    ),
    max_leaves=6,
)
FIELDS = [*LEAST, *GIVEN, "tokens", "context_tokens", "n_kv_heads", "d_k", "d_v", "dtype"]
PARTS = {
    "mask": ["rules", "custom", "additive", "additive_dtype"],
    "scores": ["scale", "softcap", "positions", "query_start", "temperature", "softmax"],
    "origin": ["example", "x", "x_seed", "weights", "weights_seed"],
}


def scenario_or_our_error(text: str) -> None:
    try:
        message = repr(scenario_from_json(text).sizes)
    except MhaError as error:
        message = str(error)
    assert 0 < len(message) < 1_000


@given(name=st.sampled_from([*FIELDS, *PARTS, "heads_off"]), value=JSON_VALUES)
def test_any_value_in_any_field_is_taken_or_refused(name: str, value: Any) -> None:
    scenario_or_our_error(json.dumps(LEAST | {name: value}))


@given(data=st.data(), value=JSON_VALUES)
def test_any_value_in_any_part_of_a_field_is_taken_or_refused(data: Any, value: Any) -> None:
    name = data.draw(st.sampled_from(sorted(PARTS)))
    part = data.draw(st.sampled_from(PARTS[name]))
    scenario_or_our_error(json.dumps(LEAST | {name: {part: value}}))


@given(value=JSON_VALUES, mask=st.sampled_from(["causal", "padding", "strided", "documents"]))
def test_any_option_of_a_rule_is_taken_or_refused(value: Any, mask: str) -> None:
    options = {"hidden": value, "stride": value, "segments": value, "align": value}
    for name in options:
        rule = {"name": mask, "options": {name: options[name]}}
        scenario_or_our_error(json.dumps(LEAST | {"mask": {"rules": [rule]}}))


@given(text=st.text(max_size=40))
def test_any_text_is_refused(text: str) -> None:
    with pytest.raises(MhaError):
        scenario_from_json(text)


WHOLE_FILE = scenario_to_json(load_example("two-tokens"))


@given(place=st.integers(0, len(WHOLE_FILE) - 1), char=st.characters())
def test_a_file_with_one_wrong_character_is_read_or_refused(place: int, char: str) -> None:
    scenario_or_our_error(WHOLE_FILE[:place] + char + WHOLE_FILE[place + 1 :])


@given(length=st.integers(0, len(WHOLE_FILE) - 1))
def test_a_file_cut_short_is_refused(length: int) -> None:
    with pytest.raises(FormatError):
        scenario_from_json(WHOLE_FILE[:length])


def test_a_file_is_read_as_its_text() -> None:
    text = scenario_to_json(load_example("two-tokens"))
    assert scenario_from_json(text.encode()) == load_example("two-tokens")
    assert scenario_from_json(b"\xef\xbb\xbf" + text.encode()) == load_example("two-tokens")


def test_a_file_of_other_bytes_is_refused() -> None:
    with pytest.raises(FormatError, match="The file must be UTF-8 text, got another byte at 2"):
        scenario_from_json(b"{\xff}")
