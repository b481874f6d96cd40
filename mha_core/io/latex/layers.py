"""Several layers as they are told: a lesson for each, and what follows the last one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from mha_core.io.latex.lesson import Lesson
from mha_core.io.latex.prose import counted
from mha_core.layer.cells import Cell
from mha_core.layer.matrices import Axis, LabelledMatrix, labelled_matrix
from mha_core.layer.trace import Trace
from mha_core.stack.cells import layer_named, without_layer
from mha_core.stack.trace import StackTrace, layers_of


class LayersTold(NamedTuple):
    """A lesson for each layer, and the matrices after the last one; of a layer alone, none."""

    lessons: tuple[Lesson, ...]
    end: tuple[LabelledMatrix, ...]
    has_stream: bool

    @property
    def are_several(self) -> bool:
        return len(self.lessons) > 1

    @property
    def how_they_are_joined(self) -> str:
        """As a sentence of LaTeX."""
        layers = counted(len(self.lessons), "layer")
        if self.has_stream:
            return f"{layers} on one stream: each adds its output to its $X$."
        return f"{layers}: the output of each is $X$ of the next one."

    def x_of(self, number: int) -> str:
        """What X of a layer above the first is, counted from 0, as a sentence of LaTeX."""
        if self.has_stream:
            return f"$X$ is that of layer {number}, plus the output of layer {number}."
        return f"$X$ is the output of layer {number}."


def layers_told(
    trace: Trace | StackTrace,
    title: str,
    decimals: int,
    cell: Cell | None,
    pictures: Mapping[str, str],
) -> LayersTold:
    """`cell` and the names of `pictures` say in which layer they are, as in "2.weights"."""
    lessons = []
    for number, layer in enumerate(layers_of(trace)):
        own = {
            name.removeprefix(f"{number + 1}."): latex
            for name, latex in pictures.items()
            if (layer_named(Cell(name, None, 0, 0)) or 0) == number
        }
        is_here = cell is not None and (layer_named(cell) or 0) == number
        of_layer = without_layer(cell) if cell is not None and is_here else None
        lessons.append(Lesson(layer, title, decimals, of_layer, own))
    if isinstance(trace, StackTrace):
        return LayersTold(tuple(lessons), tuple(_end(trace)), trace.stack.residual)
    return LayersTold(tuple(lessons), (), has_stream=False)


def _end(traces: StackTrace) -> list[LabelledMatrix]:
    """The stream after the last layer, and what W_U makes of it."""
    stack = traces.stack
    if stack.is_one_layer:
        return []
    x = labelled_matrix(traces.layers[0], "x")
    stream = traces.stream[-1]
    columns = Axis("d_model", tuple(str(i + 1) for i in range(stream.shape[1])))
    found = [LabelledMatrix("stream", None, "The stream", "X_{end}", stream, x.rows, columns)]
    if stack.w_u is None or traces.logits is None or traces.probabilities is None:
        return found
    words = Axis("word", stack.words, "tokens")
    return [
        *found,
        LabelledMatrix("w_u", None, "W_U", "W_U", stack.w_u, columns, words),
        LabelledMatrix("logits", None, "Logits", "L", traces.logits, x.rows, words),
        LabelledMatrix("probabilities", None, "P", "P", traces.probabilities, x.rows, words),
    ]
