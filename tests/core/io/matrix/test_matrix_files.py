"""A file gives its matrix, to the last bit, or an error that says what it is instead."""

from __future__ import annotations

import pickle
import zipfile
from io import BytesIO

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from mha_core.checks.errors import (
    FileError,
    LimitError,
    NumberError,
    OptionError,
    ParseError,
    ShapeError,
)
from mha_core.checks.limits import LIMITS
from mha_core.io.matrix import matrix_text
from mha_core.io.matrix.array_files import write_arrays
from mha_core.io.matrix.files import FILE_TYPES, read_matrix, write_matrix
from mha_core.io.matrix.line_layout import line_rows
from mha_core.io.matrix.matrix_text import LAYOUTS, Layout
from tests.core.array_files import MATRIX, npy, npy_saying, npz, refusal, zipped

NUMBERS = st.floats(-1e30, 1e30) | st.sampled_from([0.0, -0.0, 1.0, 5e-324, 1e100])
MATRICES = arrays(np.float64, array_shapes(min_dims=2, max_dims=2, max_side=5), elements=NUMBERS)


# There and back


@pytest.mark.parametrize("extension", FILE_TYPES)
@given(matrix=MATRICES)
def test_reading_what_was_written_gives_the_same_bits(extension: str, matrix: np.ndarray) -> None:
    back = read_matrix(write_matrix(matrix, f"w{extension}"), f"w{extension}")
    assert back.dtype == np.float64
    assert back.shape == matrix.shape
    assert back.tobytes() == matrix.tobytes()


@pytest.mark.parametrize("name", ["w.npy", "w.npz"])
def test_a_float32_stays_what_it_is_in_files_of_arrays(name: str) -> None:
    matrix = MATRIX.astype(np.float32)
    back = read_matrix(write_matrix(matrix, name), name)
    assert back.dtype == np.float32
    assert back.tobytes() == matrix.tobytes()


@pytest.mark.parametrize("name", ["w.csv", "w.tsv", "w.json"])
def test_a_float32_comes_back_from_text_after_a_cast(name: str) -> None:
    matrix = MATRIX.astype(np.float32)
    back = read_matrix(write_matrix(matrix, name), name)
    assert back.astype(np.float32).tobytes() == matrix.tobytes()


def test_text_files_are_as_other_programs_write_them() -> None:
    matrix = [[1, 0.5], [-2, 0]]
    assert write_matrix(matrix, "w.csv") == b"1,0.5\n-2,0\n"
    assert write_matrix(matrix, "w.TSV") == b"1\t0.5\n-2\t0\n"
    assert write_matrix(matrix, "w.json") == b"[[1.0, 0.5],\n [-2.0, 0.0]]\n"


def test_numpy_reads_what_is_written() -> None:
    assert np.load(BytesIO(write_matrix(MATRIX, "w.npy"))).tobytes() == MATRIX.tobytes()
    assert np.load(BytesIO(write_matrix(MATRIX, "w.npz")))["matrix"].tobytes() == MATRIX.tobytes()


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (b"1,2\r\n3,4\r\n", "Book1.csv"),
        (b"1;2\n3;4", "europe.csv"),
        (b"1\t2\n3\t4", "tabs.csv"),
        (b"\xef\xbb\xbf1,2\n3,4", "excel.CSV"),
        (b"1\t2\n3\t4\n", "w.tsv"),
        (b"[[1, 2], [3, 4]]", "w.json"),
        (b" \n[[1,2],\n[3,4.0]]\n", "w.v2.json"),
        (npy([[1.0, 2], [3, 4]]), "w.npy"),
        (npy([[1.0, 2], [3, 4]], (2, 0)), "w.npy"),
        (npy([[1.0, 2], [3, 4]], (3, 0)), "w.npy"),
        (npz(w=[[1.0, 2], [3, 4]]), "w.npz"),
        (zipped({"w.npy": npy([[1.0, 2], [3, 4]])}, zipfile.ZIP_STORED), "w.npz"),
    ],
)
def test_every_kind_of_file_gives_the_same_matrix(data: bytes, name: str) -> None:
    assert read_matrix(data, name).tolist() == [[1, 2], [3, 4]]


def test_a_tsv_of_one_column_needs_no_tab() -> None:
    assert read_matrix(b"1\n2\n3", "w.tsv").tolist() == [[1], [2], [3]]


# Arrays: types and shapes


@pytest.mark.parametrize("dtype", ["?", "i1", "<i2", ">i4", "i8", "u1", "u8", "f2", ">f2", ">f8"])
def test_every_real_type_becomes_float64(dtype: str) -> None:
    matrix = read_matrix(npy(np.array([[0, 1, 1], [1, 0, 1]], dtype)), "w.npy")
    assert matrix.dtype == np.dtype("=f8")
    assert matrix.tolist() == [[0, 1, 1], [1, 0, 1]]


def test_a_float32_of_another_machine_is_still_a_float32() -> None:
    matrix = read_matrix(npy(np.array([[0.5, 2]], ">f4")), "w.npy")
    assert matrix.dtype == np.dtype("=f4")
    assert matrix.tolist() == [[0.5, 2]]


def test_a_bool_is_0_or_1_whatever_its_byte_says() -> None:
    data = npy(np.array([[False, True]]))
    assert read_matrix(data[:-1] + b"\x02", "w.npy").tolist() == [[0, 1]]


@pytest.mark.parametrize("order", ["C", "F"])
def test_rows_and_columns_stay_so_in_either_order(order: str) -> None:
    matrix = read_matrix(npy(np.array([[1, 2, 3], [5, 7, 11]], order=order)), "w.npy")
    assert matrix.tolist() == [[1, 2, 3], [5, 7, 11]]
    assert matrix.flags.c_contiguous
    assert matrix.flags.writeable


def test_a_vector_is_one_row_and_a_number_one_cell() -> None:
    assert read_matrix(npy([1.0, 2, 3]), "b.npy").tolist() == [[1, 2, 3]]
    assert read_matrix(npy(7.0), "b.npy").tolist() == [[7]]
    assert read_matrix(npz(b=[1.0, 2, 3]), "b.npz").tolist() == [[1, 2, 3]]


def test_other_shapes_are_refused() -> None:
    assert refusal(ShapeError, npy(np.zeros((2, 3, 5))), "w.npy") == (
        "The file 'w.npy' must have two axes, rows and columns, got '(2, 3, 5)'. "
        "Save one head or one batch of it."
    )
    assert refusal(ShapeError, npy(np.zeros((0, 3))), "w.npy") == (
        "The file 'w.npy' must hold numbers, got shape (0, 3). Add a row."
    )


@pytest.mark.parametrize(
    ("dtype", "named"), [("<c16", "<c16"), ("<U3", "<U3"), ("<f16", "<f16"), ("i4,f8", "|V12")]
)
def test_what_is_not_a_real_number_is_refused(dtype: str, named: str) -> None:
    assert refusal(FileError, npy(np.zeros((1, 2), dtype)), "w.npy") == (
        "The file 'w.npy' must hold bool, integers, float16, float32 or float64, got type "
        f"{named}. Convert it with .astype(float) and save it again."
    )


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf, 1e101])
@pytest.mark.parametrize("name", ["w.npy", "w.npz"])
def test_numbers_that_are_not_finite_are_refused_with_their_place(value: float, name: str) -> None:
    data = write_matrix([[1, 2], [3, value]], name)
    message = refusal(NumberError, data, name)
    assert message.startswith(f"The file '{name}' must hold finite numbers of at most 1e+100")
    assert f"got {value} in row 2, column 2" in message


@pytest.mark.parametrize("bits", [b"\x01\x00\x80\x7f", b"\x01\x00\xa0\xff"])
def test_a_signalling_nan_is_refused_without_a_warning(bits: bytes) -> None:
    for dtype in ("'<f4'", "'<f2'", "'>f8'"):
        header = f"{{'descr': {dtype}, 'fortran_order': False, 'shape': (1,), }}\n"
        value = {"'<f2'": b"\x01\x7d", "'<f4'": bits, "'>f8'": b"\x7f\xf0" + bytes(5) + b"\x01"}
        assert "nan" in refusal(NumberError, npy_saying(header, value[dtype]), "w.npy")


# Minus infinity, which hides in an additive mask

OPEN_OR_HIDDEN = np.array([[0.1, -np.inf, -0.0], [-np.inf, -np.inf, 1e100]])


@pytest.mark.parametrize("name", ["m.csv", "m.tsv", "m.npy", "m.npz"])
def test_an_additive_mask_comes_back_to_who_asks_for_minus_infinity(name: str) -> None:
    data = write_matrix(OPEN_OR_HIDDEN, name)
    assert read_matrix(data, name, minus_infinity=True).tobytes() == OPEN_OR_HIDDEN.tobytes()
    with pytest.raises((ParseError, NumberError), match="must hold finite numbers"):
        read_matrix(data, name)


@pytest.mark.parametrize("dtype", ["f2", "f4", ">f8"])
def test_minus_infinity_is_read_in_every_type(dtype: str) -> None:
    matrix = read_matrix(npy(np.array([[0.5, -np.inf]], dtype)), "m.npy", minus_infinity=True)
    assert matrix.tolist() == [[0.5, -np.inf]]
    assert matrix.dtype == (np.float32 if dtype == "f4" else np.float64)


def test_json_with_pythons_word_for_minus_infinity_is_read() -> None:
    data = b"[[0, -Infinity]]"
    assert read_matrix(data, "m.json", minus_infinity=True).tolist() == [[0, -np.inf]]


@pytest.mark.parametrize("value", [np.nan, np.inf, -1e101])
def test_nothing_else_that_is_not_finite_is_read(value: float) -> None:
    with pytest.raises(NumberError) as caught:
        read_matrix(npy([[-np.inf, value]]), "m.npy", minus_infinity=True)
    assert str(caught.value) == (
        "The file 'm.npy' (where it is not -inf) must hold finite numbers of at most 1e+100 in "
        f"size, got {value} in row 1, column 2. Replace that value by a number."
    )


# Names and contents that do not agree


@pytest.mark.parametrize(
    ("data", "name", "message"),
    [
        (b"\x89PNG\r\n\x1a\n", "w.csv", "must be text, as .csv is, got a PNG picture"),
        (npy([[1.0]]), "w.csv", "must be text, as .csv is, got a NumPy array (.npy)"),
        (npz(w=[[1.0]]), "w.tsv", "must be text, as .tsv is, got a ZIP archive such as .npz or "),
        ("1,2".encode("utf-16"), "w.csv", "must be text, as .csv is, got UTF-16 text"),
        ("1,2".encode("utf-16-be"), "w.csv", "must be text, as .csv is, got binary data"),
        (b"%PDF-1.7", "w.json", "must be text, as .json is, got a PDF"),
        (b"1,2\xb5", "w.csv", "must be UTF-8 text, got another byte at 4"),
        (b"[[1, 2]]", "w.csv", "must be rows of plain numbers, got text with brackets"),
        (b"{{1, 2}}", "w.csv", "must be rows of plain numbers, got text with brackets"),
        (b"{{1, 2}}", "w.json", "must be a JSON list of rows, got '{{1, 2}}'"),
        (rb"1 & 2 \\ 3 & 4", "w.csv", "must be rows of plain numbers, got LaTeX"),
        (b"|1|2|", "w.tsv", "must be rows of plain numbers, got a table with |"),
        (b"1,5\n2,5", "w.tsv", "must be numbers with tabs between them, got no tab"),
        (b"1,2\n3,4", "w.json", "must be a JSON list of rows, got '1,2\\n3,4'"),
        (b'{"version": 1}', "w.json", "must be a JSON list of rows, got '{\"version\": 1}'"),
        (b" ", "w.json", "must be a JSON list of rows, got nothing"),
        (b"[1 2; 3 4]", "w.json", "must be JSON, got something else at line 1, column 4"),
        (b"[[1,\n 1/3]]", "w.json", "must be JSON, got something else at line 2, column 3"),
        (b"1,2", "w.npy", "must be a NumPy array, got text"),
        (b"PK\x03\x04abcd", "w.npy", "must be a NumPy array, got a ZIP archive such as .npz"),
        (pickle.dumps([1]), "w.npy", "must be a NumPy array, got binary data"),
        (b"", "w.npy", "must be a NumPy array, got nothing"),
        (npy([[1.0]]), "w.npz", "must be a NumPy archive, got a NumPy array (.npy)"),
        (b"1,2", "w.npz", "must be a NumPy archive, got text"),
        (b"", "w.npz", "must be a NumPy archive, got nothing"),
        (zipped({}), "w.npz", "must be a NumPy archive, got an empty ZIP archive"),
    ],
)
def test_a_file_that_is_not_what_its_name_says_is_refused(
    data: bytes, name: str, message: str
) -> None:
    told = refusal(FileError, data, name)
    assert told.startswith(f"The file '{name}' {message}")
    assert told.endswith("Give it the right ending, or save it again in that format.")


def test_a_new_layout_is_refused_in_a_csv_by_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    sums = Layout("sums", lambda text: "+" in text, line_rows)
    monkeypatch.setattr(matrix_text, "LAYOUTS", [sums, *LAYOUTS])
    said = refusal(FileError, b"1 + 2", "w.csv")
    assert "must be rows of plain numbers, got sums" in said


@pytest.mark.parametrize(
    ("name", "ending", "way_out"),
    [
        *[("w.doc", "'.doc'", "Save it as one of these."), ("w", "no ending", "Save it as one")],
        *[("csv", "no ending", ""), ("w.csv.exe", "'.exe'", ""), ("", "no ending", "")],
        *[("w.xlsx", "'.xlsx'", "Save the sheet as .csv"), ("w.H5", "'.H5'", "Save its arrays")],
        (
            "a b.pt",
            "'.pt'",
            "PyTorch's files may run programs. It must hold a state_dict, as torch.save("
            "model.state_dict(), 'model.pt') makes one. Save it as .npz, with: python -c ",
        ),
    ],
)
def test_a_name_of_another_kind_is_refused(name: str, ending: str, way_out: str) -> None:
    assert refusal(FileError, b"1", name).startswith(
        f"The file {name!r} must end in .csv, .tsv, .json, .npy or .npz, got {ending}. {way_out}"
    )
    with pytest.raises(FileError, match="must end in"):
        write_matrix([[1]], name)


def test_a_text_file_says_where_it_is_wrong() -> None:
    assert refusal(ParseError, b"q,k\n1,2", "w.csv").startswith(
        "Line 1, column 1: The file 'w.csv' must hold numbers only, got 'q'"
    )
    assert "got an empty text" in refusal(ParseError, b"", "w.csv")
    assert "nested deeper" in refusal(ParseError, b"[" * 100_000, "w.json")


def test_a_file_beyond_the_limit_is_refused() -> None:
    assert refusal(LimitError, b" " * (LIMITS.text_chars + 1), "w.csv") == (
        "The file 'w.csv' must be at most 20 MB, got a little more. Save the part you want to see."
    )
    for name in ("w.npy", "w.npz"):
        assert refusal(LimitError, b" " * (LIMITS.file_bytes + 1), name) == (
            f"The file '{name}' must be at most 48 MB, got a little more. "
            "Save the part you want to see."
        )


# Writing


def test_a_whole_trace_is_written_and_read_by_name() -> None:
    trace = {
        "scores": np.arange(30.0, dtype=np.float32).reshape(2, 3, 5),
        "masked": np.array([[1, -np.inf]]),
        "mask": np.array([[True, False]]),
        "tokens": np.array(["I", "LOVE"]),
    }
    back = np.load(BytesIO(write_arrays(trace)), allow_pickle=False)
    assert list(back) == list(trace)
    for name, array in trace.items():
        assert back[name].dtype == array.dtype
        assert np.array_equal(back[name], array)


def test_the_same_arrays_give_the_same_file_that_anyone_may_open() -> None:
    data = write_arrays({"w": MATRIX})
    assert data == write_arrays({"w": MATRIX.copy()})
    (entry,) = zipfile.ZipFile(BytesIO(data)).infolist()
    assert entry.date_time == (1980, 1, 1, 0, 0, 0)
    assert entry.external_attr >> 16 == 0o644
    assert entry.compress_type == zipfile.ZIP_DEFLATED


@pytest.mark.parametrize("name", ["", "../w", "a/b", "a\\b", ".w", "a\0", "x" * 101])
def test_an_array_has_a_plain_name(name: str) -> None:
    with pytest.raises(OptionError) as caught:
        write_arrays({name: MATRIX})
    assert "The name of an array must be letters, digits, space, dot, - and _" in str(caught.value)


@pytest.mark.parametrize("array", [np.array([None]), np.array([1j]), np.array([b"x"])])
def test_only_numbers_and_text_are_written(array: np.ndarray) -> None:
    with pytest.raises(FileError) as caught:
        write_arrays({"w": array})
    assert str(caught.value) == (
        "The array w must hold numbers or text: no pickle is ever written, "
        f"got type {array.dtype}. Convert it or leave it out."
    )


def test_json_takes_no_infinity_but_other_files_do() -> None:
    masked = [[1, -np.inf]]
    assert write_matrix(masked, "w.csv") == b"1,-inf\n"
    assert np.load(BytesIO(write_matrix(masked, "w.npy"))).tolist() == masked
    with pytest.raises(NumberError, match="A matrix in JSON must hold finite numbers"):
        write_matrix(masked, "w.json")


def test_only_matrices_are_written_to_matrix_files() -> None:
    with pytest.raises(ShapeError, match="must have two axes, rows and columns"):
        write_matrix(np.zeros((2, 3, 5)), "w.npy")
