"""Everything that can be wrong with a scenario, and what the error says."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

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
from tests.core.refusals import (
    Refusal,
    bad_scale,
    bad_softcap,
    bad_softmax,
    bad_temperature,
    check_refused,
    not_finite,
    not_numbers,
    ragged,
)

EYE = np.eye(4)
NAN, INF = float("nan"), float("inf")


def small(**changes: Any) -> Scenario:
    given = {"x": np.ones((3, 4)), "w_q": EYE, "w_k": EYE, "w_v": EYE, "w_o": EYE, "n_heads": 2}
    return Scenario(**{**given, **changes})


def of_size(*shape: int) -> Any:
    """An array of any size that takes no memory."""
    return np.broadcast_to(1.0, shape)


def no_matrix(got: str) -> ShapeError:
    return ShapeError(
        "X", "must have 2 axes, (n_q, d_model)", got, "Give a matrix with one row for each token."
    )


def empty(symbol: str, shape: str) -> ShapeError:
    return ShapeError(symbol, "must not be empty", f"shape {shape}", "Give one number or more.")


ARRAYS: dict[str, Refusal] = {
    "a row for a matrix": (lambda: small(x=[1.0, 2.0]), no_matrix("1, shape (2,)")),
    "a stack for a matrix": (lambda: small(x=of_size(1, 3, 4)), no_matrix("3, shape (1, 3, 4)")),
    "a number for a matrix": (lambda: small(x=3.0), no_matrix("0, shape ()")),
    "an empty list": (lambda: small(x=[]), no_matrix("1, shape (0,)")),
    "a row for the second sequence": (
        lambda: small(context=[1.0]),
        ShapeError(
            "C",
            "must have 2 axes, (n_k, d_model_kv)",
            "1, shape (1,)",
            "Give a matrix with one row for each token.",
        ),
    ),
    "a row for a projection": (
        lambda: small(w_o=[1.0]),
        ShapeError("W_O", "must have 2 axes, (n_heads*d_v, d_out)", "1, shape (1,)", "Reshape."),
    ),
    "a matrix for a bias": (
        lambda: small(b_q=of_size(1, 4)),
        ShapeError("b_Q", "must have 1 axes, (n_heads*d_k)", "2, shape (1, 4)", "Reshape."),
    ),
    "no rows": (lambda: small(x=of_size(0, 4)), empty("X", "(0, 4)")),
    "no columns": (lambda: small(w_q=of_size(4, 0)), empty("W_Q", "(4, 0)")),
    "rows of different lengths": (lambda: small(x=[[1, 2], [3]]), ragged("X")),
    "a word": (lambda: small(x=[["1", "2", "3", "x"]]), not_numbers("X", "<U1")),
    "complex numbers": (lambda: small(w_q=EYE * 1j), not_numbers("W_Q", "complex128")),
    "a table of None": (lambda: small(w_o=[[None] * 4] * 4), not_numbers("W_O", "object")),
    "a dictionary": (lambda: small(x={"a": 1}), not_numbers("X", "object")),
    "NaN": (
        lambda: small(x=[[1, 2, 3, 4], [1, 2, NAN, 4]]),
        not_finite("X", "nan in row 2, column 3"),
    ),
    "infinity": (
        lambda: small(w_o=np.diag([1, 1, 1, INF])),
        not_finite("W_O", "inf in row 4, column 4"),
    ),
    "minus infinity in float32": (
        lambda: small(w_v=np.diag([1, -INF, 1, 1]).astype(np.float32)),
        not_finite("W_V", "-inf in row 2, column 2"),
    ),
    "infinity in a bias": (
        lambda: small(b_o=[1, 2, INF, 4]),
        not_finite("b_O", "inf in position 3"),
    ),
    "beyond the limit": (
        lambda: small(x=[[1, 2, 1e101, 4]]),
        not_finite("X", "1e+101 in row 1, column 3"),
    ),
    "beyond the limit, negative": (
        lambda: small(x=[[-1.5e100, 2, 1, 4]]),
        not_finite("X", "-1.5e+100 in row 1, column 1"),
    ),
    "wider than float64": (
        lambda: small(x=np.full((3, 4), np.longdouble("1e400"))),
        not_finite("X", "inf in row 1, column 1"),
    ),
    **{
        f"no {name}": (
            lambda name=name: small(**{name: None}),
            ShapeError(symbol, f"must have shape {dims}", "nothing", "Give a matrix."),
        )
        for name, symbol, dims in (
            ("x", "X", "(n_q, d_model)"),
            ("w_q", "W_Q", "(d_model, n_heads*d_k)"),
            ("w_k", "W_K", "(d_model_kv, n_kv_heads*d_k)"),
            ("w_v", "W_V", "(d_model_kv, n_kv_heads*d_v)"),
            ("w_o", "W_O", "(n_heads*d_v, d_out)"),
        )
    },
}


def misshapen(symbol: str, dims: str, need: str, got: str, way_out: str) -> ShapeError:
    return ShapeError(symbol, f"must have shape {dims} = {need}", got, way_out)


ROWS_4 = "Give 4 rows of 4 numbers."
W_K_DIMS, W_V_DIMS = "(d_model_kv, n_kv_heads*d_k)", "(d_model_kv, n_kv_heads*d_v)"

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
            "must be 2: one for each column that is normed",
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


def bad_start(got: str) -> NumberError:
    need = "must be a whole number from 0 to 16384"
    return NumberError("query_start", need, got, "It is the position of the first query.")


def bad_positions(got: str) -> OptionError:
    need = "must be one of none, sinusoidal, rope, alibi"
    return OptionError("positions", need, got, "Take 'none' for no positions.")


FREQUENCIES = "The frequencies of the pairs"
ONE_EACH = "Give one number for each pair: its angle from one position to the next."


GAIN_EACH = "Give one number for each column that is normed; a file's 1 + g is one number."


def options(**given: Any) -> Callable[[], ScoreOptions]:
    return lambda: ScoreOptions(**given)


SCORE_OPTIONS: dict[str, Refusal] = {
    "a scale of an unknown name": (
        options(scale="sqrt(d_k)"),
        OptionError(
            "The scale",
            "must be '1/sqrt(d_k)', 'none' or a number",
            "'sqrt(d_k)'",
            "It multiplies the scores; 1 leaves them as they are.",
        ),
    ),
    "a scale of NaN": (options(scale=NAN), bad_scale("nan")),
    "a scale of infinity": (options(scale=INF), bad_scale("inf")),
    "a scale of nothing": (options(scale=None), bad_scale("None")),
    "a scale of True": (options(scale=True), bad_scale("True")),
    "a scale too large": (options(scale=1.1e100), bad_scale("1.1e+100")),
    "a scale too large, negative": (options(scale=-1.1e100), bad_scale("-1.1e+100")),
    "a scale too large for a float": (options(scale=10**400), bad_scale(str(10**400))),
    "a soft cap of zero": (options(softcap=0), bad_softcap("0")),
    "a negative soft cap": (options(softcap=-1.5), bad_softcap("-1.5")),
    "a soft cap too small": (options(softcap=9e-31), bad_softcap("9e-31")),
    "a soft cap too large": (options(softcap=1.1e30), bad_softcap("1.1e+30")),
    "a soft cap of NaN": (options(softcap=NAN), bad_softcap("nan")),
    "a soft cap as a word": (options(softcap="5"), bad_softcap("'5'")),
    "a temperature of zero": (options(temperature=0), bad_temperature("0")),
    "a negative temperature": (options(temperature=-0.5), bad_temperature("-0.5")),
    "a temperature too small": (options(temperature=0.00099), bad_temperature("0.00099")),
    "a temperature too large": (options(temperature=1000.1), bad_temperature("1000.1")),
    "a temperature of NaN": (options(temperature=NAN), bad_temperature("nan")),
    "a temperature of infinity": (options(temperature=INF), bad_temperature("inf")),
    "a temperature of nothing": (options(temperature=None), bad_temperature("None")),
    "a temperature as a word": (options(temperature="1"), bad_temperature("'1'")),
    "a temperature of True": (options(temperature=True), bad_temperature("True")),
    "an unknown softmax": (options(softmax="fast"), bad_softmax("'fast'")),
    "no softmax": (options(softmax=None), bad_softmax("None")),
    "unknown positions": (options(positions="learned"), bad_positions("'learned'")),
    "a list of positions": (options(positions=["rope"]), bad_positions("['rope']")),
    "a negative start": (options(query_start=-1), bad_start("-1")),
    "a start too late": (options(query_start=16_385), bad_start("16385")),
    "a start in between": (options(query_start=1.5), bad_start("1.5")),
    "a start as a word": (options(query_start="one"), bad_start("'one'")),
    "an unknown norm": (
        options(qk_norm="layer"),
        OptionError(
            "The norm of queries and keys",
            "must be one of none, head, all",
            "'layer'",
            "Take 'none', 'head' or 'all'.",
        ),
    ),
    "no epsilon": (
        options(qk_norm_eps=0),
        NumberError(
            "The epsilon of the norm",
            "must be a number from 1e-12 to 1",
            "0",
            "It is added to each mean square; 1e-06 is the usual one.",
        ),
    ),
    "a gain beyond its range": (
        options(k_gain=(1.0, 1e7)),
        NumberError(
            "The gains of the keys",
            "must be a number of at most 1e+06 in size",
            "10000000.0",
            GAIN_EACH,
        ),
    ),
    "no column turns": (
        options(rope_columns=0),
        NumberError(
            "The number of columns that turn",
            "must be a whole number from 2 to 8192",
            "0",
            "Take an even number of columns, or None for all of them.",
        ),
    ),
    "unknown pairs": (
        options(rope_pairs="interleaved"),
        OptionError(
            "The pairs of columns",
            "must be one of neighbours, halves",
            "'interleaved'",
            "Take 'neighbours', as in the paper, or 'halves'.",
        ),
    ),
    "a list of frequencies": (
        options(rope_frequencies=[1.0]),
        OptionError(FREQUENCIES, "must be a tuple of numbers, or None", "[1.0]", ONE_EACH),
    ),
    "a frequency of NaN": (
        options(rope_frequencies=(NAN,)),
        NumberError(FREQUENCIES, "must be a number from 0 to 1e+06", "nan", ONE_EACH),
    ),
    "a negative frequency": (
        options(rope_frequencies=(1.0, -1.0)),
        NumberError(FREQUENCIES, "must be a number from 0 to 1e+06", "-1.0", ONE_EACH),
    ),
    "frequencies for more columns than a head may have": (
        options(rope_frequencies=(1.0,) * 4097),
        LimitError(FREQUENCIES, "must be at most 4,096", "4,097", ONE_EACH),
    ),
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

REFUSALS = {
    **ORIGINS,
    **ARRAYS,
    **SIZES,
    **COUNTS_AND_LIMITS,
    **REST_OF_A_SCENARIO,
    **SCORE_OPTIONS,
}


@pytest.mark.parametrize("what", REFUSALS)
def test_a_wrong_scenario_is_told_what_is_wrong_and_a_way_out(what: str) -> None:
    action, expected = REFUSALS[what]
    check_refused(action, expected)


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
