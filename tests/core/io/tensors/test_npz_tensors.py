"""The arrays of a .npz as tensors: never a pickle, never a bomb."""

from __future__ import annotations

import tracemalloc
import zipfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given

from mha_core.checks.errors import FileError, LimitError, MhaError
from mha_core.checks.limits import LIMITS
from mha_core.io.matrix.array_files import write_arrays
from mha_core.io.tensors.opening import open_tensors, tensors_of
from tests.core.array_files import (
    HEADER,
    MATRIX,
    Harmful,
    changed,
    claiming_size,
    npy,
    npy_saying,
    npz,
    zipped,
)
from tests.core.tensor_files import check_opens_or_is_refused, damaged, opening, refusal


def wrong(data: bytes, kind: type[MhaError] = FileError) -> str:
    return refusal(kind, opening("m.npz", data))


@pytest.mark.parametrize(
    ("stored", "expected"),
    [
        ("f8", "f8"),
        ("f4", "f4"),
        ("f2", "f4"),
        (">f4", "f4"),
        ("i8", "f8"),
        ("u4", "f8"),
        ("i2", "f4"),
        ("u1", "f4"),
        ("?", "f4"),
    ],
)
def test_every_type_of_number_is_read(stored: str, expected: str) -> None:
    array = np.array([[0, 1, 2], [3, 1, 5]]).astype(stored)
    file = tensors_of("m.npz", npz(w=array, v=np.asfortranarray(array)))
    for name in ("w", "v"):
        read = file.read(name)
        assert read.dtype == np.dtype(expected)
        assert read.flags.c_contiguous
        assert read.tolist() == array.astype(float).tolist()
        rows = file.read_rows(name, [1, 0, 1])
        assert rows.dtype == read.dtype
        assert rows.tolist() == read[[1, 0, 1]].tolist()


def test_shapes_are_told() -> None:
    file = tensors_of("m.npz", npz(a=np.zeros((2, 0, 3)), b=3.5, config=np.eye(2)))
    assert file.shapes == {"a": (2, 0, 3), "b": (), "config": (2, 2)}
    assert file.read("a").shape == (2, 0, 3)
    assert file.read_rows("a", [1]).shape == (1, 0, 3)
    assert file.read("b") == 3.5
    assert file.read("config")[0, 0] == 1
    assert file.folder is None


def test_rows_of_nothing_are_nothing() -> None:
    file = tensors_of("m.npz", npz(a=np.zeros((0, 3)), b=np.zeros((2, 3), np.float16)))
    assert file.read_rows("a", []).shape == (0, 3)
    none = file.read_rows("b", [])
    assert none.shape == (0, 3)
    assert none.dtype == np.float32


CONFIG = '{"model": "straße", "heads": 2}'


@pytest.mark.parametrize("name", ["config", "__config__"])
@pytest.mark.parametrize("array", [np.array(CONFIG), np.frombuffer(CONFIG.encode(), np.uint8)])
def test_an_array_config_is_read_as_such(
    name: str, array: np.ndarray[tuple[int, ...], np.dtype]
) -> None:
    file = tensors_of("m.npz", npz(w=MATRIX, **{name: array}))
    assert file.config == {"model": "straße", "heads": 2}
    assert file.shapes == {"w": (2, 3)}


def test_whole_numbers_and_flags_that_stand_alone_say_what_a_config_does(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text('{"n_heads": 3, "beside": 1}')
    path = tmp_path / "layer.npz"
    path.write_bytes(npz(n_heads=2, is_causal=True, share=0.5, of_one=np.array([4])))
    file = open_tensors(path)
    assert file.config == {"n_heads": 2, "is_causal": True, "beside": 1}
    assert file.shapes["n_heads"] == ()


def test_a_config_that_is_none_is_refused() -> None:
    message = wrong(npz(config=np.array("heads: 2")))
    assert message.startswith("The file 'm.npz', config, must be JSON, got Expecting value in")
    header = "{'descr': '<U99000000', 'fortran_order': False, 'shape': (), }\n"
    huge = zipped({"config.npy": npy_saying(header)})
    assert "config, must be at most 32 MB, got 378 MB. Make it" in wrong(huge, LimitError)


def test_a_file_on_disk_is_read_with_its_own_config_first(tmp_path: Path) -> None:
    path = tmp_path / "m.npz"
    (tmp_path / "config.json").write_text('{"beside": 1}')
    path.write_bytes(write_arrays({"w": MATRIX}))
    file = open_tensors(path)
    assert file.config == {"beside": 1}
    assert file.folder == tmp_path
    assert np.array_equal(file.read("w"), MATRIX)
    path.write_bytes(npz(w=MATRIX, config=np.array(CONFIG)))
    assert open_tensors(path).config["heads"] == 2


def test_of_a_large_array_only_some_rows_are_kept(tmp_path: Path) -> None:
    large = np.zeros((2**17, 2**6))
    large[[5, 99_999], 0] = 5, 99_999
    path = tmp_path / "m.npz"
    path.write_bytes(npz(w=large, v=MATRIX))
    tracemalloc.start()
    file = open_tensors(path)
    assert file.read("v").shape == (2, 3)
    assert tracemalloc.get_traced_memory()[1] < 1_000_000
    assert file.read_rows("w", [99_999, 5, 0])[:, 0].tolist() == [99_999, 5, 0]
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < large.nbytes * 0.6


def test_a_pickle_is_never_read(tmp_path: Path) -> None:
    trap = tmp_path / "run"
    file = tensors_of("m.npz", npz(w=np.array([[Harmful(trap)]], dtype=object), v=MATRIX))
    for read in (lambda: file.read("w"), lambda: file.read_rows("w", [0])):
        assert "array 'w', must hold bool, integers, float16, float32 or float64, got type |O" in (
            refusal(FileError, read)
        )
    assert not trap.exists()
    assert np.array_equal(file.read("v"), MATRIX)


def test_text_beside_numbers_leaves_them() -> None:
    file = tensors_of("m.npz", npz(w=MATRIX, tokens=np.array(["I", "LOVE"])))
    assert np.array_equal(file.read("w"), MATRIX)
    assert "got type <U4" in refusal(FileError, lambda: file.read("tokens"))


@pytest.mark.parametrize(
    ("data", "need"),
    [
        (b"", "must be a NumPy archive, got nothing"),
        (b"\x93NUMPY", "must be a NumPy archive, got a NumPy array"),
        (npz(w=MATRIX)[:200], "must be a whole NumPy archive, got a broken one"),
        (b"PK\x03\x04", "must be a whole NumPy archive, got a broken one"),
        (zipped({"w.txt": b"1"}), "must be a NumPy archive of .npy arrays, got also 'w.txt'"),
        (
            zipped({"w.npy": npy_saying(HEADER.replace("(2, 3)", f"({2**60}, 3)"))}),
            "tensor 'w', must have a shape that there can be, got (1152921504606846976, 3)",
        ),
    ],
)
def test_what_is_no_whole_archive_is_refused(data: bytes, need: str) -> None:
    assert need in wrong(data)


def test_numbers_that_were_changed_are_noticed_when_they_are_read() -> None:
    numbers = np.arange(3_000.0).reshape(60, 50)
    data = zipped({"w.npy": npy(numbers)}, zipfile.ZIP_STORED)
    last = data.index(numbers[-1].tobytes())
    file = tensors_of("m.npz", changed(data, last, b"\x01"))
    assert "must be a whole NumPy archive, got a broken one" in (
        refusal(FileError, lambda: file.read("w"))
    )


def test_an_array_that_ends_before_its_rows_is_refused() -> None:
    file = tensors_of("m.npz", zipped({"w.npy": npy_saying(HEADER, bytes(40))}))
    assert file.read_rows("w", [0]).shape == (1, 3)
    assert refusal(FileError, lambda: file.read_rows("w", [1])) == (
        "The file 'm.npz', array 'w', must hold the 3 numbers its header promises, got 2. "
        "Save it again with np.save."
    )


def test_a_bomb_is_never_unpacked() -> None:
    bomb = zipped({"w.npy": npy_saying(HEADER, bytes(20_000_000))})
    claims = claiming_size(npz(w=MATRIX), 2**32 - 2)
    tracemalloc.start()
    message = refusal(FileError, lambda: tensors_of("m.npz", bomb).read("w"))
    assert np.array_equal(tensors_of("m.npz", claims).read_rows("w", [0]), MATRIX[:1])
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert "must hold the 6 numbers its header promises, got more" in message
    assert peak < 2_000_000


def test_more_numbers_than_may_be_read_are_refused_before_they_are() -> None:
    header = HEADER.replace("(2, 3)", "(12000, 12000)")
    fortran = header.replace("False", "True")
    file = tensors_of("m.npz", zipped({"w.npy": npy_saying(header), "f.npy": npy_saying(fortran)}))
    message = refusal(LimitError, lambda: file.read("w"))
    assert "must have at most 134,217,728 numbers, got 144,000,000. Read the rows" in message
    # In Fortran's order the columns stand together: all must be read for one row.
    message = refusal(LimitError, lambda: file.read_rows("f", [0]))
    assert "must have at most 134,217,728 numbers" in message


def test_very_many_arrays_are_refused_before_each_is_looked_at() -> None:
    data = zipped({f"{i}.npy": b"" for i in range(4_097)})
    assert wrong(data, LimitError) == (
        "The file 'm.npz' must hold at most 4,096 tensors, got 4,097. Save fewer in one file."
    )


def test_a_list_that_claims_to_be_huge_takes_little_memory(tmp_path: Path) -> None:
    """Its size stands in the last 22 bytes of an archive."""
    data = npz(w=MATRIX)
    size = 2**30
    path = tmp_path / "m.npz"
    with path.open("wb") as file:
        file.write(b"PK\x03\x04")
        file.seek(size)
        end = bytearray(data[-22:])
        end[12:16] = (size - 4).to_bytes(4, "little")
        end[16:20] = (4).to_bytes(4, "little")
        file.write(end)
    tracemalloc.start()
    message = refusal(FileError, lambda: open_tensors(path))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert "must be a whole NumPy archive" in message
    assert peak < 20_000_000


WHOLE = npz(w=MATRIX, b=MATRIX[0].astype(np.float16), config=np.array(CONFIG))


@given(data=damaged(WHOLE))
def test_a_damaged_file_gives_tensors_or_one_of_our_errors(data: bytes) -> None:
    check_opens_or_is_refused("m.npz", data)


def test_the_limit_of_a_config_is_that_of_a_header() -> None:
    data = npz(config=np.zeros(LIMITS.header_bytes + 1, np.uint8))
    assert "config, must be at most 8 MB, got a little more" in wrong(data, LimitError)
