"""A scenario as a JSON file that a person can read, and back, to the last bit.

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

Fields bear the names of Scenario, Mask, ScoreOptions and Origin. Required are `format`, `version`,
`x`, `w_q`, `w_k`, `w_v`, `w_o` and `n_heads`; the others have Scenario's defaults. Numbers are
written with all their digits. JSON has no infinity: in the additive mask, and only there, "-inf"
stands for minus infinity. A field, version or type that this module does not know is refused.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import Any, Final, NoReturn

import numpy as np

from mha_core.checks.errors import FormatError, MhaError
from mha_core.checks.limits import LIMITS
from mha_core.checks.shapes import FloatArray, as_float_array
from mha_core.checks.values import check_limit
from mha_core.scenario.given_arrays import GIVEN
from mha_core.scenario.masks import Mask, Rule
from mha_core.scenario.origin import Origin
from mha_core.scenario.scenario import Scenario
from mha_core.scenario.score_options import ScoreOptions

FORMAT: Final = "attention-scenario"
VERSION: Final = 1
DTYPES: Final = ("float64", "float32")
MOST_RULES: Final = 64  # of one saved mask
LARGEST_WHOLE: Final = 2**53  # what every reader of JSON can hold exactly
LARGEST_FLOAT: Final = sys.float_info.max
LEAST_CHARS_A_CELL: Final = 5  # "0.0, "
LONGEST_SHOWN: Final = 60
FEWER_RULES: Final = "Leave some out; two equal ones hide no more than one."
TOO_LARGE: Final = "Share it as a link, which holds only what differs from the example."

Reader = Callable[[str, object], Any]


def scenario_to_json(s: Scenario) -> str:
    """The scenario as text; one matrix row is one line.

    >>> I = np.eye(2)
    >>> text = scenario_to_json(Scenario(x=I, w_q=I, w_k=I, w_v=I, w_o=I, n_heads=2))
    >>> print(text[: text.index("tokens")])
    {
      "format": "attention-scenario",
      "version": 1,
      "dtype": "float64",
      "
    """
    check_limit("The number of mask rules", len(s.mask.rules), MOST_RULES, FEWER_RULES)
    cells = sum(array.size for array in s.given().values())
    check_limit("The scenario as JSON", cells * LEAST_CHARS_A_CELL, LIMITS.text_chars, TOO_LARGE)
    text = _laid_out(_as_data(s))
    check_limit("The scenario as JSON", len(text), LIMITS.text_chars, TOO_LARGE)
    return text


def scenario_from_json(text: str | bytes) -> Scenario:
    """The scenario that a text or a file describes, written by `scenario_to_json` or by hand."""
    check_limit("The scenario as JSON", len(text), LIMITS.text_chars, "Open a smaller file.")
    data = _parsed(text if isinstance(text, str) else _decoded(text))
    _check_version(data)
    dtype = _one_of(*DTYPES)("dtype", data.get("dtype", DTYPES[0]))
    arrays = {name: _array(dtype, axes=len(given.dims.axes)) for name, given in GIVEN.items()}
    arrays |= {name: _or_null(read) for name, read in arrays.items() if name not in REQUIRED}
    return Scenario(**_fields("", data, {**HEADER, **arrays, **SETTINGS}, REQUIRED))


# Out: fields as plain data, and plain data as text.


def _as_data(s: Scenario) -> dict[str, Any]:
    arrays = {name: array.tolist() for name, array in s.given().items()}
    context_tokens = {"context_tokens": list(s.context_tokens)} if s.context_tokens else {}
    return {
        **{"format": FORMAT, "version": VERSION, "dtype": s.dtype.name},
        "tokens": list(s.tokens),
        **context_tokens,
        **{name: getattr(s, name) for name in ("n_heads", "n_kv_heads", "d_k", "d_v")},
        **arrays,
        "mask": _mask_as_data(s.mask),
        "scores": asdict(s.scores),
        "heads_off": sorted(int(head) for head in s.heads_off),
        "origin": asdict(s.origin),
    }


def _mask_as_data(mask: Mask) -> dict[str, Any]:
    data: dict[str, Any] = {
        "rules": [{"name": rule.name, "options": dict(rule.options)} for rule in mask.rules]
    }
    if mask.custom is not None:
        data["custom"] = mask.custom.tolist()
    if mask.additive is not None:
        additive = as_float_array("The additive mask", mask.additive)
        data["additive_dtype"] = additive.dtype.name
        data["additive"] = [
            ["-inf" if cell == -math.inf else cell for cell in row] for row in additive.tolist()
        ]
    return data


def _laid_out(value: object, indent: str = "") -> str:
    """One field a line, and where a field is a list of lists or objects, one of these a line."""
    deeper = indent + "  "
    if isinstance(value, dict):
        lines = [f"{_inline(name)}: {_laid_out(part, deeper)}" for name, part in value.items()]
        return _in_lines("{", lines, "}", indent) if value else "{}"
    if isinstance(value, list) and value and isinstance(value[0], list | dict):
        return _in_lines("[", [_inline(part) for part in value], "]", indent)
    return _inline(value)


def _in_lines(opening: str, lines: Sequence[str], closing: str, indent: str) -> str:
    body = ",\n".join(f"{indent}  {line}" for line in lines)
    return f"{opening}\n{body}\n{indent}{closing}"


def _inline(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, default=_plain)
    try:
        text.encode()
    except UnicodeEncodeError:  # half a surrogate pair, which no file can hold as it is
        return json.dumps(value, allow_nan=False, default=_plain)
    return text


def _plain(number: Any) -> int | float:
    """A number of NumPy's as Python's."""
    plain: int | float = number.item()
    return plain


# In: text as plain data.


def _decoded(file: bytes) -> str:
    try:
        return file.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        got = f"another byte at {error.start + 1}"
        raise _error("The file", "must be UTF-8 text", got, "Open a saved scenario.") from error


def _parsed(text: str) -> Any:
    try:
        return json.loads(
            text, object_pairs_hook=_without_duplicates, parse_constant=_refuse_constant
        )
    except MhaError:
        raise
    except json.JSONDecodeError as error:
        got = f"{error.msg} in line {error.lineno}, column {error.colno}"
        raise _error("The file", "must be JSON", got, "Open a saved scenario.") from error
    except ValueError as error:  # Python refuses to read whole numbers of thousands of digits
        raise _error("The file", "must hold numbers of a usual length", "a longer one") from error
    except RecursionError as error:
        raise _error("The file", "must be nested a few levels deep", "many more") from error


def _without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    data: dict[str, Any] = {}
    for name, value in pairs:
        if name in data:
            raise _error(f"The field {_shown(name)}", "must be given once", "it twice")
        data[name] = value
    return data


def _refuse_constant(name: str) -> NoReturn:
    raise _error("Every number", "must be finite", name, 'Only a mask may hold "-inf", in quotes.')


def _check_version(data: object) -> None:
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        got = _shown(data.get("format") if isinstance(data, dict) else data)
        raise _error("The file", f'must say "format": "{FORMAT}"', got, "Open a saved scenario.")
    version = data.get("version")
    if type(version) is not int or version != VERSION:
        raise _error(
            "The field 'version'",
            f"must be {VERSION}",
            _shown(version),
            "Open the file with the version of this app that wrote it.",
        )


# In: plain data as fields. A reader takes a field's path and its value.


def _fields(
    path: str, data: object, readers: Mapping[str, Reader], required: Sequence[str] = ()
) -> dict[str, Any]:
    if not isinstance(data, dict):
        raise _refused(path.rstrip("."), "must be an object with named fields", data)
    for name in data:
        if name not in readers:
            raise _error(
                f"The field {_shown(path + name)}",
                f"must be one that version {VERSION} knows ({', '.join(readers)})",
                f"another in a file of version {VERSION}",
                "Remove it, or open the file with the version of this app that wrote it.",
            )
    for name in required:
        if name not in data:
            raise _error(f"The field '{path}{name}'", "must be given", "nothing", "Add it.")
    read = {name: readers[name](path + name, value) for name, value in data.items()}
    return {name: value for name, value in read.items() if name not in HEADER}


def _or_null(read: Reader) -> Reader:
    return lambda path, value: None if value is None else read(path, value)


def _text(path: str, value: object) -> str:
    if not isinstance(value, str):
        raise _refused(path, "must be a text", value)
    return value


def _whole(path: str, value: object) -> int:
    if type(value) is not int or abs(value) > LARGEST_WHOLE:
        raise _refused(path, "must be a whole number of at most 2^53 in size", value)
    return value


def _number(path: str, value: Any) -> float:
    if type(value) not in (int, float) or not abs(value) <= LARGEST_FLOAT:
        raise _refused(path, "must be a finite number", value)
    return float(value)


def _number_or_minus_infinity(path: str, value: object) -> float:
    return -math.inf if value == "-inf" else _number(path, value)


def _bool(path: str, value: object) -> bool:
    if type(value) is not bool:
        raise _refused(path, "must be true or false", value)
    return value


def _one_of(*words: str) -> Reader:
    def read(path: str, value: object) -> str:
        if value not in words:
            raise _refused(path, f"must be one of {', '.join(words)}", value)
        return str(value)

    return read


def _scale(path: str, value: object) -> float | str:
    return value if isinstance(value, str) else _number(path, value)


def _list(read: Reader) -> Reader:
    def read_list(path: str, value: object) -> list[Any]:
        if not isinstance(value, list):
            raise _refused(path, "must be a list", value)
        return [read(path, item) for item in value]

    return read_list


def _rows(read: Reader) -> Reader:
    read_rows = _list(_list(read))

    def read_equal_rows(path: str, value: object) -> list[list[Any]]:
        rows: list[list[Any]] = read_rows(path, value)
        lengths = sorted({len(row) for row in rows})
        if len(lengths) > 1:
            raise _error(
                f"The field '{path}'",
                "must have rows of equal length",
                f"rows of {lengths[0]} and of {lengths[-1]}",
                "Give every row the same count of numbers.",
            )
        return rows

    return read_equal_rows


def _array(dtype: str, axes: int, cell: Reader = _number) -> Reader:
    read = _rows(cell) if axes == 2 else _list(cell)

    def read_array(path: str, value: object) -> FloatArray:
        with np.errstate(over="ignore"):  # a number beyond float32 is refused as infinite, in words
            array: FloatArray = np.array(read(path, value), np.float64).astype(dtype)
        return array

    return read_array


def _mask(path: str, value: object) -> Mask:
    named = value.get("additive_dtype", DTYPES[0]) if isinstance(value, dict) else DTYPES[0]
    dtype = _one_of(*DTYPES)(f"{path}.additive_dtype", named)
    read = _fields(
        f"{path}.",
        value,
        {
            "rules": _rules,
            "custom": _or_null(lambda path, rows: np.array(_rows(_bool)(path, rows), np.bool_)),
            "additive_dtype": _text,
            "additive": _or_null(_array(dtype, 2, _number_or_minus_infinity)),
        },
    )
    read.pop("additive_dtype", None)
    return Mask(**read)


def _rules(path: str, value: object) -> tuple[Rule, ...]:
    if isinstance(value, list):
        check_limit("The number of mask rules", len(value), MOST_RULES, FEWER_RULES)
    return tuple(_list(_rule)(path, value))


def _rule(path: str, value: object) -> Rule:
    readers = {"name": _text, "options": _options}
    return Rule(**_fields(f"{path}.", value, readers, required=("name",)))


def _options(path: str, value: object) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise _refused(path, "must be an object with named fields", value)
    return {name: _option(f"{path}.{name}", option) for name, option in value.items()}


def _option(path: str, value: object) -> Any:
    if isinstance(value, list):
        return _list(_whole)(path, value)
    return value if isinstance(value, str) else _whole(path, value)


def _scores(path: str, value: object) -> ScoreOptions:
    readers = {
        "scale": _scale,
        "softcap": _or_null(_number),
        "positions": _text,
        "query_start": _whole,
    }
    return ScoreOptions(**_fields(f"{path}.", value, readers))


def _origin(path: str, value: object) -> Origin:
    texts: dict[str, Reader] = dict.fromkeys(("example", "x", "weights"), _text)
    seeds: dict[str, Reader] = dict.fromkeys(("x_seed", "weights_seed"), _whole)
    return Origin(**_fields(f"{path}.", value, texts | seeds))


HEADER: Final[Mapping[str, Reader]] = {
    **{"format": _text, "version": _whole, "dtype": _text},  # checked before
}
SETTINGS: Final[Mapping[str, Reader]] = {
    **dict.fromkeys(("tokens", "context_tokens"), _list(_text)),
    **dict.fromkeys(("n_heads", "n_kv_heads", "d_k", "d_v"), _whole),
    **{"mask": _mask, "scores": _scores, "heads_off": _list(_whole), "origin": _origin},
}
REQUIRED: Final = ("x", "w_q", "w_k", "w_v", "w_o", "n_heads")


# Errors.


def _refused(path: str, need: str, value: object) -> FormatError:
    return _error(f"The field {_shown(path)}", need, _shown(value))


def _error(thing: str, need: str, got: str, way_out: str = "Correct it.") -> FormatError:
    return FormatError(thing, need, got, way_out)


def _shown(value: object) -> str:
    """A value as an error shows it: short, and never its inside."""
    if value is None:
        return "nothing"
    if isinstance(value, list | dict):
        return "a list" if isinstance(value, list) else "an object"
    text = repr(value) if isinstance(value, str) else json.dumps(value)
    return text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}..."
