"""What the app replaces in Streamlit while it runs, in one table.

Streamlit repeats some things with each run that need to be done once. Replacing them saves a
seventh of the processor time of a change. But nobody promises what stands there: another release
may have something else at the same place. So each row of the table has a fingerprint of the source
that it was written for. If another source stands there, the row is left out, and a line in the log
says so. The app works without any of them: EXPLORER_TUNING=off leaves out all.

What a row gains, and how that was measured, stands in
docs/decisions/2026-11-27-what-is-replaced-in-streamlit-is-one-table.md.
"""

from __future__ import annotations

import hashlib
import inspect
import os
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any, Final, Self

import streamlit as st

from mha_core.checks.errors import OptionError
from ui.reports import again_if_changed
from ui.running.logs import LOG

if TYPE_CHECKING:
    from streamlit.cursor import RunningCursor
    from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
    from streamlit.runtime import Runtime
    from streamlit.runtime.app_session import AppSession
    from streamlit.runtime.forward_msg_queue import ForwardMsgQueue
    from streamlit.runtime.scriptrunner import RerunData, ScriptRunner, ScriptRunnerEvent
    from streamlit.runtime.session_manager import ActiveSessionInfo
    from streamlit.runtime.state import SessionState
    from streamlit.runtime.state.session_state import WStates

VARIABLE: Final = "EXPLORER_TUNING"
CHOICES: Final = ("on", "off")
NOTHING: Final = object()

Make = Callable[[Any], Any]  # of what stood there, what stands there instead


@dataclass(frozen=True)
class Tuning:
    """One row: what is replaced in Streamlit, by what, for which source, and why."""

    name: str
    replaced: tuple[str, ...]  # each as module:name.of.it
    by: Make
    reads: tuple[str, ...]  # whose source it was written for, beside what it replaces
    fingerprint: str  # of all these
    gain: str  # of the processor time of a change; or what is right with it and wrong without
    needs_fixed_settings: bool = False  # it keeps what settings say, which may change

    @property
    def fits(self) -> bool:
        return fingerprint(*self.replaced, *self.reads) == self.fingerprint

    def put_in(self) -> Callable[[], None]:
        """Put it in. The function that comes back takes it out again."""
        places = [_place(name) for name in self.replaced]
        before = [(owner, name, vars(owner).get(name, NOTHING)) for owner, name in places]
        for owner, name, was in before:
            setattr(owner, name, self.by(was))

        def take_out() -> None:
            for owner, name, was in before:
                delattr(owner, name) if was is NOTHING else setattr(owner, name, was)

        return take_out


def fingerprint(*names: str) -> str:
    """The fingerprint of the source of these names. A missing name counts as empty."""
    sources = "\0".join(map(_source, names))
    return hashlib.sha256(sources.encode()).hexdigest()[:16]


def _source(name: str) -> str:
    try:
        owner, attribute = _place(name)
        return inspect.getsource(getattr(owner, attribute))
    except (ImportError, AttributeError, OSError, TypeError):
        return ""


def _place(name: str) -> tuple[Any, str]:
    """Where a name stands, and how it is called there.

    >>> _place("streamlit.cursor:RunningCursor.index")
    (<class 'streamlit.cursor.RunningCursor'>, 'index')
    """
    module, _, path = name.partition(":")
    above, _, attribute = path.rpartition(".")
    owner = resolve_name(f"{module}:{above}" if above else module)
    return owner, attribute


def is_on_or_end(environment: Mapping[str, str] = os.environ) -> bool:
    """What is asked for. If that is unknown, the server does not start, and says why."""
    said = environment.get(VARIABLE) or "on"
    if said not in CHOICES:
        need = f"must be one of: {', '.join(CHOICES)}"
        error = OptionError(VARIABLE, need, repr(said[:40]), "Leave it out for on.")
        sys.exit(f"The server cannot start: {error}")
    return said == "on"


def tune(rows: Sequence[Tuning] | None = None) -> dict[str, Callable[[], None]]:
    """Put in all that fit, and say which do not. Returns by name what takes each out again."""
    if not is_on_or_end():
        LOG.warning("No tuning of Streamlit is in use, as EXPLORER_TUNING says")
        return {}
    rows = TABLE if rows is None else rows
    fitting = {row.name for row in rows if row.fits}  # what one puts in, another may read
    put_in = {}
    for row in rows:
        if row.needs_fixed_settings and st.get_option("server.fileWatcherType") != "none":
            continue
        if row.name in fitting:
            put_in[row.name] = row.put_in()
        else:
            LOG.warning(
                f"The tuning {row.name!r} is left out: Streamlit {st.__version__}"
                " has another source there"
            )
    return put_in


# The theme.


def theme_read_once(fill: Callable[..., None]) -> Callable[..., None]:
    """To write the theme, Streamlit reads all settings six times."""
    filled: dict[str, Any] = {}

    def fill_as_before(message: Any, section: str = "theme") -> None:
        if section not in filled:
            made = type(message)()
            fill(made, section)
            filled[section] = made
        message.MergeFrom(filled[section])

    return fill_as_before


# Runs that end before they have begun.

SOON: Final = 0.1  # seconds: if a callback takes longer, the browser says meanwhile that it works
START: Final = "_start_to_tell"  # an attribute of a ScriptRunner


class _Start:
    """The start of a run, which is told once, or taken back."""

    def __init__(self, tell: Callable[[], None]) -> None:
        self._tell = tell
        self._is_open = True
        self._telling = threading.Lock()

    def tell(self) -> None:
        """What comes next waits for it, as it may be told from another thread."""
        with self._telling:
            if self._is_open:
                self._is_open = False
                self._tell()

    def take_back(self) -> bool:
        """Whether it was not told, and never will be."""
        with self._telling:
            was_open, self._is_open = self._is_open, False
            return was_open


def empty_runs_untold(tell: Callable[..., None]) -> Callable[..., None]:
    """A callback may ask for a new run: then the run that called it is given up.

    Streamlit tells the browser of both, with four more messages, and the browser goes through the
    page for each. So the start of a run is told with what comes next, unless that is its end.
    """
    from streamlit.runtime.scriptrunner import ScriptRunnerEvent as Event

    def told_with_the_next(
        session: AppSession, sender: ScriptRunner | None, event: ScriptRunnerEvent, **of: Any
    ) -> None:
        if event == Event.SCRIPT_STARTED:
            start = _Start(lambda: tell(session, sender, event, **of))

            def tell_soon() -> None:
                session._event_loop.call_later(SOON, start.tell)

            setattr(sender, START, start)
            session._call_soon_on_event_loop(tell_soon)
            return
        before: _Start | None = getattr(sender, START, None)
        if before:
            if event == Event.SCRIPT_STOPPED_FOR_RERUN and before.take_back():
                return
            before.tell()
        tell(session, sender, event, **of)

    return told_with_the_next


# A text field.


def own_value_asked(_: object) -> Callable[[], object]:
    """To see whether its value is None, a text field makes a dict of the values of all widgets.

    Each page has such a field, which nobody sees (`ask_for_receipt` in `ui/state/binding.py`).
    """
    from streamlit.runtime.state import get_session_state

    class OwnValue:
        """The state, with all that a text field takes from it: values by their keys."""

        filtered_state = property(lambda _: get_session_state())

    return OwnValue


# What a component has reported.


class Reported(dict[str, Any]):
    """The reports of one component, by fields and events. Nobody here writes to them."""

    def __deepcopy__(self, _: dict[int, Any]) -> Self:
        return self


def reports_only_read(_: object) -> Callable[..., Callable[[object, SessionState], object]]:
    """Streamlit's may be written to, and get a new class each time that anybody looks."""

    def presenter(aggregator: str, *_: object) -> Callable[[object, SessionState], object]:
        def present(fields: object, state: SessionState) -> object:
            if not isinstance(fields, dict):
                return fields
            return Reported(_events(aggregator, state) | fields)

        return present

    return presenter


def _events(aggregator: str, state: SessionState) -> dict[str, Any]:
    """What was reported for this run alone, by the names of the events."""
    payloads = state._new_widget_state.get(aggregator) or ()
    return {
        event["event"]: event.get("value")
        for event in payloads
        if isinstance(event, dict) and isinstance(event.get("event"), str)
    }


# The place in the page where Streamlit writes next.


def cursors_copied_as_numbers(_: object) -> Callable[[RunningCursor, object], RunningCursor]:
    """A fragment copies the places of all containers around it, in Python's way for any object."""

    def copied(cursor: RunningCursor, _: object) -> RunningCursor:
        """Another cursor at the same place. Elements that stand there for a while are no copies."""
        other = copy(cursor)
        shown_for_a_while = cursor.transient_elements
        other._transient_elements = type(shown_for_a_while)()
        for index, element in shown_for_a_while.items():
            other._transient_elements[index] = element
        return other

    return copied


# The values of the widgets.


def gone_through_as_a_copy(_: object) -> Callable[[WStates], Iterator[str]]:
    """Streamlit begins a run while the one before it is being stopped.

    If the old run put a new widget on the page while the new one looked for what has changed,
    Python gave up, and the new run ended with an error.
    """

    def of_a_copy(values: WStates) -> Iterator[str]:
        return iter(list(values.states))  # made at once: no other thread comes between

    return of_a_copy


# Runs of parts of a page that is no longer shown.


def parts_of_the_page_shown(run: Callable[..., None]) -> Callable[..., None]:
    """A late run of a part of the page before would empty the page that is shown.

    Streamlit drops what a browser asks of a part that is no longer there. But while the next page
    is under way, the part is still there: its run waits, and begins once that page has come. It
    tells the browser the page before, and the browser takes that for a change of the page.
    """

    def unless_it_has_gone(runner: ScriptRunner, asked: RerunData) -> None:
        shown = runner._pages_manager.current_page_script_hash
        if asked.fragment_id_queue and asked.page_script_hash != shown:
            return
        run(runner, asked)

    return unless_it_has_gone


# Who a message is sent to.


def to_the_present_connection(send: Callable[..., None]) -> Callable[..., None]:
    """Streamlit sends what waits to all visitors in turn, and asks before the first who they are.

    Who has lost the connection and is back before their turn comes would get nothing: what waits
    for them goes to the connection that is lost. The page then stays as it was, or empty.
    """

    def send_there(runtime: Runtime, then: ActiveSessionInfo, message: ForwardMsg) -> None:
        now = runtime._session_mgr.get_active_session_info(then.session.id)
        send(runtime, now or then, message)

    return send_there


# What a browser has asked beside its runs.

ANSWERS: Final = ("file_urls_response", "backend_operation_response")


def answers_kept(clear: Callable[..., None]) -> Callable[..., None]:
    """A run that begins takes back what the run before it has said and was not sent yet.

    Streamlit takes back two answers too: where a file is to be sent, and where one is to be
    fetched. Then nothing comes of the file, and nobody says so.
    """

    def clear_all_else(queue: ForwardMsgQueue, **for_a_run: Any) -> None:
        before = queue._queue
        clear(queue, **for_a_run)
        if for_a_run:  # else all has been sent
            others = [each for each in queue._queue if each.WhichOneof("type") not in ANSWERS]
            answers = [each for each in before if each.WhichOneof("type") in ANSWERS]
            queue._queue = [*others, *answers]

    return clear_all_else


TABLE: Final = (
    Tuning(
        "theme",
        replaced=("streamlit.runtime.app_session:_populate_theme_msg",),
        by=theme_read_once,
        reads=(),
        fingerprint="844b9eb40d0f7d97",
        gain="3 %: each run sends it, 1.2 ms",
        needs_fixed_settings=True,
    ),
    Tuning(
        "empty runs",
        replaced=("streamlit.runtime.app_session:AppSession._on_scriptrunner_event",),
        by=empty_runs_untold,
        reads=(
            "streamlit.runtime.app_session:AppSession._handle_scriptrunner_event_on_event_loop",
            "streamlit.runtime.app_session:AppSession._call_soon_on_event_loop",
            "streamlit.runtime.scriptrunner:ScriptRunnerEvent",
        ),
        fingerprint="d478691a0d9dfd38",
        gain="1 % here; the browser goes through the page twice less for each change",
    ),
    Tuning(
        "text fields",
        replaced=("streamlit.elements.widgets.text_widgets:get_session_state",),
        by=own_value_asked,
        reads=(
            "streamlit.elements.widgets.text_widgets:TextWidgetsMixin._text_input",
            "streamlit.elements.widgets.text_widgets:TextWidgetsMixin._text_area",
        ),
        fingerprint="bea54721e5c89c19",
        gain="3 %: 1.4 ms of looking at all widgets",
    ),
    Tuning(
        "reports",
        replaced=("streamlit.components.v2.bidi_component.main:make_bidi_component_presenter",),
        by=reports_only_read,
        reads=("streamlit.runtime.state.session_state:WStates.__getitem__",),
        fingerprint="78500087695e24b7",
        gain="4 %: 62 looks in a change, 2.7 ms before and 0.5 ms after",
    ),
    Tuning(
        "cursors",
        replaced=("streamlit.cursor:RunningCursor.__deepcopy__",),
        by=cursors_copied_as_numbers,
        reads=("streamlit.cursor:RunningCursor", "streamlit.cursor:SparseList"),
        fingerprint="f99ac440a57966ad",
        gain="4 %: 16 copies in a change, 3.2 ms before and 1.5 ms after",
    ),
    Tuning(
        "values of widgets",
        replaced=("streamlit.runtime.state.session_state:WStates.__iter__",),
        by=gone_through_as_a_copy,
        reads=(),
        fingerprint="756e9d7824aa73d5",
        gain="none: without it, a run may end with an error while the one before it stops",
    ),
    Tuning(
        "states of two runs",
        replaced=(
            "streamlit.runtime.state.session_state:SessionState._keys",
            "streamlit.runtime.state.session_state:SessionState._reset_triggers",
            "streamlit.runtime.state.session_state:SessionState._remove_stale_widgets",
        ),
        by=again_if_changed,
        reads=(),
        fingerprint="71b7ce1b35e5646f",
        gain="none: without it, a run that meets another may end with an error, or untold",
    ),
    Tuning(
        "parts of pages",
        replaced=("streamlit.runtime.scriptrunner.script_runner:ScriptRunner._run_script",),
        by=parts_of_the_page_shown,
        reads=(
            "streamlit.runtime.scriptrunner:RerunData",
            "streamlit.runtime.pages_manager:PagesManager",
        ),
        fingerprint="11e21474281a9856",
        gain="none: without it, a late run of the page before may empty the page that is shown",
    ),
    Tuning(
        "connections",
        replaced=("streamlit.runtime.runtime:Runtime._send_message",),
        by=to_the_present_connection,
        reads=(
            "streamlit.runtime.runtime:Runtime._loop_coroutine",
            "streamlit.runtime.websocket_session_manager:WebsocketSessionManager",
        ),
        fingerprint="fcc3aed3007ae2a7",
        gain="none: without it, who is back at once after a cut may get nothing",
    ),
    Tuning(
        "answers",
        replaced=("streamlit.runtime.forward_msg_queue:ForwardMsgQueue.clear",),
        by=answers_kept,
        reads=(
            "streamlit.runtime.forward_msg_queue:ForwardMsgQueue.flush",
            "streamlit.runtime.app_session:AppSession._clear_queue",
        ),
        fingerprint="71769925a95cb600",
        gain="none: without it, a file that is chosen or saved as a run begins may be lost",
    ),
)
