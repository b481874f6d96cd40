"""What a visitor's session holds, how widgets are tied to it, and how it stands in the address."""

from ui.state.address import link_of, sessions_of_page
from ui.state.binding import (
    answered_now,
    ask_for_receipt,
    bound,
    bound_choice,
    bound_fold,
    bound_to_view,
    has_receipt,
    last_run_seen,
    let_come_back,
)
from ui.state.conversation import Answered
from ui.state.history import Moment
from ui.state.packed import Kept
from ui.state.page_sessions import (
    begins_with_a_model,
    keep_address,
    keep_no_address,
    open_elsewhere,
    open_session,
    open_sessions,
    opened,
    stop_elsewhere,
)
from ui.state.params import fits_a_link, is_edited, link_for_the_tab, opened_at, params_of, parts_of
from ui.state.refusals import Refusal
from ui.state.session import Asked, Session, open_as_one_change, session_with
from ui.state.uploads import take_file
from ui.state.view import SHOWN_ALIKE, View
from ui.state.view_params import (
    BOARDS,
    COMPARED,
    COMPARISONS,
    EVERY_BOARD,
    IN_SIDEBAR,
    LONGEST_TITLE,
    MORE_ROWS,
    MOST_DECIMALS,
    PARTS,
    ROWS,
    SCORES,
    SECTIONS,
)
from ui.state.wishes import HISTORY_KEY, asks_to_step, note_wish

__all__ = [
    "BOARDS",
    "COMPARED",
    "COMPARISONS",
    "EVERY_BOARD",
    "HISTORY_KEY",
    "IN_SIDEBAR",
    "LONGEST_TITLE",
    "MORE_ROWS",
    "MOST_DECIMALS",
    "PARTS",
    "ROWS",
    "SCORES",
    "SECTIONS",
    "SHOWN_ALIKE",
    "Answered",
    "Asked",
    "Kept",
    "Moment",
    "Refusal",
    "Session",
    "View",
    "answered_now",
    "ask_for_receipt",
    "asks_to_step",
    "begins_with_a_model",
    "bound",
    "bound_choice",
    "bound_fold",
    "bound_to_view",
    "fits_a_link",
    "has_receipt",
    "is_edited",
    "keep_address",
    "keep_no_address",
    "last_run_seen",
    "let_come_back",
    "link_for_the_tab",
    "link_of",
    "note_wish",
    "open_as_one_change",
    "open_elsewhere",
    "open_session",
    "open_sessions",
    "opened",
    "opened_at",
    "params_of",
    "parts_of",
    "session_with",
    "sessions_of_page",
    "stop_elsewhere",
    "take_file",
]
