"""Whether a visitor sits at the machine that serves: only then may a path be named.

A server that is meant for one person is started with EXPLORER_OWN_MACHINE=1, as `make run` does.
The visitor's connection must come from this machine too, and not through a proxy.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Final

import streamlit as st

VARIABLE: Final = "EXPLORER_OWN_MACHINE"
BY_PROXIES: Final = ("X-Forwarded-For", "X-Real-Ip", "Forwarded", "Via")


def is_at_own_machine(environment: Mapping[str, str] = os.environ) -> bool:
    if environment.get(VARIABLE) != "1":
        return False
    is_direct = not any(name in st.context.headers for name in BY_PROXIES)
    return is_direct and st.context.ip_address is None  # of this machine, Streamlit tells none
