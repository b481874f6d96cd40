"""The values of a link's parameters as text, and back.

A browser does not change letters, digits and `_ . - ~`, and shows a blank as `+`. Values use only
these, so that a link stays readable. Only labels may hold other signs.

    labels    I LOVE PIZZA              blank between labels; in a label `~_` is a blank and `~~` a
                                        tilde; `~.` is the empty label
    numbers   0.5  -2  1e-3             the fewest digits that give the same number
    rules     causal padding~hidden.0.3 blank between rules, `~` before an option, `.` before each
                                        of its values
    cells     0_1_0.5 2_0_-1            a few cells: row_column_value, rows and columns from 0
    rows      1_0_0.5 0_1_-1            a small matrix: blank between rows, `_` between numbers
    zip       eJxjYGBgAAAABAAB          any matrix: its bytes (booleans: its bits), row by row,
                                        little-endian, through zlib and base64url

Reading never makes an array larger than the shape that is expected.
"""

from __future__ import annotations

import base64
import math
import re
import zlib
from collections.abc import Sequence
from functools import cache
from typing import Any, Final, get_args, get_type_hints

import numpy as np
import numpy.typing as npt

from mha_core.checks.errors import FormatError, MhaError
from mha_core.checks.expression import read_expression
from mha_core.checks.limits import LIMITS
from mha_core.checks.shapes import differing_cells
from mha_core.checks.values import check_limit
from mha_core.io.scenario.fields import LONGEST_SHOWN
from mha_core.io.scenario.settings import FEWER_RULES
from mha_core.language import say
from mha_core.mask_rules.registry import MASKS
from mha_core.options.kinds import Numbers, Real, Rows, Special, Whole, Word, sides_of_grid
from mha_core.options.option import Option
from mha_core.scenario.masks import Rule

Array = npt.NDArray[Any]

NONE: Final = "none"

AT_ONCE: Final = 2**18  # bytes to compress
COPY_AGAIN: Final = say("Copy the link again.")
SMALLER: Final = say("Take a smaller layer, or save it as a file.")
FEW_CELLS: Final = 64  # more edited cells are written as a whole matrix
SMALL_MATRIX: Final = 1_024  # cells; a larger matrix is written compressed
FORMS: Final = ("cells", "rows", "zip")

_WHOLE: Final = re.compile(r"-?[0-9]{1,16}")
_NUMBER: Final = re.compile(r"-?[0-9]{1,40}(\.[0-9]{1,40})?(e-?[0-9]{1,3})?")
_ESCAPE: Final = re.compile("~.?", re.DOTALL)  # the empty label is read before
_ESCAPES: Final = {"~~": "~", "~_": " "}


def refused(name: str, need: str, got: str, way_out: str = COPY_AGAIN) -> FormatError:
    shown = got if len(got) <= LONGEST_SHOWN else f"{got[:LONGEST_SHOWN]}..."
    thing = say("The link's parameter '{parameter}'").format(parameter=name)
    return FormatError(thing, need, shown, way_out)


# Numbers and labels.


def write_number(number: float) -> str:
    """The shortest text of a number that reads as the same number.

    >>> write_number(30.0), write_number(1e22), write_number(-0.0)
    ('30', '1e22', '-0')
    """
    return repr(float(number)).removesuffix(".0").replace("e+", "e")


def read_number(name: str, text: str) -> float:
    if not _NUMBER.fullmatch(text) or not math.isfinite(number := float(text)):
        raise refused(name, say("must be a finite number"), repr(text))
    return number


def read_whole(name: str, text: str) -> int:
    if not _WHOLE.fullmatch(text):
        raise refused(name, say("must be a whole number of at most 16 digits"), repr(text))
    return int(text)


def write_option(option: Option, value: Any) -> str:
    """A value of an option of the scores.

    >>> from mha_core.options.registry import OPTIONS
    >>> write_option(OPTIONS["scale"], "1/sqrt(d_k)"), write_option(OPTIONS["softcap"], 30.0)
    ('root_d_k', '30')
    """
    words = [each.in_link for each in _specials(option) if each.value == value]
    if words and words[0]:
        return words[0]
    if isinstance(option.kind, Rows):
        sides = sides_of_grid(value)
        return "x".join(map(str, sides)) if sides else " ".join(map(_write_row, value))
    if isinstance(value, tuple):
        return " ".join(map(write_number, value))
    return value if isinstance(value, str) else write_number(value)


def read_option(option: Option, text: str) -> Any:
    """The value that a text stands for; the option checks it then."""
    for special in _specials(option):
        if special.in_link == text:
            return special.value
    match option.kind:
        case Whole():
            return read_whole(option.name, text)
        case Real() as real if typed := real.special_typed(text):
            return typed.value
        case Real():
            return _read_expression(option.name, text)
        case Numbers(each=Whole()):
            return tuple(read_whole(option.name, each) for each in text.split(" "))
        case Numbers():
            return tuple(read_number(option.name, each) for each in text.split(" "))
        case Rows() as kind:
            return kind.grid(text) or kind.taken(_read_rows_of_numbers(option.name, text))
    return text


def _read_expression(name: str, text: str) -> float:
    """A number, or what a person writes into its field: 1/8, sqrt(2)/2."""
    if _NUMBER.fullmatch(text):
        return read_number(name, text)
    try:
        return read_expression(text, name, {})
    except MhaError as error:
        raise refused(name, say("must be a finite number"), repr(text)) from error


def _write_row(row: Sequence[float]) -> str:
    return "_".join(map(write_number, row))


def _read_rows_of_numbers(name: str, text: str) -> tuple[tuple[float, ...], ...]:
    rows = (row.split("_") for row in text.split(" "))
    return tuple(tuple(read_number(name, each) for each in row) for row in rows)


def _specials(option: Option) -> tuple[Special, ...]:
    return () if isinstance(option.kind, Word) else option.kind.specials


def write_labels(labels: Sequence[str]) -> str:
    """Labels with a blank between them.

    >>> write_labels(["I", "New York", ""])
    'I New~_York ~.'
    """
    return " ".join(label.replace("~", "~~").replace(" ", "~_") or "~." for label in labels)


def read_labels(name: str, text: str) -> list[str]:
    return [_read_label(name, label) for label in text.split(" ")]


def _read_label(name: str, text: str) -> str:
    if text == "~.":
        return ""
    if not text or not set(_ESCAPE.findall(text)) <= set(_ESCAPES):
        need = say("must be labels with one blank between them, and ~ only in ~~, ~_ and ~.")
        raise refused(name, need, repr(text))
    return _ESCAPE.sub(lambda escape: _ESCAPES[escape[0]], text)


# Mask rules.


def write_rules(rules: Sequence[Rule]) -> str:
    """Mask rules by name, each with its options.

    >>> write_rules([Rule("causal"), Rule("padding", {"hidden": [0, 3]})])
    'causal padding~hidden.0.3'
    """
    check_limit(say("The number of mask rules"), len(rules), LIMITS.mask_rules, FEWER_RULES)
    return " ".join(_write_rule(rule) for rule in rules) or NONE


def read_rules(name: str, text: str) -> tuple[Rule, ...]:
    rules = [] if text == NONE else text.split(" ")
    check_limit(say("The number of mask rules"), len(rules), LIMITS.mask_rules, FEWER_RULES)
    return tuple(_read_rule(name, rule) for rule in rules)


def _write_rule(rule: Rule) -> str:
    return "~".join([rule.name, *(_write_option(*option) for option in rule.options.items())])


def _write_option(option: str, value: Any) -> str:
    values = value if isinstance(value, tuple) else (value,)
    return ".".join([option, *map(str, values)])


def _read_rule(name: str, text: str) -> Rule:
    mask, *options = text.split("~")
    pairs = [option.partition(".")[::2] for option in options]
    if len({option for option, _ in pairs}) < len(pairs):
        raise refused(name, say("must say each option once"), repr(text))
    return Rule(mask, {option: _read_option(name, mask, option, value) for option, value in pairs})


def _read_option(name: str, mask: str, option: str, text: str) -> Any:
    kind = _kinds(mask).get(option)
    if kind is int:
        return read_whole(name, text)
    if get_args(kind) == (int,):  # a sequence of whole numbers
        return [read_whole(name, part) for part in text.split(".")] if text else []
    return text  # a word; Rule refuses an option that it does not know


@cache
def _kinds(mask: str) -> dict[str, Any]:
    """What each option of a mask is: int, Sequence[int] or some words."""
    return get_type_hints(MASKS[mask]) if mask in MASKS else {}


# Arrays.


def write_array(
    array: Array, now: Array | None, most_chars: int = LIMITS.link_chars, *, cells: bool = True
) -> tuple[str, str] | None:
    """The form and the text that turn the array `now` (`blank` if None) into this one.

    None if the two are the same to the last bit. The shortest form is taken. A large matrix is
    written as cells if only a few differ. `cells=False` rules this form out. A text of more than
    `most_chars` is refused.
    """
    if array is now:
        return None
    base = blank(array.shape, array.dtype) if now is None else now
    places = np.argwhere(array != base if array.dtype == np.bool_ else differing_cells(array, base))
    if now is not None and not len(places):
        return None
    ways = {}
    if cells and 0 < len(places) <= FEW_CELLS:
        ways["cells"] = " ".join(
            "_".join([*map(str, place), _write_cell(array[tuple(place)])]) for place in places
        )
    if array.size <= SMALL_MATRIX:
        ways["rows"] = " ".join("_".join(map(_write_cell, row)) for row in np.atleast_2d(array))
    if array.size <= SMALL_MATRIX or not ways:
        ways["zip"] = _write_zip(array, most_chars)
    form = min(ways, key=lambda form: len(ways[form]))
    return form, ways[form]


def blank(shape: tuple[int, ...], dtype: np.dtype[Any]) -> Array:
    """An array before its numbers are read: zeros, or for a drawn mask, all open."""
    return np.full(shape, dtype == np.bool_, dtype)


def read_array(name: str, form: str, text: str, now: Array, *, infinite: bool = False) -> Array:
    """The array that a form and its text make from the array `now`, in its shape and type."""
    if form == "zip":
        return _read_zip(name, text, now)
    if form == "rows":
        return _read_rows(name, text, now, infinite)
    return _read_cells(name, text, now, infinite)


def _write_cell(value: Any) -> str:
    if value.dtype == np.bool_:
        return "1" if value else "0"
    return "-inf" if value == -np.inf else write_number(value)


def _read_cell(name: str, text: str, now: Array, infinite: bool) -> float:
    if now.dtype == np.bool_ and text not in ("0", "1"):
        raise refused(name, say("must hold 1 for open and 0 for hidden"), repr(text))
    return -math.inf if infinite and text == "-inf" else read_number(name, text)


def _read_rows(name: str, text: str, now: Array, infinite: bool) -> Array:
    rows = [row.split("_") for row in text.split(" ")]
    shape = np.atleast_2d(now).shape
    if len(rows) != shape[0] or any(len(row) != shape[1] for row in rows):
        raise refused(
            name,
            say("must have {rows} rows of {columns} numbers").format(
                rows=shape[0], columns=shape[1]
            ),
            repr(text),
        )
    numbers = [[_read_cell(name, cell, now, infinite) for cell in row] for row in rows]
    return _in_type(np.array(numbers).reshape(now.shape), now)


def _read_cells(name: str, text: str, now: Array, infinite: bool) -> Array:
    array = now.astype(np.float64)
    places = set()
    for cell in text.split(" "):
        *place, value = cell.split("_")
        index = tuple(read_whole(name, i) for i in place)
        if len(index) != now.ndim or not all(map(_is_in, index, now.shape)) or index in places:
            need = say("must name cells of a matrix of shape {shape}, each once, from 0").format(
                shape=now.shape
            )
            raise refused(name, need, repr(cell))
        places.add(index)
        array[index] = _read_cell(name, value, now, infinite)
    return _in_type(array, now)


def _is_in(index: int, size: int) -> bool:
    return 0 <= index < size


def _in_type(numbers: Array, now: Array) -> Array:
    with np.errstate(over="ignore"):  # larger than float32 becomes inf, which is refused later
        return numbers.astype(now.dtype)


def _write_zip(array: Array, most_chars: int) -> str:
    little = array.astype(array.dtype.newbyteorder("<"), copy=False)
    data = np.packbits(array).tobytes() if array.dtype == np.bool_ else little.tobytes()
    packer = zlib.compressobj(9)
    packed = bytearray()
    for start in range(0, len(data), AT_ONCE):  # so that a text that is too long is found early
        packed += packer.compress(data[start : start + AT_ONCE])
        check_limit(say("The link's length"), len(packed), most_chars, SMALLER)
    packed += packer.flush()
    return base64.urlsafe_b64encode(packed).rstrip(b"=").decode()


def _read_zip(name: str, text: str, now: Array) -> Array:
    if now.dtype == np.bool_:
        bits = np.frombuffer(_unzipped(name, text, (now.size + 7) // 8), np.uint8)
        return np.unpackbits(bits, count=now.size).astype(np.bool_).reshape(now.shape)
    data = _unzipped(name, text, now.nbytes)
    return np.frombuffer(data, now.dtype.newbyteorder("<")).astype(now.dtype).reshape(now.shape)


def _unzipped(name: str, text: str, length: int) -> bytes:
    """Exactly this many bytes. At most one more is ever unpacked."""
    whole = say("must be whole and unchanged")
    if not re.fullmatch(r"[A-Za-z0-9_-]*", text):
        raise refused(name, whole, repr(text))
    unpacker = zlib.decompressobj()
    try:
        packed = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
        data = unpacker.decompress(packed, length + 1)
    except (ValueError, zlib.error) as error:
        raise refused(name, whole, repr(text)) from error
    if len(data) != length or not unpacker.eof or unpacker.unused_data:
        raise refused(
            name, say("must hold all numbers of its array and no more"), say("another count")
        )
    return data
