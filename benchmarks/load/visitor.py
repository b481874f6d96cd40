"""One visitor: a client that keeps and sends what a browser keeps and sends."""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Final

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.Element_pb2 import Element
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException
from websockets.typing import Subprotocol

KEY: Final = re.compile(r"ID-[0-9a-f]+-(.+)$")  # of a widget, at the end of its id
EVENTS: Final = "$$STREAMLIT_INTERNAL_KEY_{}__events"
REPORTS: Final = json.dumps({"reports": True})  # what our components keep
RUNS_ANEW: Final = ForwardMsg.FINISHED_EARLY_FOR_RERUN
SUBPROTOCOL: Final = Subprotocol("streamlit")
TRIES: Final = 120  # to connect again, before a visitor gives up
NEXT_TRY: Final = 0.5  # seconds between them

Connect = Callable[[str], Coroutine[Any, Any, ClientConnection]]  # again, to a session of this id


@dataclass(frozen=True)
class Event:
    """What a component tells the server: an event of a widget, by its key."""

    key: str
    name: str
    value: Any


@dataclass
class Visitor:
    """A page that is open, and what it knows of its widgets."""

    line: ClientConnection
    connect_again: Connect
    cookies: list[str] = field(default_factory=list)  # as a front has set them
    query: str = ""
    ids: dict[str, str] = field(default_factory=dict)  # of widgets, by their keys
    fragments: dict[str, str] = field(default_factory=dict)  # in which widgets stand, by keys
    values: dict[str, WidgetState] = field(default_factory=dict)  # of widgets, by their ids
    on_page: set[str] = field(default_factory=set)  # ids that came in this run
    kept: set[str] = field(default_factory=set)  # hashes of messages that need not come again
    script: str = ""  # the hash of the page
    pages: dict[str, str] = field(
        default_factory=dict
    )  # their hashes, by their names in the address
    session: str = ""  # its id
    bytes_received: int = 0
    cuts: int = 0  # how often the line was cut

    async def open(self, query: str, picture: str) -> float:
        """Ask for an address; the seconds until the widget of this key, a picture, has come."""
        self.query = query
        return await self._run(self.message(), until=picture)

    async def tell(self, event: Event) -> float:
        """The seconds from an event to the end of the run that answers it."""
        return await self._run(self.message_of(event))

    def message_of(self, event: Event) -> BackMsg:
        message = self._message_from(event.key)
        own = self.ids[event.key]
        states = message.rerun_script.widget_states.widgets
        states.add(id=own, json_value=REPORTS)
        value = json.dumps([{"event": event.name, "value": event.value}])
        states.add(id=EVENTS.format(own), json_trigger_value=value)
        return message

    async def fold(self, key: str, *, is_open: bool) -> float:
        """The seconds to the end of the run that opens or closes a part of the page."""
        self.values[self.ids[key]] = WidgetState(id=self.ids[key], bool_value=is_open)
        return await self._run(self._message_from(key))

    async def press(self, key: str) -> float:
        """The seconds from a press on a button to the end of the run that answers it."""
        message = self._message_from(key)
        message.rerun_script.widget_states.widgets.add(id=self.ids[key], trigger_value=True)
        return await self._run(message)

    async def choose(self, key: str, file: str, size: int) -> float:
        """The seconds to the end of the run that hears of a file, which was sent before."""
        state = WidgetState(id=self.ids[key])
        of_file = {"file_id": file, "name": f"{file}.npz", "size": size}
        state.file_uploader_state_value.uploaded_file_info.add(**of_file)
        self.values[self.ids[key]] = state
        return await self._run(self._message_from(key))

    async def slide(self, value: float) -> float:
        """The seconds from a move of Streamlit's own slider, the page's only one, to its answer."""
        (slider,) = [
            state for state in self.values.values() if state.HasField("double_array_value")
        ]
        slider.double_array_value.data[:] = [value]
        return await self._run(self.message())

    def _message_from(self, key: str) -> BackMsg:
        """The message from the widget of this key, which may stand in a fragment."""
        return self.message(self.fragments.get(key, ""))

    def message(self, fragment: str = "") -> BackMsg:
        message = BackMsg()
        run = message.rerun_script
        run.query_string = self.query
        run.page_script_hash = self.script
        run.fragment_id = fragment
        run.cached_message_hashes.extend(self.kept)
        run.widget_states.widgets.extend(self.values.values())
        return message

    async def _run(self, message: BackMsg, until: str = "") -> float:
        """Send and read to the end of the run; the seconds to the end, or to a widget.

        If the line is cut, connect again, and tell the new session what the page shows, as browsers
        do. Then send again, as a person clicks again when nothing happens.
        """
        begun = time.perf_counter()
        while True:
            try:
                return await self._run_once(message, until) - begun
            except (OSError, WebSocketException):
                await self._come_back()

    async def _come_back(self) -> None:
        self.cuts += 1
        for attempt in range(1, TRIES + 1):
            try:
                self.line = await self.connect_again(self.session)
                await self._run_once(self.message())
                return
            except (OSError, WebSocketException):
                if attempt == TRIES:
                    raise
                await asyncio.sleep(NEXT_TRY)

    async def _run_once(self, message: BackMsg, until: str = "") -> float:
        """Send and read to the end of the run; when that was, or when a widget came."""
        reached, has_begun = 0.0, False
        await self.line.send(message.SerializeToString())
        async for data in self.line:
            self.bytes_received += len(data)
            came = ForwardMsg.FromString(data)
            self.keep(came)
            has_begun |= came.HasField("new_session")
            if until and not reached and until in self.ids:
                reached = time.perf_counter()
            if has_begun and came.HasField("script_finished") and came.script_finished != RUNS_ANEW:
                return reached or time.perf_counter()
        raise ConnectionError("The server closed the connection in the middle of a run.")

    def keep(self, message: ForwardMsg) -> None:
        if message.metadata.cacheable:
            self.kept.add(message.hash)
        kind = message.WhichOneof("type")
        if (
            kind == "script_finished"
            and message.script_finished == ForwardMsg.FINISHED_SUCCESSFULLY
        ):
            self._forget_what_has_gone()
        elif kind == "new_session":
            self.on_page.clear()
            self.script = message.new_session.page_script_hash
            self.session = message.new_session.initialize.session_id
        elif kind == "navigation":
            self.script = message.navigation.page_script_hash
            self.pages = {
                page.url_pathname: page.page_script_hash for page in message.navigation.app_pages
            }
        elif kind == "page_info_changed":
            self.query = message.page_info_changed.query_string
        elif kind == "delta" and message.delta.HasField("new_element"):
            self._keep_widget(message.delta.new_element, message.delta.fragment_id)
        elif kind == "delta" and message.delta.HasField("add_block"):
            self._keep_id(message.delta.add_block.id, message.delta.fragment_id)

    def _forget_what_has_gone(self) -> None:
        """Drop, as a browser does, the values of widgets that the run of the page did not send."""
        self.values = {own: state for own, state in self.values.items() if own in self.on_page}

    def _keep_id(self, own: str, fragment: str) -> str:
        """Note an id under its key, and its fragment. Return the key, or "" if there is none."""
        self.on_page.add(own)
        found = KEY.search(own)
        if not found:
            return ""
        key = found[1]
        self.ids[key] = own
        if fragment:
            self.fragments[key] = fragment
        return key

    def _keep_widget(self, element: Element, fragment: str) -> None:
        kind = str(element.WhichOneof("type"))
        widget = getattr(element, kind)
        own = getattr(widget, "id", "")
        key = self._keep_id(own, fragment)
        if not key or (own in self.values and not getattr(widget, "set_value", False)):
            return  # it is as the visitor has left it
        if value := value_of(kind, widget):
            self.values[own] = WidgetState(id=own, **value)


def value_of(kind: str, widget: Any) -> dict[str, Any]:
    """What a browser would send of an untouched widget, or of one that the server has set."""
    match kind:
        case "text_input" | "text_area":
            return {"string_value": widget.value if widget.set_value else widget.default}
        case "number_input":
            return {"double_value": widget.value if widget.set_value else widget.default}
        case "selectbox":
            at_first = widget.options[widget.default] if widget.options else ""
            return {"string_value": widget.raw_value if widget.set_value else at_first}
        case "button_group":
            chosen = [widget.options[i].content for i in widget.default]
            data = widget.raw_values if widget.set_value else chosen
            return {"string_array_value": {"data": list(data)}}
        case "slider":
            return {"double_array_value": {"data": list(widget.value or widget.default)}}
    return {}


@asynccontextmanager
async def visiting(url: str, *cookies_before: str) -> AsyncIterator[Visitor]:
    """A visitor who leaves at the end, and keeps the cookies that a front sets."""
    address = f"{url.replace('http', 'ws', 1)}/_stcore/stream"
    cookies = list(cookies_before)

    async def connected(session: str = "") -> ClientConnection:
        names = ["no-user", session] if session else []
        line = await connect(
            address,
            additional_headers={"Cookie": "; ".join(cookies)} if cookies else None,
            subprotocols=[SUBPROTOCOL, *map(Subprotocol, names)],
            max_size=None,
            compression=None,
            open_timeout=60,
        )
        if line.response:
            set_now = line.response.headers.get_all("Set-Cookie")
            cookies.extend(cookie.partition(";")[0] for cookie in set_now)
        return line

    visitor = Visitor(await connected(), connected, cookies)
    try:
        yield visitor
    finally:
        await visitor.line.close()
