"""Files made to do harm, or damaged: nothing in them is run, and they take little memory."""

from __future__ import annotations

import tracemalloc
import zipfile
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mha_core.checks.errors import FileError, LimitError, MhaError, OptionError, ShapeError
from mha_core.checks.limits import LIMITS
from mha_core.io.matrix.files import FILE_TYPES, read_matrix, write_matrix
from tests.core.array_files import (
    HEADER,
    MATRIX,
    Harmful,
    changed,
    claiming_size,
    npy,
    npy_saying,
    npz,
    refusal,
    zipped,
)

# Arrays made to do harm


def test_a_pickle_is_never_read(tmp_path: Path) -> None:
    trap = tmp_path / "run"
    harmful = np.array([[Harmful(trap)]], dtype=object)
    assert "got type |O" in refusal(FileError, npy(harmful), "w.npy")
    assert "got type |O" in refusal(FileError, npz(w=harmful), "w.npz")
    assert not trap.exists()
    np.load(BytesIO(npy(harmful)), allow_pickle=True)
    assert trap.exists()  # the trap was a real one


def test_a_header_by_hand_is_read() -> None:
    assert read_matrix(npy_saying(HEADER, bytes(48)), "w.npy").shape == (2, 3)
    spaced = "{'shape':(2,3,),'fortran_order' : True,'descr' : '<f8'}"
    assert read_matrix(npy_saying(spaced, bytes(48)), "w.npy").shape == (2, 3)


@pytest.mark.parametrize(
    "header",
    [
        "",
        "{}",
        HEADER.replace("'descr'", "'desc'"),
        HEADER.replace("'fortran_order': False, ", ""),
        HEADER.replace("False", "0"),
        HEADER.replace("(2, 3)", "(2, -3)"),
        HEADER.replace("(2, 3)", "(2, 3"),
        HEADER.replace("(2, 3)", "(2 3)"),
        HEADER.replace("(2, 3)", "(__import__('os').getpid(), 3)"),
        HEADER.replace("2", "9" * 9_000),
        HEADER.replace("2", "(" * 9_000),
        HEADER.replace("2", "-" * 9_000 + "2"),
        HEADER.replace("2", "2+" * 4_000 + "2"),
        HEADER.replace("2", "[" * 90 + "]" * 90),
        HEADER.replace("'<f8'", "'no type'"),
        HEADER.replace("'<f8'", "('<f8', (-1,))"),
        HEADER.replace("}", ""),
        "\x00" * 100,
        "'" * 99,
        HEADER + " " * 10_000,
    ],
)
def test_a_broken_header_is_refused(header: str) -> None:
    assert refusal(FileError, npy_saying(header, bytes(48)), "w.npy") == (
        "The file 'w.npy' must begin as NumPy writes it, got a broken header. "
        "Save it again with np.save."
    )


@pytest.mark.parametrize("length", [8, 9, 10, 40])
def test_a_file_that_ends_in_its_header_is_refused(length: int) -> None:
    assert "got a broken header" in refusal(FileError, npy([[1.0]])[:length], "w.npy")


def test_an_array_holds_the_bytes_it_promises() -> None:
    promise = "The file 'w.npy' must hold the 6 numbers its header promises, got "
    assert promise + "5" in refusal(FileError, npy_saying(HEADER, bytes(47)), "w.npy")
    assert promise + "more" in refusal(FileError, npy_saying(HEADER, bytes(49)), "w.npy")


@pytest.mark.parametrize(
    "shape", [(16385, 1), (1, 16385), (16384, 16384), (999999999999999999, 999999999999999999)]
)
def test_a_huge_promise_is_refused_before_memory_is_taken(shape: tuple[int, int]) -> None:
    data = npy_saying(HEADER.replace("(2, 3)", str(shape)), bytes(48))
    tracemalloc.start()
    message = refusal(LimitError, data, "w.npy")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    rows, columns = shape
    assert f"and 67,108,864 cells, got at least {rows:,} × {columns:,}" in message
    assert peak < 1_000_000


# Archives


def test_an_archive_with_one_matrix_among_other_arrays_gives_that() -> None:
    data = npz(scale=0.5, tokens=np.array(["I", "LOVE"]), w_q=MATRIX, mask=np.zeros((2, 2, 3)))
    assert read_matrix(data, "trace.npz").tolist() == MATRIX.tolist()


def test_an_archive_with_several_matrices_lists_them_and_takes_a_name() -> None:
    data = npz(w_q=MATRIX, w_k=MATRIX + 1, b=[1.0, 2])
    assert refusal(FileError, data, "layer.npz") == (
        "The file 'layer.npz' must hold exactly one matrix, got 'w_q (2, 3) <f8', "
        "'w_k (2, 3) <f8', 'b (2,) <f8'. Pick one by its name."
    )
    assert read_matrix(data, "layer.npz", entry="w_k").tolist() == (MATRIX + 1).tolist()
    assert read_matrix(data, "layer.npz", entry="b").tolist() == [[1, 2]]
    assert refusal(OptionError, data, "layer.npz", entry="w_v") == (
        "The file 'layer.npz' must hold the array 'w_v', got 'w_q (2, 3) <f8', "
        "'w_k (2, 3) <f8', 'b (2,) <f8'. Pick one of these."
    )


def test_an_archive_without_a_matrix_lists_what_it_has() -> None:
    message = refusal(FileError, npz(**{f"a{i}": [1.0] for i in range(13)}), "w.npz")
    assert "must hold exactly one matrix, got 'a0 (1,) <f8', 'a1 (1,) <f8'" in message
    assert "'a9 (1,) <f8', and 3 more. Pick one" in message


def test_an_entry_is_picked_from_archives_only() -> None:
    assert refusal(OptionError, b"1", "w.csv", entry="w_q") == (
        "The file 'w.csv' must be an .npz to pick an entry from, got .csv. Leave the entry out."
    )


def test_an_error_inside_an_archive_names_the_array() -> None:
    assert refusal(ShapeError, npz(w_q=np.zeros((2, 3, 5))), "w.npz").startswith(
        "The file 'w.npz', array 'w_q', must have two axes"
    )
    assert refusal(FileError, zipped({"w_q.npy": b"1,2"}), "w.npz").startswith(
        "The file 'w.npz', array 'w_q', must be a NumPy array, got text"
    )


@pytest.mark.parametrize(
    ("data", "got"),
    [
        (zipped({"[Content_Types].xml": b"<x/>"}), "also '[Content_Types].xml'"),
        (zipped({"w.npy": npy([[1.0]]), "virus.exe": b"MZ"}), "also 'virus.exe'"),
        (zipped({"w.npy": npy([[1.0]])}, zipfile.ZIP_BZIP2), "also 'w.npy'"),
        (zipped({"w.npy": npy([[1.0]])}, zipfile.ZIP_LZMA), "also 'w.npy'"),
    ],
)
def test_an_archive_of_other_things_is_refused(data: bytes, got: str) -> None:
    message = refusal(FileError, data, "w.npz")
    assert message.startswith(f"The file 'w.npz' must be a NumPy archive of .npy arrays, got {got}")


def test_an_encrypted_archive_is_refused() -> None:
    data = npz(w=MATRIX)
    data = changed(data, data.index(b"PK\x01\x02") + 8, b"\x01")
    assert "of .npy arrays, got also 'w.npy'" in refusal(FileError, data, "w.npz")


def test_an_archive_with_two_arrays_of_one_name_is_refused() -> None:
    data = zipped({"a.npy": npy([[1.0]]), "b.npy": npy([[2.0]])}).replace(b"b.npy", b"a.npy")
    assert "of .npy arrays, got two of one name" in refusal(FileError, data, "w.npz")


def test_an_archive_whose_list_is_empty_is_refused() -> None:
    data = b"PK\x03\x04" + zipped({})
    assert "of .npy arrays, got none" in refusal(FileError, data, "w.npz")


@pytest.mark.parametrize("place", [0.3, 0.5, 0.7, 0.95])
def test_a_broken_archive_is_refused(place: float) -> None:
    data = npz(w=np.arange(300.0).reshape(20, 15))
    broken = "must be a whole NumPy archive, got a broken one. Save it again with np.savez."
    assert broken in refusal(FileError, data[: int(place * len(data))], "w.npz")


def test_changed_numbers_in_an_archive_are_noticed() -> None:
    data = zipped({"w.npy": npy([[1.0, 2]])}, zipfile.ZIP_STORED)
    place = data.index(np.array([1.0, 2]).tobytes())
    message = refusal(FileError, changed(data, place, b"\x01"), "w.npz")
    assert "must be a whole NumPy archive, got a broken one" in message


def test_an_archive_of_very_many_entries_is_refused_before_they_are_listed() -> None:
    most = zipped({f"{i}.npy": npy([1.0]) for i in range(256)})
    assert "must hold exactly one matrix" in refusal(FileError, most, "w.npz")
    more = zipped({f"{i}.npy": b"" for i in range(257)})
    assert refusal(LimitError, more, "w.npz") == (
        "The file 'w.npz' must hold at most 256 arrays, got more. Save fewer arrays."
    )


def test_an_archive_that_says_it_is_a_bomb_is_refused() -> None:
    limit = LIMITS.archive_bytes
    assert refusal(LimitError, claiming_size(npz(w=MATRIX), limit + 1), "w.npz") == (
        "The file 'w.npz', unpacked, must be at most 384 MB, got a little more. "
        "Save fewer or smaller arrays."
    )


def test_the_sizes_of_all_entries_are_summed() -> None:
    two = claiming_size(npz(a=MATRIX, b=MATRIX), LIMITS.archive_bytes)
    assert "unpacked, must be at most 384 MB" in refusal(LimitError, two, "w.npz")


def test_a_bomb_behind_a_small_array_is_never_unpacked() -> None:
    data = zipped({"w.npy": npy_saying(HEADER, bytes(20_000_000))})
    tracemalloc.start()
    message = refusal(FileError, data, "w.npz")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert "must hold the 6 numbers its header promises, got more" in message
    assert peak < 2_000_000


@pytest.mark.parametrize("claimed", [0, 100, 1_000])
def test_a_bomb_that_claims_to_be_small_is_never_unpacked(claimed: int) -> None:
    header = HEADER.replace("(2, 3)", "(2500, 1000)")
    data = claiming_size(zipped({"w.npy": npy_saying(header, bytes(20_000_000))}), claimed)
    tracemalloc.start()
    refusal(FileError, data, "w.npz")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 2_000_000


# Whatever the bytes


def read_or_refuse(data: bytes, name: str) -> None:
    """The answer is a finite matrix within the limits or one of our errors; nothing else."""
    try:
        matrix = read_matrix(data, name)
    except MhaError:
        return
    assert matrix.dtype in (np.float32, np.float64)
    assert matrix.ndim == 2
    assert 0 < matrix.size <= LIMITS.cells
    assert (np.abs(matrix.astype(np.float64)) <= LIMITS.magnitude).all()


@given(
    data=st.binary(max_size=200),
    start=st.sampled_from([b"", b"\x93NUMPY\x01\x00", b"PK\x03\x04", b"[", b"\xef\xbb\xbf"]),
    extension=st.sampled_from(FILE_TYPES),
)
def test_any_bytes_give_a_matrix_or_one_of_our_errors(
    data: bytes, start: bytes, extension: str
) -> None:
    read_or_refuse(start + data, f"w{extension}")


VALID_FILES = [
    (npy(MATRIX), "w.npy"),
    (npy(MATRIX.astype(np.float32)), "w.npy"),
    (npz(w=MATRIX), "w.npz"),
    (npz(w=MATRIX, b=[1.0]), "w.npz"),
    (zipped({"w.npy": npy(MATRIX)}, zipfile.ZIP_STORED), "w.npz"),
    (write_matrix(MATRIX, "w.json"), "w.json"),
    (write_matrix(MATRIX, "w.csv"), "w.csv"),
]


@given(
    file=st.sampled_from(VALID_FILES),
    places=st.lists(st.tuples(st.floats(0, 1), st.binary(min_size=1, max_size=3)), max_size=4),
    end=st.sampled_from([1.0, 1.0, 0.9, 0.5]),
)
def test_a_damaged_file_gives_a_matrix_or_one_of_our_errors(
    file: tuple[bytes, str], places: list[tuple[float, bytes]], end: float
) -> None:
    data, name = file
    for place, new in places:
        data = changed(data, int(place * len(data)), new)
    read_or_refuse(data[: int(end * len(data))], name)
