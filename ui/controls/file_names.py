"""Names of the files that a person saves: each says what it is of."""

from __future__ import annotations

from ui.state import Session


def file_name(session: Session, what: str) -> str:
    """The name of a file: the example that is shown, and what of it.

    >>> from mha_core.examples import load_example
    >>> file_name(Session(load_example("pizza")), "weights-1.csv")
    'pizza-weights-1.csv'
    """
    shown = session.example_shown
    return f"{shown.name if shown else 'attention'}-{what}"
