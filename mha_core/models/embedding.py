"""What the stream of a model begins with: a sum of rows of tables; a norm, a matrix behind it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce

import numpy as np

from mha_core.checks.shapes import FloatArray
from mha_core.checks.values import check_whole
from mha_core.io.tensors.tensor_file import TensorFile
from mha_core.language import say
from mha_core.models.in_float32 import in_float32
from mha_core.models.mlp_and_norm import (
    LinearWeights,
    NormWeights,
    read_linear,
    read_norm,
    with_norm,
)
from mha_core.models.plan import Embedding
from mha_core.models.text import check_ids


@dataclass(frozen=True, eq=False)
class Embedded:
    """A text as rows: `tables` has what they are the sum of, before the norm.

    Its names are "word", "place", and "every" for the row that is added to each token; "x" where
    somebody else has embedded the rows.
    """

    tables: Mapping[str, FloatArray]
    norm: NormWeights | None
    into_width: LinearWeights | None

    def __len__(self) -> int:
        return len(self.summed)

    @property
    def summed(self) -> FloatArray:
        return reduce(np.add, self.tables.values())

    @property
    def rows(self) -> FloatArray:
        """As the first layer gets them."""
        normed = with_norm(self.summed, self.norm)
        return normed if self.into_width is None else self.into_width(normed)


def embedded(file: TensorFile, table: Embedding, ids: Sequence[int], width: int) -> Embedded:
    """These tokens as the rows of a model of this width."""
    tokens = check_ids(ids, file.shapes[table.words][0])
    tables = {"word": _rows(file, table.words, tokens) * np.float32(table.factor)}
    if table.positions:
        first = table.first_position
        check_whole(
            say("The number of tokens"),
            len(tokens),
            1,
            file.shapes[table.positions][0] - first,
            say("The model has no more positions."),
        )
        tables["place"] = _rows(file, table.positions, range(first, first + len(tokens)))
    if table.kinds:
        tables["every"] = np.repeat(_rows(file, table.kinds, [0]), len(tokens), axis=0)
    into = table.into_width
    return Embedded(
        tables,
        read_norm(file, table.norm, table.width),
        None if into is None else read_linear(file, into, table.width, width),
    )


def _rows(file: TensorFile, name: str, rows: Sequence[int]) -> FloatArray:
    return in_float32(name, file.read_rows(name, list(rows)))
