"""What a visitor's session holds, how widgets are tied to it, and how it stands in the address."""

from ui.state.address import (
    fits_a_link,
    is_edited,
    keep_address,
    link_of,
    open_session,
    open_sessions,
    opened_at,
    params_of,
    sessions_of_page,
)
from ui.state.binding import (
    ask_for_receipt,
    bound,
    bound_choice,
    bound_fold,
    bound_to_view,
    let_come_back,
)
from ui.state.history import Moment
from ui.state.session import Asked, Refusal, Session, session_with
from ui.state.view import (
    COMPARISONS,
    IN_SIDEBAR,
    LONGEST_TITLE,
    MORE_ROWS,
    MOST_DECIMALS,
    ROWS,
    SCORES,
    SECTIONS,
    View,
)
from ui.state.wishes import HISTORY_KEY, note_wish

__all__ = [
    "COMPARISONS",
    "HISTORY_KEY",
    "IN_SIDEBAR",
    "LONGEST_TITLE",
    "MORE_ROWS",
    "MOST_DECIMALS",
    "ROWS",
    "SCORES",
    "SECTIONS",
    "Asked",
    "Moment",
    "Refusal",
    "Session",
    "View",
    "ask_for_receipt",
    "bound",
    "bound_choice",
    "bound_fold",
    "bound_to_view",
    "fits_a_link",
    "is_edited",
    "keep_address",
    "let_come_back",
    "link_of",
    "note_wish",
    "open_session",
    "open_sessions",
    "opened_at",
    "params_of",
    "session_with",
    "sessions_of_page",
]
