"""MLPs side by side, of which a router chooses a few for each token: their weights, their sum."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from mha_core.checks.shapes import FloatArray
from mha_core.io.tensors.tensor_file import TensorFile
from mha_core.layer.attention import softmax
from mha_core.models.arithmetic import sigmoid
from mha_core.models.plan import Experts, Linear
from mha_core.models.stored import Stored

Arrays = Mapping[str, FloatArray]


@dataclass(frozen=True, eq=False)
class ExpertsWeights:
    """Experts whose numbers stay in the file. Only those that a text needs are read, one at a time.

    All experts of one layer of gpt-oss would take 3 GB.
    """

    plan: Experts
    router: Arrays
    file: TensorFile

    def __call__(self, x: FloatArray) -> FloatArray:
        """What the chosen experts make of each row, each times its share."""
        logits = _linear(self.router, "router", x)
        chosen = np.argsort(-logits, axis=-1, kind="stable")[:, : self.plan.chosen]
        shares = softmax(np.take_along_axis(logits, chosen, axis=-1))
        made = np.zeros_like(x)
        for expert in np.unique(chosen):
            rows, places = np.nonzero(chosen == expert)
            made[rows] += shares[rows, places, None] * self._made_by(int(expert), x[rows])
        return made

    def _made_by(self, expert: int, x: FloatArray) -> FloatArray:
        own, limit = self._read(expert), self.plan.limit
        gate = _linear(own, "gate", x).clip(max=limit)
        up = _linear(own, "up", x).clip(-limit, limit)
        inner = gate * sigmoid(gate * np.float32(self.plan.steepness)) * (up + 1)
        return _linear(own, "down", inner)

    def _read(self, expert: int) -> Arrays:
        """The matrices of one expert. Gate and up may stand in one tensor, which is read once."""
        tensors = dict(_of_experts(self.plan))
        read = {
            name: np.asarray(self.file.read_rows(name, [expert])[0], dtype=np.float32)
            for name in {stored.name for stored in tensors.values()}
        }
        return {name: stored.of(read[stored.name]) for name, stored in tensors.items()}


def check_experts(file: TensorFile, experts: Experts, width: int) -> None:
    shapes = _shapes(experts, width)
    for name, stored in (*_of_router(experts), *_of_experts(experts)):
        stored.check(file.shapes, shapes[name])


def read_experts(file: TensorFile, experts: Experts, width: int) -> ExpertsWeights:
    """The router alone: which of the experts a text needs is known only while it runs."""
    shapes = _shapes(experts, width)
    router = {name: stored.read(file, shapes[name]) for name, stored in _of_router(experts)}
    return ExpertsWeights(experts, router, file)


def _linear(arrays: Arrays, name: str, x: FloatArray) -> FloatArray:
    made: FloatArray = x @ arrays[name]
    bias = arrays.get(f"{name}_bias")
    return made if bias is None else made + bias


def _of_router(experts: Experts) -> Iterator[tuple[str, Stored]]:
    yield from _named("router", experts.router)


def _of_experts(experts: Experts) -> Iterator[tuple[str, Stored]]:
    """Where each matrix and each bias stands that every expert has its own of."""
    for name in ("gate", "up", "down"):
        yield from _named(name, getattr(experts, name))


def _named(name: str, linear: Linear) -> Iterator[tuple[str, Stored]]:
    yield name, linear.weight
    if linear.bias is not None:
        yield f"{name}_bias", linear.bias


def _shapes(experts: Experts, width: int) -> dict[str, tuple[int, ...]]:
    count, inner = experts.count, experts.width
    shapes: dict[str, tuple[int, ...]] = {
        "router": (width, count),
        "gate": (count, width, inner),
        "up": (count, width, inner),
        "down": (count, inner, width),
    }
    biases = {f"{name}_bias": (*shape[:-2], shape[-1]) for name, shape in shapes.items()}
    return shapes | biases
