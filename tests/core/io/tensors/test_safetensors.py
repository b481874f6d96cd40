"""Safetensors as the library writes them, and as nobody should."""

from __future__ import annotations

import json
import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from safetensors.numpy import save

from mha_core.checks.errors import FileError, LimitError, MhaError, OptionError, ShapeError
from mha_core.checks.limits import LIMITS
from mha_core.io.tensors.opening import open_tensors, tensors_of
from tests.core.tensor_files import (
    MATRIX,
    check_opens_or_is_refused,
    damaged,
    entry,
    opening,
    refusal,
    safetensors_of,
)

TYPES = {
    np.float64: np.float64,
    np.float32: np.float32,
    np.float16: np.float32,
    ml_dtypes.bfloat16: np.float32,
    ml_dtypes.float8_e4m3fn: np.float32,
    ml_dtypes.float8_e5m2: np.float32,
    np.int64: np.float64,
    np.int32: np.float64,
    np.int16: np.float32,
    np.int8: np.float32,
    np.uint64: np.float64,
    np.uint32: np.float64,
    np.uint16: np.float32,
    np.uint8: np.float32,
    np.bool_: np.float32,
}


def wrong(data: bytes, kind: type[MhaError] = FileError) -> str:
    return refusal(kind, opening("m.safetensors", data))


@pytest.mark.parametrize("stored", TYPES)
def test_every_type_of_number_is_read(stored: type) -> None:
    matrix = np.array([[0, 1, 2], [3, 1, 5]]).astype(stored)
    file = tensors_of("m.safetensors", save({"one": np.ones(2), "w": matrix, "z": np.zeros(1)}))
    read = file.read("w")
    assert read.dtype == TYPES[stored]
    assert read.flags.c_contiguous
    assert read.tolist() == matrix.astype(np.float64).tolist()
    assert file.read_rows("w", [1, 0, 1]).tolist() == read[[1, 0, 1]].tolist()
    assert file.read_rows("w", [1]).dtype == read.dtype


@pytest.mark.parametrize(
    "stored", [np.float16, ml_dtypes.bfloat16, ml_dtypes.float8_e4m3fn, ml_dtypes.float8_e5m2]
)
def test_every_number_of_a_short_type_is_exact(stored: type) -> None:
    bits = np.arange(2 ** (8 * np.dtype(stored).itemsize)).astype(f"u{np.dtype(stored).itemsize}")
    numbers = bits.view(stored)
    with np.errstate(invalid="ignore"):
        expected = numbers.astype(np.float32)
    read = tensors_of("m.safetensors", save({"w": numbers})).read("w")
    assert np.array_equal(read, expected, equal_nan=True)
    assert np.array_equal(np.signbit(read), np.signbit(expected))


def test_shapes_are_told_and_a_single_number_is_read() -> None:
    file = tensors_of("m.safetensors", save({"a": np.zeros((2, 0, 3)), "b": np.array(3.5)}))
    assert file.shapes == {"a": (2, 0, 3), "b": ()}
    assert file.read("a").shape == (2, 0, 3)
    assert file.read_rows("a", [1]).shape == (1, 0, 3)
    assert file.read_rows("a", []).shape == (0, 0, 3)
    assert file.read("b") == 3.5
    assert file.config == {}
    assert file.folder is None


def test_rows_of_nothing_are_nothing() -> None:
    file = tensors_of("m.safetensors", save({"a": np.zeros((0, 3))}))
    assert file.read_rows("a", []).shape == (0, 3)


def test_numbers_at_an_odd_place_are_read() -> None:
    header = {"w": entry("F32", [2, 3], 0, 24)}
    for blanks in range(4):
        data = safetensors_of(json.dumps(header).encode() + b" " * blanks, MATRIX.tobytes())
        read = tensors_of("m.safetensors", data).read("w")
        assert read.flags.aligned
        assert np.array_equal(read, MATRIX)


def test_what_is_given_is_no_copy_where_the_file_has_it_so() -> None:
    read = tensors_of("m.safetensors", save({"w": MATRIX})).read("w")
    assert not read.flags.owndata
    assert not read.flags.writeable


def test_a_config_in_the_metadata_is_read() -> None:
    data = save({"w": MATRIX}, {"config": '{"n_heads": 2}'})
    assert tensors_of("m.safetensors", data).config == {"n_heads": 2}
    assert tensors_of("m.safetensors", save({"w": MATRIX}, {"format": "pt"})).config == {}
    message = wrong(save({"w": MATRIX}, {"config": "n_heads"}))
    assert message.startswith("The file 'm.safetensors', config, must be JSON, got Expecting value")


@contextmanager
def little_memory(most: int) -> Iterator[None]:
    tracemalloc.start()
    try:
        yield
        assert tracemalloc.get_traced_memory()[1] < most
    finally:
        tracemalloc.stop()


def test_of_a_large_file_only_what_is_asked_for_is_read(tmp_path: Path) -> None:
    size = 4 * 2**30
    header = {
        "embedding": entry("F32", [2**20, 2**10], 0, size),
        "small": entry("F32", [2, 3], size, size + 24),
    }
    path = tmp_path / "model.safetensors"
    with path.open("wb") as file:
        file.write(safetensors_of(header))
        file.seek(size, 1)
        file.write(MATRIX.tobytes())
    with little_memory(200_000):
        tensors = open_tensors(path)
        assert np.array_equal(tensors.read("small"), MATRIX)
        assert tensors.read_rows("embedding", [0, 2**20 - 1]).shape == (2, 2**10)
        assert refusal(LimitError, lambda: tensors.read("embedding")) == (
            "The file 'model.safetensors', tensor 'embedding', must have at most 134,217,728 "
            "numbers, got 1,073,741,824. Read the rows that you need with read_rows."
        )
        message = refusal(LimitError, lambda: tensors.read_rows("embedding", range(2**18)))
        assert message.endswith("got 268,435,456. Read fewer rows at once.")


def test_a_tensor_that_is_not_there_is_named_with_those_that_are() -> None:
    file = tensors_of("m.safetensors", save({"wte.weight": MATRIX, "x": MATRIX, "y": MATRIX}))
    assert refusal(OptionError, lambda: file.read("wte.wieght")) == (
        "The file 'm.safetensors' must hold the tensor 'wte.wieght', got 'wte.weight'. "
        "Pick one of these."
    )
    message = refusal(OptionError, lambda: file.read_rows("q", [0]))
    assert all(name in message for name in ("'wte.weight'", "'x'", "'y'"))
    empty = tensors_of("m.safetensors", safetensors_of({}))
    assert "got none. Pick" in refusal(OptionError, lambda: empty.read("q"))


def test_rows_that_are_not_there_are_refused() -> None:
    file = tensors_of("m.safetensors", save({"w": MATRIX, "b": np.zeros(3)}))
    for row in (-1, 2):
        assert refusal(OptionError, lambda row=row: file.read_rows("w", [0, row])) == (
            f"The file 'm.safetensors', tensor 'w', must have the rows 0 to 1, got row {row}. "
            "Ask for rows that it has."
        )
    assert refusal(ShapeError, lambda: file.read_rows("b", [0])) == (
        "The file 'm.safetensors', tensor 'b', must have rows and columns, got shape (3,). "
        "Read it whole."
    )


def test_a_kind_that_is_not_known_leaves_the_others() -> None:
    header = {"w": entry("F32", [2, 3], 0, 24), "odd": entry("F4", [2, 3], 24, 27)}
    file = tensors_of("m.safetensors", safetensors_of(header, MATRIX.tobytes() + b"abc"))
    assert file.read("w")[0, 1] == -2.5
    assert file.shapes["odd"] == (2, 3)
    assert refusal(FileError, lambda: file.read("odd")) == (
        "The file 'm.safetensors', tensor 'odd', must hold numbers of a kind that is known here, "
        "got F4. Save it as float16 or float32."
    )


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"12345",
        bytes(8),
        (2).to_bytes(8, "little") + b"{",
        (2**63).to_bytes(8, "little") + b"{}",
        save({"w": MATRIX})[:40],
        b"%PDF-1.7 and more",
    ],
)
def test_a_header_that_is_not_there_is_refused(data: bytes) -> None:
    assert "must begin with the length of a header that it holds, got " in wrong(data)


@pytest.mark.parametrize(
    ("header", "got"),
    [
        (b"{]", "must be JSON, got Expecting property name enclosed in double quotes in line 1"),
        (b'{"w": "\xff"}', "must be UTF-8 text, got another byte at 8"),
        (b"[1, 2]", "must be a JSON object, got '[1, 2]'"),
        (b'{"a": 1, "b": 2, "b": 3}', "must name each field once, got 'b' twice"),
        (b"[" * 9_000, "must be nested a few levels deep, got many more"),
        (b"[" + b"9" * 5_000 + b"]", "must hold numbers of a usual length, got a longer one"),
    ],
)
def test_a_broken_header_is_refused(header: bytes, got: str) -> None:
    message = wrong(safetensors_of(header))
    assert message.startswith(f"The file 'm.safetensors', header, {got}")
    assert message.endswith(". Load it again from where it came, or save it again.")


@pytest.mark.parametrize(
    "said",
    [
        [],
        {},
        {"dtype": "F32"},
        entry(3, [2, 3], 0, 24),
        entry("F32", 6, 0, 24),
        entry("F32", [2, -3], 0, 24),
        entry("F32", [2, True], 0, 24),
        entry("F32", [2, 3.0], 0, 24),
        entry("F32", [2**30] * 3, 0, 24),
        entry("F32", [0, 2**60], 0, 0),
        entry("F32", [1] * 9, 0, 4),
        entry("F32", [2, 3], 0),
        entry("F32", [2, 3], 0, 12, 24),
        entry("F32", [2, 3], "0", 24),
        entry("F32", [2, 3], -24, 0),
        entry("F32", [2, 3], 24, 0),
    ],
)
def test_a_tensor_that_cannot_be_is_refused(said: object) -> None:
    message = wrong(safetensors_of({"w": said}, bytes(24)))
    assert message.startswith(
        "The file 'm.safetensors', tensor 'w', must have a type, a shape and the places where it "
        "begins and ends, got something else."
    )


def test_a_shape_that_lies_is_refused() -> None:
    message = wrong(safetensors_of({"w": entry("F32", [2, 3], 0, 28)}, bytes(28)))
    assert "must have the 24 bytes of its shape (2, 3) in F32, got 28. Load" in message


def test_tensors_that_share_bytes_are_refused() -> None:
    header = {"a": entry("F32", [2], 0, 8), "b": entry("F32", [2], 4, 12)}
    message = wrong(safetensors_of(header, bytes(12)))
    assert message.startswith(
        "The file 'm.safetensors', tensor 'b', must begin where the one before it ends, "
        "got a place inside of it."
    )


def test_a_file_that_was_cut_or_has_more_is_refused() -> None:
    whole = save({"w": MATRIX})
    for data in (whole[:-1], whole + b"x"):
        message = wrong(data)
        assert f"must have the {len(whole):,} bytes that its header promises" in message
        assert f"got {len(data):,}. Load" in message


def test_a_huge_header_is_refused_before_it_is_parsed() -> None:
    data = safetensors_of(b"{" + b" " * LIMITS.header_bytes + b"}")
    nested = safetensors_of(b"[" + b"[]," * 300_000 + b"[]]")
    with little_memory(2 * len(data)):
        assert "header, must be at most 8 MB, got a little more. Save" in wrong(data, LimitError)
        message = wrong(nested, LimitError)
    assert "must hold at most 262,144 lists and objects, got more. Save fewer" in message


def test_very_many_tensors_are_refused() -> None:
    header = dict.fromkeys(map(str, range(LIMITS.tensors + 1)), 0)
    assert wrong(safetensors_of(header), LimitError) == (
        "The file 'm.safetensors' must hold at most 65,536 tensors, got 65,537. "
        "Save fewer in one file."
    )


WHOLE = save({"w": MATRIX, "b": MATRIX[0].astype(np.float16)}, {"config": '{"a": [1]}'})


@given(data=damaged(WHOLE))
def test_a_damaged_file_gives_tensors_or_one_of_our_errors(data: bytes) -> None:
    check_opens_or_is_refused("m.safetensors", data)
