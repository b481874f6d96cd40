"""Show a figure, keep it across reruns, and report the cell a person picked.

The browser draws, by the modules in `js/`; the server sends only the figure. `app.py` serves what
`make bundle` built of the modules and styles, one file beside the pages, by
`st.App(..., routes=plot.routes())`. A browser fetches it once, and then keeps it in its cache.
"""

from ui.plot.entering import (
    MOST_ENTRIES,
    AnyEntry,
    Entry,
    IntoField,
    Live,
    OnLabel,
    Refused,
    RefusedLabel,
    as_entries,
    entries,
    form,
    tell,
)
from ui.plot.pictures import Picture, outline, show
from ui.plot.serving import PLACE, SCRIPT, VERSION, as_cell, loader, routes

__all__ = [
    "MOST_ENTRIES",
    "PLACE",
    "SCRIPT",
    "VERSION",
    "AnyEntry",
    "Entry",
    "IntoField",
    "Live",
    "OnLabel",
    "Picture",
    "Refused",
    "RefusedLabel",
    "as_cell",
    "as_entries",
    "entries",
    "form",
    "loader",
    "outline",
    "routes",
    "show",
    "tell",
]
