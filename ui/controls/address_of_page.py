"""What the address says of a page that has no session to describe."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlencode

from ui.controls.own_component import own_component
from ui.state import Session


def keep_in_address(session: Session, page: str, params: Mapping[str, str]) -> None:
    """The browser puts it there: the server's word might come after a step to another page."""
    _address_of_page(
        key=session.key("address-of-page"),
        data={"page": page, "query": urlencode(params)},
        height=0,
    )


_address_of_page = own_component(__file__)
