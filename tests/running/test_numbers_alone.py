"""A change of a number runs what follows numbers; every other change runs the whole page."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

import pytest
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from benchmarks.load.crowd import PICTURE
from benchmarks.load.visitor import KEY, Event, Visitor, visiting

if TYPE_CHECKING:
    from tests.serving import AppServer

CHANGED: Final = "example=pizza&temperature=0.5"
FOLLOW: Final = {"heads", "outlined-heads", "together", "form", "formulas", "told", "receipt"}
STAY: Final = {"history", "tools", "picture-controls", "fold-heads", "fold-together", "examples"}

Act = Callable[["Watching"], Awaitable[object]]


@dataclass
class Watching(Visitor):
    """A visitor who notes what the last run brought, by the keys of its elements."""

    brought: set[str] = field(default_factory=set)
    titles: list[str] = field(default_factory=list)
    starts: int = 0  # of runs
    number: int = 0  # of the last entry

    def _keep(self, message: ForwardMsg) -> None:
        super()._keep(message)
        if message.WhichOneof("type") == "new_session":
            self.brought.clear()
            self.titles.clear()
            self.starts += 1
        elif message.WhichOneof("type") == "delta":
            block, element = message.delta.add_block, message.delta.new_element
            widget = getattr(element, str(element.WhichOneof("type")), None)
            if element.WhichOneof("type") == "heading" and element.heading.tag == "h1":
                self.titles.append(element.heading.body)
            for own in (block.id, getattr(widget, "id", "")):
                if found := KEY.search(own):
                    self.brought.add(found[1])

    async def type(self, text: str) -> None:
        """Into the first cell of X."""
        await self._enter({"matrix": "x", "row": 0, "column": 0, "text": text})

    async def choose_in_form(self, key: str, value: Any) -> None:
        await self._enter({"field": key, "value": value})

    async def _enter(self, where: dict[str, Any]) -> None:
        self.number += 1
        await self.tell(Event("cell-entries", "entered", [{"number": self.number, **where}]))

    @property
    def was_whole(self) -> bool:
        """Whether the last run was one of the whole page; it was one or the other."""
        assert self.brought >= FOLLOW
        is_whole = self.brought >= STAY
        assert is_whole or not self.brought & STAY
        return is_whole


def visit(server: AppServer, address: str, act: Act) -> None:
    async def at_the_page() -> None:
        async with visiting(server.url) as visitor:
            watching = Watching(visitor.line, visitor.connect_again)
            await watching.open(address, PICTURE)
            assert watching.was_whole
            await act(watching)

    asyncio.run(at_the_page())


def test_a_number_runs_what_follows_numbers(app_server: AppServer) -> None:
    async def act(visitor: Watching) -> None:
        for text in ("7", "2.5", "-3"):
            starts = visitor.starts
            await visitor.type(text)
            assert not visitor.was_whole
            assert visitor.starts == starts + 1  # nobody is told of the run that was given up
            assert f"x.cells=0_0_{text}" in visitor.query
        await visitor.choose_in_form("temperature", "0.75")
        assert not visitor.was_whole
        assert "temperature=0.75" in visitor.query

    visit(app_server, CHANGED, act)


async def enter_a_wrong_number(visitor: Watching) -> None:
    await visitor.type("abc")


async def take_more_heads(visitor: Watching) -> None:
    await visitor.choose_in_form("heads", 4)


async def open_the_editors(visitor: Watching) -> None:
    await visitor.fold("editors", is_open=True)
    await visitor.type("2")


@pytest.mark.parametrize(
    "act",
    [
        enter_a_wrong_number,
        take_more_heads,
        open_the_editors,
    ],
)
def test_all_else_runs_the_whole_page(app_server: AppServer, act: Act) -> None:
    async def act_and_look(visitor: Watching) -> None:
        await act(visitor)
        assert visitor.was_whole

    visit(app_server, CHANGED, act_and_look)


def test_the_first_change_changes_the_title_too(app_server: AppServer) -> None:
    async def act(visitor: Watching) -> None:
        changed = "Pizza\\, a language model:gray[, changed]"
        for text, titles in {"2": [changed], "3": [], "1": ["Pizza\\, a language model"]}.items():
            await visitor.type(text)
            assert not visitor.was_whole
            assert visitor.titles == titles

    visit(app_server, "example=pizza", act)


def test_where_all_pictures_are_folded_the_words_follow(app_server: AppServer) -> None:
    async def act(visitor: Watching) -> None:
        for part in ("heads", "together"):
            await visitor.fold(f"fold-{part}", is_open=False)
        await visitor.type("2")
        await visitor.type("3")
        assert visitor.brought == {"form", "formulas", "told", "receipt"}

    visit(app_server, CHANGED, act)


def test_a_browser_that_has_not_seen_the_page_to_its_end_gets_it_whole(
    app_server: AppServer,
) -> None:
    async def act(visitor: Watching) -> None:
        for own, value in visitor.values.items():
            if own.endswith("-receipt"):
                value.string_value = value.string_value.replace("1 ", "0 ", 1)
        await visitor.type("2")
        assert visitor.was_whole

    visit(app_server, CHANGED, act)
