"""A page that is presented, without a browser."""

from __future__ import annotations

from itertools import accumulate, pairwise
from typing import Any

from tests.pages.page_visitor import PageVisitor
from tests.unpacking import unpacked
from ui.blocks.presenting.page import _take
from ui.plot.presenting import Wished
from ui.plot.wire import STAMP


class Lecture(PageVisitor):
    """A lecturer in front of a page that is presented."""

    def __init__(self, address: str, page: str = "explore.py", name: str = "") -> None:
        super().__init__(page, f"{address}&present=1", name)

    @property
    def sent(self) -> bytes:
        sent = [node.proto for node in self.at.get("bidi_component")]
        (mine,) = [each for each in sent if each.component_name.endswith("attention_present")]
        data: bytes = mine.bytes
        return data

    @property
    def said(self) -> Any:
        return unpacked(self.sent[: int.from_bytes(self.sent[-STAMP:], "little")])

    @property
    def pictures(self) -> list[Any]:
        """What is sent of each picture, behind the words."""
        lengths = [length for _, length in self.said["pictures"]]
        ends = list(accumulate(lengths, initial=int.from_bytes(self.sent[-STAMP:], "little")))
        assert ends[-1] == len(self.sent) - STAMP
        return [unpacked(self.sent[start:end]) for start, end in pairwise(ends)]

    @property
    def figure(self) -> Any:
        (picture,) = self.pictures
        return picture["figure"]

    def wish(self, **wished: Any) -> Lecture:
        """What a key does."""
        number = self.session.conversation.presenting + 1
        field = "screen" if "screen" in self.said["part"] else "part"
        _take(self.session, self.session, field, Wished(number, **wished))
        self.run()
        return self
