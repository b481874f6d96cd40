"""Numbers of 4 bits with scales: what they mean by hand, and what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from mha_core.checks.errors import FileError, ShapeError
from mha_core.io.tensors.mxfp4 import unpacked, with_mxfp4
from tests.core.models.held import Held

BLOCKS, SCALES = "experts.down_proj_blocks", "experts.down_proj_scales"


def block(*first: int) -> Any:
    """A block whose first bytes are these."""
    return np.array([*first, *[0] * (16 - len(first))], np.uint8)


def test_all_sixteen_numbers_by_hand() -> None:
    """The lower half of a byte comes first."""
    bytes_ = [0x10, 0x32, 0x54, 0x76, 0x98, 0xBA, 0xDC, 0xFE]
    made = unpacked(block(*bytes_)[None], np.array([127]))
    expected = [0, 0.5, 1, 1.5, 2, 3, 4, 6, 0, -0.5, -1, -1.5, -2, -3, -4, -6]
    assert made.dtype == np.float32
    assert made.tolist() == expected + [0.0] * 16


@pytest.mark.parametrize(
    ("scale", "one"), [(0, 2.0**-127), (126, 0.5), (127, 1), (130, 8), (254, 2.0**127)]
)
def test_a_scale_is_a_power_of_two(scale: int, one: float) -> None:
    assert unpacked(block(0x02)[None], np.array([scale]))[0] == np.float32(one)


def test_each_block_has_its_own_scale() -> None:
    blocks = np.stack([block(0x02), block(0x02)])[None]
    made = unpacked(blocks, np.array([[127, 129]]))
    assert made.shape == (1, 64)
    assert made[0, [0, 32]].tolist() == [1, 4]


def test_the_pair_is_one_tensor_of_which_rows_are_read() -> None:
    rng = np.random.default_rng(0)
    tensors = {
        BLOCKS: rng.integers(0, 256, (3, 5, 2, 16)),
        SCALES: rng.integers(120, 130, (3, 5, 2)),
        "other": np.ones((2, 2)),
    }
    file = with_mxfp4(Held(tensors, {"a": 1}))
    whole = file.read("experts.down_proj")
    assert file.shapes["experts.down_proj"] == whole.shape == (3, 5, 64)
    np.testing.assert_array_equal(file.read_rows("experts.down_proj", [2, 0]), whole[[2, 0]])
    np.testing.assert_array_equal(file.read("other"), tensors["other"])
    np.testing.assert_array_equal(file.read_rows(BLOCKS, [1]), tensors[BLOCKS][[1]])
    assert (file.config, file.folder) == ({"a": 1}, None)


def test_a_pair_without_numbers_is_empty() -> None:
    file = with_mxfp4(Held({BLOCKS: np.ones((0, 2, 16)), SCALES: np.ones((0, 2))}, {}))
    assert file.read("experts.down_proj").shape == (0, 64)


@pytest.mark.parametrize("names", [(), ("a",), (BLOCKS, SCALES, "experts.down_proj")])
def test_a_file_without_such_pairs_stays_as_it_is(names: tuple[str, ...]) -> None:
    file = Held(dict.fromkeys(names, np.ones((2, 16))), {})
    assert with_mxfp4(file) is file


def test_blocks_without_scales_are_refused() -> None:
    with pytest.raises(FileError, match=r"must have the tensor 'experts\.down_proj_scales', got"):
        with_mxfp4(Held({BLOCKS: np.ones((2, 3, 16))}, {}))


@pytest.mark.parametrize(
    ("blocks", "scales"), [((2, 3, 15), (2, 3)), ((2, 3, 16), (2, 4)), ((3, 16), (3,)), ((16,), ())]
)
def test_shapes_that_do_not_fit_are_refused(
    blocks: tuple[int, ...], scales: tuple[int, ...]
) -> None:
    file = Held({BLOCKS: np.ones(blocks), SCALES: np.ones(scales)}, {})
    with pytest.raises(ShapeError, match="must have 16 bytes for each of its scales, got shape"):
        with_mxfp4(file)
