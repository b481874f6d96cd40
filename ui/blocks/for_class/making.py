"""What all offers have in common: how pictures look, the making of files, a look before."""

import html
from base64 import b64encode
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

import streamlit as st

from mha_core.language import say
from ui.blocks.picture import look_of
from ui.blocks.top import title_of
from ui.controls.file_names import as_file_name, file_name
from ui.controls.hand_over import hand_over
from ui.controls.markdown import plain
from ui.figures.grounds import GROUNDS, Ground
from ui.figures.marks import Sheet
from ui.machine.budget import TURNS
from ui.prints.album import AlbumPicture, album_of
from ui.prints.files import KINDS, why_not
from ui.prints.pack import FileToMake, PackWish, zipped
from ui.prints.sizes import SIZES, Size, free_size
from ui.prints.svg import svg_of
from ui.state import Session, fits_a_link, link_of

FREE: Final = "free"
WIDEST: Final = 1000  # millimetres


class Paper(NamedTuple):
    """What pictures are made for, and what they lie on."""

    size: Size
    ground: Ground


def paper_of(session: Session, sizes: Sequence[str]) -> Paper:
    """A size and a ground, as they are chosen here."""
    names = {name: SIZES[name].name for name in sizes if name in SIZES}
    left, right = st.columns(2, gap="small")
    chosen = left.selectbox(
        say("Size"),
        [*names, *([FREE] if FREE in sizes else [])],
        format_func=lambda name: names.get(name) or say("A width of your own"),
        key=session.key("paper-size"),
    )
    ground = right.selectbox(
        say("Ground"),
        list(GROUNDS),
        format_func=lambda name: GROUNDS[name].name,
        key=session.key("paper-ground"),
    )
    return Paper(_size(session, chosen), GROUNDS[ground])


def _size(session: Session, chosen: str) -> Size:
    if chosen != FREE:
        return SIZES[chosen]
    width = st.number_input(
        say("Width in millimetres"), 30, WIDEST, 120, key=session.key("paper-width")
    )
    return free_size(width)


def album(session: Session) -> dict[str, AlbumPicture]:
    """Every picture of the layer that is shown, by its name."""
    return albums(session)[session.layer]


def albums(session: Session) -> list[dict[str, AlbumPicture]]:
    """The same of each layer."""
    layers, title = session.traces.layers, title_of(session)
    steps = tuple(session.view.steps_of(trace.scenario) for trace in layers)

    def make() -> list[dict[str, AlbumPicture]]:
        numbers = range(len(layers)) if len(layers) > 1 else [None]
        of_each = zip(layers, steps, numbers, strict=True)
        return [album_of(trace, rows, title, number) for trace, rows, number in of_each]

    return session.make_once(("albums", steps, title), make)


def kinds_of_files(session: Session) -> list[str]:
    """The chosen kinds of files. One whose packages are missing is named, not offered."""
    missing = {kind: why_not(KINDS[kind].needs) for kind in KINDS}
    chosen = st.pills(
        say("Files"),
        [kind for kind in KINDS if not missing[kind]],
        format_func=lambda kind: KINDS[kind].title,
        selection_mode="multi",
        default=["svg"],
        key=session.key("kinds"),
    )
    for reason in dict.fromkeys(filter(None, missing.values())):
        st.caption(plain(reason))
    return list(chosen)


def wish_of(
    session: Session, paper: Paper, pictures: Sequence[AlbumPicture] = (), kinds: Sequence[str] = ()
) -> PackWish:
    """What shall be made, of the scenario as it is now."""
    head = min(session.view.head or 0, session.scenario.n_heads - 1)
    link = link_to_explorer(session)
    look = look_of(session)
    return PackWish(
        session.traces, session.layer, title_of(session), link, pictures, kinds, *paper, look, head
    )


def link_to_explorer(session: Session) -> str:
    """The link that opens the scenario in the explorer; "" where it is too large for one."""
    if not fits_a_link(session):
        return ""
    page = (st.context.url or "").partition("?")[0]
    return f"{page.rpartition('/')[0]}/?{link_of(session)}"


def made_files(session: Session, entries: Iterable[FileToMake]) -> dict[str, bytes]:
    """The bytes of each file, made in turn with other visitors' work, while a bar grows."""
    entries = list(entries)
    bar = st.progress(0.0, say("Begins"))
    files = {}
    says = say("{number} of {count}: {file}")
    for done, entry in enumerate(entries):
        said = says.format(number=done + 1, count=len(entries), file=plain(entry.name))
        bar.progress(done / len(entries), said)
        with TURNS.turn(session.use):
            files[entry.name] = entry.make()
    bar.empty()
    return files


def is_asked_for(session: Session, label: str, key: str, title: str, reason: str) -> bool:
    """A button that saves a kind of file; in its place the reason, where none can be made."""
    if reason:
        st.caption(plain(f"{title}: {reason}"))
        return False
    return st.button(label, type="primary", key=session.key(key))


def save(session: Session, files: dict[str, bytes], name: str, of: str = "") -> None:
    """One file as it is, several as a ZIP; nothing, where all were left out.

    A file is named after the example, or `of` something else.
    """
    if not files:
        return
    if len(files) == 1:
        (only, content), *_ = files.items()
        named = f"{as_file_name(of)}-{only}" if of else file_name(session, only)
        hand_over(named, content, session.key("handed-over"))
    else:
        hand_over(file_name(session, f"{name}.zip"), zipped(files), session.key("handed-over"))


def show_sheet(sheet: Sheet, *, is_read: bool = False) -> None:
    """What a file will look like; squares show through a transparent ground.

    A sheet to read is as wide as its place; any other is in sight as a whole.
    """
    source = f"data:image/svg+xml;base64,{b64encode(svg_of(sheet)).decode()}"
    ground = "chequered" if sheet.paper is None else "papered"
    size = "read" if is_read else "whole"
    st.html(f'<img class="sheet {ground} {size}" src="{source}" alt="{html.escape(sheet.title)}">')
    for note in sheet.notes:
        st.caption(plain(note))
