"""A file, a folder or an upload is opened by its name, or the error says what to do."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.numpy import load_file, save, save_file

from mha_core.checks.errors import FileError, MhaError
from mha_core.io.tensors.opening import open_tensors, tensors_of
from mha_core.io.tensors.other_models import OTHER_MODELS
from tests.core.array_files import npz
from tests.core.tensor_files import MATRIX, gguf_of, opening, refusal

ROOT = Path(__file__).resolve().parents[4]
FILES = {
    "a.safetensors": save({"w": MATRIX}),
    "a.gguf": gguf_of([], {"w": ((2, 3), 0, 0)}, MATRIX.tobytes()),
    "a.npz": npz(w=MATRIX),
}


def wrong(path: Path | str, kind: type[MhaError] = FileError, *, own_machine: bool = False) -> str:
    return refusal(kind, lambda: open_tensors(path, own_machine=own_machine))


@pytest.mark.parametrize("name", [*FILES, "A.SafeTensors"])
def test_every_format_is_opened_from_disk_from_a_folder_and_as_an_upload(
    name: str, tmp_path: Path
) -> None:
    data = FILES[f"a.{name.rpartition('.')[2].lower()}"]
    path = tmp_path / name
    path.write_bytes(data)
    by_folder = [open_tensors(tmp_path)] if name in FILES else []
    for file in (open_tensors(path), open_tensors(str(path)), *by_folder, tensors_of(name, data)):
        assert file.shapes == {"w": (2, 3)}
        assert np.array_equal(file.read("w"), MATRIX)


def test_what_says_how_tensors_are_meant_may_stand_beside_them(tmp_path: Path) -> None:
    path = tmp_path / "a.safetensors"
    path.write_bytes(FILES[path.name])
    assert open_tensors(path).config == {}
    (tmp_path / "config.json").write_bytes(b'\xef\xbb\xbf{"rope_theta": 1e6, "far": Infinity}')
    file = open_tensors(path)
    assert file.config == {"rope_theta": 1e6, "far": float("inf")}
    assert file.folder == tmp_path
    path.write_bytes(save({"w": MATRIX}, {"config": '{"own": 1}'}))
    assert open_tensors(path).config == {"own": 1}
    (tmp_path / "config.json").write_text("{")
    assert "The file 'config.json' must be JSON" in wrong(path)


def test_a_file_that_the_system_does_not_give_is_refused(tmp_path: Path) -> None:
    assert wrong(tmp_path / "none.safetensors") == (
        "The file 'none.safetensors' must be a file that can be read, got none there. "
        "Look at its path."
    )
    assert "got none there" in wrong("a\0.safetensors")
    pipe = tmp_path / "pipe.gguf"
    os.mkfifo(pipe)
    assert "The file 'pipe.gguf' must be a file that can be read, got none there" in wrong(pipe)


def test_a_file_or_folder_that_may_not_be_read_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.gguf"
    path.write_bytes(FILES["a.gguf"])
    (tmp_path / "config.json").write_text("{}")

    def forbids(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    denied = "must be a file that can be read, got Permission denied. Look at its name and at who"
    monkeypatch.setattr(Path, "iterdir", forbids)
    assert denied in wrong(tmp_path)
    monkeypatch.setattr(np, "memmap", forbids)
    assert f"The file 'a.gguf' {denied}" in wrong(path)
    monkeypatch.setattr(Path, "open", forbids)
    assert f"The file 'config.json' {denied}" in wrong(path)


@pytest.mark.parametrize("name", FILES)
def test_an_empty_file_is_refused(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(b"")
    assert refusal(FileError, lambda: open_tensors(tmp_path / name)) == (
        refusal(FileError, opening(name, b""))
    )


# Folders


@pytest.mark.parametrize("name", ["m.safetensors", "m.gguf", "m.npz"])
def test_what_git_leaves_in_the_place_of_a_large_file_is_told(name: str, tmp_path: Path) -> None:
    pointer = b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n"
    (tmp_path / name).write_bytes(pointer)
    for there in (lambda: open_tensors(tmp_path / name), opening(name, pointer)):
        message = refusal(FileError, there)
        assert message.endswith(
            "that Git LFS leaves in their place. Run git lfs pull, or load the file again."
        )


def test_of_several_models_in_a_folder_one_must_be_named(tmp_path: Path) -> None:
    for name in ("a.gguf", "b.gguf"):
        (tmp_path / name).write_bytes(FILES["a.gguf"])
    assert wrong(tmp_path) == (
        f"The folder '{tmp_path.name}' must hold one model, got 'a.gguf', 'b.gguf'. "
        "Give the path of one of these files."
    ).replace(tmp_path.name, tmp_path.name[:40])


def test_the_hubs_own_name_is_taken_first(tmp_path: Path) -> None:
    (tmp_path / "a.gguf").write_bytes(b"not opened")
    (tmp_path / "b.safetensors").write_bytes(b"not opened")
    save_file({"hub": MATRIX}, tmp_path / "model.safetensors")
    assert [*open_tensors(tmp_path).shapes] == ["hub"]


def test_a_folder_without_a_model_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "m"
    folder.mkdir()
    assert wrong(folder) == (
        "The folder 'm' must hold a model in a file of the types .safetensors, .gguf, .npz, "
        "got nothing. Give the path of the file."
    )
    (folder / "README.md").write_text("")
    assert "got 'README.md'. Give" in wrong(folder)


# Files of other kinds


def program_for(name: str) -> str:
    found = re.search(r'python -c "(.*)"', refusal(FileError, opening(name, b"")))
    assert found
    return found[1]


@pytest.mark.parametrize("ending", [".pt", ".pth", ".bin", ".ckpt", ".h5", ".onnx", ".pkl"])
def test_files_of_other_kinds_are_refused_with_a_program_that_converts_them(
    ending: str, tmp_path: Path
) -> None:
    program = program_for(f"my{ending}")
    compile(program, "program", "exec")
    assert "\n" not in program
    assert '"' not in program
    assert f"'my{ending}'" in program
    (tmp_path / f"my{ending}").write_bytes(b"")
    message = wrong(tmp_path / f"my{ending}")
    assert message.startswith(f"The file 'my{ending}' must end in .safetensors, .gguf or .npz, got")
    assert program in message


def test_a_folder_of_pytorchs_files_says_how_to_convert_them(tmp_path: Path) -> None:
    (tmp_path / "pytorch_model.bin").write_bytes(b"")
    (tmp_path / "training_args.bin").write_bytes(b"")
    assert "torch.load('pytorch_model.bin', map_location" in wrong(tmp_path)


def test_the_program_makes_a_file_that_opens(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    one = torch.arange(6.0).reshape(2, 3)
    torch.save({"w": one, "tied": one, "turned": one.T}, tmp_path / "my.bin")
    exec(program_for("my.bin"), {})  # noqa: S102 - here PyTorch is imported, which takes a second
    file = open_tensors(tmp_path / "model.safetensors")
    assert np.array_equal(file.read("tied"), one.numpy())
    assert np.array_equal(file.read("turned"), one.numpy().T)


def test_what_nobody_knows_is_refused() -> None:
    assert refusal(FileError, opening("model.zip", b"")) == (
        "The file 'model.zip' must end in .safetensors, .gguf or .npz, got '.zip'. "
        "Save it as one of these."
    )
    assert set(OTHER_MODELS) & {".safetensors", ".gguf", ".npz"} == {".safetensors"}


# Nothing is asked of a network, and nothing is needed but NumPy

ASKS_NOBODY = """
import socket, sys
from pathlib import Path

def asks(*_, **__):
    raise SystemExit("it asks a network")

socket.socket.connect = socket.getaddrinfo = asks
import gguf, numpy as np, tokenizers
from mha_core.io.tensors.opening import open_tensors, tensors_of

for path in sys.argv[1:]:
    for file in (open_tensors(path), tensors_of(path, Path(path).read_bytes())):
        print(sum(file.read(name).size for name in file.shapes))
"""

NEEDS_NUMPY = """
import sys

class NotInstalled:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {"gguf", "safetensors", "ml_dtypes", "torch", "tokenizers"}:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, NotInstalled())
from mha_core.io.tensors.opening import open_tensors

for path in sys.argv[1:]:
    file = open_tensors(path)
    print(sum(file.read(name).size for name in file.shapes))
"""


def run(code: str, *paths: Path) -> list[str]:
    command = [sys.executable, "-W", "error", "-c", code, *map(str, paths)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    return done.stdout.split()


def test_opening_and_reading_ask_no_network(tmp_path: Path) -> None:
    quantised = gguf_of([], {"w": ((2, 32), 8, 0)}, bytes(68))  # 8 is Q8_0
    for name, data in {**FILES, "q.gguf": quantised}.items():
        (tmp_path / name).write_bytes(data)
    assert sorted(run(ASKS_NOBODY, *sorted(tmp_path.iterdir()))) == ["6"] * 6 + ["64"] * 2


def test_without_any_package_but_numpy_all_formats_are_read(tmp_path: Path) -> None:
    for name, data in FILES.items():
        (tmp_path / name).write_bytes(data)
    assert run(NEEDS_NUMPY, *sorted(tmp_path.iterdir())) == ["6", "6", "6"]


def test_what_the_library_wrote_and_reads_is_what_is_read_here(tmp_path: Path) -> None:
    arrays = {f"w{i}": np.random.default_rng(i).normal(size=(i, 5)) for i in range(1, 4)}
    save_file(arrays, tmp_path / "m.safetensors")
    file = open_tensors(tmp_path)
    for name, array in load_file(tmp_path / "m.safetensors").items():
        assert np.array_equal(file.read(name), array)


def test_small_models_that_come_as_packages_are_opened() -> None:
    numbers = open_tensors(folder_of("mathformer") / "addformer")
    assert numbers.config["architectures"] == ["LlamaForCausalLM"]
    assert numbers.read("model.layers.0.self_attn.q_proj.weight").shape == (8, 8)
    words = open_tensors(folder_of("glassllm") / "weights" / "en.npz")
    assert words.config["n_kv_heads"] == 2
    assert words.read_rows("E", [7, 3]).shape == (2, words.config["d_model"])


def folder_of(package: str) -> Path:
    found = find_spec(package)
    assert found is not None
    assert found.origin is not None
    return Path(found.origin).parent


def test_an_upload_is_never_written_to_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    def writes(*_: object, **__: object) -> None:
        raise AssertionError("a file is opened")

    for name, data in FILES.items():
        with monkeypatch.context() as patched:
            patched.setattr("builtins.open", writes)
            patched.setattr("io.open", writes)
            patched.setattr(os, "open", writes)
            read = tensors_of(name, data).read("w")
        assert np.array_equal(read, MATRIX)
