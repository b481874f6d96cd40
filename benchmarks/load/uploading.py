"""Files that are sent to a server as a browser sends them."""

from __future__ import annotations

import asyncio
import urllib.request
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple
from urllib.error import HTTPError

TAKEN: Final = 204
XSRF_COOKIE: Final = "_streamlit_xsrf"
BEGIN: Final = b'--part\r\nContent-Disposition: form-data; name="file"; filename="%s"\r\n\r\n'
END: Final = b"\r\n--part--\r\n"


class Answer(NamedTuple):
    """What a server says to a file."""

    status: int
    words: str


def sign_of_page(url: str, cookies: Sequence[str] = ()) -> dict[str, str]:
    """Headers which say that a request comes from the page itself."""
    with urllib.request.urlopen(f"{url}/_stcore/health") as answer:
        set_now = answer.headers.get_all("Set-Cookie") or []
    for cookie in set_now:
        pair = cookie.partition(";")[0]
        name, _, value = pair.partition("=")
        if name == XSRF_COOKIE:
            return {"Cookie": "; ".join([*cookies, pair]), "X-Xsrftoken": value}
    return {}


def upload(
    url: str, session: str, data: bytes, file: str = "file", sign: Mapping[str, str] | None = None
) -> Answer:
    """Send a file over a session."""
    said = sign_of_page(url) if sign is None else sign
    headers = {"Content-Type": "multipart/form-data; boundary=part", **said}
    place = f"{url}/_stcore/upload_file/{session}/{file}"
    body = BEGIN % f"{file}.npz".encode() + data + END
    request = urllib.request.Request(place, body, headers, method="PUT")
    try:
        with urllib.request.urlopen(request) as answer:
            return Answer(answer.status, "")
    except HTTPError as refused:
        with refused:
            return Answer(refused.code, refused.read().decode())


async def upload_many(url: str, sessions: Iterable[str], size: int) -> list[Answer]:
    """Send a file of zeros over each of these sessions, all at once."""
    data = bytes(size)
    sign = await asyncio.to_thread(sign_of_page, url)
    sends = (
        asyncio.to_thread(upload, url, session, data, f"file-{number}", sign)
        for number, session in enumerate(sessions)
    )
    return await asyncio.gather(*sends)
