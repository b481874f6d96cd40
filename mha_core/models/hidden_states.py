"""X of a layer out of a file of hidden states that somebody has recorded."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from mha_core.checks.errors import ShapeError
from mha_core.checks.shapes import FloatArray, as_float_array, check_finite
from mha_core.checks.values import check_one_of
from mha_core.io.tensors.tensor_file import TensorFile
from mha_core.language import say
from mha_core.models.in_float32 import in_float32

THE_STATES: Final = say("The hidden states")
OUTPUTS: Final = ("output", "outputs", "attn_output", "attention_output")


def states_in(file: TensorFile, width: int) -> list[str]:
    """The arrays that can be X of a layer of this width, and are not what a layer gave."""
    fitting = [
        name
        for name, shape in file.shapes.items()
        if len(shape) in (2, 3) and shape[-1] == width and name not in OUTPUTS
    ]
    if not fitting:
        shapes = [f"{name} {shape}" for name, shape in file.shapes.items()][:4]
        raise ShapeError(
            THE_STATES,
            say(
                "must have a row for each token and {width} columns, as the layer reads them"
            ).format(width=width),
            ", ".join(shapes) or say("no arrays"),
            say("Save such an array, as in np.savez('states.npz', x=hidden_states[3])."),
        )
    return fitting


def read_states(file: TensorFile, name: str, width: int, layer: int) -> FloatArray:
    """The rows of one array. Of an array of several layers, those of this layer."""
    check_one_of(say("The array"), name, states_in(file, width))
    return _rows(file, name, layer)


def read_output(file: TensorFile, rows: int, width: int, layer: int) -> FloatArray | None:
    """What the layer gave in the same run, if the file has that too."""
    for name in OUTPUTS:
        if name in file.shapes:
            recorded = _rows(file, name, layer)
            if recorded.shape != (rows, width):
                raise ShapeError(
                    name,
                    say("must have shape {need}, as X has").format(need=(rows, width)),
                    say("shape {shape}").format(shape=recorded.shape),
                    say("Save what the same layer gave for these rows, or leave it out."),
                )
            return recorded
    return None


def _rows(file: TensorFile, name: str, layer: int) -> FloatArray:
    shape = file.shapes[name]
    if len(shape) == 3:
        batch_or_layers = shape[0]
        if batch_or_layers <= layer and batch_or_layers != 1:
            raise ShapeError(
                name,
                say("must have the layer {layer}, counted from 0").format(layer=layer),
                say("{count} layers").format(count=batch_or_layers),
                say("Take another layer, or save its rows alone."),
            )
        array = file.read_rows(name, [0 if batch_or_layers == 1 else layer])[0]
    else:
        array = file.read(name)
    rows = as_float_array(name, in_float32(name, array))
    if not len(rows):
        raise ShapeError(
            name, say("must have a row for each token"), say("none"), say("Save some rows.")
        )
    check_finite(name, rows)
    return rows


def as_said(shapes: Mapping[str, tuple[int, ...]], name: str) -> str:
    """An array with its shape.

    >>> as_said({"x": (3, 8)}, "x")
    'x: 3 × 8'
    """
    return f"{name}: {' × '.join(map(str, shapes[name]))}"
