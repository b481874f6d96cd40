"""Everything else that can be wrong with a scenario, and what the error says."""

from __future__ import annotations

import numpy as np
import pytest

from mha_core.checks.errors import (
    HeadsError,
    LimitError,
    MhaError,
    NumberError,
    OptionError,
    ShapeError,
)
from mha_core.scenario.masks import Mask, Rule
from mha_core.scenario.origin import Origin
from mha_core.scenario.scenario import Scenario
from mha_core.scenario.score_options import ScoreOptions
from tests.core.checks.small import EYE, of_size, small
from tests.core.refusals import Refusal, check_refused


def misshapen(symbol: str, dims: str, need: str, got: str, way_out: str) -> ShapeError:
    return ShapeError(symbol, f"must have shape {dims} = {need}", got, way_out)


ON_TWO_AXES = ((0.0, 0.0), (0.0, 1.0), (1.0, 0.0))
ROWS_4 = "Give 4 rows of 4 numbers."
W_K_DIMS, W_V_DIMS = "(d_model_kv, n_kv_heads*d_k)", "(d_model_v, n_kv_heads*d_v)"

SIZES: dict[str, Refusal] = {
    "W_Q with too few rows": (
        lambda: small(w_q=of_size(3, 4)),
        misshapen("W_Q", "(d_model, n_heads*d_k)", "(4, 4)", "(3, 4)", ROWS_4),
    ),
    "W_K with too many rows": (
        lambda: small(w_k=of_size(5, 4)),
        misshapen("W_K", W_K_DIMS, "(4, 4)", "(5, 4)", ROWS_4),
    ),
    "W_K wider than W_Q": (
        lambda: small(w_k=of_size(4, 6)),
        misshapen("W_K", W_K_DIMS, "(4, 4)", "(4, 6)", ROWS_4),
    ),
    "W_K for X where there is a second sequence": (
        lambda: small(context=of_size(2, 5)),
        misshapen("W_K", W_K_DIMS, "(5, 4)", "(4, 4)", "Give 5 rows of 4 numbers."),
    ),
    "W_V narrower than d_v says": (
        lambda: small(d_v=2, w_v=of_size(4, 3)),
        misshapen("W_V", W_V_DIMS, "(4, 4)", "(4, 3)", ROWS_4),
    ),
    "W_Q narrower than d_k says": (
        lambda: small(d_k=3),
        misshapen("W_Q", "(d_model, n_heads*d_k)", "(4, 6)", "(4, 4)", "Give 4 rows of 6 numbers."),
    ),
    "W_O with too many rows": (
        lambda: small(w_o=of_size(5, 4)),
        misshapen("W_O", "(n_heads*d_v, d_out)", "(4, 4)", "(5, 4)", ROWS_4),
    ),
    "b_Q too short": (
        lambda: small(b_q=of_size(3)),
        misshapen("b_Q", "(n_heads*d_k)", "(4,)", "(3,)", "Give 4 numbers."),
    ),
    "b_O too long": (
        lambda: small(b_o=of_size(5)),
        misshapen("b_O", "(d_out)", "(4,)", "(5,)", "Give 4 numbers."),
    ),
    "heads that do not divide W_Q": (
        lambda: small(w_q=of_size(4, 12), n_heads=5),
        HeadsError(
            "W_Q",
            "must have columns for 5 heads of equal width",
            "12 columns",
            "Head counts that divide 12: 1, 2, 3, 4, 6, 12.",
        ),
    ),
    "key heads that do not divide W_V": (
        lambda: small(n_heads=4, n_kv_heads=2, w_k=EYE[:, :2], w_v=of_size(4, 9)),
        HeadsError(
            "W_V",
            "must have columns for 2 heads of equal width",
            "9 columns",
            "Head counts that divide 9: 1, 3, 9.",
        ),
    ),
    "key heads that do not divide the heads": (
        lambda: small(n_heads=12, n_kv_heads=5),
        HeadsError("n_kv_heads", "must divide n_heads = 12", "5", "Take one of 1, 2, 3, 4, 6, 12."),
    ),
    "more key heads than heads": (
        lambda: small(n_kv_heads=4),
        HeadsError("n_kv_heads", "must divide n_heads = 2", "4", "Take one of 1, 2."),
    ),
    "more columns turn than a head has": (
        lambda: small(scores=ScoreOptions(positions="rope", rope_columns=4)),
        ShapeError(
            "The number of columns that turn",
            "must be at most d_k = 2",
            "4",
            "Turn fewer columns, or leave the field empty to turn all.",
        ),
    ),
    "an odd number of columns that turn": (
        lambda: small(n_heads=1, scores=ScoreOptions(positions="rope", rope_columns=3)),
        ShapeError(
            "The number of columns that turn",
            "must be even for RoPE, which turns columns in pairs",
            "3",
            "Turn an even number of columns.",
        ),
    ),
    "a frequency too many": (
        lambda: small(scores=ScoreOptions(positions="rope", rope_frequencies=(1.0, 0.5))),
        ShapeError(
            "The frequencies of the pairs",
            "must be 1: one for each pair of columns that turn",
            "2",
            "Leave them out, then the base says how fast each pair turns.",
        ),
    ),
    "a place too few": (
        lambda: small(scores=ScoreOptions(positions="rope", rope_places=((0.0,), (1.0,)))),
        ShapeError(
            "The places",
            "must be 3: one for each position, from 0 on",
            "2",
            "Leave them out, then they are 0, 1, 2 and so on.",
        ),
    ),
    "pairs that two axes cannot share": (
        lambda: small(scores=ScoreOptions(positions="rope", rope_places=ON_TWO_AXES)),
        ShapeError(
            "The pairs of columns that turn",
            "must be a multiple of 2, so that each axis has as many",
            "1",
            "Say which axis each pair follows, or turn another number of columns.",
        ),
    ),
    "an axis too many": (
        lambda: small(
            scores=ScoreOptions(positions="rope", rope_places=ON_TWO_AXES, rope_axes=(0, 1))
        ),
        ShapeError(
            "The axes of the pairs",
            "must be 1: one for each pair of columns that turn",
            "2",
            "Leave them out, then the axes have equal runs of pairs.",
        ),
    ),
    "an axis that places do not have": (
        lambda: small(
            scores=ScoreOptions(positions="rope", rope_places=ON_TWO_AXES, rope_axes=(2,))
        ),
        ShapeError(
            "The axes of the pairs",
            "must be from 0 to 1, as places have 2 numbers",
            "2",
            "Axes count from 0. Or give each place a number for this axis.",
        ),
    ),
    "additions of one head for two": (
        lambda: small(b_s=np.zeros((3, 3))),
        ShapeError(
            "b_S",
            "must have shape (n_heads*n_q, n_k) = (6, 3)",
            "(3, 3)",
            "Give 6 rows of 3 numbers.",
        ),
    ),
    "a sink too many": (
        lambda: small(sinks=np.zeros(3)),
        ShapeError("sink", "must have shape (n_heads) = (2,)", "(3,)", "Give 2 numbers."),
    ),
    "a gain too few for a head": (
        lambda: small(scores=ScoreOptions(qk_norm="head", q_gain=(1.0,))),
        ShapeError(
            "The gains of the queries",
            "must be 2, one for each column of a head, or 4, for those of all",
            "1",
            "Leave them out, then all are 1.",
        ),
    ),
    "gains of one head for a norm over all": (
        lambda: small(scores=ScoreOptions(qk_norm="all", k_gain=(1.0, 2.0))),
        ShapeError(
            "The gains of the keys",
            "must be 4: one for each column that is normed",
            "2",
            "Leave them out, then all are 1.",
        ),
    ),
    "an odd width for RoPE": (
        lambda: small(n_heads=4, scores=ScoreOptions(positions="rope")),
        ShapeError(
            "d_k",
            "must be even for RoPE, which turns columns in pairs",
            "1",
            "Take an even d_k or other positions.",
        ),
    ),
}


def no_size(name: str, got: str) -> NumberError:
    way_out = "Leave it out: then it follows from the arrays."
    return NumberError(name, "must be a whole number of at least 0", got, way_out)


def no_count(name: str, got: str) -> NumberError:
    return NumberError(name, "must be a whole number of at least 1", got, "Give 1 or more.")


def too_large(symbol: str, most: str, got: str) -> LimitError:
    need = f"must be at most {most} and 67,108,864 numbers"
    return LimitError(symbol, need, got, "Take a smaller part of it.")


COUNTS_AND_LIMITS: dict[str, Refusal] = {
    "no heads": (lambda: small(n_heads=0), no_count("n_heads", "0")),
    "minus one head": (lambda: small(n_heads=-1), no_count("n_heads", "-1")),
    "one and a half heads": (lambda: small(n_heads=1.5), no_count("n_heads", "1.5")),
    "two point zero heads": (lambda: small(n_heads=2.0), no_count("n_heads", "2.0")),
    "heads as a word": (lambda: small(n_heads="2"), no_count("n_heads", "'2'")),
    "heads as a truth value": (lambda: small(n_heads=True), no_count("n_heads", "True")),
    "minus one key head": (lambda: small(n_kv_heads=-1), no_size("n_kv_heads", "-1")),
    "a width of minus two": (lambda: small(d_k=-2), no_size("d_k", "-2")),
    "a width of a half": (lambda: small(d_v=0.5), no_size("d_v", "0.5")),
    "too many heads": (
        lambda: small(n_heads=257),
        LimitError("n_heads", "must be at most 256", "257", "Take fewer."),
    ),
    "too many tokens": (
        lambda: small(x=of_size(16_385, 4)),
        too_large("X", "16,384 × 8,192", "16,385 × 4"),
    ),
    "tokens too wide": (
        lambda: small(x=of_size(1, 8_193)),
        too_large("X", "16,384 × 8,192", "1 × 8,193"),
    ),
    "too many key tokens": (
        lambda: small(context=of_size(16_385, 4)),
        too_large("C", "16,384 × 8,192", "16,385 × 4"),
    ),
    "a projection too long": (
        lambda: small(w_o=of_size(8_193, 4)),
        too_large("W_O", "8,192 × 8,192", "8,193 × 4"),
    ),
    "a bias too long": (lambda: small(b_q=of_size(8_193)), too_large("b_Q", "8,192", "8,193")),
    "too many numbers": (
        lambda: small(x=of_size(8_193, 8_192)),
        too_large("X", "16,384 × 8,192", "8,193 × 8,192"),
    ),
}


def of_type(name: str, kind: str, got: str, way_out: str) -> OptionError:
    return OptionError(name, f"must be of type {kind}", got, way_out)


def no_text(thing: str, got: str) -> OptionError:
    way_out = "Write it in quotes, as in 'PIZZA', or make it text with str(...)."
    return OptionError(thing, "must be text", got, way_out)


def too_long(thing: str, got: str) -> LimitError:
    way_out = "Shorten it, or put a blank between words."
    return LimitError(thing, "must be text of at most 200 characters", got, way_out)


def no_such_head(got: str) -> NumberError:
    return NumberError(
        "heads_off", "must name heads from 0 to 1", got, "The first head is number 0."
    )


WRITE_TOKENS, WRITE_MASK = "Write ('I', 'LOVE').", "Write Mask([Rule('causal')])."

REST_OF_A_SCENARIO: dict[str, Refusal] = {
    "too few labels": (
        lambda: small(tokens=["I", "LOVE"]),
        ShapeError("tokens", "must be 3, one for each row", "2", "Give every row one label."),
    ),
    "too many labels of the second sequence": (
        lambda: small(context=of_size(2, 4), context_tokens=["a", "b", "c"]),
        ShapeError(
            "context_tokens", "must be 2, one for each row", "3", "Give every row one label."
        ),
    ),
    "labels of a second sequence that is not there": (
        lambda: small(context_tokens=["a", "b", "c"]),
        ShapeError(
            "context_tokens",
            "must be empty where there is no second sequence",
            "3 labels",
            "Give context too.",
        ),
    ),
    "a label too long": (
        lambda: small(tokens=["x" * 201, "b", "c"]),
        too_long("tokens", "201 characters, 'xxxxxxxxxxxxxxxxxxxx'..."),
    ),
    "a label that is no text": (
        lambda: small(tokens=["a", 2, "c"]),
        no_text("tokens", "2 of type int"),
    ),
    "numbers for tokens": (lambda: small(tokens=[1, 2, 3]), no_text("tokens", "1 of type int")),
    "labels as one text": (
        lambda: small(tokens="abc"),
        of_type("tokens", "tuple", "'abc'", WRITE_TOKENS),
    ),
    "labels of the second sequence as one text": (
        lambda: small(context_tokens="abc"),
        of_type("context_tokens", "tuple", "'abc'", WRITE_TOKENS),
    ),
    "a word for a mask": (
        lambda: small(mask="causal"),
        of_type("mask", "Mask", "'causal'", WRITE_MASK),
    ),
    "a plain array for a mask": (
        lambda: small(mask=np.ones(20, int)),
        of_type("mask", "Mask", repr(np.ones(20, int))[:60], WRITE_MASK),
    ),
    "a mask of one row": (
        lambda: small(mask=Mask(custom=np.ones((1, 3), np.bool_))),
        misshapen("The custom mask", "(n_q, n_k)", "(3, 3)", "(1, 3)", "Give 3 rows of 3 numbers."),
    ),
    "an additive mask of one column": (
        lambda: small(mask=Mask(additive=np.zeros((3, 1)))),
        misshapen(
            "The additive mask", "(n_q, n_k)", "(3, 3)", "(3, 1)", "Give 3 rows of 3 numbers."
        ),
    ),
    "a mask a head": (
        lambda: small(mask=Mask(custom=np.ones((2, 3, 3), np.bool_))),
        misshapen(
            "The custom mask", "(n_q, n_k)", "(3, 3)", "(2, 3, 3)", "Give 3 rows of 3 numbers."
        ),
    ),
    "a mask for other keys": (
        lambda: small(context=of_size(2, 4), mask=Mask(custom=np.ones((3, 3), np.bool_))),
        misshapen("The custom mask", "(n_q, n_k)", "(3, 2)", "(3, 3)", "Give 3 rows of 2 numbers."),
    ),
    "a rule that names a key that is not there": (
        lambda: small(mask=Mask((Rule("padding", {"hidden": [3]}),))),
        NumberError(
            "padding's hidden", "must name keys from 0 to 2", "3", "The first key is number 0."
        ),
    ),
    "options as a word": (
        lambda: small(scores="none"),
        of_type("scores", "ScoreOptions", "'none'", "Write ScoreOptions(scale='none')."),
    ),
    "an origin as a word": (
        lambda: small(origin="pizza"),
        of_type("origin", "Origin", "'pizza'", "Write Origin() where there is none."),
    ),
    "a number for a set of heads": (
        lambda: small(heads_off=1),
        of_type("heads_off", "set", "1", "Write {0} for the first head."),
    ),
    "a head that is not there": (lambda: small(heads_off={2}), no_such_head("2")),
    "a negative head": (lambda: small(heads_off=[-1]), no_such_head("-1")),
    "half a head": (lambda: small(heads_off={0.5}), no_such_head("0.5")),
    "a head by a word": (lambda: small(heads_off=("first",)), no_such_head("'first'")),
    "a list for a head": (lambda: small(heads_off=[[0]]), no_such_head("[0]")),
}


def bad_seed(name: str, got: str) -> NumberError:
    need = "must be a whole number from 0 to 4294967295"
    return NumberError(f"origin's {name}", need, got, "Leave it out for 0.")


ORIGINS: dict[str, Refusal] = {
    "a seed of minus one": (lambda: Origin(x_seed=-1), bad_seed("x_seed", "-1")),
    "a seed too large": (
        lambda: Origin(weights_seed=2**32),
        bad_seed("weights_seed", "4294967296"),
    ),
    "a seed as a word": (lambda: Origin(x_seed="a" * 50), bad_seed("x_seed", repr("a" * 50))),  # type: ignore[arg-type] # wrong on purpose
    **{
        f"{name} of no text": (
            lambda name=name: Origin(**{name: 5}),
            no_text(f"origin's {name}", "5 of type int"),
        )
        for name in ("example", "x", "weights")
    },
}

REFUSALS = {**ORIGINS, **SIZES, **COUNTS_AND_LIMITS, **REST_OF_A_SCENARIO}


@pytest.mark.parametrize("what", REFUSALS)
def test_a_wrong_scenario_is_told_what_is_wrong_and_a_way_out(what: str) -> None:
    check_refused(*REFUSALS[what])


@pytest.mark.parametrize(
    ("kind", "parents"),
    [
        (MhaError, {ValueError}),
        (HeadsError, {ShapeError, MhaError, ValueError}),
        (NumberError, {MhaError, ValueError}),
    ],
)
def test_every_error_is_a_value_error_too(kind: type, parents: set[type]) -> None:
    assert parents <= set(kind.__mro__)


def test_the_largest_sizes_are_taken() -> None:
    assert small(n_heads=1, tokens=["x" * 200, "b", "c"]).tokens[0] == "x" * 200
    assert small(x=np.full((3, 4), -1e100)).x.min() == -1e100
    tall = np.ones((16_384, 1))
    one = np.ones((1, 1))
    assert Scenario(x=tall, w_q=one, w_k=one, w_v=one, w_o=one, n_heads=1).n_q == 16_384
    wide = np.ones((1, 8_192))
    assert Scenario(x=one, w_q=wide, w_k=wide, w_v=wide, w_o=wide.T, n_heads=256).d_k == 32
