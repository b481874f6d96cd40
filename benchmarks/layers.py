"""One layer of multi-head attention, computed by our core, by PyTorch, and the floor below both."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import torch

from mha_core import attend
from mha_core.checks.shapes import FloatArray
from mha_core.scenario.scenario import Scenario

# Each gives the weights (n_heads, n, n) and the output (n, d_model), PyTorch as its own tensors.
Contestants = dict[str, Callable[[], tuple[Any, Any]]]

TOLERANCE: Final = {"float32": 1e-5, "float64": 1e-12}  # relative to the largest number


@dataclass(frozen=True)
class Size:
    """How large a layer of self-attention is, and of which type its numbers are."""

    n: int
    d_model: int
    n_heads: int
    dtype: str


DTYPES: Final = ("float32", "float64")
SIZES: Final = tuple(
    Size(*size, dtype)
    for size in (
        (4, 4, 2),
        (8, 64, 4),
        (64, 512, 8),
        (256, 512, 8),
        (512, 768, 12),
        (1024, 1024, 16),
        (2048, 512, 8),
    )
    for dtype in DTYPES
)


def contestants(size: Size) -> Contestants:
    """The same layer on the same random numbers, as each contestant computes it.

    "torch" is PyTorch's layer as constructed, MultiheadAttention(d_model, n_heads), given the same
    sequence as ours; both only infer. "fused" is that layer at its fastest: with batch_first, and
    given a batch of one, it runs as one native function.
    """
    layer = torch_layer(size)
    fused = torch_layer(size, batch_first=True)
    x = torch.randn(size.n, size.d_model, dtype=getattr(torch, size.dtype))
    batch = x[None]
    scenario = as_scenario(layer, x)

    def ours() -> tuple[FloatArray, FloatArray]:
        trace = attend(scenario)
        return trace.weights, trace.output

    return {
        "ours": ours,
        "torch": lambda: weights_and_output(layer, x),
        "fused": lambda: weights_and_output(fused, batch),
        "floor": lambda: floor(scenario),
    }


def torch_layer(size: Size, **options: bool) -> torch.nn.MultiheadAttention:
    """PyTorch's own layer, the same numbers each time."""
    torch.manual_seed(0)
    dtype = getattr(torch, size.dtype)
    layer = torch.nn.MultiheadAttention(size.d_model, size.n_heads, dtype=dtype, **options)
    for bias in (layer.in_proj_bias, layer.out_proj.bias):
        torch.nn.init.normal_(bias)  # at 0, where it begins, a forgotten one would not show
    return layer.eval().requires_grad_(False)


def weights_and_output(
    layer: torch.nn.MultiheadAttention, x: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    output, weights = layer(x, x, x, need_weights=True, average_attn_weights=False)
    return weights, output


def as_scenario(layer: torch.nn.MultiheadAttention, x: torch.Tensor) -> Scenario:
    """The same layer as a Scenario. PyTorch stores its matrices transposed, Q, K and V in one."""
    w_q, w_k, w_v = (as_stored(w.T) for w in layer.in_proj_weight.chunk(3))
    b_q, b_k, b_v = (as_stored(b) for b in layer.in_proj_bias.chunk(3))
    out = layer.out_proj
    biases: dict[str, Any] = {"b_q": b_q, "b_k": b_k, "b_v": b_v, "b_o": as_stored(out.bias)}
    return Scenario(
        x=as_stored(x),
        w_q=w_q,
        w_k=w_k,
        w_v=w_v,
        w_o=as_stored(out.weight.T),
        n_heads=layer.num_heads,
        **biases,
    )


def as_stored(tensor: torch.Tensor) -> FloatArray:
    """The numbers row by row, as a user's own matrices are."""
    stored: FloatArray = np.ascontiguousarray(tensor.numpy())
    return stored


def floor(s: Scenario) -> tuple[FloatArray, FloatArray]:
    """The matrix products and one pass of exp, and nothing else: no layer can do less."""
    q, k, v = (
        (s.x @ w).reshape(s.n_q, s.n_heads, -1).swapaxes(0, 1) for w in (s.w_q, s.w_k, s.w_v)
    )
    scores = q @ k.mT
    np.exp(scores, out=scores)
    heads = (scores @ v).swapaxes(0, 1).reshape(s.n_q, -1)
    return scores, heads @ s.w_o


def check_same_numbers(race: Contestants) -> None:
    """Refuse to compare the times of those that do not compute the same."""
    for rival in ("torch", "fused"):
        pairs = zip(("weights", "output"), race["ours"](), race[rival](), strict=True)
        for what, ours, theirs in pairs:
            expected = np.asarray(theirs).reshape(ours.shape)  # without the batch of one
            difference = float(np.abs(ours - expected).max() / np.abs(expected).max())
            if not difference <= TOLERANCE[ours.dtype.name]:
                raise ArithmeticError(f"The {what} differ by {difference:.2g}: nothing was timed.")
