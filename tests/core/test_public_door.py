"""What `mha_core` itself offers: the everyday names, whole, documented, and safe to hand around."""

from __future__ import annotations

import copy
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import mha_core
from mha_core import (
    Mask,
    MhaError,
    Rule,
    Scenario,
    attend,
    attend_rows,
    capture,
    decode_link,
    encode_link,
    encode_stack,
    load_example,
    open_model,
    parse_matrix,
    read_scenario,
    softmax,
    write_scenario,
    write_stack,
)
from mha_core.checks.number_text import parse_number
from mha_core.models import LayerNames, Stored, read_layer
from mha_core.stack.paths import paths
from mha_core.trained.numbers import FILE

FOLDER = Path(mha_core.__file__).parent


def test_every_name_is_there_and_says_what_it_is() -> None:
    assert sorted(mha_core.__all__) == sorted(set(mha_core.__all__))
    for name in mha_core.__all__:
        thing = getattr(mha_core, name)
        assert name == "STEPS" or (thing.__doc__ or "").strip(), name


def test_its_docstring_lists_its_folders() -> None:
    listed = re.findall(r"^    (\w+)/ ", mha_core.__doc__ or "", re.MULTILINE)
    assert sorted(listed) == sorted(path.parent.name for path in FOLDER.glob("*/__init__.py"))


@pytest.mark.parametrize("name", ["scenario.json", "scenario.npz"])
def test_a_scenario_goes_through_files_and_links_by_these_names(name: str) -> None:
    pizza = load_example("pizza")
    assert read_scenario(write_scenario(pizza, name), name) == pizza
    assert decode_link(encode_link(pizza)) == pizza
    assert write_stack(pizza, name) == write_scenario(pizza, name)
    assert encode_stack(pizza) == encode_link(pizza)


@pytest.mark.parametrize("value", [3, None, "pizza", {}])
@pytest.mark.parametrize("door", [attend, attend_rows])
def test_what_is_no_scenario_is_refused_in_words(door: Callable[[Any], Any], value: object) -> None:
    with pytest.raises(MhaError, match=re.escape(f"must be a Scenario, got {value!r}. Write Sc")):
        door(value)


NOTHING: Any = None  # as callers without types give it
THREE: Any = 3
GLASS = open_model(FILE)
NAMES = LayerNames(*(Stored(f"layers.0.{name}") for name in ("w_q", "w_k", "w_v", "w_o")))
BY_HAND = partial(read_layer, FILE, names=NAMES, n_heads=4)
SELF = partial(capture, torch.nn.MultiheadAttention(4, 2, batch_first=True).eval())


@pytest.mark.parametrize(
    ("door", "says"),
    [
        (lambda: paths(NOTHING), "What has paths must be of type StackTrace, got None"),
        (lambda: decode_link({THREE: "a"}), "'3' must be a text, got int"),
        (lambda: parse_matrix(THREE), "The matrix must be of type str, got 3"),
        (lambda: GLASS.on(NOTHING), "The text must be of type str, got None"),
        (lambda: GLASS.weights(0).only([]), r"heads must be one head or more, got \[\]"),
        (lambda: GLASS.weights(0).only(THREE), "heads must be of type Iterable, got 3"),
        (lambda: BY_HAND(layer=1.5), "The layer must be a whole number of at least 0, got 1.5"),
        (lambda: BY_HAND(names={}), r"The mapping must be of type LayerByHand, got \{\}"),
        (lambda: BY_HAND(scores="rope"), "scores must be of type ScoreOptions, got 'rope'"),
        (lambda: BY_HAND(rules=["causal"]), r"must be a list of Rule, got \('causal',\)"),
        (lambda: SELF(tokens=None), "tokens must be of type Sequence, got None"),
        (lambda: SELF(*[torch.ones(0, 3, 4)] * 3), r"must have a text at least, got shape \(0, 3"),
        (lambda: Rule("padding", hidden=np.matrix([1])), "must be a whole number, .* got"),
    ],
)
@pytest.mark.filterwarnings("ignore:the matrix subclass")
def test_every_door_refuses_in_words(door: Callable[[], Any], says: str) -> None:
    with pytest.raises(MhaError, match=says):
        door()


def test_what_holds_whole_numbers_may_say_which_keys_are_hidden() -> None:
    import pandas as pd  # which nothing else here needs

    for kind in (np.array, torch.tensor, pd.Series, list):
        assert Rule("padding", hidden=kind([0, 2])) == Rule("padding", hidden=(0, 2))


def test_a_long_refusal_is_cut() -> None:
    with pytest.raises(MhaError, match=r"must be at most 256, got 1(,000)+,0*…\. ") as refused:
        mha_core.Scenario(**{**vars_of(load_example("pizza")), "n_heads": 10**999})
    assert len(str(refused.value)) < 500


@pytest.mark.parametrize("number", [np.nan, np.inf])
def test_softmax_names_the_number_that_it_cannot_take(number: float) -> None:
    with pytest.raises(MhaError, match=f"-inf where a key is hidden, got {number}. Replace that"):
        softmax(np.array([0.0, number, 1.0]))


def copied_again(scenario: Scenario) -> Scenario:
    """As it comes from another process."""
    make, parts = scenario.__reduce__()
    made: Scenario = make(*parts)
    return made


@pytest.mark.parametrize("copy_of", [copy.copy, copy.deepcopy, copied_again])
def test_no_copy_of_a_scenario_can_be_written_to(copy_of: Callable[[Scenario], Scenario]) -> None:
    masked = Mask((Rule("causal"),), np.tri(4, dtype=bool), np.zeros((4, 4)))
    scenario = copy_of(mha_core.Scenario(**vars_of(load_example("pizza")), mask=masked))
    assert scenario == mha_core.Scenario(**vars_of(load_example("pizza")), mask=masked)
    arrays = [*scenario.given().values(), scenario.mask.custom, scenario.mask.additive]
    assert not any(array.flags.writeable for array in arrays if array is not None)


def vars_of(s: Scenario) -> dict[str, Any]:
    return {"n_heads": s.n_heads, **s.given()}


def test_nobody_can_change_the_options_of_a_rule() -> None:
    rule = Rule("padding", hidden=[1])
    with pytest.raises(TypeError):
        rule.options["hidden"] = (2,)  # type: ignore[index] # that is what is tried
    assert {rule: 1}[Rule("padding", {"hidden": (1,)})] == 1
    assert rule.options == {"hidden": (1,)}
    assert list(rule.options) == ["hidden"]
    assert repr(rule.options) == "{'hidden': (1,)}"


@pytest.mark.parametrize("field", ["custom", "additive"])
@pytest.mark.parametrize("mask", [[True, False], [[[True]]], True])
def test_a_mask_that_is_no_matrix_fits_no_sizes(field: str, mask: Any) -> None:
    given = Mask(**{field: mask if field == "custom" else np.asarray(mask, float)})
    need = re.escape("must have shape (n_q, n_k) = (2, 2), got (")
    with pytest.raises(MhaError, match=f"The {field} mask {need}"):
        given.allowed(2, 2)


def test_a_fraction_may_have_blanks() -> None:
    assert parse_number("1 / 3") == parse_number("1/3") == 1 / 3
    with pytest.raises(MhaError):
        parse_number("1 3")
