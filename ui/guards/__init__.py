"""What the server does for safety beside Streamlit: `app.py` puts these guards before every answer.

What they guard against stands in docs/security.md, each with its test.
"""

from __future__ import annotations

import os
import sys

from starlette.middleware import Middleware

from ui.guards.headers import FRAME_ANCESTORS, Headers, security_headers
from ui.guards.origins import OwnOrigins
from ui.guards.uploads import RoomForUploads


def guards() -> list[Middleware]:
    """A server whose environment names an impossible page does not start, and says why."""
    try:
        headers = security_headers(os.environ.get(FRAME_ANCESTORS, ""))
    except ValueError as error:
        sys.exit(f"The server cannot start: {error}")
    return [Middleware(Headers, headers), Middleware(OwnOrigins), Middleware(RoomForUploads)]
