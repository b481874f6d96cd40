"""MLPs side by side, of which a router chooses a few for each token: their weights, their sum."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import numpy.typing as npt

from mha_core.checks.shapes import FloatArray
from mha_core.io.tensors.tensor_file import TensorFile
from mha_core.layer.attention import softmax
from mha_core.models.arithmetic import ACTIVATIONS, sigmoid
from mha_core.models.in_float32 import in_float32
from mha_core.models.mlp_and_norm import (
    LinearWeights,
    MlpWeights,
    check_linear,
    check_mlp,
    read_linear,
    read_mlp,
)
from mha_core.models.plan import Activation, Clipped, Experts, Linear, Router
from mha_core.models.stored import EXPERT, Stored

LEAST: Final = np.float32(1e-20)  # by which shares are divided, where all ratings are 0
Arrays = Mapping[str, FloatArray]
Places = npt.NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class RouterWeights:
    """A router with its numbers."""

    plan: Router
    linear: LinearWeights
    correction: FloatArray | None

    def __call__(self, x: FloatArray) -> tuple[Places, FloatArray]:
        """The experts of each row, the best first, and the share of each."""
        logits = self.linear(x)
        rated = softmax(logits) if self.plan.rating == "softmax" else sigmoid(logits)
        chosen = self._chosen(rated if self.correction is None else rated + self.correction)
        shares = np.take_along_axis(rated, chosen, axis=-1)
        if self.plan.is_parted:
            shares = shares / shares.sum(axis=-1, keepdims=True).clip(min=LEAST)
        return chosen, shares * shares.dtype.type(self.plan.factor)

    def _chosen(self, rated: FloatArray) -> Places:
        """The best of the best groups. Of equal ones the first counts."""
        groups, best = self.plan.groups, self.plan.groups_chosen
        if best < groups:
            grouped = rated.reshape(len(rated), groups, -1)
            goodness = np.sort(grouped, axis=-1)[..., -self.plan.told_by :].sum(axis=-1)
            is_in = np.zeros(goodness.shape, np.bool_)
            np.put_along_axis(is_in, _largest(goodness, best), values=True, axis=-1)
            rated = np.where(is_in[..., None], grouped, -np.inf).reshape(rated.shape)
        return _largest(rated, self.plan.chosen)


@dataclass(frozen=True, eq=False)
class ExpertsWeights:
    """Experts whose numbers stay in the file. Only those that a text needs are read, one at a time.

    All experts of one layer of gpt-oss would take 3 GB.
    """

    plan: Experts
    router: RouterWeights
    shared: MlpWeights | None
    shared_gate: LinearWeights | None
    file: TensorFile

    def __call__(self, x: FloatArray) -> FloatArray:
        """What the chosen experts make of each row, each times its share."""
        chosen, shares = self.router(x)
        made = self._made_by_shared(x)
        for expert in np.unique(chosen):
            rows, places = np.nonzero(chosen == expert)
            made[rows] += shares[rows, places, None] * self._made_by(int(expert), x[rows])
        return made

    def _made_by_shared(self, x: FloatArray) -> FloatArray:
        if self.shared is None:
            return np.zeros_like(x)
        made = self.shared(x)
        if self.shared_gate is not None:
            made *= sigmoid(self.shared_gate(x))
        return made

    def _made_by(self, expert: int, x: FloatArray) -> FloatArray:
        own = self._read(expert)
        inner = _gated(self.plan.activation, _linear(own, "gate", x), _linear(own, "up", x))
        return _linear(own, "down", inner)

    def _read(self, expert: int) -> Arrays:
        """The matrices of one expert. Gate and up may stand in one tensor, which is read once."""
        tensors = dict(_of_experts(self.plan))
        read = {
            name: in_float32(name, self._read_tensor(name, expert))
            for name in {stored.name for stored in tensors.values()}
        }
        return {name: stored.of(read[stored.name]) for name, stored in tensors.items()}

    def _read_tensor(self, name: str, expert: int) -> FloatArray:
        if EXPERT in name:
            return self.file.read(name.replace(EXPERT, str(expert)))
        own: FloatArray = self.file.read_rows(name, [expert])[0]
        return own


def check_experts(file: TensorFile, experts: Experts, width: int) -> None:
    router, shapes = experts.router, _shapes(experts, width)
    check_linear(file, router.linear, width, router.count)
    if router.correction is not None:
        router.correction.check(file.shapes, (router.count,))
    for name, stored in _of_experts(experts):
        if EXPERT not in stored.name:
            stored.check(file.shapes, (router.count, *shapes[name]))
            continue
        for expert in range(router.count):
            own = replace(stored, name=stored.name.replace(EXPERT, str(expert)))
            own.check(file.shapes, shapes[name])
    if experts.shared is not None:
        check_mlp(file, experts.shared, width)
    if experts.shared_gate is not None:
        check_linear(file, experts.shared_gate, width, 1)


def read_experts(file: TensorFile, experts: Experts, width: int) -> ExpertsWeights:
    """All but the experts themselves: which of these a text needs is known only while it runs."""
    router, shared, gate = experts.router, experts.shared, experts.shared_gate
    return ExpertsWeights(
        experts,
        RouterWeights(
            router,
            read_linear(file, router.linear, width, router.count),
            None if router.correction is None else router.correction.read(file, (router.count,)),
        ),
        None if shared is None else read_mlp(file, shared, width),
        None if gate is None else read_linear(file, gate, width, 1),
        file,
    )


def _gated(activation: Activation | Clipped, gate: FloatArray, up: FloatArray) -> FloatArray:
    if isinstance(activation, Clipped):
        limit = activation.limit
        clipped = gate.clip(max=limit)
        opened = clipped * sigmoid(clipped * np.float32(activation.steepness))
        up = up.clip(-limit, limit) + 1
    else:
        opened = ACTIVATIONS[activation](gate)
    made: FloatArray = opened * up
    return made


def _largest(numbers: FloatArray, count: int) -> Places:
    """The places of the largest numbers of each row, the largest first."""
    places: Places = np.argsort(-numbers, axis=-1, kind="stable")[..., :count]
    return places


def _linear(arrays: Arrays, name: str, x: FloatArray) -> FloatArray:
    made: FloatArray = x @ arrays[name]
    bias = arrays.get(f"{name}_bias")
    return made if bias is None else made + bias


def _of_experts(experts: Experts) -> Iterator[tuple[str, Stored]]:
    """Where each matrix and each bias stands that every expert has its own of."""
    for name in ("gate", "up", "down"):
        linear: Linear = getattr(experts, name)
        yield name, linear.weight
        if linear.bias is not None:
            yield f"{name}_bias", linear.bias


def _shapes(experts: Experts, width: int) -> dict[str, tuple[int, ...]]:
    """Those of one expert."""
    inner = experts.width
    shapes: dict[str, tuple[int, ...]] = {
        "gate": (width, inner),
        "up": (width, inner),
        "down": (inner, width),
    }
    return shapes | {f"{name}_bias": shape[-1:] for name, shape in shapes.items()}
