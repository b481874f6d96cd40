"""The arrays that a person gives, with their symbols and shapes, and the names of the sizes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from mha_core.checks.shapes import Dims

SIZES: Final = (
    *("n_q", "n_k", "d_model", "d_model_kv", "d_out"),
    *("n_heads", "n_kv_heads", "d_k", "d_v"),
)


@dataclass(frozen=True)
class Given:
    """One array that the user gives: its symbol on screen and its shape."""

    symbol: str
    dims: Dims


GIVEN: Final[Mapping[str, Given]] = {
    "x": Given("X", Dims("n_q d_model")),
    "context": Given("C", Dims("n_k d_model_kv")),
    "w_q": Given("W_Q", Dims("d_model n_heads*d_k")),
    "w_k": Given("W_K", Dims("d_model_kv n_kv_heads*d_k")),
    "w_v": Given("W_V", Dims("d_model_kv n_kv_heads*d_v")),
    "w_o": Given("W_O", Dims("n_heads*d_v d_out")),
    "b_q": Given("b_Q", Dims("n_heads*d_k")),
    "b_k": Given("b_K", Dims("n_kv_heads*d_k")),
    "b_v": Given("b_V", Dims("n_kv_heads*d_v")),
    "b_o": Given("b_O", Dims("d_out")),
}
