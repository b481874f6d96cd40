"""What a visitor's session holds, and how it stands in the address."""

from ui.state.session import (
    HISTORY_KEY,
    LONGEST_LINK,
    Explorer,
    Moment,
    Refusal,
    bound,
    bound_to_view,
    explorer,
    opened_at,
    write_address,
)
from ui.state.view import ROWS, SCORE_STEPS, SECTIONS, View

__all__ = [
    "HISTORY_KEY",
    "LONGEST_LINK",
    "ROWS",
    "SCORE_STEPS",
    "SECTIONS",
    "Explorer",
    "Moment",
    "Refusal",
    "View",
    "bound",
    "bound_to_view",
    "explorer",
    "opened_at",
    "write_address",
]
