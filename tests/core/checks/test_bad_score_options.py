"""Each option of the scores that is none, and what the error says."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from mha_core.checks.errors import LimitError, MhaError, NumberError, OptionError
from mha_core.options.registry import OPTIONS
from mha_core.scenario.score_options import ScoreOptions
from tests.core.checks.small import INF, NAN
from tests.core.refusals import (
    Refusal,
    bad_scale,
    bad_softcap,
    bad_softmax,
    bad_temperature,
    check_refused,
)


def bad_start(got: str) -> NumberError:
    need = "must be a whole number from 0 to 16384"
    return NumberError("query_start", need, got, "It is the position of the first query.")


def bad_positions(got: str) -> OptionError:
    need = "must be one of none, sinusoidal, rope, alibi"
    return OptionError("positions", need, got, "Take 'none' for no positions.")


FREQUENCIES = "The frequencies of the pairs"
PLACES = "The places"
A_ROW = "Give one number for each axis, as in 0 0; 0 1; 1 0; 1 1."
AXES = "The axes of the pairs"
AN_AXIS = "Give one axis for each pair, counted from 0."
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
            "must be one of none, head, all, gains",
            "'layer'",
            "Take 'none', 'head', 'all' or 'gains'.",
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
            "must be one of neighbours, halves, crossed",
            "'interleaved'",
            "Take 'neighbours', as in the paper, 'halves' or 'crossed'.",
        ),
    ),
    "a list of frequencies": (
        options(rope_frequencies=[1.0]),
        OptionError(FREQUENCIES, "must be a tuple of numbers, or None", "[1.0]", ONE_EACH),
    ),
    "a frequency of NaN": (
        options(rope_frequencies=(NAN,)),
        NumberError(FREQUENCIES, "must be a number of at most 1e+06 in size", "nan", ONE_EACH),
    ),
    "a frequency beyond its range": (
        options(rope_frequencies=(1.0, -1e7)),
        NumberError(
            FREQUENCIES, "must be a number of at most 1e+06 in size", "-10000000.0", ONE_EACH
        ),
    ),
    "frequencies for more columns than a head may have": (
        options(rope_frequencies=(1.0,) * 4097),
        LimitError(FREQUENCIES, "must be at most 4,096", "4,097", ONE_EACH),
    ),
    "places without rows": (
        options(rope_places=(0.0, 1.0)),
        OptionError(PLACES, "must be a tuple of tuples of numbers, or None", "(0.0, 1.0)", A_ROW),
    ),
    "no places at all": (
        options(rope_places=()),
        OptionError(PLACES, "must be a tuple of tuples of numbers, or None", "()", A_ROW),
    ),
    "places without numbers": (
        options(rope_places=((), ())),
        OptionError(PLACES, "must have one number or more in every row", "an empty row", A_ROW),
    ),
    "places on one axis and on two": (
        options(rope_places=((0.0, 1.0), (2.0,))),
        OptionError(
            PLACES, "must have 2 numbers in every row, as in its first", "1 in row 2", A_ROW
        ),
    ),
    "a place of text": (
        options(rope_places=((0.0,), ("1",))),
        NumberError(PLACES, "must be a number of at most 1e+06 in size", "'1'", A_ROW),
    ),
    "places on too many axes": (
        options(rope_places=((0.0,) * 9,)),
        LimitError("The numbers of a row", "must be at most 8", "9", A_ROW),
    ),
    "more places than tokens": (
        options(rope_places=((0.0,),) * 16_385),
        LimitError(PLACES, "must be at most 16,384", "16,385", A_ROW),
    ),
    "a place of a distance that is no whole number": (
        options(r_places=((0, 0), (0, 1.5))),
        NumberError(
            "The places of distances",
            "must be a whole number from -1000000 to 1000000",
            "1.5",
            "Give one whole number for each axis, as in 0 0; 0 1.",
        ),
    ),
    "an axis that is no whole number": (
        options(rope_axes=(0, 0.5)),
        NumberError(AXES, "must be a whole number from 0 to 7", "0.5", AN_AXIS),
    ),
    "an unknown series": (
        options(rope_series="each"),
        OptionError(
            "The series of frequencies",
            "must be one of axis, all",
            "'each'",
            "Take 'axis' or 'all'.",
        ),
    ),
}


def test_an_option_is_asked_where_it_applies_or_was_said() -> None:
    base = OPTIONS["rope_base"]
    assert base.is_asked(ScoreOptions(positions="rope"))
    assert base.is_asked(ScoreOptions(rope_base=2.0))
    assert not base.is_asked(ScoreOptions())


def test_an_option_of_an_array_needs_one_of_its_arrays() -> None:
    places = OPTIONS["r_places"]
    assert places.has_what_it_needs(("x", "r_q"))
    assert not places.has_what_it_needs(("x",))


@pytest.mark.parametrize("what", SCORE_OPTIONS)
def test_a_wrong_option_is_told_what_is_wrong_and_a_way_out(what: str) -> None:
    check_refused(*SCORE_OPTIONS[what])


@pytest.mark.parametrize("name", ["scale", "temperature"])
def test_only_the_help_at_a_field_speaks_of_expressions(name: str) -> None:
    assert "expression" not in (ScoreOptions.__doc__ or "")
    assert "expression" in OPTIONS[name].help_at_its_field
    with pytest.raises(MhaError):
        ScoreOptions(**{name: "1/8"})
