"""A block as an expression: what it makes, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest

from mha_core.checks.errors import OptionError
from mha_core.io.matrix.block_text import LONGEST, block_of


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("I", np.eye(3)),
        ("10*I", 10 * np.eye(3)),
        (" 2.5 i ", 2.5 * np.eye(3)),
        ("-I", -np.eye(3)),
        ("\u2212.5\u00b7I", -0.5 * np.eye(3)),
        ("shift(-1)", np.eye(3, k=-1)),
        ("4*shift( 2 )", 4 * np.eye(3, k=2)),
        ("shift(+1)", np.eye(3, k=1)),
        ("shift(9999)", np.zeros((3, 3))),
        ("0", np.zeros((3, 3))),
        ("1e-1", np.full((3, 3), 0.1)),
        ("2*ones - 2*I", 2 - 2 * np.eye(3)),
        ("I+shift(1)+shift(-1)", np.eye(3) + np.eye(3, k=1) + np.eye(3, k=-1)),
    ],
)
def test_what_it_makes(text: str, made: np.ndarray) -> None:
    np.testing.assert_array_equal(block_of(text, 3, 3), made)


@pytest.mark.parametrize(
    "text",
    [
        *("", "  ", "X", "4*foo", "I I", "I*4", "2**3", "shift()", "shift(1.5)", "shift(99999)"),
        *("I +", "+ + I", "1e999", "__import__('os')", "ones" + "+ones" * LONGEST, "nan", "1,5*I"),
    ],
)
def test_what_is_no_such_expression_is_refused_with_a_way_out(text: str) -> None:
    with pytest.raises(
        OptionError, match="Write 10\\*I, 4\\*shift\\(-1\\), 0, or I - shift\\(1\\)"
    ):
        block_of(text, 2, 2)
