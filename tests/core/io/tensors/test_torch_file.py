"""PyTorch's files: read on one's own machine, as numbers alone, and nowhere else."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import torch

from mha_core.checks.errors import FileError
from mha_core.io.tensors import packages
from mha_core.io.tensors.opening import open_tensors
from tests.core.array_files import Harmful
from tests.core.tensor_files import refusal

MATRIX = torch.tensor([[1, -2.5, 3], [0.25, 0.5, 7]])


def saved(path: Path, content: object) -> Path:
    torch.save(content, path)
    return path


def wrong(path: Path) -> str:
    return refusal(FileError, lambda: open_tensors(path, own_machine=True))


TYPES = {
    torch.float64: np.float64,
    torch.float32: np.float32,
    torch.float16: np.float32,
    torch.bfloat16: np.float32,
    torch.float8_e4m3fn: np.float32,
    torch.int64: np.float64,
    torch.int32: np.float64,
    torch.uint8: np.float32,
    torch.bool: np.float32,
}


@pytest.mark.parametrize("name", ["m.pt", "m.pth", "m.bin", "m.ckpt"])
def test_every_type_of_number_is_read(name: str, tmp_path: Path) -> None:
    whole = torch.tensor([[0, 1, 2], [3, 1, 5]])
    path = saved(tmp_path / name, {f"{kind}": whole.to(kind) for kind in TYPES})
    (tmp_path / "config.json").write_text('{"n_heads": 2}')
    file = open_tensors(path, own_machine=True)
    assert file.config == {"n_heads": 2}
    assert file.folder == tmp_path
    for kind, given in TYPES.items():
        read = file.read(f"{kind}")
        assert read.dtype == given
        assert read.tolist() == whole.to(kind).tolist()
        assert file.read_rows(f"{kind}", [1, 0, 1]).tolist() == read[[1, 0, 1]].tolist()


def test_what_requires_a_gradient_or_stands_turned_is_read(tmp_path: Path) -> None:
    weight = torch.nn.Parameter(MATRIX)
    path = saved(tmp_path / "m.pt", {"w": weight, "turned": MATRIX.T})
    file = open_tensors(path, own_machine=True)
    assert file.read("w").tolist() == MATRIX.tolist()
    assert file.read("turned").flags.c_contiguous
    assert file.read("turned").tolist() == MATRIX.T.tolist()


@pytest.mark.parametrize(
    "content",
    [
        {"state_dict": {"w": MATRIX}, "epoch": 3},
        {"model": {"w": MATRIX, "step": 3}, "optimizer": {}},
        {"model": {"state_dict": {"w": MATRIX}}},
        {"w": MATRIX, "_metadata": None, 7: MATRIX},
    ],
)
def test_weights_are_found_where_trainers_put_them(content: object, tmp_path: Path) -> None:
    file = open_tensors(saved(tmp_path / "m.pt", content), own_machine=True)
    assert file.shapes == {"w": (2, 3)}


def test_the_form_of_older_pytorchs_is_read_too(tmp_path: Path) -> None:
    torch.save({"w": MATRIX}, tmp_path / "m.pt", _use_new_zipfile_serialization=False)
    file = open_tensors(tmp_path / "m.pt", own_machine=True)
    assert file.read("w").tolist() == MATRIX.tolist()


@pytest.mark.parametrize("content", [MATRIX, {}, [MATRIX], {"model": "none"}])
def test_what_holds_no_weights_is_refused(content: object, tmp_path: Path) -> None:
    message = wrong(saved(tmp_path / "m.pt", content))
    assert message.startswith("The file 'm.pt' must hold tensors by name, got ")


@pytest.mark.parametrize(
    "odd", [MATRIX.to_sparse(), MATRIX.to(torch.complex64)], ids=["sparse", "complex"]
)
def test_numbers_of_other_kinds_leave_the_others(odd: torch.Tensor, tmp_path: Path) -> None:
    file = open_tensors(saved(tmp_path / "m.pt", {"w": MATRIX, "odd": odd}), own_machine=True)
    assert file.read("w").tolist() == MATRIX.tolist()
    message = refusal(FileError, lambda: file.read("odd"))
    assert "tensor 'odd', must hold numbers of a kind that is known here, got torch." in message


def test_a_program_in_such_a_file_is_never_run(tmp_path: Path) -> None:
    trap = tmp_path / "run"
    path = saved(tmp_path / "m.bin", {"w": Harmful(trap)})
    message = wrong(path)
    assert message.startswith("The file 'm.bin' must hold weights alone, as torch.save writes")
    assert "torch.save(model.state_dict(), 'model.pt')" in message
    assert not trap.exists()
    torch.load(path, weights_only=False)
    assert trap.exists()  # the trap was a real one


def test_a_whole_model_is_told_how_its_weights_are_saved(tmp_path: Path) -> None:
    model = torch.nn.Linear(2, 2)
    path = saved(tmp_path / "m.pt", model)
    message = wrong(path)
    assert message.endswith("write: torch.save(model.state_dict(), 'model.pt')")
    saved(path, model.state_dict())
    file = open_tensors(path, own_machine=True)
    assert file.shapes == {"weight": (2, 2), "bias": (2,)}


@pytest.mark.parametrize("data", [b"", b"\x80\x02nothing", b"PK\x03\x04"])
def test_a_broken_file_is_refused(data: bytes, tmp_path: Path) -> None:
    (tmp_path / "m.bin").write_bytes(data)
    assert "The file 'm.bin' must hold weights alone" in wrong(tmp_path / "m.bin")


def test_a_model_in_several_files_is_read(tmp_path: Path) -> None:
    saved(tmp_path / "pytorch_model-1.bin", {"a": MATRIX})
    saved(tmp_path / "pytorch_model-2.bin", {"b": MATRIX + 1})
    index = {"weight_map": {"a": "pytorch_model-1.bin", "b": "pytorch_model-2.bin"}}
    (tmp_path / "pytorch_model.bin.index.json").write_text(json.dumps(index))
    file = open_tensors(tmp_path, own_machine=True)
    assert file.read("b").tolist() == (MATRIX + 1).tolist()
    assert "must end in .safetensors, .gguf or .npz" in (
        refusal(FileError, lambda: open_tensors(tmp_path))
    )


def test_elsewhere_it_is_refused(tmp_path: Path) -> None:
    path = saved(tmp_path / "m.bin", {"w": MATRIX})
    message = refusal(FileError, lambda: open_tensors(path))
    assert message.startswith("The file 'm.bin' must end in .safetensors, .gguf or .npz")


def test_without_pytorch_it_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = saved(tmp_path / "m.bin", {"w": MATRIX})
    monkeypatch.setattr(packages, "find_spec", lambda name: None)
    assert wrong(path) == (
        "The file 'm.bin' must be read with the package torch, got no such package. "
        "Install it: pip install torch."
    )
