"""A file that is dropped anywhere on the page goes into the one field that takes such files."""

from __future__ import annotations

from mha_core.language import say
from ui.controls.file_field import HasFields
from ui.controls.own_component import own_component


def take_dropped_file(of: HasFields, field: str, menu: str = "") -> None:
    """Hand it to this field, which the popover of the key `menu` brings if it is not there yet."""
    where = {
        "menu": f"st-key-{menu}" if menu else "",
        "field": f"st-key-{of.key(field)}",
        "words": say("Drop the file to open it"),
    }
    _drop_file(key=of.key("drop-file"), data=where)


_drop_file = own_component(__file__)
