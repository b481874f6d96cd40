"""Prints whatever the server writes, starts or asks outside. Python runs this before the server.

Each such line begins with AUDIT. `tests/browser/test_nothing_is_stored.py` reads them.
"""

import os
import sys
from typing import Any

WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_TRUNC
CHANGES = ("os.mkdir", "os.rename", "os.remove", "os.link", "os.symlink", "os.truncate")
STARTS = ("subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.fork")
ASKS = ("socket.connect", "socket.getaddrinfo", "socket.gethostbyname", "socket.sendto")
HERE = ("127.0.0.1", "::1", "localhost", "0.0.0.0")


def note(event: str, args: tuple[Any, ...]) -> None:
    # If Python opens a file to read it, the flags have none of these.
    writes = event == "open" and isinstance(args[2], int) and args[2] & WRITES
    asks = event in ASKS and not any(here in str(args[1:]) + str(args[:1]) for here in HERE)
    if writes or asks or event in (*CHANGES, *STARTS):
        os.write(2, f"AUDIT {event} {args!r}\n".encode())


sys.addaudithook(note)
