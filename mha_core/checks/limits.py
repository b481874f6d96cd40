"""The largest sizes of the package, and those of the page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Limits:
    """The largest sizes that the package takes: far more than a lesson needs, and still safe."""

    tokens: int = 16_384
    width: int = 8_192  # of a token vector; also n_heads*d_k and n_heads*d_v
    heads: int = 256
    layers: int = 4  # of a stack
    model_layers: int = 512  # of a trained model in a file
    cells: int = 2**26  # of one input matrix
    score_cells: int = 2**27  # heads x queries x keys in a full trace: 1 GiB in float64
    measured_cells: int = 2**20  # heads x queries x keys that a survey measures at once
    magnitude: float = 1e100  # of one input number
    seed: int = 2**32 - 1
    file_bytes: int = 48 * 1024 * 1024  # of a file of arrays; a text file is limited by text_chars
    text_chars: int = 20 * 1024 * 1024
    label_chars: int = 200
    origin_chars: int = 4_000  # of the text that a trained model has read
    mask_rules: int = 64  # of one saved mask
    archive_arrays: int = 256  # of one .npz file
    archive_bytes: int = 8 * 48 * 1024 * 1024  # of all arrays of a .npz file together, unpacked
    tensor_cells: int = 2**27  # of one tensor that is read out of a file: 512 MiB in float32
    tensors: int = 2**16  # of one file
    header_bytes: int = 8 * 1024 * 1024  # of the JSON that lists tensors, or is a config
    header_items: int = 2**21  # of all lists in the header of a GGUF together, as its tokens
    link_chars: int = 2**21  # browsers refuse longer links
    link_cells: int = 2**23  # of all arrays that one link makes: 64 MiB in float64
    link_fields: int = 1_000


@dataclass(frozen=True)
class PageLimits:
    """The largest layer that the page shows. The package itself takes far larger ones."""

    tokens: int = 512
    width: int = 1_024
    heads: int = 32
    score_cells: int = 2**19  # n_heads x queries x keys: as many as 32 heads have on 128 tokens
    address_chars: int = 6_000  # proxies and mail programs cut much longer ones


LIMITS: Final = Limits()
PAGE_LIMITS: Final = PageLimits()
