"""Files of models that are not opened here: the program of one line that converts each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from mha_core.io.matrix.other_kinds import NAME, OTHER_KINDS, OtherKind
from mha_core.language import say

_TORCH: Final = OtherKind(
    say(
        "PyTorch's files may run programs. It must hold a state_dict, as "
        "torch.save(model.state_dict(), 'model.pt') makes one. Save it as .safetensors, with:"
    ),
    "import torch; from safetensors.torch import save_file; "
    "save_file({k: v.clone(memory_format=torch.contiguous_format) for k, v in "
    f"torch.load('{NAME}', map_location='cpu', weights_only=True).items()}}, 'model.safetensors')",
)
_HDF5: Final = OtherKind(
    say("Save its arrays as .npz, with:"),
    f"import h5py, numpy; d = {{}}; h5py.File('{NAME}').visititems(lambda k, v: "
    "d.update({k.replace('/', '.'): v[()]}) if isinstance(v, h5py.Dataset) else None); "
    "numpy.savez('model.npz', **d)",
)
_ONNX: Final = OtherKind(
    say("Save its weights as .npz, with:"),
    "import numpy, onnx, onnx.numpy_helper; numpy.savez('model.npz', **{t.name: "
    f"onnx.numpy_helper.to_array(t) for t in onnx.load('{NAME}').graph.initializer}})",
)
_INDEX: Final = OtherKind(
    say("An index names other files: on your own machine, give the path of their folder.")
)

TORCH_TYPES: Final = (".pt", ".pth", ".bin", ".ckpt")
OTHER_MODELS: Final[Mapping[str, OtherKind]] = {
    **OTHER_KINDS,
    **dict.fromkeys(TORCH_TYPES, _TORCH),
    **dict.fromkeys((".h5", ".hdf5", ".keras"), _HDF5),
    **{".onnx": _ONNX, ".json": _INDEX},
}
