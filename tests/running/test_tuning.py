"""What is replaced in Streamlit does the same as before, and only where it was written for."""

from __future__ import annotations

import json
import logging
import random
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import replace
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Final
from unittest.mock import PropertyMock, patch

import pytest
from streamlit import config
from streamlit.components.v2.bidi_component import main
from streamlit.components.v2.presentation import make_bidi_component_presenter
from streamlit.cursor import RunningCursor
from streamlit.elements import html
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.Element_pb2 import Element
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.NewSession_pb2 import CustomThemeConfig
from streamlit.proto.WidgetStates_pb2 import WidgetState
from streamlit.runtime import app_session
from streamlit.runtime.forward_msg_queue import ForwardMsgQueue
from streamlit.runtime.scriptrunner import RerunData
from streamlit.runtime.scriptrunner import ScriptRunnerEvent as Event
from streamlit.runtime.state import SafeSessionState, SessionState
from streamlit.runtime.state.common import WidgetMetadata
from streamlit.runtime.state.session_state import Value, WStates
from streamlit.testing.v1 import AppTest

from benchmarks.load.crowd import PICTURE, edit, pick, slide
from benchmarks.load.visitor import Visitor, visiting
from benchmarks.tuning import serving
from tests.coroutines import run
from tests.serving import ROOT, AppServer, served
from ui.running import tuning
from ui.running.tuning import SOON, TABLE, Reported, Tuning, fingerprint, tune

if TYPE_CHECKING:
    from pathlib import Path

ROWS: Final = {row.name: row for row in TABLE}


@pytest.fixture
def put_in(request: pytest.FixtureRequest) -> Any:
    """Puts a row in, until the end of the test."""

    def put_in(name: str) -> None:
        request.addfinalizer(ROWS[name].put_in())

    return put_in


# The table


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row.name)
def test_each_row_fits_the_streamlit_that_is_pinned(row: Tuning) -> None:
    assert row.fits
    assert all(tuning._source(name) for name in row.reads)


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row.name)
def test_what_is_put_in_can_be_taken_out(row: Tuning) -> None:
    places = [tuning._place(name) for name in row.replaced]
    before = [vars(owner).get(name) for owner, name in places]
    take_out = row.put_in()
    assert all(vars(o)[n] is not was for (o, n), was in zip(places, before, strict=True))
    take_out()
    assert [vars(owner).get(name) for owner, name in places] == before


@pytest.mark.parametrize(
    "other",
    [
        {"fingerprint": "another"},
        {"reads": ("streamlit.cursor:NotThere",)},
        {"reads": ("streamlit.no_such_module:Thing",)},
        {"replaced": ("streamlit.cursor:NotThere.it",), "reads": ()},
    ],
)
def test_a_row_for_another_source_is_left_out_and_said(
    other: dict[str, Any], caplog: pytest.LogCaptureFixture
) -> None:
    row = replace(ROWS["cursors"], **other)
    with caplog.at_level(logging.WARNING, "explorer"):
        assert tune([row]) == {}
    (said,) = caplog.messages
    assert said.startswith("The tuning 'cursors' is left out: Streamlit ")
    assert "__deepcopy__" not in vars(RunningCursor)


def test_each_letter_of_a_source_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    before = fingerprint("streamlit.elements.html:clean_text")
    monkeypatch.setattr(html, "clean_text", tune)
    assert fingerprint("streamlit.elements.html:clean_text") not in ("", before)


def test_what_settings_say_is_not_kept_where_they_may_change(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(tuning.st, "get_option", {"server.fileWatcherType": "auto"}.get)
    own = app_session._populate_theme_msg
    assert tune([ROWS["theme"]]) == {}
    assert app_session._populate_theme_msg is own


def test_off_leaves_out_all(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("EXPLORER_TUNING", "off")
    with caplog.at_level(logging.WARNING, "explorer"):
        assert tune() == {}
    assert caplog.messages == ["No tuning of Streamlit is in use, as EXPLORER_TUNING says"]


async def journey(url: str, first: int = 1) -> None:
    """Open a page, type a number, move a slider, pick a cell. Each fails if nothing came of it."""
    dice = random.Random(1)
    async with visiting(url) as visitor:
        await visitor.open("example=pizza", PICTURE)
        for number, act in enumerate((edit, slide, pick), first):
            await act(visitor, dice, number)


def test_a_journey_without_any(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EXPLORER_TUNING", "off")
    with served("app.py", tmp_path / "log") as server:
        run(journey(server.url))
        assert "No tuning of Streamlit is in use" in server.log()
        assert "Traceback" not in server.log()


def test_a_journey_without_each() -> None:
    """One server, whose rows are taken out and put in between the journeys."""
    with serving() as server:
        for row in TABLE:
            server.leave_out(row.name)
            run(journey(server.url))


# The theme

SECTIONS = ["theme", "theme.light", "theme.dark", "theme.sidebar", "theme.dark.sidebar"]


@pytest.fixture
def settings_of_the_app(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    config.get_config_options(force_reparse=True)


def filled(fill: Any, section: str) -> CustomThemeConfig:
    message = CustomThemeConfig()
    fill(message, section)
    return message


@pytest.mark.usefixtures("settings_of_the_app")
@pytest.mark.parametrize("section", SECTIONS)
def test_the_theme_is_streamlits_own_each_time(section: str) -> None:
    own = filled(app_session._populate_theme_msg, section)
    once = tuning.theme_read_once(app_session._populate_theme_msg)
    assert own.ByteSize() > 0
    assert filled(once, section) == filled(once, section) == own


def test_the_settings_are_asked_once() -> None:
    asked: list[str] = []
    once = tuning.theme_read_once(lambda message, section: asked.append(section))
    for section in SECTIONS * 2:
        filled(once, section)
    assert asked == SECTIONS


@pytest.mark.usefixtures("settings_of_the_app")
def test_what_stands_in_the_message_stays() -> None:
    message = CustomThemeConfig()
    message.light.primary_color = "red"
    tuning.theme_read_once(app_session._populate_theme_msg)(message)
    assert message.light.primary_color == "red"


# Runs that end before they have begun

BEGIN, SAY, GIVE_UP, END = (
    Event.SCRIPT_STARTED,
    Event.ENQUEUE_FORWARD_MSG,
    Event.SCRIPT_STOPPED_FOR_RERUN,
    Event.FRAGMENT_STOPPED_WITH_SUCCESS,
)


def tell(session: Visit, _: object, event: Event, **of: Any) -> None:
    session.told.append((event, of["number"]))


class Visit:
    """What Streamlit's session for a visitor is told, and a clock for it."""

    def __init__(self) -> None:
        self.told: list[Any] = []
        self._event_loop = SimpleNamespace(call_later=self._call_later)
        self._later: list[Any] = []
        self._hear = tuning.empty_runs_untold(tell)

    def _call_soon_on_event_loop(self, act: Any) -> None:
        act()

    def _call_later(self, seconds: float, act: Any) -> None:
        assert seconds == SOON
        self._later.append(act)

    def wait(self) -> None:
        while self._later:
            self._later.pop()()

    def hear(self, runner: object, *events: Event) -> None:
        for number, event in enumerate(events):
            self._hear(self, runner, event, number=number)


@pytest.fixture
def visit() -> Visit:
    return Visit()


def test_a_run_that_is_given_up_at_once_is_told_to_nobody(visit: Visit) -> None:
    visit.hear(SimpleNamespace(), BEGIN, GIVE_UP, BEGIN, SAY, END)
    visit.wait()
    assert visit.told == [(BEGIN, 2), (SAY, 3), (END, 4)]


def test_one_that_is_given_up_after_it_has_said_something_is_told(visit: Visit) -> None:
    visit.hear(SimpleNamespace(), BEGIN, SAY, GIVE_UP, BEGIN, END)
    visit.wait()
    assert [event for event, _ in visit.told] == [BEGIN, SAY, GIVE_UP, BEGIN, END]


def test_one_that_says_nothing_for_long_is_told(visit: Visit) -> None:
    runner = SimpleNamespace()
    visit.hear(runner, BEGIN)
    visit.wait()
    assert visit.told == [(BEGIN, 0)]
    visit.hear(runner, GIVE_UP)
    assert [event for event, _ in visit.told] == [BEGIN, GIVE_UP]


def test_runs_of_several_runners_do_not_mix(visit: Visit) -> None:
    first, second = SimpleNamespace(), SimpleNamespace()
    visit.hear(first, BEGIN)
    visit.hear(second, BEGIN, GIVE_UP)
    visit.hear(first, END)
    visit.wait()
    assert [event for event, _ in visit.told] == [BEGIN, END]


def test_what_no_runner_says_is_told(visit: Visit) -> None:
    visit.hear(None, END)
    assert [event for event, _ in visit.told] == [END]


# Text fields


@pytest.fixture
def all_values() -> Iterator[PropertyMock]:
    with patch.object(SafeSessionState, "filtered_state", new_callable=PropertyMock) as asked:
        yield asked


def page_of_fields() -> None:
    import streamlit as st

    if "emptied" not in st.session_state:
        st.session_state["emptied"] = None
        st.session_state["set"] = "from the state"
    st.text_input("A", "a default", key="emptied")
    st.text_input("B", key="set")
    st.text_input("C", "another default", key="new")
    st.text_area("D", "a long default")


def test_each_field_shows_its_own_value(all_values: PropertyMock, put_in: Any) -> None:
    put_in("text fields")
    at = AppTest.from_function(page_of_fields).run()
    assert not at.exception
    assert [field.value for field in at.text_input] == [None, "from the state", "another default"]
    assert at.text_area[0].value == "a long default"
    all_values.assert_not_called()


def test_what_is_typed_stays(put_in: Any) -> None:
    put_in("text fields")
    at = AppTest.from_function(page_of_fields).run()
    at.text_input(key="new").set_value("typed").run()
    at.text_input(key="emptied").set_value("too").run()
    assert [field.value for field in at.text_input] == ["too", "from the state", "typed"]


# Reports of components

EVENTS = "the events of the component"


def state_with(reported: object) -> SessionState:
    """A state in which a browser has reported these events."""
    state = SessionState()
    state._new_widget_state.set_widget_from_proto(
        WidgetState(id=EVENTS, json_trigger_value=json.dumps(reported))
    )
    state._new_widget_state.set_widget_metadata(
        WidgetMetadata(EVENTS, json.loads, json.dumps, value_type="json_trigger_value")
    )
    return state


@pytest.mark.parametrize("fields", [{}, {"entered": [1, 2]}, {"press": "a field"}, None, "text"])
@pytest.mark.parametrize(
    "events",
    [
        [],
        [{"event": "press", "value": {"at": 3}}],
        [{"event": "press", "value": 1}, {"event": "press", "value": 2}, {"event": "go"}],
        ["no event", {"event": 7, "value": 1}, {"event": "go", "value": 2}],
    ],
)
def test_it_is_shown_as_streamlit_shows_it(put_in: Any, fields: Any, events: Any) -> None:
    state = state_with(events)
    as_streamlit = make_bidi_component_presenter(EVENTS)(fields, state)
    put_in("reports")
    assert main.make_bidi_component_presenter(EVENTS)(fields, state) == as_streamlit


def test_without_events_the_fields_are_left(put_in: Any) -> None:
    put_in("reports")
    shown = main.make_bidi_component_presenter(EVENTS)({"entered": [1]}, SessionState())
    assert shown == {"entered": [1]}


def test_a_copy_is_the_same_as_nobody_writes_to_it() -> None:
    reported = Reported(entered=[SimpleNamespace()])
    assert deepcopy(reported) is reported


# Cursors


def test_it_is_at_the_same_place_and_moves_alone(put_in: Any) -> None:
    put_in("cursors")
    cursor = RunningCursor(root_container=1, parent_path=(4, 2))
    cursor.lock_element()
    copied = deepcopy(cursor)
    assert copied.delta_path == cursor.delta_path == [1, 4, 2, 1]
    copied.open_block()
    assert (copied.delta_path, cursor.delta_path) == ([1, 4, 2, 2], [1, 4, 2, 1])


def test_what_is_shown_for_a_while_is_kept_by_each(put_in: Any) -> None:
    put_in("cursors")
    cursor, element = RunningCursor(root_container=0), Element()
    cursor.get_transient_cursor().transient_elements[0] = element
    copied = deepcopy(cursor)
    assert list(copied.transient_elements) == [element]
    copied.lock_element()
    assert (len(copied.transient_elements), len(cursor.transient_elements)) == (0, 1)


def page_of_fragments() -> None:
    import streamlit as st

    @st.fragment
    def part(name: str) -> None:
        st.button(name, key=name)
        with st.container():
            st.text(f"{name} {st.session_state[name]}")

    st.title("Above")
    with st.container():
        part("one")
        part("two")
    st.caption("Below")


def test_a_fragment_writes_where_it_stands(put_in: Any) -> None:
    put_in("cursors")
    at = AppTest.from_function(page_of_fragments).run()
    at.button(key="two").click().run()
    assert not at.exception
    assert [text.value for text in at.text] == ["one False", "two True"]
    kinds = {"title", "button", "text", "caption"}
    written = [each.type for each in at.main if each.type in kinds]
    assert written == ["title", "button", "text", "button", "text", "caption"]


# Values of widgets


def gone_through() -> list[str]:
    """The widgets that a run finds while another adds one to each that it has found."""
    values = WStates({"first": Value(1), "second": Value(2)})
    found = []
    for widget in values:
        found.append(widget)
        values[f"{widget}, new"] = Value(0)
    assert len(values) == 4
    return found


def test_those_that_were_there_are_found(put_in: Any) -> None:
    with pytest.raises(RuntimeError, match="changed size"):
        gone_through()
    put_in("values of widgets")
    assert gone_through() == ["first", "second"]


# Parts of pages


@pytest.mark.parametrize(
    ("parts", "page", "runs"),
    [
        (["a part"], "shown", True),
        (["a part"], "left", False),
        ([], "left", True),  # the whole page, which is shown then
        ([], "", True),
    ],
)
def test_parts_run_while_their_page_is_shown(parts: list[str], page: str, runs: bool) -> None:
    ran: list[RerunData] = []
    run_script = tuning.parts_of_the_page_shown(lambda _, asked: ran.append(asked))
    pages = SimpleNamespace(current_page_script_hash="shown")
    asked = RerunData(fragment_id_queue=parts, page_script_hash=page)
    run_script(SimpleNamespace(_pages_manager=pages), asked)
    assert ran == [asked] * runs


async def begun(visitor: Visitor, *messages: BackMsg) -> list[str]:
    """The pages whose runs began, up to the end of the first that a browser was told."""
    for message in messages:
        await visitor.line.send(message.SerializeToString())
    pages = []
    async for data in visitor.line:
        came = ForwardMsg.FromString(data)
        visitor.keep(came)
        if came.HasField("new_session"):
            pages.append(came.new_session.page_script_hash)
        if came.HasField("script_finished"):
            break
    return pages


def test_a_part_of_the_page_before_that_is_late_does_not_empty_the_page(
    app_server: AppServer,
) -> None:
    """The browser takes a run with the address of another page for a change of the page."""

    async def leave() -> None:
        async with visiting(app_server.url) as visitor:
            to_exercise = visitor.message()
            to_exercise.rerun_script.page_name = "exercise"
            await begun(visitor, to_exercise)
            late = visitor.message(visitor.fragments["answer-sheet"])
            explore = visitor.script = visitor.pages[""]
            assert await begun(visitor, visitor.message(), late) == [explore]
            one_more = visitor.message(visitor.fragments[PICTURE])
            assert await begun(visitor, one_more) == [explore]

    run(leave())


# Answers


def test_where_a_file_is_to_be_sent_is_told_though_a_run_begins(app_server: AppServer) -> None:
    """Without the row, 55 of 60 such answers were lost."""

    async def ask() -> None:
        async with visiting(app_server.url) as visitor:
            await visitor.open("example=pizza", PICTURE)
            for number in range(10):
                where = BackMsg()
                where.file_urls_request.request_id = str(number)
                where.file_urls_request.file_names.append("saved.npz")
                for message in (where, visitor.message()):
                    await visitor.line.send(message.SerializeToString())
                answers = []
                async for data in visitor.line:
                    came = ForwardMsg.FromString(data)
                    visitor.keep(came)
                    if came.HasField("file_urls_response"):
                        answers.append(came.file_urls_response.response_id)
                    if came.HasField("script_finished"):
                        break
                assert answers == [str(number)]

    run(ask())


def test_what_was_said_before_a_run_is_taken_back_but_for_answers(put_in: Any) -> None:
    put_in("answers")
    queue = ForwardMsgQueue()
    answers = [ForwardMsg(), ForwardMsg()]
    answers[0].file_urls_response.response_id = "a file to send"
    answers[1].backend_operation_response.request_id = "a file to fetch"
    delta = ForwardMsg()
    delta.delta.new_element.text.body = "of the run before"
    for message in (answers[0], delta, answers[1]):
        queue.enqueue(message)
    queue.clear(retain_lifecycle_msgs=True, fragment_ids_this_run=["a part"])
    assert [each for each in queue._queue if not each.HasField("delta")] == answers
    queue.clear(retain_lifecycle_msgs=True)
    assert queue.flush() == answers
    assert queue.is_empty()


# Connections


@pytest.mark.parametrize("now", ["the present one", None])
def test_what_waits_is_sent_to_who_is_back(now: str | None) -> None:
    sent: list[tuple[object, str]] = []
    send = tuning.to_the_present_connection(lambda _, to, message: sent.append((to, message)))
    sessions = SimpleNamespace(get_active_session_info={"a session": now}.get)
    then = SimpleNamespace(session=SimpleNamespace(id="a session"))
    send(SimpleNamespace(_session_mgr=sessions), then, "a message")
    assert sent == [(now or then, "a message")]
