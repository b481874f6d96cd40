"""A change of a number runs what follows numbers; every other change runs the whole page.

Takes long: each test visits a server and runs its page several times.
"""

from __future__ import annotations

import json
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import pytest
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState

from benchmarks.load.crowd import PICTURE
from benchmarks.load.visitor import KEY, RUNS_ANEW, Event, Visitor, visiting
from tests.coroutines import run
from tests.unpacking import unpacked
from ui.running.tuning import SOON

if TYPE_CHECKING:
    from tests.serving import AppServer

CHANGED: Final = "example=pizza&temperature=0.5"
PICTURES: Final = {"heads", "outlined-heads", "together", "outlined-together"}
WORDS: Final = {"form", "formulas", "told", "receipt"}
STAY: Final = {"history", "tools", "fold-heads", "fold-together", "examples"}
OF_ONE_RUN: Final = {"history", "told", "receipt"}  # each run has its number

Act = Callable[["Watching"], Awaitable[object]]


class Shown(NamedTuple):
    """An element or a container of the page."""

    fragment: str
    key: str
    title: str
    content: ForwardMsg


@dataclass
class Watching(Visitor):
    """A visitor who sees the page, as a browser shows it."""

    page: dict[tuple[int, ...], Shown] = field(default_factory=dict)
    brought: set[str] = field(default_factory=set)  # by the last run: keys
    titles: list[str] = field(default_factory=list)  # the same
    number: int = 0  # of the last entry
    entered: float = 0.0  # when that was
    given_up: list[float] = field(default_factory=list)  # runs: the seconds from an entry to each
    sent_before: dict[str, ForwardMsg] = field(default_factory=dict)

    def keep(self, message: ForwardMsg) -> None:
        super().keep(message)
        match message.WhichOneof("type"):
            case "new_session":
                self._begin(set(message.metadata.run.fragment_ids))
            case "delta":
                self.sent_before[message.hash] = message
                self._show(message, message)
            case "ref_hash":
                self._show(self.sent_before[message.ref_hash], message)
            case "script_finished" if message.script_finished == RUNS_ANEW:
                self.given_up.append(time.perf_counter() - self.entered)

    def _begin(self, fragments: set[str]) -> None:
        """All that the run will bring is gone until it comes."""
        self.brought.clear()
        self.titles.clear()
        stays = {path: each for path, each in self.page.items() if each.fragment not in fragments}
        self.page = stays if fragments else {}

    def _show(self, message: ForwardMsg, at: ForwardMsg) -> None:
        block, element = message.delta.add_block, message.delta.new_element
        kind = str(element.WhichOneof("type"))
        found = KEY.search(block.id or getattr(getattr(element, kind, None), "id", ""))
        title = element.heading.body if kind == "heading" and element.heading.tag == "h1" else ""
        shown = Shown(message.delta.fragment_id, found[1] if found else "", title, message)
        self.page[tuple(at.metadata.delta_path)] = shown
        self.brought.add(shown.key)
        self.titles += [title] if title else []

    async def type(self, text: str) -> None:
        """Into the first cell of X."""
        await self._enter({"matrix": "x", "row": 0, "column": 0, "text": text})

    async def choose_in_form(self, key: str, value: Any) -> None:
        await self._enter({"field": key, "value": value})

    async def _enter(self, where: dict[str, Any]) -> None:
        self.number += 1
        self.entered = time.perf_counter()
        await self.tell(Event("cell-entries", "entered", [{"number": self.number, **where}]))

    async def undo(self, entry: int) -> None:
        """Ask for the state before this entry, which the server may not have heard of yet."""
        (history,) = (shown.content for shown in self.page.values() if shown.key == "history")
        told = json.loads(history.delta.new_element.bidi_component.json)
        wish = {"session": told["session"], "number": 1, "after": entry, "place": -1, "shift": 0}
        own = self.ids["history"]
        self.values[own] = WidgetState(id=own, json_value=json.dumps({"go": wish}))
        await self._run(self.message())

    async def run_the_whole_page(self) -> None:
        await self.open(self.query, PICTURE)
        assert self.was_whole

    def lose_receipts_from(self, run: int) -> None:
        """The browser has not seen the end of the run of this number."""
        for own, value in self.values.items():
            if own.endswith("-receipt"):
                number, rest = value.string_value.split(" ", 1)
                assert int(number) == run
                value.string_value = f"{run - 1} {rest}"

    @property
    def was_whole(self) -> bool:
        """Whether the last run was one of the whole page; it was one or the other."""
        assert self.brought >= WORDS
        assert self.brought >= STAY or not self.brought & STAY
        return self.brought >= STAY

    @property
    def seen(self) -> dict[tuple[int, ...], bytes]:
        """All that the page shows, by its place."""
        return {
            path: as_data(shown.content)
            for path, shown in self.page.items()
            if shown.key not in OF_ONE_RUN
        }

    @property
    def fields(self) -> Iterator[Mapping[str, Any]]:
        """Those of the form."""
        (form,) = (shown.content for shown in self.page.values() if shown.key == "form")
        for section in unpacked(form.delta.new_element.bidi_component.bytes)["sections"]:
            yield from (
                item
                for item in (*section["often"], *section["rare"], *section["few"])
                if "key" in item
            )


def as_data(content: ForwardMsg) -> bytes:
    """What is shown; whether a widget is set to its value anew is another matter."""
    delta = type(content.delta).FromString(content.delta.SerializeToString())
    widget = getattr(delta.new_element, str(delta.new_element.WhichOneof("type")), None)
    if getattr(widget, "set_value", False):
        for name in ("set_value", "raw_values", "value"):
            if name in widget.DESCRIPTOR.fields_by_name:
                widget.ClearField(name)
        delta.new_element.ClearField("has_one_shot_effect")
    return delta.SerializeToString(deterministic=True)


def visit(server: AppServer, address: str, act: Act) -> None:
    async def at_the_page() -> None:
        async with visiting(server.url) as visitor:
            watching = Watching(visitor.line, visitor.connect_again)
            await watching.open(address, PICTURE)
            assert watching.was_whole
            await act(watching)

    run(at_the_page())


def test_a_number_runs_what_follows_numbers(app_server: AppServer) -> None:
    async def act(visitor: Watching) -> None:
        for text in ("7", "2.5", "-3"):
            await visitor.type(text)
            assert not visitor.was_whole
            assert visitor.brought - {""} == PICTURES | WORDS
            assert f"x.cells=0_0_{text}" in visitor.query
        await visitor.choose_in_form("temperature", "0.75")
        assert not visitor.was_whole
        assert "temperature=0.75" in visitor.query
        # Nobody is told of the run that was given up, unless it took long, on a busy machine.
        assert all(seconds >= SOON for seconds in visitor.given_up)

    visit(app_server, CHANGED, act)


async def enter_a_wrong_number(visitor: Watching) -> None:
    await visitor.type("abc")


async def take_more_heads(visitor: Watching) -> None:
    await visitor.choose_in_form("heads", 4)


async def open_the_editors(visitor: Watching) -> None:
    await visitor.fold("editors", is_open=True)
    await visitor.type("2")


@pytest.mark.parametrize("act", [enter_a_wrong_number, take_more_heads, open_the_editors])
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
        assert visitor.brought - {""} == WORDS
        assert "x.cells=0_0_3" in visitor.query

    visit(app_server, CHANGED, act)


def test_a_browser_that_has_not_seen_the_page_to_its_end_gets_it_whole(
    app_server: AppServer,
) -> None:
    async def act(visitor: Watching) -> None:
        visitor.lose_receipts_from(1)
        await visitor.type("2")
        assert visitor.was_whole

    visit(app_server, CHANGED, act)


def test_a_browser_that_has_not_seen_a_run_of_numbers_is_told_the_title_again(
    app_server: AppServer,
) -> None:
    async def act(visitor: Watching) -> None:
        await visitor.type("2")
        assert visitor.titles == []
        visitor.lose_receipts_from(2)
        await visitor.type("3")
        assert not visitor.was_whole
        assert visitor.titles == ["Pizza\\, a language model:gray[, changed]"]

    visit(app_server, CHANGED, act)


def test_an_undo_that_comes_before_its_entry_is_made_with_it(app_server: AppServer) -> None:
    async def act(visitor: Watching) -> None:
        await visitor.undo(entry=1)
        await visitor.type("2")
        assert visitor.was_whole
        assert "x.cells" not in visitor.query

    visit(app_server, CHANGED, act)


def another_value(item: Mapping[str, Any]) -> Any:
    """What a person may choose in this field."""
    match item["kind"]:
        case "one" | "list":
            return next((value for value, _ in item["choices"] if value != item["shown"]), None)
        case "some":
            return [value for value, _ in item["choices"][:1] if [value] != item["shown"]]
        case "tick":
            return not item["shown"]
        case "whole":
            return str(int(item["shown"]) + 1)
        case "press":
            return True
        case _:
            return "0.75" if item["slider"] else item["shown"]


ADDRESSES: Final = (
    "example=pizza&open=into",
    "example=pizza&head=2&cell=weights/0:1.1&rows=masked_scores&off=1",
    "example=pizza&present=0&moved=before&mask=none&open=into",
    "example=one-head",
    "example=pizza&fold=heads,together",
    "example=translation",
    "example=causal&order=effect&heads=4&weights=random",
    "example=positions&open=into",
    "example=three-tokens&title=Mine",
    "example=two-tokens&stop=1&tour=001",
)


@pytest.mark.parametrize(("turn", "address"), [*enumerate(ADDRESSES)])
def test_after_a_run_of_numbers_the_page_is_as_after_one_of_all_of_it(
    app_server: AppServer, turn: int, address: str
) -> None:
    """Each field is chosen at every third address."""
    numbers_alone: list[str] = []

    async def compare(visitor: Watching, after: str) -> None:
        if not visitor.was_whole:
            seen = visitor.seen
            address = visitor.query
            await visitor.run_the_whole_page()
            assert (visitor.query, visitor.seen) == (address, seen), after
            numbers_alone.append(after)

    async def act(visitor: Watching) -> None:
        for text in ("3", "abc", "1e6"):
            await visitor.type(text)
            await compare(visitor, text)
        for key in [item["key"] for item in visitor.fields][turn % 3 :: 3]:
            item = next((each for each in visitor.fields if each["key"] == key), None)
            if item and (value := another_value(item)) is not None:
                await visitor.choose_in_form(key, value)
                await compare(visitor, key)

    visit(app_server, address, act)
    is_tour, has_head_off = "tour=" in address, "off=" in address
    assert bool(numbers_alone) != (is_tour or has_head_off)
