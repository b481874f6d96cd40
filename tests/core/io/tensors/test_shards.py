"""A model in several files: its index is believed only as far as the files bear it out."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import save, save_file

from mha_core.checks.errors import FileError, LimitError, MhaError, OptionError
from mha_core.io.tensors.opening import open_tensors, tensors_of
from tests.core.tensor_files import MATRIX, refusal

INDEX = "model.safetensors.index.json"
FIRST, SECOND = "model-00001-of-00002.safetensors", "model-00002-of-00002.safetensors"
PLACES = {"a": FIRST, "b": SECOND, "c": FIRST}


def model_in(folder: Path, weight_map: object = PLACES) -> Path:
    folder.mkdir(exist_ok=True, parents=True)
    save_file({"a": MATRIX, "c": 2 * MATRIX, "unnamed": MATRIX}, folder / FIRST)
    save_file({"b": 3 * MATRIX}, folder / SECOND)
    (folder / INDEX).write_text(json.dumps({"metadata": {}, "weight_map": weight_map}))
    return folder / INDEX


def wrong(path: Path, kind: type[MhaError] = FileError) -> str:
    return refusal(kind, lambda: open_tensors(path))


@pytest.mark.parametrize("by", ["its folder", "its index"])
def test_the_tensors_of_all_files_are_one_model(by: str, tmp_path: Path) -> None:
    index = model_in(tmp_path)
    (tmp_path / "config.json").write_text('{"n_heads": 2}')
    file = open_tensors(index if by == "its index" else str(tmp_path))
    assert file.shapes == dict.fromkeys("abc", (2, 3))
    assert [file.read(name)[0, 0] for name in "abc"] == [1, 3, 2]
    assert file.read_rows("b", np.array([1, 1])).tolist() == (3 * MATRIX[[1, 1]]).tolist()
    assert file.config == {"n_heads": 2}
    assert file.folder == tmp_path
    assert "must hold the tensor 'unnamed'" in (refusal(OptionError, lambda: file.read("unnamed")))


def test_a_file_that_is_missing_is_named(tmp_path: Path) -> None:
    index = model_in(tmp_path)
    (tmp_path / SECOND).unlink()
    assert wrong(index) == (
        f"The file '{INDEX}' must stand beside the 2 files that it names, got no '{SECOND}'. "
        "Load them too, into the same folder."
    )


def test_a_tensor_that_its_file_does_not_have_is_named(tmp_path: Path) -> None:
    assert f"tensor 'd', must be in '{SECOND}', as the index says, got no such tensor there" in (
        wrong(model_in(tmp_path, {**PLACES, "d": SECOND}))
    )


@pytest.mark.parametrize("weight_map", [None, [], {}, {"a": 1}, {"a": FIRST, "b": None}])
def test_an_index_that_names_no_files_is_refused(weight_map: object, tmp_path: Path) -> None:
    assert "must say in weight_map in which file each tensor is, got something else" in (
        wrong(model_in(tmp_path, weight_map))
    )


@pytest.mark.parametrize(
    "name", ["../secret.safetensors", "/etc/x.safetensors", "a\\b.safetensors"]
)
def test_a_path_that_leaves_the_folder_is_refused(name: str, tmp_path: Path) -> None:
    save_file({"a": MATRIX}, tmp_path / "secret.safetensors")
    message = wrong(model_in(tmp_path / "model", {"a": name}))
    assert "must stand in the folder of the file that names it, got " in message


def test_an_index_that_names_an_index_goes_in_no_circle(tmp_path: Path) -> None:
    assert wrong(model_in(tmp_path, {"a": INDEX})) == (
        f"The file '{INDEX}' must name files that end in .safetensors, got '{INDEX}'. "
        "Load it again from where it came, or save it again."
    )


def test_very_many_files_are_refused(tmp_path: Path) -> None:
    names = {f"{i}": f"{i}.safetensors" for i in range(513)}
    assert "must name at most 512 files, got 513" in wrong(model_in(tmp_path, names))


def test_very_many_tensors_are_refused(tmp_path: Path) -> None:
    names = dict.fromkeys(map(str, range(2**16 + 1)), FIRST)
    assert "must hold at most 65,536 tensors, got 65,537" in (
        wrong(model_in(tmp_path, names), LimitError)
    )


def test_an_index_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    index = model_in(tmp_path)
    index.write_bytes(b"[")
    assert f"The file '{INDEX}' must be JSON" in wrong(index)
    with index.open("wb") as file:
        file.truncate(2**33)
    assert "must be at most 8 MB, got a little more" in wrong(index, LimitError)


def test_a_broken_file_is_named(tmp_path: Path) -> None:
    index = model_in(tmp_path)
    (tmp_path / FIRST).write_bytes(b"")
    assert f"The file '{FIRST}' must begin with the length of a header" in wrong(index)


# Links


def test_a_link_within_the_folder_is_followed(tmp_path: Path) -> None:
    index = model_in(tmp_path)
    (tmp_path / SECOND).rename(tmp_path / "kept.safetensors")
    (tmp_path / SECOND).symlink_to("kept.safetensors")
    assert open_tensors(index).read("b")[0, 0] == 3


@pytest.mark.parametrize("name", [FIRST, "config.json"])
def test_a_link_that_leads_elsewhere_is_refused(name: str, tmp_path: Path) -> None:
    index = model_in(tmp_path / "model")
    (tmp_path / "secret").write_bytes(save({"a": MATRIX, "c": MATRIX}))
    (tmp_path / "model" / name).unlink(missing_ok=True)
    (tmp_path / "model" / name).symlink_to("../secret")
    assert wrong(index) == (
        f"The file '{name}' must be a file of its folder, got a link that leads elsewhere. "
        "Copy the file there."
    )


def test_a_link_that_leads_to_itself_is_refused(tmp_path: Path) -> None:
    index = model_in(tmp_path)
    (tmp_path / FIRST).unlink()
    (tmp_path / FIRST).symlink_to(FIRST)
    message = wrong(index)
    assert FIRST in message
    assert "a link that leads elsewhere" in message or f"got no '{FIRST}'" in message


def test_the_cache_of_the_hub_may_keep_its_files_beside_its_snapshots(tmp_path: Path) -> None:
    snapshot = tmp_path / "models--a--b" / "snapshots" / "0123abcd"
    blobs = tmp_path / "models--a--b" / "blobs"
    model_in(snapshot)
    (snapshot / "config.json").write_text('{"n_heads": 2}')
    blobs.mkdir()
    for number, path in enumerate([*snapshot.iterdir()]):
        path.rename(blobs / f"{number}")
        path.symlink_to(f"../../blobs/{number}")
    file = open_tensors(snapshot)
    assert file.read("b")[0, 0] == 3
    assert file.config == {"n_heads": 2}
    (tmp_path / "secret").write_bytes(save({"b": MATRIX}))
    (snapshot / SECOND).unlink()
    (snapshot / SECOND).symlink_to("../../../secret")
    assert "got a link that leads elsewhere" in wrong(snapshot)


def test_an_index_alone_is_no_upload() -> None:
    message = refusal(FileError, lambda: tensors_of(INDEX, b"{}"))
    assert message.startswith(
        f"The file '{INDEX}' must end in .safetensors, .gguf or .npz, got '.json'. "
        "An index names other files: "
    )
