"""MLPs side by side, of which a router chooses a few for each token: their weights, their sum."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from mha_core.checks.shapes import FloatArray
from mha_core.io.tensors.tensor_file import TensorFile
from mha_core.layer.attention import softmax
from mha_core.models.arithmetic import sigmoid
from mha_core.models.plan import Experts
from mha_core.models.stored import Stored


@dataclass(frozen=True, eq=False)
class ExpertsWeights:
    """Experts with their numbers, by the names of `_tensors`: the expert is the first axis."""

    plan: Experts
    arrays: Mapping[str, FloatArray]

    def __call__(self, x: FloatArray) -> FloatArray:
        """What the chosen experts make of each row, each times its share."""
        logits = self._linear("router", x)
        chosen = np.argsort(-logits, axis=-1, kind="stable")[:, : self.plan.chosen]
        shares = softmax(np.take_along_axis(logits, chosen, axis=-1))
        made = np.zeros_like(x)
        for expert in np.unique(chosen):
            rows, places = np.nonzero(chosen == expert)
            made[rows] += shares[rows, places, None] * self._made_by(expert, x[rows])
        return made

    def _made_by(self, expert: int, x: FloatArray) -> FloatArray:
        both, limit = self._linear("gate_and_up", x, expert), self.plan.limit
        gate, up = both[:, ::2].clip(max=limit), both[:, 1::2].clip(-limit, limit)
        inner = gate * sigmoid(gate * np.float32(self.plan.steepness)) * (up + 1)
        return self._linear("down", inner, expert)

    def _linear(self, name: str, x: FloatArray, expert: int | None = None) -> FloatArray:
        of = ... if expert is None else expert
        made: FloatArray = x @ self.arrays[name][of]
        bias = self.arrays.get(f"{name}_bias")
        return made if bias is None else made + bias[of]


def check_experts(file: TensorFile, experts: Experts, width: int) -> None:
    for stored, shape in _tensors(experts, width).values():
        stored.check(file.shapes, shape)


def read_experts(file: TensorFile, experts: Experts, width: int) -> ExpertsWeights:
    """All experts of a layer: which of them a text needs is known only while it runs."""
    tensors = _tensors(experts, width)
    arrays = {name: stored.read(file, shape) for name, (stored, shape) in tensors.items()}
    return ExpertsWeights(experts, arrays)


def _tensors(experts: Experts, width: int) -> dict[str, tuple[Stored, tuple[int, ...]]]:
    """Where each matrix and each bias stands, and its shape."""
    count, inner = experts.count, experts.width
    shapes: dict[str, tuple[int, ...]] = {
        "router": (width, count),
        "gate_and_up": (count, width, 2 * inner),
        "down": (count, inner, width),
    }
    found = {}
    for name, shape in shapes.items():
        linear = getattr(experts, name)
        found[name] = linear.weight, shape
        if linear.bias is not None:
            found[f"{name}_bias"] = linear.bias, (*shape[:-2], shape[-1])
    return found
