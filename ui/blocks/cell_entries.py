"""Numbers and labels that a person edits in the pictures."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from mha_core.language import say
from mha_core.stack.derivation import W_U
from ui import plot
from ui.controls.history import said_of_history
from ui.controls.pasted_block import ask_about_block
from ui.controls.refusal import show_refusal
from ui.controls.sidebar import enter_in_sidebar
from ui.edits.cell_entries import CellEntry
from ui.edits.editable_array import Editable
from ui.edits.entries import TYPED
from ui.edits.forward_inputs import are_too_many, inputs_from
from ui.edits.label_entries import LabelEntry
from ui.edits.mask_strokes import STROKE, MaskStroke
from ui.edits.typed_cells import EntryInCell
from ui.edits.w_u_entries import WUEntry
from ui.state import Session
from ui.state.wishes import changing_all, comes_between, make_steps_before, sessions_stepping_with

TOO_LARGE: Final = say(
    "This layer is too large to follow a drag. The pictures change when you let go."
)
HOW_TO_EDIT: Final = say("Click a label or a framed number to edit it; drag numbers.")
AnyEntry = CellEntry | WUEntry | LabelEntry  # that is made in a picture
GONE: Final = "gone"  # begins the key of a refusal whose cell or label has gone


def cell_entries(session: Session) -> None:
    """Take what is typed into cells of a session's pictures, and into the fields of its sidebar.

    Call it once, below all of them.
    """
    hear_entries(session)
    answer_entries(session)


def hear_entries(session: Session, then: Callable[[Session], None] = lambda _: None) -> None:
    """Take them, and `then` do something. The next run answers them."""

    def enter(entries: Sequence[plot.AnyEntry]) -> None:
        take_entries(session, entries)
        then(session)

    def want() -> None:
        session.conversation.is_asked_for_inputs = True
        then(session)

    key = session.key("cell-entries")
    plot.entries(key, group=session.name, on_enter=enter, on_want=want)


def answer_entries(session: Session) -> None:
    """Tell the browser what became of them."""
    plot.tell(
        session.key("told"),
        group=session.name,
        run=session.conversation.run,
        taken=session.conversation.shows_taken,
        refused=refused_entries(session),
        are_cells_open="editors" not in session.view.hide,
        live=_live(session),
        history=said_of_history(session),
    )


def _live(session: Session) -> plot.Live:
    """The inputs of the forward pass go to the browser in the run that it asks for them."""
    talk = session.conversation
    is_asked, talk.is_asked_for_inputs = talk.is_asked_for_inputs, False
    if not is_asked:
        return plot.Live(session.version)
    if are_too_many(*session.stack.on_zeros[session.layer :]):
        return plot.Live(session.version, why_not=TOO_LARGE)
    return plot.Live(session.version, inputs_from(session.traces, session.layer))


def how_to_edit(session: Session) -> str:
    """What a caption says about editing framed numbers and labels."""
    if "editors" in session.view.hide:
        return ""
    # Not on paper: page.css.
    return f" :small[{HOW_TO_EDIT}]"


def ask_about_blocks(session: Session, *arrays: str) -> None:
    """Below a picture of these arrays, ask what to do with a pasted block too large for one."""
    for name in arrays:
        key = _key_of_block(name)
        block = session.blocks.get(key)
        if block and CellEntry(name, block.row, block.column, "").is_there(session.scenario):
            ask_about_block(session, key, Editable(name))
        else:  # the cell where it was pasted has gone
            session.blocks.pop(key, None)


def show_gone(session: Session) -> None:
    """Say that a cell has gone if its whole matrix has gone. Otherwise its picture says so."""
    for key in filter(_has_gone, list(session.refusals)):
        entry = session.refusals[key].entered
        of = session.stack if isinstance(entry, WUEntry) else session.scenario
        if not entry.has_array(of):
            show_refusal(session, key)


def take_entries(session: Session, entries: Sequence[plot.AnyEntry]) -> None:
    """Take each new entry, the oldest first, and what was undone before it.

    Another run may still take older ones: these wait for it.
    """
    session.conversation.hear(entries)

    def make(each: plot.AnyEntry, after: plot.AnyEntry | None) -> None:
        make_steps_before(session, each.number)
        if not _is_replaced(session, each, after):
            _take(session, each)

    with changing_all(sessions_stepping_with(session)):
        session.conversation.make_those_in_line(make)


def _is_replaced(session: Session, each: plot.AnyEntry, after: plot.AnyEntry | None) -> bool:
    """Whether the next entry goes into the same field: of many at once, the last one counts.

    What goes on from an entry needs it: they are one step. So does an undo that takes it back.
    """
    match each, after:
        case plot.IntoField(field=field), plot.IntoField(field=next_field, goes_on=goes_on):
            is_needed = goes_on or comes_between(session, each.number, after.number)
            return field == next_field and not is_needed
    return False


def _take(session: Session, each: plot.AnyEntry) -> None:
    """Each kind of entry has its own reader."""
    _forget_what_is_only_said(session)
    if isinstance(each, plot.IntoField):
        enter_in_sidebar(session, each.field, each.value, goes_on=each.goes_on)
    elif isinstance(each, plot.OnLabel):
        _take_on_label(session, each)
    elif each.matrix in TYPED:
        enter_in_sidebar(session, each.matrix, each.text)
    elif each.matrix == STROKE:
        _draw(session, MaskStroke.of_text(each.text))
    elif each.matrix == W_U:
        _take_into_w_u(session, WUEntry(each.matrix, each.row, each.column, each.text))
    else:
        _take_into_cell(session, CellEntry(each.matrix, each.row, each.column, each.text))


def _draw(session: Session, stroke: MaskStroke | None) -> None:
    """Hide what the pen went over, or show it again."""
    if stroke:
        session.attempt(STROKE, stroke, stroke.put)


def _take_into_cell(session: Session, entry: CellEntry) -> None:
    """Put an entry into its cell, or say why not. An empty one takes back what was refused."""
    s = session.scenario
    if not entry.is_there(s):
        session.attempt(f"{GONE} {_key(entry)}", entry, entry.put)
    elif entry.is_empty:
        session.refusals.pop(_key(entry), None)
    elif entry.fits(s):
        session.attempt(_key(entry), entry, entry.put, instead_of=entry.present(s))
    else:
        session.blocks[_key_of_block(entry.array)] = entry.block


def _take_into_w_u(session: Session, entry: WUEntry) -> None:
    """W_U belongs to all layers."""
    if not entry.is_there(session.stack):
        session.attempt_on_stack(f"{GONE} {_key(entry)}", entry, entry.put)
    elif entry.is_empty:
        session.refusals.pop(_key(entry), None)
    else:
        before = entry.present(session.stack)
        session.attempt_on_stack(_key(entry), entry, entry.put, instead_of=before)


def _take_on_label(session: Session, each: plot.OnLabel) -> None:
    """Do to a label what a person did, or say why not.

    Of two names for one label the later one counts. Every other act has its own key, so two in a
    row are both done.
    """
    s = session.scenario
    if each.act != "rename":
        session.conversation.reordered = each.number
    entry = LabelEntry(each.matrix, each.source, each.place, each.act, each.text, each.to)
    if not entry.is_there(s):
        session.attempt(f"{GONE} {entry.source} {entry.place}", entry, entry.put)
    else:
        which = entry.place if entry.is_rename else f"act {each.number}"
        key = f"label {entry.source} {which}"
        session.attempt(key, entry, entry.put, instead_of=entry.present(s))


def _forget_what_is_only_said(session: Session) -> None:
    """Drop refusals that stand in no cell and on no label: they last until the next entry."""
    session.refusals.pop(STROKE, None)
    for key, (entry, _) in _with_reasons(session).items():
        if _has_gone(key):
            session.refusals.forget_if_said(key, session.conversation.last_whole_run)
        elif isinstance(entry, LabelEntry) and not entry.is_rename:
            del session.refusals[key]


def _has_gone(key: str) -> bool:
    return key.startswith(GONE)


def _key(entry: EntryInCell) -> str:
    return f"cell {entry.array} {entry.row} {entry.column}"


def _key_of_block(array: str) -> str:
    return f"block {array}"


def refused_entries(session: Session) -> list[plot.Refused | plot.RefusedLabel]:
    """Refused entries. Each stays in its cell or on its label until that goes or changes."""
    for key, (entry, _) in _with_reasons(session).items():
        stays = _is_as_it_was(session, entry, session.refusals[key].instead_of)
        if not (stays or _has_gone(key)):
            del session.refusals[key]
    refused = [_refused(entry, reason) for entry, reason in _with_reasons(session).values()]
    return refused + _refused_strokes(session)


def _is_as_it_was(session: Session, entry: AnyEntry, before: Any) -> bool:
    """Whether what an entry was made into still shows the same."""
    if isinstance(entry, WUEntry):
        return entry.is_there(session.stack) and entry.present(session.stack) == before
    s = session.scenario
    return entry.is_there(s) and entry.present(s) == before


def _refused_strokes(session: Session) -> list[plot.Refused | plot.RefusedLabel]:
    refusal = session.refusals.get(STROKE)
    if refusal is None:
        return []
    row, column = refusal.entered.cells[0]
    return [plot.Refused(STROKE, row, column, refusal.entered.text, refusal.reason)]


def _refused(entry: AnyEntry, reason: str) -> plot.Refused | plot.RefusedLabel:
    if isinstance(entry, EntryInCell):
        return plot.Refused(entry.array, entry.row, entry.column, entry.text, reason)
    return plot.RefusedLabel(entry.matrix, entry.source, entry.place, entry.act, entry.text, reason)


def _with_reasons(session: Session) -> dict[str, tuple[AnyEntry, str]]:
    """The entries into cells and on labels that were refused, with their reasons, by their keys."""
    return {
        key: (refusal.entered, refusal.reason)
        for key, refusal in session.refusals.items()
        if isinstance(refusal.entered, AnyEntry)
    }
