"""Files that cannot be read here: what to save them as, and a program of one line that does it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from mha_core.checks.errors import FileError
from mha_core.checks.text_source import short_quote
from mha_core.language import say

SAVED: Final = "layer.npz"
NAME: Final = "NAME"  # stands in a program where the name of the file goes
_PLAIN_NAME: Final = re.compile(
    r"\w[\w .-]{0,99}", re.ASCII
)  # which needs no care inside of quotes


class OtherKind(NamedTuple):
    """What to do with a file of this kind. The program is "" if one line cannot do it."""

    words: str
    program: str = ""


_TORCH: Final = OtherKind(
    say(
        "PyTorch's files may run programs. It must hold a state_dict, as "
        "torch.save(model.state_dict(), 'model.pt') makes one. Save it as .npz, with:"
    ),
    f"import numpy, torch; numpy.savez('{SAVED}', **{{k: v.detach().float().numpy() "
    f"for k, v in torch.load('{NAME}', map_location='cpu').items()}})",
)
_PICKLE: Final = OtherKind(
    say("A pickle may run programs. If you trust this one, save it as .npz, with:"),
    f"import numpy; numpy.savez('{SAVED}', **numpy.load('{NAME}', allow_pickle=True))",
)
_SAFETENSORS: Final = OtherKind(
    say("Save it as .npz, with:"),
    "import numpy; from safetensors.numpy import load_file; "
    f"numpy.savez('{SAVED}', **load_file('{NAME}'))",
)
_MATLAB: Final = OtherKind(
    say("Save it as .npz, with:"),
    f"import numpy, scipy.io; numpy.savez('{SAVED}', **{{k: v for k, v in "
    f"scipy.io.loadmat('{NAME}').items() if k[0] != '_'}})",
)
_HDF5: Final = OtherKind(
    say(
        "Save its arrays as .npz, with numpy.savez('layer.npz', x=x, w_q=w_q, w_k=w_k, w_v=w_v, "
        "w_o=w_o)."
    )
)
_SHEET: Final = OtherKind(say("Save the sheet as .csv, one matrix a file."))

OTHER_KINDS: Final[Mapping[str, OtherKind]] = {
    **dict.fromkeys((".pt", ".pth", ".bin", ".ckpt"), _TORCH),
    **dict.fromkeys((".pkl", ".pickle"), _PICKLE),
    **dict.fromkeys((".h5", ".hdf5", ".keras"), _HDF5),
    **dict.fromkeys((".xlsx", ".xls", ".ods"), _SHEET),
    **{".safetensors": _SAFETENSORS, ".mat": _MATLAB},
}


def not_read(
    name: str, types: Sequence[str], kinds: Mapping[str, OtherKind] = OTHER_KINDS
) -> FileError:
    """The error for a file whose ending is not one of these types.

    >>> raise not_read("layer.xlsx", (".csv", ".npy"))
    Traceback (most recent call last):
    ...
    mha_core.checks.errors.FileError: The file 'layer.xlsx' must end in .csv or .npy, got '.xlsx'. \
Save the sheet as .csv, one matrix a file.
    """
    _, dot, ending = name.rpartition(".")
    kind = kinds.get(dot + ending.lower(), OtherKind(say("Save it as one of these.")))
    endings = say(" or ").join(filter(None, [", ".join(types[:-1]), types[-1]]))
    got = short_quote(dot + ending) if dot else say("no ending")
    way_out = f'{kind.words} python -c "{_of(kind.program, name)}"' if kind.program else kind.words
    return FileError(
        say("The file {file}").format(file=short_quote(name)),
        say("must end in {endings}").format(endings=endings),
        got,
        way_out,
    )


def _of(program: str, name: str) -> str:
    own = name if _PLAIN_NAME.fullmatch(name) else f"layer.{name.rpartition('.')[2]}"
    return program.replace(NAME, own)
