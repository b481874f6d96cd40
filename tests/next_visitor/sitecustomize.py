"""One more page of the app while it is tested: where a browser's page waits for a visitor.

Python runs this before the server. See `Visitors` in tests/visitors.py.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import streamlit as st

WAITING = Path(__file__).with_name("waiting.py")


def navigation_with_one_more(pages: Sequence[st.Page], **options: Any) -> st.Page:
    one_more = st.Page(WAITING, url_path="next_visitor", title="Next visitor", visibility="hidden")
    return navigation([*pages, one_more], **options)


navigation = st.navigation
st.navigation = navigation_with_one_more
