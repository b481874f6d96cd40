"""A scenario as a .npz file, which NumPy opens too, and back, to the last bit.

    settings         text in JSON with everything but the arrays, see `settings.py`
    x, w_q, ...      the arrays that were given, each in its own number type
    mask.custom      the drawn mask, if there is one
    mask.additive    the additive mask, if there is one

`np.load("pizza.npz")["w_q"]` is W_Q. Numbers are stored as bytes: a layer of width 1024 takes 32
MiB in float64, and half of that in float32. It takes less if numbers repeat.
"""

from __future__ import annotations

from typing import Any, Final, Protocol

import numpy as np

from mha_core.checks.limits import LIMITS
from mha_core.checks.shapes import FloatArray
from mha_core.checks.sizes import check_size
from mha_core.io.matrix.array_files import (
    Array,
    ArrayHeader,
    CheckHeader,
    check_real,
    listed,
    opened_archive,
)
from mha_core.io.scenario.fields import format_error, read_fields
from mha_core.io.scenario.plain_json import laid_out, parsed
from mha_core.io.scenario.settings import HEADER, SETTINGS, check_version, read_rules, settings_of
from mha_core.language import say
from mha_core.scenario.given_arrays import GIVEN
from mha_core.scenario.masks import Mask
from mha_core.scenario.scenario import Scenario

SETTINGS_NAME: Final = "settings"
STACK_NAME: Final = "stack"  # of the settings of all layers; see stack_files.py
OF_THE_INPUT: Final = ("x", "tokens", "context", "context_tokens")  # of the first layer
MASK_ARRAYS: Final = ("mask.custom", "mask.additive")
REQUIRED: Final = ("x", "w_q", "w_k", "w_v", "w_o")
MOST_UNPACKED: Final = LIMITS.file_bytes * 15 // 16  # leaves room for the lists of the archive
THING: Final = say("The file")
SMALLER: Final = say("Take float32, narrower heads or fewer tokens.")


def is_saved_scenario(data: bytes) -> bool:
    """Whether a .npz says that it is a saved scenario, whatever else it holds."""
    check_size(say("The file"), len(data), LIMITS.file_bytes, SMALLER)
    with opened_archive(THING, data) as archive:
        return SETTINGS_NAME in archive.headers


class Contents(Protocol):
    """Arrays by their names, each with its header."""

    headers: dict[str, ArrayHeader]

    def read(self, name: str, check: CheckHeader) -> Array: ...


def scenario_in(archive: Contents, x: FloatArray | None = None) -> Scenario:
    """The scenario in an archive; of a layer with an `x` from below, without its own."""
    fields = read_settings(archive.read(SETTINGS_NAME, check_text))
    fields |= {n: archive.read(n, check_real) for n in GIVEN if n in archive.headers}
    custom, additive = (
        archive.read(name, check) if name in archive.headers else None
        for name, check in zip(MASK_ARRAYS, (_check_drawn, check_real), strict=True)
    )
    if x is not None:
        fields = {name: value for name, value in fields.items() if name not in OF_THE_INPUT}
        fields["x"] = x
    return Scenario(**{**fields, "mask": Mask(fields["mask"], custom, additive)})


def contents_of(s: Scenario) -> dict[str, Array]:
    contents: dict[str, Array] = {SETTINGS_NAME: np.array(laid_out(settings_of(s)))}
    contents |= s.given()
    masks = (s.mask.custom, s.mask.additive)
    contents |= {
        name: np.asarray(m) for name, m in zip(MASK_ARRAYS, masks, strict=True) if m is not None
    }
    return contents


def check_names(headers: dict[str, ArrayHeader], *, has_input: bool = True) -> None:
    """Refuse what lacks an array or holds an unknown one. Only the first layer has an input."""
    left_out = () if has_input else OF_THE_INPUT
    given, required = (
        tuple(name for name in names if name not in left_out) for names in (GIVEN, REQUIRED)
    )
    known = (SETTINGS_NAME, *given, *MASK_ARRAYS)
    for name in (SETTINGS_NAME, *required):
        if name not in headers:
            need = say("must hold the array '{array}', as a saved scenario does").format(array=name)
            raise format_error(THING, need, listed([*headers]), say("Open a saved scenario."))
    if unknown := [name for name in headers if name not in known]:
        need = say("must hold no arrays but {arrays}").format(arrays=", ".join(known))
        raise format_error(THING, need, listed(unknown), say("Leave them out."))


def check_room(headers: dict[str, ArrayHeader]) -> None:
    size = sum(header.bytes for header in headers.values())
    check_size(say("The file, unpacked,"), size, MOST_UNPACKED, SMALLER)


def read_settings(text: Array) -> dict[str, Any]:
    """Everything of a scenario but its arrays."""
    data = parsed(str(text[()]))
    check_version(data)
    mask = {"mask": lambda path, value: read_fields(f"{path}.", value, {"rules": read_rules})}
    fields = read_fields("", data, {**HEADER, **SETTINGS, **mask}, required=("n_heads",))
    fields["mask"] = fields.get("mask", {}).get("rules", ())
    return {name: value for name, value in fields.items() if name not in HEADER}


def check_text(thing: str, header: ArrayHeader) -> None:
    if header.dtype.kind != "U" or header.shape or not header.bytes:
        raise format_error(
            thing, say("must be one text"), str(header), say("Open a saved scenario.")
        )


def _check_drawn(thing: str, header: ArrayHeader) -> None:
    if header.dtype.kind != "b":
        raise format_error(
            thing, say("must hold True and False"), str(header), say("Give it as bool.")
        )
