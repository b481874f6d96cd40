"""Links from page to page, which carry what the other page shall show."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import streamlit as st

from ui.state import Session, View, fits_a_link, open_elsewhere, params_of


class Shown(NamedTuple):
    """What a session of the other page shall show."""

    of: Session
    view: View


def link_to(page: str, label: str, key: str, shown: Mapping[str, Shown]) -> None:
    """A link to another page, whose sessions show these by their names.

    Numbers that are too many for a link are handed over by a button.
    """
    if all(fits_a_link(each.of) for each in shown.values()):
        st.page_link(page, label=label, query_params=_params(shown))
    elif st.button(label, key=key):
        for name, each in shown.items():
            open_elsewhere(name, each.of.stack, each.view)
        st.switch_page(page)


def _params(shown: Mapping[str, Shown]) -> dict[str, str]:
    return {
        f"{name}.{param}" if name else param: text
        for name, each in shown.items()
        for param, text in params_of(each.of, each.view).items()
    }
