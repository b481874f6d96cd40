"""Files that stand beside a file of tensors: its config, the other parts of its model."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from mha_core.checks.errors import FileError
from mha_core.checks.limits import LIMITS
from mha_core.checks.text_source import short_quote
from mha_core.io.tensors.json_object import json_object
from mha_core.language import say

CONFIG: Final = "config.json"
# The cache of the hub keeps files in `blobs`; links in `snapshots/<revision>` lead there.
SNAPSHOTS: Final = "snapshots"


def beside(folder: Path, name: str) -> Path:
    """The file of this name in a folder. Neither the name nor a link may lead out of the folder."""
    thing = say("The file {file}").format(file=short_quote(name))
    if Path(name).name != name or "\\" in name:
        need = say("must stand in the folder of the file that names it")
        raise FileError(thing, need, short_quote(name), say("Move it there."))
    path = folder / name
    home = folder.resolve()
    if home.parent.name == SNAPSHOTS:
        home = home.parent.parent
    try:
        leads_out = not path.resolve().is_relative_to(home)
    except (OSError, RuntimeError):  # a link that leads to itself, in a newer and an older Python
        leads_out = True
    if leads_out:
        need = say("must be a file of its folder")
        raise FileError(
            thing, need, say("a link that leads elsewhere"), say("Copy the file there.")
        )
    return path


def config_beside(folder: Path) -> dict[str, Any]:
    """What config.json says in this folder; nothing if there is none."""
    if not (folder / CONFIG).is_file():
        return {}
    thing = say("The file {file}").format(file=short_quote(CONFIG))
    return json_object(thing, content_of(thing, beside(folder, CONFIG)))


def content_of(thing: str, path: Path) -> bytes:
    """A small file, and never more of it than is needed to see that it is too large."""
    try:
        with path.open("rb") as file:
            return file.read(LIMITS.header_bytes + 1)
    except OSError as error:
        raise not_readable(thing, error) from error


def check_is_file(thing: str, path: Path) -> None:
    """Refuse what is not there, and what is no file, as a pipe."""
    if not path.is_file():
        need, way_out = say("must be a file that can be read"), say("Look at its path.")
        raise FileError(thing, need, say("none there"), way_out)


def not_readable(thing: str, error: OSError) -> FileError:
    """The error for a file that the system does not give."""
    return FileError(
        thing,
        say("must be a file that can be read"),
        error.strerror or say("an error of the system"),
        say("Look at its name and at who may read it."),
    )
