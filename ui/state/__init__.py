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
    HISTORY_KEY,
    ask_for_receipt,
    asks_to_step,
    bound,
    bound_choice,
    bound_fold,
    bound_to_view,
    let_come_back,
)
from ui.state.history import Moment
from ui.state.session import Refusal, Session
from ui.state.view import (
    IN_SIDEBAR,
    LONGEST_TITLE,
    MORE_ROWS,
    MOST_DECIMALS,
    ROWS,
    SCORES,
    SECTIONS,
    View,
)

__all__ = [
    "HISTORY_KEY",
    "IN_SIDEBAR",
    "LONGEST_TITLE",
    "MORE_ROWS",
    "MOST_DECIMALS",
    "ROWS",
    "SCORES",
    "SECTIONS",
    "Moment",
    "Refusal",
    "Session",
    "View",
    "ask_for_receipt",
    "asks_to_step",
    "bound",
    "bound_choice",
    "bound_fold",
    "bound_to_view",
    "fits_a_link",
    "is_edited",
    "keep_address",
    "let_come_back",
    "link_of",
    "open_session",
    "open_sessions",
    "opened_at",
    "params_of",
    "sessions_of_page",
]
