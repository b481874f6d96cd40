"""Everything that can be wrong with masks and rules, and what the error says."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from mha_core.checks.errors import NumberError, OptionError, ShapeError
from mha_core.mask_rules.registry import MASKS
from mha_core.scenario.masks import Mask, Rule
from tests.core.refusals import Refusal, check_refused, not_finite, ragged

masks = SimpleNamespace(**MASKS)

EYE = np.eye(4)
NAN, INF = float("nan"), float("inf")


def bad_count(thing: str, got: str, least: int = 0) -> NumberError:
    return NumberError(
        thing, f"must be a whole number from {least} to 16384", got, "Count in tokens."
    )


def no_such_key(thing: str, got: str) -> NumberError:
    return NumberError(thing, "must name keys from 0 to 2", got, "The first key is number 0.")


def miscounted(thing: str, kind: str, count: int, got: str) -> ShapeError:
    need = f"must have one number for each {kind}, {count} in all"
    return ShapeError(thing, need, got, "Number each token's document, as in [1, 1, 2].")


MASK_FUNCTIONS: dict[str, Refusal] = {
    "no queries": (lambda: masks.causal(0, 3), bad_count("n_q", "0", least=1)),
    "no keys": (lambda: masks.causal(3, 0), bad_count("n_k", "0", least=1)),
    "half a query": (lambda: masks.causal(2.5, 3), bad_count("n_q", "2.5", least=1)),  # type: ignore[arg-type] # wrong on purpose
    "queries as a word": (lambda: masks.causal("3", 3), bad_count("n_q", "'3'", least=1)),  # type: ignore[arg-type] # wrong on purpose
    "too many keys": (lambda: masks.causal(3, 16_385), bad_count("n_k", "16385", least=1)),
    "an alignment in the middle": (
        lambda: masks.causal(3, 3, align="middle"),  # type: ignore[arg-type] # wrong on purpose
        OptionError(
            "align",
            "must be one of end, start",
            "'middle'",
            "Take 'end' for a decoder with a cache.",
        ),
    ),
    "a window to the left of minus one": (
        lambda: masks.sliding_window(3, 3, left=-1),
        bad_count("sliding_window's left", "-1"),
    ),
    "a window to the right of minus one": (
        lambda: masks.sliding_window(3, 3, left=1, right=-1),
        bad_count("sliding_window's right", "-1"),
    ),
    "a window of more digits than a machine word has": (
        lambda: masks.sliding_window(3, 3, left=10**30),
        bad_count("sliding_window's left", str(10**30)),
    ),
    "a window as a word": (
        lambda: Rule("sliding_window", {"left": "one"}).allowed(3, 3),
        bad_count("sliding_window's left", "'one'"),
    ),
    "a negative prefix": (
        lambda: masks.prefix_lm(3, 3, prefix=-1),
        bad_count("prefix_lm's prefix", "-1"),
    ),
    "a stride of zero": (
        lambda: masks.strided(3, 3, stride=0),
        bad_count("strided's stride", "0", least=1),
    ),
    "padding of a key that is not there": (
        lambda: masks.padding(3, 3, hidden=[0, 3]),
        no_such_key("padding's hidden", "3"),
    ),
    "padding of a key that is not there among four": (
        lambda: masks.padding(3, 4, hidden=[4]),
        NumberError(
            "padding's hidden", "must name keys from 0 to 3", "4", "The first key is number 0."
        ),
    ),
    "padding of a negative key": (
        lambda: masks.padding(3, 3, hidden=[-1]),
        no_such_key("padding's hidden", "-1"),
    ),
    "padding of half a key": (
        lambda: masks.padding(3, 3, hidden=[0.5]),  # type: ignore[list-item]
        no_such_key("padding's hidden", "0.5"),
    ),
    "padding of a number": (
        lambda: Rule("padding", {"hidden": 1}).allowed(3, 3),
        OptionError("padding's hidden", "must be a list of key tokens", "1", "Write [0, 2]."),
    ),
    "a global token that is not there": (
        lambda: masks.global_local(3, 3, global_tokens=[7], left=1),
        no_such_key("global_local's global_tokens", "7"),
    ),
    "a negative window beside global tokens": (
        lambda: masks.global_local(3, 3, global_tokens=[1], left=-1),
        bad_count("global_local's left", "-1"),
    ),
    "a negative window to the right beside global tokens": (
        lambda: masks.global_local(3, 3, global_tokens=[1], left=1, right=-2),
        bad_count("global_local's right", "-2"),
    ),
    "too few segments": (
        lambda: masks.documents(3, 3, segments=[1, 2]),
        miscounted("documents' segments", "key", 3, "2"),
    ),
    "segments as a number": (
        lambda: Rule("documents", {"segments": 3}).allowed(3, 3),
        miscounted("documents' segments", "key", 3, "3"),
    ),
    "segments of keys for fewer queries": (
        lambda: masks.documents(2, 3, segments=[1, 2, 2]),
        miscounted("documents' query_segments", "query", 2, "3"),
    ),
    "a number for the segments of queries": (
        lambda: Rule("documents", {"segments": [1, 2, 2], "query_segments": 0}).allowed(3, 3),
        miscounted("documents' query_segments", "query", 3, "0"),
    ),
    "too few segments of queries": (
        lambda: masks.documents(2, 3, segments=[1, 2, 2], query_segments=[1]),
        miscounted("documents' query_segments", "query", 2, "1"),
    ),
}


def not_plain(option: str, got: str) -> OptionError:
    need = "must be a whole number, a word or a list of whole numbers"
    return OptionError(f"The option {option}", need, got, "Write 2 or [0, 2].")


def no_options(got: str) -> OptionError:
    way_out = "Write {} for none, or keywords, as in Rule('sliding_window', left=2)."
    return OptionError("The options of padding", "must be names with values", got, way_out)


def unknown_mask(got: str) -> OptionError:
    names = "causal, padding, sliding_window, prefix_lm, documents, global_local, strided, dilated"
    return OptionError("A mask", f"must be one of {names}", got, "Check its spelling.")


def not_rules(got: str) -> OptionError:
    return OptionError(
        "The rules of a mask", "must be a list of Rule", got, "Write [Rule('causal')]."
    )


def not_boolean(kind: str) -> OptionError:
    way_out = "Write mask.astype(bool) if ones mean 'may attend', or additive=mask.astype(float)."
    return OptionError(
        "The custom mask", "must be boolean, True = may attend", f"type {kind}", way_out
    )


def not_to_add(kind: str) -> OptionError:
    need = "must be a float matrix that is added to the scores"
    way_out = "Write mask.astype(float), or custom=mask.astype(bool) if ones mean 'may attend'."
    return OptionError("The additive mask", need, f"type {kind}", way_out)


OPEN_ADDITIVE = "The additive mask (where it is not -inf)"

RULES_AND_MASKS: dict[str, Refusal] = {
    "an unknown mask": (lambda: Rule("diagonal"), unknown_mask("'diagonal'")),
    "a list for a name": (lambda: Rule(["causal"]), unknown_mask("['causal']")),  # type: ignore[arg-type] # wrong on purpose
    "an unknown option": (
        lambda: Rule("causal", {"left": 1}),
        OptionError("An option of causal", "must be one of align", "'left'", "Leave it out."),
    ),
    "an unknown option beside known ones": (
        lambda: Rule("sliding_window", {"width": 1}),
        OptionError(
            "An option of sliding_window",
            "must be one of left, right, align",
            "'width'",
            "Leave it out.",
        ),
    ),
    "sizes as options": (
        lambda: Rule("padding", {"n_k": 1}),
        OptionError("An option of padding", "must be one of hidden", "'n_k'", "Leave it out."),
    ),
    "an option left out": (
        lambda: Rule("sliding_window", {"right": 1}),
        OptionError(
            "The mask sliding_window",
            "must say its left",
            "nothing",
            "Write Rule('sliding_window', left=...).",
        ),
    ),
    "options as a list": (
        lambda: Rule("padding", [1]),  # type: ignore[arg-type] # wrong on purpose
        no_options("[1]"),
    ),
    "a long list of options is cut short": (
        lambda: Rule("padding", ["a" * 100]),  # type: ignore[arg-type] # wrong on purpose
        no_options("['" + "a" * 58),
    ),
    "a fraction for a width": (
        lambda: Rule("sliding_window", {"left": 1.0}),
        not_plain("left of sliding_window", "1.0"),
    ),
    "True for a width": (
        lambda: Rule("sliding_window", {"left": True}),
        not_plain("left of sliding_window", "True"),
    ),
    "words in a list": (
        lambda: Rule("padding", {"hidden": ["a"]}),
        not_plain("hidden of padding", "['a']"),
    ),
    "a fraction in a list": (
        lambda: Rule("documents", {"segments": [1, 2.5]}),
        not_plain("segments of documents", "2.5"),
    ),
    "an array without axes": (
        lambda: Rule("padding", {"hidden": np.array(3)}),
        not_plain("hidden of padding", "array(3)"),
    ),
    "a long option is cut short": (
        lambda: Rule("padding", {"hidden": {"a": "b" * 100}}),
        not_plain("hidden of padding", "{'a': '" + "b" * 53),
    ),
    "a word for a rule": (lambda: Mask(("causal",)), not_rules("('causal',)")),  # type: ignore[arg-type] # wrong on purpose
    "a long word for a rule is cut short": (
        lambda: Mask(["b" * 100]),  # type: ignore[arg-type] # wrong on purpose
        not_rules("['" + "b" * 58),
    ),
    "an array for a list of rules": (
        lambda: Mask(EYE),  # type: ignore[arg-type] # wrong on purpose
        OptionError(
            "The first argument of Mask",
            "must be its list of rules",
            "an array of shape (4, 4)",
            "Write Mask(custom=...) for True = may attend, or Mask(additive=...) to add numbers.",
        ),
    ),
    "an option twice": (
        lambda: Rule("sliding_window", {"left": 1}, left=2),
        OptionError(
            "The option left of sliding_window", "must be given once", "it twice", "Remove one."
        ),
    ),
    "one rule for a list": (
        lambda: Mask(Rule("causal")),  # type: ignore[arg-type] # wrong on purpose
        not_rules("Rule(name='causal', options={})"),
    ),
    "whole numbers as a custom mask": (
        lambda: Mask(custom=np.ones((3, 3), int)),  # type: ignore[arg-type] # wrong on purpose
        not_boolean("int64"),
    ),
    "dates as a custom mask": (
        lambda: Mask(custom=np.zeros((3, 3), "M8[D]")),
        not_boolean("datetime64[D]"),
    ),
    "floats as a custom mask": (lambda: Mask(custom=EYE), not_boolean("float64")),  # type: ignore[arg-type] # wrong on purpose
    "a ragged custom mask": (
        lambda: Mask(custom=[[True], [True, False]]),  # type: ignore[arg-type] # wrong on purpose
        ragged("The custom mask"),
    ),
    "whole numbers as an additive mask": (
        lambda: Mask(additive=np.ones((3, 3), int)),  # type: ignore[arg-type] # wrong on purpose
        not_to_add("int64"),
    ),
    "booleans as an additive mask": (
        lambda: Mask(additive=np.ones((3, 3), np.bool_)),  # type: ignore[arg-type] # wrong on purpose
        not_to_add("bool"),
    ),
    "a ragged additive mask": (
        lambda: Mask(additive=[[0.0], [0.0, 1.0]]),  # type: ignore[arg-type] # wrong on purpose
        ragged("The additive mask"),
    ),
    "NaN in an additive mask": (
        lambda: Mask(additive=np.array([[0.0, NAN]])),
        not_finite(OPEN_ADDITIVE, "nan in row 1, column 2"),
    ),
    "plus infinity in an additive mask": (
        lambda: Mask(additive=np.array([[0.0], [INF]])),
        not_finite(OPEN_ADDITIVE, "inf in row 2, column 1"),
    ),
}

REFUSALS = {**MASK_FUNCTIONS, **RULES_AND_MASKS}


@pytest.mark.parametrize("what", REFUSALS)
def test_a_wrong_mask_is_told_what_is_wrong_and_a_way_out(what: str) -> None:
    action, expected = REFUSALS[what]
    check_refused(action, expected)


def test_query_segments_of_0_are_not_taken_for_none() -> None:
    rule = Rule("documents", {"segments": [1, 2], "query_segments": 0})
    with pytest.raises(ShapeError, match="query_segments must have one number for each query"):
        rule.allowed(2, 2)


def test_each_way_out_of_a_mask_of_whole_numbers_is_taken() -> None:
    ones = np.ones((3, 3), int)
    assert Mask(custom=ones.astype(bool)).allowed(3, 3).all()
    assert Mask(additive=ones.astype(float)).additive is not None
