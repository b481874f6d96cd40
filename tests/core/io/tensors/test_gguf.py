"""GGUF as its library writes it, and as nobody should."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any

import gguf
import numpy as np
import pytest
from gguf import GGMLQuantizationType as Type
from hypothesis import given

from mha_core.checks.errors import FileError, LimitError, MhaError
from mha_core.checks.limits import LIMITS
from mha_core.io.tensors import packages
from mha_core.io.tensors.opening import open_tensors, tensors_of
from tests.core.tensor_files import (
    LIST,
    MATRIX,
    TEXT,
    check_opens_or_is_refused,
    damaged,
    gguf_of,
    number_field,
    opening,
    refusal,
    tensor_entry,
    text,
)

WIDE = np.random.default_rng(7).normal(size=(6, 512)).astype(np.float32)
TOKENS = ["<s>", "straße", "▁a", "日本"]
# Every type that the package can read, and of which it can also write blocks of numbers.
WRITTEN = (Type.Q4_0, Type.Q4_1, Type.Q5_0, Type.Q5_1, Type.Q8_0, Type.BF16, Type.TQ1_0, Type.TQ2_0)
BLOCKS_ONLY = (Type.Q2_K, Type.Q3_K, Type.Q4_K, Type.Q5_K, Type.Q6_K, Type.IQ4_NL, Type.IQ4_XS)


def written(path: Path, tensors: dict[str, tuple[np.ndarray[Any, Any], Type | None]]) -> Path:
    """A file by the library's own writer, with fields of every sort."""
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_uint32("llama.block_count", 3)
    writer.add_float32("llama.rope.freq_base", 500_000.0)
    writer.add_bool("tokenizer.ggml.add_bos_token", True)
    writer.add_array("tokenizer.ggml.tokens", TOKENS)
    writer.add_array("tokenizer.ggml.scores", [0.5, -1.0, 0.0, 2.0])
    writer.add_array("tokenizer.ggml.token_type", [1, 2, 3, 4])
    for name, (array, kind) in tensors.items():
        writer.add_tensor(name, array, raw_dtype=kind)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def wrong(data: bytes, kind: type[MhaError] = FileError) -> str:
    return refusal(kind, opening("m.gguf", data))


def test_plain_numbers_are_read_in_numpys_shape(tmp_path: Path) -> None:
    arrays = {
        "f32": MATRIX,
        "f16": MATRIX.astype(np.float16),
        "f64": MATRIX.astype(np.float64),
        "i8": np.arange(6, dtype=np.int8).reshape(2, 3),
        "i16": np.arange(6, dtype=np.int16).reshape(2, 3),
        "i32": np.arange(6, dtype=np.int32).reshape(2, 3),
        "i64": np.arange(6, dtype=np.int64).reshape(3, 2),
        "cube": np.arange(30, dtype=np.float32).reshape(2, 3, 5),
        "bias": MATRIX[0],
    }
    path = written(tmp_path / "m.gguf", {name: (array, None) for name, array in arrays.items()})
    file = open_tensors(path)
    assert file.shapes == {name: array.shape for name, array in arrays.items()}
    assert file.folder == tmp_path
    for name, array in arrays.items():
        read = file.read(name)
        assert read.tolist() == array.tolist()
        is_wide = array.dtype in (np.float64, np.int32, np.int64)
        assert read.dtype == (np.float64 if is_wide else np.float32)
    assert file.read_rows("cube", [1]).tolist() == arrays["cube"][[1]].tolist()


@pytest.mark.parametrize("kind", WRITTEN, ids=lambda kind: kind.name)
def test_quantised_numbers_are_those_of_the_library(kind: Type, tmp_path: Path) -> None:
    blocks = gguf.quants.quantize(WIDE, kind)
    path = written(tmp_path / "m.gguf", {"w": (blocks, kind), "after": (MATRIX, None)})
    file = open_tensors(path)
    assert file.shapes == {"w": WIDE.shape, "after": MATRIX.shape}
    expected = gguf.quants.dequantize(blocks, kind)
    assert np.array_equal(file.read("w"), expected)
    assert np.array_equal(file.read_rows("w", [5, 0, 5]), expected[[5, 0, 5]])
    assert np.array_equal(file.read("after"), MATRIX)
    assert np.array_equal(tensors_of("m.gguf", path.read_bytes()).read("w"), expected)


@pytest.mark.parametrize("kind", BLOCKS_ONLY, ids=lambda kind: kind.name)
def test_blocks_that_the_library_only_reads_are_read(kind: Type) -> None:
    cells, size = gguf.GGML_QUANT_SIZES[kind]
    blocks = np.random.default_rng(3).integers(0, 60, (5, 2 * size), np.uint8)
    data = gguf_of([], {"w": ((5, 2 * cells), kind.value, 0)}, blocks.tobytes())
    read = tensors_of("m.gguf", data).read("w")
    assert np.array_equal(read, gguf.quants.dequantize(blocks, kind), equal_nan=True)


@pytest.mark.parametrize("kind", [*WRITTEN, *BLOCKS_ONLY], ids=lambda kind: kind.name)
def test_a_quantised_tensor_without_numbers_is_read(kind: Type) -> None:
    data = gguf_of([], {"w": ((0, 256), kind.value, 0), "v": ((3, 0), kind.value, 0)})
    file = tensors_of("m.gguf", data)
    assert file.read("w").shape == (0, 256)
    assert file.read("v").shape == (3, 0)
    assert file.read_rows("v", [2, 0]).shape == (2, 0)


def test_the_config_is_its_fields_as_plain_values(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text('{"of": "another model"}')
    config = open_tensors(written(tmp_path / "m.gguf", {"w": (MATRIX, None)})).config
    assert config["general.architecture"] == "llama"
    assert config["llama.block_count"] == 3
    assert config["llama.rope.freq_base"] == 500_000.0
    assert config["tokenizer.ggml.add_bos_token"] is True
    assert config["tokenizer.ggml.tokens"] == TOKENS
    assert config["tokenizer.ggml.scores"] == [0.5, -1.0, 0.0, 2.0]
    assert config.get("tokenizer.ggml.token_type") == [1, 2, 3, 4]
    assert "of" not in config
    assert len(config) == len([*config]) == 7


def test_a_text_that_is_not_utf_8_is_read_with_signs_in_its_place() -> None:
    data = gguf_of([text("name") + struct.pack("<I", TEXT) + text(b"a\xff")])
    assert tensors_of("m.gguf", data).config["name"] == "a\ufffd"


def test_another_alignment_is_kept_to() -> None:
    fields = [number_field("general.alignment", "u32", 8)]
    data = gguf_of(fields, {"w": ((2, 3), 0, 0)}, MATRIX.tobytes(), step=8)
    assert np.array_equal(tensors_of("m.gguf", data).read("w"), MATRIX)


@pytest.mark.parametrize(
    ("value", "got"),
    [
        (number_field("general.alignment", "u32", 0), "0"),
        (number_field("general.alignment", "u32", 2**17), "131072"),
        (number_field("general.alignment", "f32", 8.0), "8.0"),
        (number_field("general.alignment", "bool", True), "True"),
    ],
)
def test_an_alignment_that_cannot_be_is_refused(value: bytes, got: str) -> None:
    assert f"must align its tensors at 1 to 65,536 bytes, got '{got}'. Load" in wrong(
        gguf_of([value])
    )


def test_what_does_not_begin_as_one_is_refused() -> None:
    assert wrong(b"GGML and more").startswith(
        "The file 'm.gguf' must begin with the letters GGUF, got b'GGML'. Load it again"
    )
    assert "got b''. Load" in wrong(b"")


@pytest.mark.parametrize("version", [0, 1, 4, 3 << 24])
def test_another_version_is_refused(version: int) -> None:
    assert wrong(gguf_of(version=version)) == (
        f"The file 'm.gguf' must be little-endian, of version 2 or 3, got version {version}. "
        "Convert the model again with a newer llama.cpp."
    )


def test_version_2_is_read() -> None:
    data = gguf_of([], {"w": ((2, 3), 0, 0)}, MATRIX.tobytes(), version=2)
    assert np.array_equal(tensors_of("m.gguf", data).read("w"), MATRIX)


def test_one_part_of_a_model_is_refused() -> None:
    assert wrong(gguf_of([number_field("split.count", "u32", 3)])) == (
        "The file 'm.gguf' must hold a whole model, got one part of 3. "
        "Join the parts with llama-gguf-split --merge."
    )


WHOLE = gguf_of(
    [
        text("tokens") + struct.pack("<IIQ", LIST, TEXT, 2) + text("a") + text("bc"),
        number_field("n", "u64", 3),
    ],
    {"w": ((2, 3), 0, 0), "v": ((3,), 1, 32)},
    MATRIX.tobytes() + bytes(8) + MATRIX[0].astype(np.float16).tobytes(),
)


def test_a_file_that_ends_anywhere_before_its_end_is_refused() -> None:
    assert tensors_of("m.gguf", WHOLE).read("v").tolist() == MATRIX[0].tolist()
    for length in range(len(WHOLE)):
        message = wrong(WHOLE[:length])
        assert "must go on for" in message or "must end at" in message or "letters" in message


@pytest.mark.parametrize("length", [2**62, 2**64 - 1, len(WHOLE)])
def test_a_length_that_lies_is_refused_before_memory_is_taken(length: int) -> None:
    data = WHOLE.replace(struct.pack("<Q", 6) + b"tokens", struct.pack("<Q", length) + b"tokens")
    assert f"must go on for {length:,} bytes from byte 32 on, got its end after" in wrong(data)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (gguf_of(tensor_count=2**16 + 1), "must hold at most 65,536 tensors, got 65,537."),
        (gguf_of(field_count=2**63), "must have at most 4,096 fields, got 9,223,372,036,854,775,8"),
        (
            gguf_of([text("a") + struct.pack("<IIQ", LIST, 0, LIMITS.header_items + 1)]),
            "must have at most 2,097,152 items in its lists, got 2,097,153.",
        ),
        (
            gguf_of([], [text("w") + struct.pack("<I", 9)]),
            "tensor 'w', must have at most 8 axes, got 9.",
        ),
    ],
)
def test_more_than_a_model_has_is_refused_before_it_is_read(data: bytes, message: str) -> None:
    assert message in wrong(data, LimitError)


def test_two_things_of_one_name_are_refused() -> None:
    twice = [number_field("a", "u32", 1)] * 2
    assert "must name each field once, got 'a' twice." in wrong(gguf_of(twice))
    tensors = [tensor_entry("w", (2,), 0, 0)] * 2
    assert "must name each tensor once, got 'w' twice." in wrong(gguf_of([], tensors))


@pytest.mark.parametrize("kind", [13, 9])
def test_a_field_of_a_type_that_is_not_known_is_refused(kind: int) -> None:
    nested = text("odd") + struct.pack("<IIQ", LIST, kind, 1)
    assert wrong(gguf_of([nested])) == (
        "The file 'm.gguf', field 'odd', must be a number, a text or a list of these, "
        f"got type {kind}. Leave it out."
    )


@pytest.mark.parametrize(
    ("shape", "kind", "name"),
    [((2, 33), Type.Q8_0, "Q8_0"), ((), Type.Q8_0, "Q8_0"), ((2**40, 2**40), Type.F32, "F32")],
)
def test_a_shape_that_cannot_be_is_refused(shape: tuple[int, ...], kind: Type, name: str) -> None:
    message = wrong(gguf_of([], {"w": (shape, kind.value, 0)}, bytes(64)))
    assert f"tensor 'w', must have a shape that there can be in {name}, got {shape}." in message


def test_tensors_that_share_bytes_or_leave_the_file_are_refused() -> None:
    both = {"a": ((4,), 0, 0), "b": ((4,), 0, 8)}
    assert "tensor 'b', must begin where the one before it ends" in wrong(
        gguf_of([], both, bytes(64))
    )
    beyond = gguf_of([], {"a": ((4,), 0, 2**63)}, bytes(64))
    assert "tensor 'a', must end at byte 9,223,372,036,854,775," in wrong(beyond)


@pytest.mark.parametrize(("number", "name"), [(99, "type 99"), (Type.Q8_K.value, "Q8_K")])
def test_a_kind_that_is_not_known_leaves_the_others(number: int, name: str) -> None:
    tensors = {"w": ((2, 3), 0, 0), "odd": ((1, 256), number, 32)}
    file = tensors_of("m.gguf", gguf_of([], tensors, MATRIX.tobytes() + bytes(400)))
    assert np.array_equal(file.read("w"), MATRIX)
    message = refusal(FileError, lambda: file.read("odd"))
    assert f"must hold numbers of a kind that is known here, got {name}. Save it" in message


def test_without_its_package_plain_numbers_are_read_and_others_say_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(packages, "find_spec", lambda name: None)
    assert np.array_equal(tensors_of("m.gguf", WHOLE).read("w"), MATRIX)
    assert wrong(gguf_of([], {"w": ((1, 32), Type.Q8_0.value, 0)}, bytes(34))) == (
        "The file 'm.gguf' must be read with the package gguf, got no such package. "
        "Install it: pip install gguf."
    )


@given(data=damaged(WHOLE))
def test_a_damaged_file_gives_tensors_or_one_of_our_errors(data: bytes) -> None:
    check_opens_or_is_refused("m.gguf", data)
