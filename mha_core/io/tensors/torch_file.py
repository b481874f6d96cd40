"""PyTorch's own files, on one's own machine only: a server never reads such a pickle."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from mha_core.checks.errors import FileError
from mha_core.checks.shapes import FloatArray
from mha_core.checks.text_source import short_quote
from mha_core.io.tensors.checked import CheckedTensors, Rows, not_known
from mha_core.io.tensors.packages import check_installed
from mha_core.language import say

if TYPE_CHECKING:
    import torch

TORCH: Final = "torch"
INSIDE: Final = ("state_dict", "model_state_dict", "model")  # where trainers put the weights
STATE_DICT: Final = say(
    "It must hold a state_dict, and no whole model. Where the model can be loaded, write: "
    "torch.save(model.state_dict(), 'model.pt')"
)


def torch_in(thing: str, path: Path, config: Mapping[str, Any]) -> TorchTensors:
    """The weights in a file of torch.save. Only weights are read, no program.

    It is mapped, unless it is of a PyTorch before 1.6.
    """
    check_installed(thing, TORCH)
    import torch

    try:
        is_mapped = zipfile.is_zipfile(path)
        saved = torch.load(path, map_location="cpu", weights_only=True, mmap=is_mapped)
    except Exception as error:  # PyTorch fails in many ways at what it does not know
        need, got = say("must hold weights alone, as torch.save writes them"), str(error)
        raise FileError(thing, need, short_quote(got.partition("\n")[0]), STATE_DICT) from error
    while isinstance(saved, Mapping) and (inside := [name for name in INSIDE if name in saved]):
        saved = saved[inside[0]]
    tensors = (
        {
            name: value
            for name, value in saved.items()
            if isinstance(name, str) and isinstance(value, torch.Tensor)
        }
        if isinstance(saved, Mapping)
        else {}
    )
    if not tensors:
        raise FileError(
            thing, say("must hold tensors by name"), short_quote(repr(saved)), STATE_DICT
        )
    return TorchTensors(thing, tensors, config, path.parent)


class TorchTensors(CheckedTensors):
    """Tensors of PyTorch."""

    def __init__(
        self,
        thing: str,
        tensors: Mapping[str, torch.Tensor],
        config: Mapping[str, Any],
        folder: Path | None,
    ) -> None:
        shapes = {name: tuple(tensor.shape) for name, tensor in tensors.items()}
        super().__init__(thing, shapes, config, folder)
        self._tensors = tensors

    def _take(self, name: str, rows: Rows | None) -> FloatArray:
        import torch

        tensor = self._tensors[name].detach()
        if tensor.layout is not torch.strided or tensor.is_quantized or tensor.is_complex():
            raise not_known(self._called(name), f"{tensor.layout}, {tensor.dtype}")
        if rows is not None:
            tensor = tensor[torch.from_numpy(rows)]
        is_wide = tensor.dtype in (torch.float64, torch.int64, torch.int32)
        numbers = tensor.to("cpu", torch.float64 if is_wide else torch.float32).contiguous()
        array: FloatArray = numbers.numpy()
        return array
