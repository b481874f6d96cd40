"""Pictures as files: which, in what kinds, for what size."""

import streamlit as st

from mha_core.language import say, say_number
from ui.blocks.for_class.making import (
    FREE,
    album,
    kinds_of_files,
    made_files,
    paper_of,
    save,
    show_sheet,
    wish_of,
)
from ui.blocks.picture import look_of
from ui.controls.markdown import plain
from ui.prints.files import KINDS
from ui.prints.pack import picture_entries
from ui.prints.sizes import SIZES, sheet_of
from ui.state import Session


def pictures_to_save(session: Session) -> None:
    """The choices on the left; on the right, what the first picture will look like."""
    pictures = album(session)
    choices, shown = st.columns([2, 3], gap="large")
    with choices:
        names = st.multiselect(
            say("Pictures"),
            list(pictures),
            default=[next(name for name in pictures if name.startswith("heads"))],
            format_func=lambda name: pictures[name].title,
            key=session.key("pictures"),
        )
        kinds = kinds_of_files(session)
        paper = paper_of(session, [*SIZES, FREE])
        wish = wish_of(session, paper, [pictures[name] for name in names], kinds)
        count = len(names) * sum(len(KINDS[kind].files) for kind in kinds)
        says = say_number("Save", "Save {count} files", count) if count else say("Nothing to save")
        if "tikz" in kinds:
            st.caption(
                say("LaTeX comes as a document of its own, and as the picture alone, to paste.")
            )
        label, key = says.format(count=count), session.key("save-pictures")
        if st.button(label, type="primary", disabled=not count, key=key):
            left_out: list[str] = []
            save(session, made_files(session, picture_entries(wish, left_out)), "pictures")
            for reason in left_out:
                st.caption(plain(say("Left out: {reason}").format(reason=reason)))
    with shown:
        for name in names[:1]:
            picture = pictures[name]
            show_sheet(sheet_of(picture.figure(look_of(session)), picture.title, *paper))
            st.caption(picture.caption)
