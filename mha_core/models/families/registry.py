"""The families, as their files declare them, and how a file is recognised."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Final

from mha_core.checks.declared import declared_in, files_beside
from mha_core.checks.errors import FileError
from mha_core.checks.values import short_repr
from mha_core.io.tensors.tensor_file import TensorFile
from mha_core.language import say
from mha_core.models.family import Family

FAMILIES: Final[Mapping[str, Family]] = declared_in(
    (import_module(f"mha_core.models.families.{name}") for name in files_beside(__file__)), "FAMILY"
)
BY_TYPE: Final[Mapping[str, Family]] = {
    kind: family for family in FAMILIES.values() for kind in family.model_types
}


def recognised(file: TensorFile) -> tuple[Family, str]:
    """The family of a file, and what stands before its names. The config has the first word."""
    said = file.config.get("model_type") or file.config.get("family")
    if isinstance(said, str) and said not in BY_TYPE:
        raise _not_recognised(say("a model of type {kind}").format(kind=short_repr(said)))
    for family in [BY_TYPE[said]] if isinstance(said, str) else FAMILIES.values():
        prefix = family.prefix_in(file.shapes)
        if prefix is not None:
            return family, prefix
    if isinstance(said, str):
        raise _not_recognised(
            say("a config that says {kind}, and tensors of other names").format(kind=said)
        )
    raise _not_recognised(
        say("tensors such as {name}").format(name=short_repr(next(iter(file.shapes), "")))
    )


def is_recognised(file: TensorFile) -> bool:
    """Whether its family is known, be its config whole or not."""
    try:
        recognised(file)
    except FileError:
        return False
    return True


def _not_recognised(got: str) -> FileError:
    return FileError(
        say("The file"),
        say("must be of a model that is recognised: {names}").format(names=", ".join(FAMILIES)),
        got,
        say("Map its tensors by hand, on the page or with read_layer(path, names=...)."),
    )
