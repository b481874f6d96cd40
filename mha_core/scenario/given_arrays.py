"""The arrays that a person gives, with their symbols and shapes, and the names of the sizes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from mha_core.checks.shapes import Dims

SIZES: Final = (
    *("n_q", "n_k", "d_model", "d_model_kv", "d_model_v", "d_out"),
    *("n_heads", "n_kv_heads", "d_k", "d_v", "d_g", "n_distances"),
)


@dataclass(frozen=True)
class GivenArray:
    """One array that the user gives: its symbol on screen and its shape.

    A layer may do without one that is `optional`: then its numbers count as `left_out`. A second
    sequence is none of these: it brings words along.
    """

    symbol: str
    dims: Dims
    optional: bool = False
    left_out: int = 0


GIVEN: Final[Mapping[str, GivenArray]] = {
    "x": GivenArray("X", Dims("n_q d_model")),
    "context": GivenArray("C", Dims("n_k d_model_kv")),
    "context_v": GivenArray("C_V", Dims("n_k d_model_v"), optional=True),
    "w_q": GivenArray("W_Q", Dims("d_model n_heads*d_k")),
    "w_k": GivenArray("W_K", Dims("d_model_kv n_kv_heads*d_k")),
    "w_v": GivenArray("W_V", Dims("d_model_v n_kv_heads*d_v")),
    "w_o": GivenArray("W_O", Dims("n_heads*d_v d_out")),
    "b_q": GivenArray("b_Q", Dims("n_heads*d_k"), optional=True),
    "b_k": GivenArray("b_K", Dims("n_kv_heads*d_k"), optional=True),
    "b_v": GivenArray("b_V", Dims("n_kv_heads*d_v"), optional=True),
    "b_o": GivenArray("b_O", Dims("d_out"), optional=True),
    "b_s": GivenArray("b_S", Dims("n_heads*n_q n_k"), optional=True),
    "w_f": GivenArray("W_F", Dims("d_model n_heads*2"), optional=True),
    "b_f": GivenArray("b_F", Dims("n_heads*2"), optional=True),
    "c_f": GivenArray("c_F", Dims("n_heads"), optional=True, left_out=1),
    "sinks": GivenArray("sink", Dims("n_heads"), optional=True),
    "r_k": GivenArray("R_K", Dims("n_distances n_heads*d_k"), optional=True),
    "r_q": GivenArray("R_Q", Dims("n_distances n_heads*d_k"), optional=True),
    "w_g": GivenArray("W_G", Dims("d_model n_heads*d_g"), optional=True),
    "b_g": GivenArray("b_G", Dims("n_heads*d_g"), optional=True),
}

OPTIONAL: Final = tuple(name for name, given in GIVEN.items() if given.optional)
OF_FACTORS: Final = ("w_f", "b_f", "c_f")  # the gate of b_S: it has a meaning with b_S alone
# The arrays that have a row for each token: what queries, keys and values are made from.
OF_TOKENS: Final = tuple(
    name for name, each in GIVEN.items() if each.dims.axes[0] in ("n_q", "n_k")
)
# With the projections and biases that make queries, keys, values and gates of them.
GIVEN_BEFORE_HEADS: Final = (
    *(*OF_TOKENS, "w_q", "w_k", "w_v", "b_q", "b_k", "b_v"),
    *("w_f", "b_f", "w_g", "b_g"),
)
