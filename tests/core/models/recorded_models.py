"""Small models, with what their own code made of a text: tools/compare_models.py wrote it down."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

import numpy as np

from tests.core.models.held import Held, made_model

FOLDER: Final = Path(__file__).parent / "recorded"
NAMES: Final = sorted(path.stem for path in FOLDER.glob("*.npz"))
IDS: Final = (3, 1, 4, 1, 5, 2, 6)
IDS_OF_DECODER: Final = (2, 7, 1, 8, 2)  # of models that have one


class Recorded:
    """One of them: `file` has its tensors, `expected` what its own code gave."""

    def __init__(self, name: str) -> None:
        with np.load(FOLDER / f"{name}.npz") as data:
            self.expected: dict[str, Any] = {key: data[key] for key in data}
        said = json.loads(str(self.expected.pop("said")))
        self.config: dict[str, Any] = said["config"]
        self.shapes: dict[str, tuple[int, ...]] = {
            key: tuple(shape) for key, shape in said["shapes"].items()
        }

    @property
    def file(self) -> Held:
        return made_model(self.shapes, self.config)
