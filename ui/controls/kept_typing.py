"""What a person types into a field that a run may take away is there when the field comes again."""

from __future__ import annotations

from ui.controls.own_component import own_component


def keep_typing(field: str, taken: int) -> None:
    """Call it beside the text field with this key. A text goes when `taken` is another number."""
    _kept_typing(key=f"{field}-kept", data={"field": field, "taken": taken}, height=0)


_kept_typing = own_component(__file__)
