"""Ask a server for an address, and get its answer as on the wire: nothing is unpacked."""

from __future__ import annotations

import http.client
from email.message import Message
from typing import NamedTuple
from urllib.parse import urlsplit


class Answer(NamedTuple):
    status: int
    headers: Message
    content: bytes


def get(url: str, encoding: str = "gzip", **headers: str) -> Answer:
    place = urlsplit(url)
    server = http.client.HTTPConnection(place.netloc)
    server.request("GET", place.path, headers={"Accept-Encoding": encoding, **headers})
    answer = server.getresponse()
    result = Answer(answer.status, answer.headers, answer.read())
    server.close()
    return result
