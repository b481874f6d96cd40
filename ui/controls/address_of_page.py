"""What the address says of a page that has no session to describe."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlencode

import streamlit as st

from ui.state import Session

SCRIPT: Final = Path(__file__).with_suffix(".js")


def keep_in_address(session: Session, page: str, params: Mapping[str, str]) -> None:
    """The browser puts it there: the server's word might come after a step to another page."""
    _address_of_page(
        key=session.key("address-of-page"),
        data={"page": page, "query": urlencode(params)},
        height=0,
    )


_address_of_page: Callable[..., Any] = st.components.v2.component(
    "address_of_page", js=SCRIPT.read_text("utf-8"), isolate_styles=False
)
