"""A field for a file that is read once."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final, Protocol

import streamlit as st

from mha_core.checks.limits import LIMITS
from mha_core.checks.sizes import size_in_words
from mha_core.io.matrix.other_kinds import NAME, OTHER_KINDS, OtherKind
from mha_core.language import say
from ui.controls.own_component import own_component
from ui.machine.limits import MACHINE, MEGABYTE
from ui.state import take_file

NO_ROOM: Final = say(
    "The server has no room for this file now. Files that wait to be read may take {limit} for one "
    "visitor and {limit_of_all} for all. Choose it again in a minute."
).format(
    limit=size_in_words(int(MACHINE.session_uploads_mb * MEGABYTE)),
    limit_of_all=size_in_words(int(MACHINE.uploads_mb * MEGABYTE)),
)
LOST: Final = say("The file did not reach the server. Choose it again.")
SAVE_A_PART: Final = say("save the part that you want to see.")
MOST: Final = size_in_words(LIMITS.file_bytes)
MOST_TEXT: Final = size_in_words(LIMITS.text_chars)
ARRAYS: Final = (".npz", ".npy")  # what is not text


class HasFields(Protocol):
    """What keeps the fields of its page apart from those of others."""

    def key(self, name: str) -> str: ...


def file_field(
    of: HasFields,
    name: str,
    label: str,
    types: Sequence[str],
    take: Callable[[bytes, str], object],
    take_away: Callable[[], object],
    kinds: Mapping[str, OtherKind] = OTHER_KINDS,
    if_large: str = SAVE_A_PART,
    **looks: Any,
) -> str | None:
    """The name of the file that the field shows. `take` is given its bytes and its name, once.

    `take_away` is called when a person has removed the file. `types` are as in ".npz". `kinds` say
    what to do with files of others, and `if_large` with one that is too large.
    """
    widget = of.key(name)
    with st.container(key=f"{widget} field"):
        file = st.file_uploader(
            label,
            [kind.removeprefix(".") for kind in types],
            key=widget,
            max_upload_size=LIMITS.file_bytes // MEGABYTE,
            on_change=partial(take_file, widget, take, take_away),
            **looks,
        )
        st.caption(_what_it_takes(types))
        _file_field(
            key=f"{widget} words", data={"words": json.dumps(_words(types, kinds, if_large))}
        )
    return file.name if file else None


def _what_it_takes(types: Sequence[str]) -> str:
    """The kinds and the largest size, said once: page.css hides Streamlit's own words.

    >>> _what_it_takes((".npz", ".json"))
    '.npz or .json. At most 48 MB, 20 MB as text.'
    """
    texts = set(types) - set(ARRAYS)
    if len(texts) < len(types):
        says = say("{endings}. At most {limit}, {limit_of_text} as text.")
    else:
        says = say("{endings}. At most {limit_of_text} as text.")
    return says.format(endings=_listed(types), limit=MOST, limit_of_text=MOST_TEXT)


def _listed(types: Sequence[str]) -> str:
    """The endings of files.

    >>> _listed((".json",)), _listed((".txt", ".md")), _listed((".csv", ".npy", ".npz"))
    ('.json', '.txt or .md', '.csv, .npy or .npz')
    """
    *others, last = types
    return (
        say("{endings} or {last}").format(endings=", ".join(others), last=last) if others else last
    )


def _words(types: Sequence[str], kinds: Mapping[str, OtherKind], if_large: str) -> dict[str, Any]:
    """What the browser says of a file that does not reach the server.

    It travels as one text: in a list or a dict, Streamlit would look for tables, and load pandas.
    """
    others = {end: kind._asdict() for end, kind in kinds.items() if end not in types}
    usual = say("Save it as {endings}.").format(endings=_listed(types))
    of_kinds = {"others": others, "usual": usual, "name_in_program": NAME}
    of_kinds |= {"refused": say("{file} cannot be read here."), "nameless": say("Such a file")}
    large = say("The file is too large. At most {limit}: {do}").format(limit=MOST, do=if_large)
    return {"full": NO_ROOM, "lost": LOST, "large": large, "kinds": of_kinds}


_file_field = own_component(__file__)
