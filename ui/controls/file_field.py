"""A field for a file that is read once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

import streamlit as st

from mha_core.checks.limits import LIMITS
from ui.machine.limits import MACHINE, MEGABYTE
from ui.state import Session, take_file

HERE: Final = Path(__file__).parent
NO_ROOM: Final = (
    "The server has no room for this file now. Files that no page has read yet may take "
    f"{MACHINE.session_uploads_mb:,.0f} MB for one visitor and {MACHINE.uploads_mb:,.0f} MB "
    "for all. Choose it again in a minute."
)
LOST: Final = "The file did not reach the server. Choose it again."


def file_field(
    session: Session,
    name: str,
    label: str,
    types: Sequence[str],
    take: Callable[[bytes, str], object],
    take_away: Callable[[], object],
    **looks: Any,
) -> str | None:
    """The name of the file that the field shows. `take` is given its bytes and its name, once.

    `take_away` is called when a person has removed the file. `types` are as in ".npz".
    """
    widget = session.key(name)
    with st.container(key=f"{widget} field"):
        file = st.file_uploader(
            label,
            [kind.removeprefix(".") for kind in types],
            key=widget,
            max_upload_size=LIMITS.file_bytes // MEGABYTE,
            on_change=partial(take_file, widget, take, take_away),
            **looks,
        )
        _file_field(key=f"{widget} words", data={"full": NO_ROOM, "lost": LOST})
    return file.name if file else None


_file_field: Callable[..., Any] = st.components.v2.component(
    "file_field",
    js=(HERE / "file_field.js").read_text("utf-8"),
    css=(HERE / "file_field.css").read_text("utf-8"),
    isolate_styles=False,
)
