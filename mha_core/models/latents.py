"""Small rows that queries, keys and values are made of, as in DeepSeek V2: X and C of a Scenario.

The latent of the queries is X; where a layer has none, X is what the layer reads. The latent of
keys and values is C, with the columns beside it that all heads share in their keys.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from mha_core.checks.shapes import FloatArray
from mha_core.io.tensors.tensor_file import TensorFile
from mha_core.models.mlp_and_norm import (
    LinearWeights,
    NormWeights,
    check_linear,
    check_norm,
    read_linear,
    read_norm,
    with_norm,
)
from mha_core.models.plan import Attention, Latents
from mha_core.scenario.origin import LATENT_OF_KEYS, LATENTS, Origin


@dataclass(frozen=True, eq=False)
class LatentWeights:
    """What makes a row small, with its norm; and columns beside it that pass none, perhaps."""

    linear: LinearWeights
    norm: NormWeights | None
    beside: LinearWeights | None = None

    def __call__(self, x: FloatArray) -> FloatArray:
        latent = with_norm(self.linear(x), self.norm)
        if self.beside is None:
            return latent
        return np.concatenate((latent, self.beside(x)), axis=-1)


@dataclass(frozen=True, eq=False)
class LatentsWeights:
    """The latent of keys and values, with the shared columns beside it; that of the queries."""

    keys: LatentWeights
    queries: LatentWeights | None

    @property
    def origin(self) -> Origin:
        return Origin(x=LATENT_OF_KEYS if self.queries is None else LATENTS)

    def made_of(self, x: FloatArray) -> tuple[FloatArray, FloatArray]:
        """X and C, of what the layer reads."""
        return x if self.queries is None else self.queries(x), self.keys(x)


def check_latents(file: TensorFile, latents: Latents, width: int) -> None:
    """Refuse a file that lacks a tensor of theirs, or has it in another shape."""
    check_linear(file, latents.of_keys, width, latents.width_of_keys)
    check_norm(file, latents.norm_of_keys, latents.width_of_keys)
    check_linear(file, latents.turning, width, latents.n_turning)
    if latents.of_queries is not None:
        check_linear(file, latents.of_queries, width, latents.width_of_queries)
    check_norm(file, latents.norm_of_queries, latents.width_of_queries)


def read_latents(file: TensorFile, latents: Latents, width: int) -> LatentsWeights:
    keys = LatentWeights(
        read_linear(file, latents.of_keys, width, latents.width_of_keys),
        read_norm(file, latents.norm_of_keys, latents.width_of_keys),
        read_linear(file, latents.turning, width, latents.n_turning),
    )
    of_queries, rank = latents.of_queries, latents.width_of_queries
    if of_queries is None:
        return LatentsWeights(keys, None)
    norm = read_norm(file, latents.norm_of_queries, rank)
    return LatentsWeights(keys, LatentWeights(read_linear(file, of_queries, width, rank), norm))


def with_shared_key(
    read: Mapping[str, FloatArray], attention: Attention, latents: Latents
) -> dict[str, FloatArray]:
    """The matrices as a Scenario has them: what turns stands first in each head.

    W_K takes the shared columns of C as they are, and W_V takes nothing of them.
    """
    n_heads, d_k, turning = attention.n_heads, attention.d_k, latents.n_turning
    growth = np.float32(latents.growth)
    q = read["w_q"].reshape(-1, n_heads, d_k)
    k = read["w_k"].reshape(-1, n_heads, d_k - turning)
    w_q = np.concatenate((q[..., -turning:] * growth, q[..., :-turning]), axis=-1)
    w_k = np.zeros((len(k) + turning, n_heads, d_k), k.dtype)
    w_k[: len(k), :, turning:] = k
    w_k[len(k) :, :, :turning] = growth * np.eye(turning, dtype=k.dtype)[:, None]
    w_v = np.pad(read["w_v"], ((0, turning), (0, 0)))
    return {**read, "w_q": w_q.reshape(len(q), -1), "w_k": w_k.reshape(len(w_k), -1), "w_v": w_v}
