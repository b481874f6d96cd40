"""What the server does for safety beside Streamlit: `app.py` puts these guards before every answer.

What they guard against stands in docs/security.md, each with its test.
"""

from __future__ import annotations

from starlette.middleware import Middleware

from ui.guards.headers import Headers
from ui.guards.origins import OwnOrigins


def guards() -> list[Middleware]:
    return [Middleware(Headers), Middleware(OwnOrigins)]
