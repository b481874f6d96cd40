"""The error for each wrong input: its exact kind and its four parts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from mha_core.checks.errors import MhaError, NumberError, OptionError, ShapeError

Refusal = tuple[Callable[[], Any], MhaError]


def check_refused(action: Callable[[], Any], expected: MhaError) -> None:
    with pytest.raises(MhaError) as caught:
        action()
    told = caught.value
    assert type(told) is type(expected)
    assert told.thing == expected.thing
    assert told.need == expected.need
    assert told.got == expected.got
    assert told.way_out == expected.way_out
    assert str(told) == f"{told.thing} {told.need}, got {told.got}. {told.way_out}"
    assert told.way_out.endswith(".")


# Refusals that several things share.


def not_finite(thing: str, got: str) -> NumberError:
    need = "must hold finite numbers of at most 1e+100 in size"
    return NumberError(thing, need, got, "Replace that value by a number.")


def not_numbers(thing: str, kind: str) -> NumberError:
    way_out = "Parse text with parse_matrix first; drop imaginary parts yourself."
    return NumberError(thing, "must hold real numbers", f"values of type {kind}", way_out)


def ragged(thing: str) -> ShapeError:
    need, way_out = "must have rows of equal length", "Give every row the same count of numbers."
    return ShapeError(thing, need, "rows of different lengths", way_out)


def bad_scale(got: str) -> NumberError:
    way_out = "It multiplies the scores; 1 leaves them as they are."
    return NumberError("The scale", "must be a number of at most 1e+100 in size", got, way_out)


def bad_softcap(got: str) -> NumberError:
    way_out = "Scores then stay between -cap and cap; write None for no cap."
    return NumberError("The soft cap", "must be a number from 1e-30 to 1e+30", got, way_out)


def bad_temperature(got: str) -> NumberError:
    way_out = "It divides the scores: 1 leaves them as they are, and 0.001 picks the best key."
    return NumberError("The temperature", "must be a number from 0.001 to 1000", got, way_out)


def bad_softmax(got: str) -> OptionError:
    way_out = "Take 'stable', which never overflows."
    return OptionError("softmax", "must be one of stable, naive", got, way_out)


def neither_boolean_nor_float(thing: str, kind: str) -> OptionError:
    need = "must be boolean (True = may attend) or float (added to the scores)"
    way_out = "Write mask.astype(bool) or mask.astype(float), whichever you mean."
    return OptionError(thing, need, f"type {kind}", way_out)


def out_of_range(thing: str, dtype: str) -> NumberError:
    ends = {"float64": "1.8e+308", "float32": "3.4e+38"}[dtype]
    need = f"must stay within {dtype}, which ends at {ends}"
    return NumberError(thing, need, "a product beyond it", "Make X or the projections smaller.")
