"""Names of the files that a person saves: each says what it is of."""

from __future__ import annotations

import re
from typing import Final

from ui.state import Session

LONGEST: Final = 60  # characters of a title in a name


def as_file_name(title: str, instead: str = "attention") -> str:
    """A title as the name of a file, without its ending; `instead` of one without a letter.

    >>> as_file_name("Why √d_k? A tour"), as_file_name("שלום")
    ('why-d-k-a-tour', 'attention')
    """
    words = re.findall(r"[a-z0-9]+", title.lower())
    return "-".join(words)[:LONGEST] or instead


def file_name(session: Session, what: str) -> str:
    """The name of a file: the example that is shown, and what of it.

    >>> from mha_core.examples import load_example
    >>> file_name(Session(load_example("pizza")), "weights-1.csv")
    'pizza-weights-1.csv'
    """
    shown = session.example_shown
    return f"{shown.name if shown else 'attention'}-{what}"
