"""Layers on one stream as a file of either kind, and back, to the last bit.

What a file says of the first layer is what it says of a scenario (`json_text.py`, `npz_file.py`).
In JSON, `layers_above` lists the others. In a .npz, the names of their arrays begin with the number
of the layer, as in `2.w_q`; the text `stack` says the rest.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from mha_core.checks.limits import LIMITS
from mha_core.checks.shapes import FloatArray
from mha_core.checks.sizes import check_size
from mha_core.checks.values import check_limit
from mha_core.io.matrix.array_files import (
    Archive,
    Array,
    ArrayHeader,
    CheckHeader,
    check_real,
    opened_archive,
    write_arrays,
)
from mha_core.io.matrix.digits import shortest
from mha_core.io.scenario.fields import (
    DTYPES,
    Reader,
    array_of,
    list_of,
    one_of,
    read_bool,
    read_fields,
    read_text,
    refused,
)
from mha_core.io.scenario.json_text import (
    MOST_CHARS_A_NUMBER,
    OF_A_STACK,
    OF_THE_INPUT,
    TOO_LARGE,
    data_of,
    described,
    most_chars_of,
    scenario_from,
)
from mha_core.io.scenario.npz_file import (
    MOST_UNPACKED,
    SMALLER,
    STACK_NAME,
    THING,
    check_names,
    check_room,
    check_text,
    contents_of,
    scenario_in,
)
from mha_core.io.scenario.plain_json import laid_out, parsed
from mha_core.language import say
from mha_core.scenario.scenario import Scenario
from mha_core.stack.layer import Layer
from mha_core.stack.stack import Stack, errors_of_layer

W_U: Final = "w_u"
NOT_OF_A_LAYER: Final = ("format", "version", *OF_THE_INPUT)
FEWER: Final = say("Take fewer.")
SETTINGS_OF_STACK: Final[Mapping[str, Reader]] = {
    "residual": read_bool,
    "words": list_of(read_text),
}


# JSON


def stack_to_json(stack: Stack) -> str:
    """The layers as text, with one line for each row of a matrix; of one layer, its scenario.

    >>> I = np.eye(2)
    >>> s = Scenario(x=I, w_q=I, w_k=I, w_v=I, w_o=I, n_heads=2)
    >>> text = stack_to_json(Stack((s,), residual=False))
    >>> print(text[: text.index("tokens")])
    {
      "format": "attention-scenario",
      "version": 1,
      "dtype": "float64",
      "
    """
    check_fits_json(stack)
    if stack.is_one_layer:
        return laid_out(described(stack.first))
    above = [
        {name: value for name, value in described(s).items() if name not in NOT_OF_A_LAYER}
        for s in stack.on_zeros[1:]
    ]
    data = {**described(stack.first), "residual": stack.residual, "layers_above": above}
    if stack.w_u is not None:
        data |= {W_U: shortest(stack.w_u).tolist(), "words": [*stack.words]}
    return laid_out(data)


def check_fits_json(stack: Stack) -> None:
    """Refuse layers whose text may be too long, without writing it."""
    w_u = 0 if stack.w_u is None else stack.w_u.size * MOST_CHARS_A_NUMBER
    chars = sum(map(most_chars_of, stack.on_zeros)) + w_u
    check_size(say("The scenario as JSON"), chars, LIMITS.text_chars, TOO_LARGE)


def stack_from_json(text: str | bytes) -> Stack:
    """The layers that a text or a file describes; of a scenario, it alone."""
    data = data_of(text)
    own = {name: data.pop(name) for name in OF_A_STACK if name in data}
    first = scenario_from(data)
    dtype = one_of(*DTYPES)("dtype", data.get("dtype", DTYPES[0]))
    of_stack: dict[str, Reader] = {**SETTINGS_OF_STACK, W_U: array_of(dtype, 2)}
    above = list_of(lambda _, value: value)("layers_above", own.pop("layers_above", []))
    said = read_fields("", own, of_stack)
    check_limit(say("The number of layers"), 1 + len(above), LIMITS.layers, FEWER)
    layers: list[Scenario | Layer] = [first]
    for number, value in enumerate(above, 1):
        path = f"layers_above[{number - 1}]."
        if not isinstance(value, dict):
            raise refused(path.rstrip("."), say("must be an object with named fields"), value)
        x = _x_of_next(layers)
        with errors_of_layer(number):
            layers.append(Layer.of(scenario_from(value, path, x)))
    return _stack_of(layers, said, said.get(W_U))


def _x_of_next(layers: list[Scenario | Layer]) -> FloatArray:
    """An X of zeros for the layer above these."""
    last = Stack(tuple(layers), residual=False).on_zeros[-1]
    return np.zeros((last.n_q, last.d_out), last.dtype)


def _stack_of(
    layers: list[Scenario | Layer], said: Mapping[str, Any], w_u: FloatArray | None
) -> Stack:
    residual = said.get("residual", len(layers) > 1)
    return Stack(tuple(layers), residual, w_u, tuple(said.get("words", ())))


# NPZ


def stack_to_npz(stack: Stack) -> bytes:
    """The layers as a .npz file."""
    check_fits_npz(stack)
    return write_arrays(_contents(stack))


def check_fits_npz(stack: Stack) -> None:
    """Refuse layers that are too large, without packing them."""
    size = sum(array.nbytes for array in _contents(stack).values())
    check_size(say("The scenario as .npz"), size, MOST_UNPACKED, SMALLER)


def _contents(stack: Stack) -> dict[str, Array]:
    first = contents_of(stack.first)
    if stack.is_one_layer:
        return first
    said = {"residual": stack.residual, "words": [*stack.words]}
    contents = {**first, STACK_NAME: np.array(laid_out(said))}
    for number, s in enumerate(stack.on_zeros[1:], 2):
        own = contents_of(s)
        contents |= {f"{number}.{name}": own[name] for name in own if name != "x"}
    return contents if stack.w_u is None else {**contents, W_U: stack.w_u}


def stack_from_npz(data: bytes) -> Stack:
    """The layers in a .npz file. All sizes are checked before anything is unpacked."""
    with opened_archive(THING, data) as archive:
        check_room(archive.headers)
        own = _Part(archive, {name: name for name in archive.headers if name[:1] not in DIGITS})
        said: dict[str, Any] = {}
        if STACK_NAME in own.headers:
            text = own.take(STACK_NAME, check_text)
            said = read_fields("", parsed(str(text[()])), SETTINGS_OF_STACK)
        w_u: Any = own.take(W_U, check_real) if W_U in own.headers else None
        check_names(own.headers)
        layers: list[Scenario | Layer] = [scenario_in(own)]
        count = _layer_count(archive)
        for number in range(1, count):
            part = _Part.of_layer(archive, number)
            with errors_of_layer(number):
                check_names(part.headers, has_input=False)
                layers.append(Layer.of(scenario_in(part, _x_of_next(layers))))
    return _stack_of(layers, said, w_u)


DIGITS: Final = "0123456789"


def _layer_count(archive: Archive) -> int:
    numbers = {name.partition(".")[0] for name in archive.headers if name[:1] in DIGITS}
    known = {str(number + 1) for number in range(1, LIMITS.layers)}
    highest = max((int(number) for number in numbers & known), default=1)
    in_order = {str(number) for number in range(2, highest + 1)}
    if numbers != in_order:
        check_names(archive.headers)
    return highest


class _Part:
    """Some arrays of an archive, by other names."""

    def __init__(self, archive: Archive, names: dict[str, str]) -> None:
        self._archive, self._names = archive, names
        self.headers: dict[str, ArrayHeader] = {
            name: archive.headers[full] for name, full in names.items()
        }

    @classmethod
    def of_layer(cls, archive: Archive, number: int) -> _Part:
        """Those of a layer, counted from 0."""
        prefix = f"{number + 1}."
        names = [name for name in archive.headers if name.startswith(prefix)]
        return cls(archive, {name.removeprefix(prefix): name for name in names})

    def read(self, name: str, check: CheckHeader) -> Array:
        return self._archive.read(self._names[name], check)

    def take(self, name: str, check: CheckHeader) -> Array:
        """Read one that no scenario has."""
        del self.headers[name]
        return self.read(name, check)
