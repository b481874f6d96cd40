"""A file of hidden states that a visitor has given: X of a layer, as somebody has recorded it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

from mha_core.checks.errors import LimitError
from mha_core.checks.limits import PAGE_LIMITS
from mha_core.checks.shapes import FloatArray
from mha_core.io.tensors.opening import tensors_of
from mha_core.io.tensors.tensor_file import TensorFile
from mha_core.language import say
from mha_core.models.hidden_states import read_output, read_states, states_in


@dataclass(frozen=True)
class StatesFile:
    """Such a file, and which of its arrays is X."""

    name: str
    file: TensorFile
    array: str

    @classmethod
    def read(cls, name: str, data: bytes, width: int) -> Self:
        """The file, if it has rows of this width; of several arrays, the first."""
        file = tensors_of(name, data)
        return cls(name, file, states_in(file, width)[0])

    def fitting(self, width: int) -> list[str]:
        """The arrays that may be X."""
        return states_in(self.file, width)

    def of_array(self, array: str) -> Self:
        return replace(self, array=array)

    def rows(self, width: int, layer: int) -> FloatArray:
        x = read_states(self.file, self.array, width, layer)
        if len(x) > PAGE_LIMITS.tokens:
            raise LimitError(
                say("The hidden states"),
                say("must have at most {most} rows").format(most=PAGE_LIMITS.tokens),
                str(len(x)),
                say("Save a part of them."),
            )
        return x

    def output(self, x: FloatArray, layer: int) -> FloatArray | None:
        """What the layer gave in the same run, if the file has that."""
        return read_output(self.file, len(x), x.shape[1], layer)
