"""What Streamlit says at the start of each run, written once for each visitor.

It says the settings, the theme, the pages and who the server is: the same each time, but for the
number of the run. To write it took as long as to send ten elements, twice in a change of a number.
"""

from __future__ import annotations

import streamlit as st
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime import app_session
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.scriptrunner_utils.run_descriptor import RunDescriptor
from streamlit.source_util import PageInfo

_write = AppSession._create_new_session_message
WRITTEN = "_written_once"  # an attribute of a visitor's AppSession


def write_them_once() -> None:
    """From now on. Where Streamlit watches files, settings may change: then nothing is kept."""
    if st.get_option("server.fileWatcherType") == "none":
        AppSession._create_new_session_message = _written_once  # type: ignore[assignment,method-assign]


def _written_once(
    session: AppSession,
    page_script_hash: str,
    run_descriptor: RunDescriptor,
    pages: dict[str, PageInfo] | None = None,
) -> ForwardMsg:
    shown = pages or session._pages_manager.get_pages()
    of = (page_script_hash, dict(shown), session._state, session._run_on_save)
    written_of, written = getattr(session, WRITTEN, (None, None))
    if of != written_of:
        written = _write(session, page_script_hash, run_descriptor, pages)
        setattr(session, WRITTEN, (of, written))
    message = ForwardMsg()
    message.CopyFrom(written)
    message.metadata.ClearField("run")
    app_session._set_run_identity(message, run_descriptor)
    return message
