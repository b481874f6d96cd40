"""Small models as files that a person might have: in our own format, and in one of nobody's."""

from __future__ import annotations

import io
import json
from typing import Any

import numpy as np

from tests.core.models.recorded_models import Recorded

WORDS = ("?", ".", "a", "b", "c")
WIDTH = 8


def file_of(arrays: dict[str, Any]) -> bytes:
    file = io.BytesIO()
    np.savez(file, **arrays)
    return file.getvalue()


def odd_file(width: int = 16, **more: Any) -> bytes:
    """Two layers under names that no family has, and a table of five words."""
    rng = np.random.default_rng(0)
    matrices = {
        f"stack.{layer}.mix.to_{name}.weight": rng.standard_normal((width, width)) / 4
        for layer in range(2)
        for name in "qkvo"
    }
    return file_of({**matrices, "embed": rng.standard_normal((5, width)), **more})


def model_file(
    heads: int = 2, width: int = WIDTH, places: int = 600, layers: int = 2, spread: float = 1.0
) -> bytes:
    """Layers of random numbers, of so many heads. Without norms, many layers need small ones."""
    rng = np.random.default_rng(0)
    arrays: dict[str, Any] = {
        **{"embed": rng.standard_normal((len(WORDS), width)), "unembed": np.zeros((width, 5))},
        "positions": rng.standard_normal((places, width)),
        **{
            f"layers.{layer}.w_{name}": spread * rng.standard_normal((width, width))
            for layer in range(layers)
            for name in "qkvo"
        },
    }
    config = {"family": "attention-only", "heads": heads, "words": WORDS, "causal": True}
    arrays["config"] = np.frombuffer(json.dumps(config).encode(), np.uint8)
    return file_of(arrays)


def model_with_decoder() -> bytes:
    """A small T5, whose words are the letters from a on."""
    recorded = Recorded("t5-whole")
    config = {**recorded.config, "words": [*"abcdefghijk"]}
    return file_of({"config": np.array(json.dumps(config)), **recorded.file.tensors})
