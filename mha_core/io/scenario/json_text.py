"""A scenario as a JSON text that a person can read, and back, to the last bit.

    {
      "format": "attention-scenario",
      "version": 1,
      "dtype": "float64",
      "tokens": ["I", "LOVE", "PIZZA"],
      "n_heads": 2,
      ...
      "x": [
        [1.0, 0.0],
        ...
    }

Required are `format`, `version`, `x`, `w_q`, `w_k`, `w_v`, `w_o` and `n_heads`. The others have the
defaults of Scenario. Numbers have the fewest digits that give the same number again. JSON has no
infinity: only the additive mask may hold it, written as "-inf" in quotes.
"""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np

from mha_core.checks.limits import LIMITS
from mha_core.checks.shapes import BoolArray, FloatArray, as_float_array
from mha_core.checks.sizes import check_size
from mha_core.io.matrix.digits import shortest
from mha_core.io.scenario.fields import (
    DTYPES,
    array_of,
    format_error,
    one_of,
    or_null,
    read_bool,
    read_fields,
    read_number_or_minus_infinity,
    read_text,
    rows_of,
)
from mha_core.io.scenario.plain_json import laid_out, parsed
from mha_core.io.scenario.settings import HEADER, SETTINGS, check_version, read_rules, settings_of
from mha_core.language import say
from mha_core.scenario.given_arrays import GIVEN
from mha_core.scenario.masks import Mask
from mha_core.scenario.scenario import Scenario

REQUIRED: Final = ("x", "w_q", "w_k", "w_v", "w_o", "n_heads")
OF_A_STACK: Final = ("residual", "layers_above", "w_u", "words")
OF_THE_INPUT: Final = ("x", "tokens", "context", "context_tokens")  # of the first layer
MOST_CHARS_A_NUMBER: Final = 26  # "-2.2250738585072014e-308, "
MOST_CHARS_A_DIGIT: Final = 8  # "-1.0, ", and "-inf" in quotes
MOST_CHARS_A_ROW: Final = 10  # brackets, a comma, the line's indent and its end
MOST_CHARS_AN_ARRAY: Final = 60  # its name, its brackets and its type
TOO_LARGE: Final = say("Save it as .npz, which holds more.")


def described(s: Scenario) -> dict[str, Any]:
    """The scenario as plain data, in the order of the text."""
    settings = settings_of(s)
    header = {name: settings.pop(name) for name in HEADER}
    words = {name: settings.pop(name) for name in tuple(settings) if name.endswith("tokens")}
    sizes = {name: settings.pop(name) for name in ("n_heads", "n_kv_heads", "d_k", "d_v")}
    arrays = {name: shortest(array).tolist() for name, array in s.given().items()}
    settings["mask"] = {**settings["mask"], **_mask_matrices(s.mask)}
    dtype = {"dtype": s.dtype.name}
    return {**header, **dtype, **words, **sizes, **arrays, **settings}


def most_chars_of(s: Scenario) -> int:
    """An upper bound of the length of the text."""
    return len(laid_out(settings_of(s)).encode()) + sum(map(_most_chars, _all_arrays(s)))


def _most_chars(array: FloatArray | BoolArray) -> int:
    """An upper bound of the characters of an array: few for a single digit, else all digits."""
    if array.dtype == np.bool_:
        single_digits = array.size  # "false, "
    else:
        is_whole = (array == np.rint(array)) & (np.abs(array) < 10)
        single_digits = int(np.count_nonzero(is_whole | np.isinf(array)))
    others = array.size - single_digits
    rows = math.prod(array.shape[:-1])
    return (
        single_digits * MOST_CHARS_A_DIGIT
        + others * MOST_CHARS_A_NUMBER
        + rows * MOST_CHARS_A_ROW
        + MOST_CHARS_AN_ARRAY
    )


def data_of(text: str | bytes) -> Any:
    """What a text or a file says, as plain data of this version."""
    check_size(
        say("The scenario as JSON"), len(text), LIMITS.text_chars, say("Open a smaller file.")
    )
    data = parsed(text if isinstance(text, str) else _decoded(text))
    check_version(data)
    return data


def scenario_from(data: Any, path: str = "", x: FloatArray | None = None) -> Scenario:
    """The scenario that plain data describes.

    A layer that gets its `x` from below has none of its own.
    """
    dtype = one_of(*DTYPES)(f"{path}dtype", data.get("dtype", DTYPES[0]))
    arrays = {name: array_of(dtype, axes=len(given.dims.axes)) for name, given in GIVEN.items()}
    arrays |= {name: or_null(read) for name, read in arrays.items() if name not in REQUIRED}
    header = {**HEADER, "dtype": read_text}
    readers = {**header, **arrays, **SETTINGS, "mask": _mask}
    if x is None:
        fields = read_fields(path, data, readers, REQUIRED)
    else:
        own = {name: read for name, read in readers.items() if name not in OF_THE_INPUT}
        fields = {"x": x, **read_fields(path, data, own, REQUIRED[1:])}
    return Scenario(**{name: value for name, value in fields.items() if name not in header})


def _all_arrays(s: Scenario) -> list[Any]:
    drawn = [s.mask.custom, s.mask.additive]
    return [*s.given().values(), *(np.asarray(array) for array in drawn if array is not None)]


def _mask_matrices(mask: Mask) -> dict[str, Any]:
    data: dict[str, Any] = {}
    if mask.custom is not None:
        data["custom"] = mask.custom.tolist()
    if mask.additive is not None:
        additive = as_float_array(say("The additive mask"), mask.additive)
        data["additive_dtype"] = additive.dtype.name
        data["additive"] = [
            ["-inf" if cell == -math.inf else cell for cell in row]
            for row in shortest(additive).tolist()
        ]
    return data


def _decoded(file: bytes) -> str:
    try:
        return file.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        got = say("another byte at {place}").format(place=error.start + 1)
        way_out = say("Open a saved scenario.")
        raise format_error(say("The file"), say("must be UTF-8 text"), got, way_out) from error


def _drawn(path: str, value: object) -> BoolArray:
    return np.array(rows_of(read_bool)(path, value), np.bool_)


def _mask(path: str, value: object) -> Mask:
    named = value.get("additive_dtype", DTYPES[0]) if isinstance(value, dict) else DTYPES[0]
    dtype = one_of(*DTYPES)(f"{path}.additive_dtype", named)
    read = read_fields(
        f"{path}.",
        value,
        {
            "rules": read_rules,
            "custom": or_null(_drawn),
            "additive_dtype": read_text,
            "additive": or_null(array_of(dtype, 2, read_number_or_minus_infinity)),
        },
    )
    read.pop("additive_dtype", None)
    return Mask(**read)
