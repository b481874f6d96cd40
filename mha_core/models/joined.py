"""The matrix that makes keys and values of a latent, out of its two parts.

Newer GGUF files have `k_b_proj` and `v_b_proj`: a matrix for each head, that of the keys turned
round. Others, and the hub, have `kv_b_proj`: for each head the rows of its keys, then those of its
values.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from mha_core.checks.shapes import FloatArray
from mha_core.io.tensors.made import MadeTensors
from mha_core.io.tensors.tensor_file import TensorFile

WHOLE: Final = "self_attn.kv_b_proj.weight"
KEYS: Final = "self_attn.k_b_proj.weight"
VALUES: Final = "self_attn.v_b_proj.weight"
N_AXES: Final = 3


def with_joined(file: TensorFile) -> TensorFile:
    """The file with each such pair as one tensor too; the same file where there are none."""
    places = [name.removesuffix(KEYS) for name in file.shapes if name.endswith(KEYS)]
    found = {place + WHOLE: _shape(file.shapes, place) for place in places}
    joined = {name: shape for name, shape in found.items() if shape}

    def make(name: str) -> FloatArray:
        place = name.removesuffix(WHOLE)
        keys, values = (file.read(place + part) for part in (KEYS, VALUES))
        whole: FloatArray = np.concatenate((keys.swapaxes(1, 2), values), axis=1)
        return whole.reshape(joined[name])

    def make_rows(name: str, rows: Sequence[int]) -> FloatArray:
        made: FloatArray = make(name)[list(rows)]
        return made

    return MadeTensors(file, joined, make, make_rows) if joined else file


def _shape(shapes: Mapping[str, tuple[int, ...]], place: str) -> tuple[int, ...]:
    """That of both together; none, where the two do not fit."""
    keys, values = shapes[place + KEYS], shapes.get(place + VALUES, ())
    if not len(keys) == len(values) == N_AXES or keys[0] != values[0] or keys[1] != values[2]:
        return ()
    return keys[0] * (keys[2] + values[1]), keys[1]
