"""A file of tensors becomes the visitor's own model, or one whose layers are mapped by hand."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from mha_core.checks.errors import MhaError
from mha_core.io.tensors.tensor_file import TensorFile
from mha_core.models import open_model
from ui.state.layer_to_map import LayerToMap
from ui.state.models_here import OpenedModel
from ui.state.real_layers import RealLayers
from ui.state.texts_to_read import text_for, texts_for


def take_tensors(
    shown: RealLayers,
    name: str,
    file: TensorFile,
    size: int,
    config: Mapping[str, Any] | None = None,
) -> None:
    """What has no matrix is refused. What cannot be opened as a whole can be mapped by hand.

    `config` has fields that were given beside the file.
    """
    try:
        model = open_model(file, config)
    except MhaError as error:
        if not has_matrices(file):
            raise
        shown.map_by_hand(LayerToMap.of(name, file, error, config, size))
        return
    opened = OpenedModel(name, model, text_for(model), partial(texts_for, model))
    shown.take_own(opened, size)


def has_matrices(file: TensorFile) -> bool:
    """Whether a layer may be among its tensors."""
    return any(len(shape) == 2 for shape in file.shapes.values())
