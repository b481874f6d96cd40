"""Each array of a scenario that is none, and what the error says."""

from __future__ import annotations

import numpy as np
import pytest

from mha_core.checks.errors import ShapeError
from tests.core.checks.small import EYE, INF, NAN, of_size, small
from tests.core.refusals import Refusal, check_refused, not_finite, not_numbers, ragged


def no_matrix(got: str) -> ShapeError:
    return ShapeError(
        "X", "must have 2 axes, (n_q, d_model)", got, "Give a matrix with one row for each token."
    )


def empty(symbol: str, shape: str) -> ShapeError:
    return ShapeError(symbol, "must not be empty", f"shape {shape}", "Give one number or more.")


ARRAYS: dict[str, Refusal] = {
    "a row for a matrix": (lambda: small(x=[1.0, 2.0]), no_matrix("1, shape (2,)")),
    "a stack for a matrix": (lambda: small(x=of_size(1, 3, 4)), no_matrix("3, shape (1, 3, 4)")),
    "a number for a matrix": (lambda: small(x=3.0), no_matrix("0, shape ()")),
    "an empty list": (lambda: small(x=[]), no_matrix("1, shape (0,)")),
    "a row for the second sequence": (
        lambda: small(context=[1.0]),
        ShapeError(
            "C",
            "must have 2 axes, (n_k, d_model_kv)",
            "1, shape (1,)",
            "Give a matrix with one row for each token.",
        ),
    ),
    "a row for a projection": (
        lambda: small(w_o=[1.0]),
        ShapeError("W_O", "must have 2 axes, (n_heads*d_v, d_out)", "1, shape (1,)", "Reshape."),
    ),
    "a matrix for a bias": (
        lambda: small(b_q=of_size(1, 4)),
        ShapeError("b_Q", "must have 1 axes, (n_heads*d_k)", "2, shape (1, 4)", "Reshape."),
    ),
    "no rows": (lambda: small(x=of_size(0, 4)), empty("X", "(0, 4)")),
    "no columns": (lambda: small(w_q=of_size(4, 0)), empty("W_Q", "(4, 0)")),
    "rows of different lengths": (lambda: small(x=[[1, 2], [3]]), ragged("X")),
    "a word": (lambda: small(x=[["1", "2", "3", "x"]]), not_numbers("X", "<U1")),
    "complex numbers": (lambda: small(w_q=EYE * 1j), not_numbers("W_Q", "complex128")),
    "a table of None": (lambda: small(w_o=[[None] * 4] * 4), not_numbers("W_O", "object")),
    "a dictionary": (lambda: small(x={"a": 1}), not_numbers("X", "object")),
    "NaN": (
        lambda: small(x=[[1, 2, 3, 4], [1, 2, NAN, 4]]),
        not_finite("X", "nan in row 2, column 3"),
    ),
    "infinity": (
        lambda: small(w_o=np.diag([1, 1, 1, INF])),
        not_finite("W_O", "inf in row 4, column 4"),
    ),
    "minus infinity in float32": (
        lambda: small(w_v=np.diag([1, -INF, 1, 1]).astype(np.float32)),
        not_finite("W_V", "-inf in row 2, column 2"),
    ),
    "infinity in a bias": (
        lambda: small(b_o=[1, 2, INF, 4]),
        not_finite("b_O", "inf in position 3"),
    ),
    "beyond the limit": (
        lambda: small(x=[[1, 2, 1e101, 4]]),
        not_finite("X", "1e+101 in row 1, column 3"),
    ),
    "beyond the limit, negative": (
        lambda: small(x=[[-1.5e100, 2, 1, 4]]),
        not_finite("X", "-1.5e+100 in row 1, column 1"),
    ),
    "wider than float64": (
        lambda: small(x=np.full((3, 4), np.longdouble("1e400"))),
        not_finite("X", "inf in row 1, column 1"),
    ),
    **{
        f"no {name}": (
            lambda name=name: small(**{name: None}),
            ShapeError(symbol, f"must have shape {dims}", "nothing", "Give a matrix."),
        )
        for name, symbol, dims in (
            ("x", "X", "(n_q, d_model)"),
            ("w_q", "W_Q", "(d_model, n_heads*d_k)"),
            ("w_k", "W_K", "(d_model_kv, n_kv_heads*d_k)"),
            ("w_v", "W_V", "(d_model_v, n_kv_heads*d_v)"),
            ("w_o", "W_O", "(n_heads*d_v, d_out)"),
        )
    },
}


@pytest.mark.parametrize("what", ARRAYS)
def test_a_wrong_array_is_told_what_is_wrong_and_a_way_out(what: str) -> None:
    check_refused(*ARRAYS[what])
