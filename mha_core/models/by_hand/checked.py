"""What can be checked of a mapping by hand, and what cannot: said in words."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from typing import Final

import numpy as np

from mha_core.checks.errors import MhaError
from mha_core.checks.shapes import FloatArray
from mha_core.io.tensors.tensor_file import TensorFile
from mha_core.language import say, say_number
from mha_core.layer.attending import attend
from mha_core.models.by_hand.choice import MATRICES, SYMBOLS
from mha_core.models.by_hand.guess import has_names_of_torch
from mha_core.models.by_hand.layer_by_hand import LayerByHand
from mha_core.models.weights import check_layer, read_weights

AGREES: Final = 1e-3  # of the largest number that was recorded: files may be in half precision


def check_fits(file: TensorFile, mapped: LayerByHand, layer: int) -> list[str]:
    """Refuse what does not fit by its shapes. Else say what fits. No number is read."""
    attention, width = mapped.plan(file.shapes, layer)
    check_layer(file, attention, width)
    fits = say_number(
        "All shapes fit: X has {width} columns; {count} head of width {d_k}.",
        "All shapes fit: X has {width} columns; {count} heads of width {d_k}.",
        attention.n_heads,
    ).format(width=width, count=attention.n_heads, d_k=attention.d_k)
    said = [fits]
    if attention.n_kv_heads != attention.n_heads:
        said.append(
            say_number(
                "They share {count} head of keys and values.",
                "They share {count} heads of keys and values.",
                attention.n_kv_heads,
            ).format(count=attention.n_kv_heads)
        )
    return said


def square(file: TensorFile, mapped: LayerByHand, layer: int) -> tuple[str, ...]:
    """The matrices that would fit the other way round too, as W_Q."""
    given = mapped.names.of_layer(layer).given()
    return tuple(
        role
        for role in MATRICES
        if len(set(file.shapes[given[role].name])) == 1 and len(file.shapes[given[role].name]) == 2
    )


def unchecked(file: TensorFile, mapped: LayerByHand, layer: int) -> list[str]:
    """What no shape can tell of the matrices, and what stands on nothing but a person's word."""
    said = []
    squares = square(file, mapped, layer)
    if squares:
        symbols = ", ".join(SYMBOLS[role] for role in squares)
        said.append(
            say(
                "Not checked: which way round {symbols} are stored. They are square, so the other "
                "way fits too, and a forgotten transpose gives other heads without an error."
            ).format(symbols=symbols)
            if len(squares) > 1
            else say(
                "Not checked: which way round {symbols} is stored. It is square, so the other way "
                "fits too, and a forgotten transpose gives other heads without an error."
            ).format(symbols=symbols)
        )
        if _has_names_of_torch(mapped):
            said.append(
                say(
                    "Their names are as PyTorch's, which stores outputs × inputs: there, "
                    "all are transposed."
                )
            )
    elif width := _width_if_all_are_turned(file, mapped, layer):
        said.append(
            say(
                "Not checked: which way round the matrices are stored. All four fit the other way "
                "round too; then X has {width} columns."
            ).format(width=width)
        )
    said.append(
        say(
            "Not checked either: the number of heads, the rotation, and what may see what. What "
            "the layer gave in a recorded run would check all of it."
        )
    )
    return said


def _has_names_of_torch(mapped: LayerByHand) -> bool:
    return has_names_of_torch({role: s.name for role, s in mapped.names.given().items()})


def _width_if_all_are_turned(file: TensorFile, mapped: LayerByHand, layer: int) -> int:
    """The width of X if all four matrices were stored the other way round; 0 if they do not fit."""
    turned = _turned(mapped, MATRICES)
    try:
        attention, width = turned.plan(file.shapes, layer)
        check_layer(file, attention, width)
    except MhaError:
        return 0
    return width


def says_compared(
    file: TensorFile, mapped: LayerByHand, layer: int, x: FloatArray, recorded: FloatArray
) -> tuple[bool, str]:
    """Whether the layer gives what was recorded, and that in words.

    Where it does not, each way round of the square matrices is tried.
    """
    share = _difference(file, mapped, layer, x, recorded)
    if share <= AGREES:
        says = say(
            "Checked: the layer gives what was recorded, up to {share:.1g} of its largest number."
        )
        return True, says.format(share=share)
    said = say(
        "The layer does not give what was recorded: the largest difference is {share:.1g} of its "
        "largest number."
    ).format(share=share)
    squares = square(file, mapped, layer)
    for count in range(1, len(squares) + 1):
        for turned in combinations(squares, count):
            if _difference(file, _turned(mapped, turned), layer, x, recorded) <= AGREES:
                symbols = ", ".join(SYMBOLS[role] for role in turned)
                way_out = say("It does so with {symbols} stored the other way round.")
                return False, f"{said} {way_out.format(symbols=symbols)}"
    return False, f"{said} " + say("Look at the heads, the rotation, and what may see what.")


def _difference(
    file: TensorFile, mapped: LayerByHand, layer: int, x: FloatArray, recorded: FloatArray
) -> float:
    """The largest difference from what was recorded, as a share of its largest number."""
    attention, width = mapped.plan(file.shapes, layer)
    made = attend(read_weights(file, attention, width).scenario(x)).output
    most = float(np.abs(recorded).max()) or 1.0
    return float(np.abs(made - recorded).max()) / most


def _turned(mapped: LayerByHand, roles: tuple[str, ...]) -> LayerByHand:
    """The same mapping with these matrices stored the other way round."""
    turned = {
        role: replace(stored, is_transposed=not stored.is_transposed)
        for role, stored in mapped.names.given().items()
        if role in roles
    }
    return replace(mapped, names=replace(mapped.names, **turned))
