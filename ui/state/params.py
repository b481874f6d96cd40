"""A session as the parameters of an address, and the session that an address describes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from mha_core import Scenario, Stack
from mha_core.changing.layers import as_stack
from mha_core.checks.errors import FormatError, MhaError
from mha_core.examples import DEFAULT_EXAMPLE, EXAMPLES, UNNAMED_EXAMPLE, load_example
from mha_core.io.scenario.link_names import ADDED_BY_OTHERS
from mha_core.io.scenario.link_query import nearest_name
from mha_core.io.scenario.stack_link import decode_stack, is_parameter
from mha_core.language import say
from mha_core.layer.cells import cell_of_old_name
from mha_core.making.inputs import INPUTS
from mha_core.making.presets import PRESETS
from ui.edits.page_limits import trace_to_show
from ui.edits.puzzle_entries import begun, layer_begun
from ui.state.in_words import OF_THE_INPUT, InWords, in_a_long_link, put_in_words
from ui.state.refusals import Refusal
from ui.state.session import Session
from ui.state.view import View
from ui.state.view_params import PARAMS, no_such_cell

Params = Mapping[str, str]


def opened_at(params: Params, name: str = "") -> Session:
    """A session that shows what the address describes.

    A part that is wrong gets its default, and a refusal says what was wrong.
    """
    view, wrong_of_view = View.from_params(params)
    stack, wrong = _first_of(params, view), list[MhaError]()
    try:
        if described := {param: params[param] for param in params if is_parameter(param)}:
            stack = _described(described)
        elif "puzzle" in params and "layer" not in params:
            view = replace(view, layer=layer_begun(view.puzzle))
    except MhaError as error:
        wrong.append(error)
    if view.cell:
        layer = stack.layers[min(view.layer, len(stack.layers) - 1)]
        today = cell_of_old_name(view.cell, layer.n_heads, layer.n_kv_heads or layer.n_heads)
        view = replace(view, cell=today)
    is_another = bool(wrong)  # than the link was made for: its cells have no meaning
    try:
        if not wrong:
            view.check_head(stack)
    except MhaError as error:
        is_another = True
        wrong_of_view.append(error)
    session = Session(stack, view.without_what_is_gone(stack) if is_another else view, name)
    session.conversation.was_described = any(map(is_parameter, params))
    wrong += wrong_of_view + _drop_wrong_cell(session) + _unknown(params)
    if wrong:
        session.refusals["address"] = Refusal(dict(params), "\n".join(map(str, wrong)))
    return session


def _first_of(params: Params, view: View) -> Stack:
    """What an address shows that describes no layer: its puzzle, or an example.

    Old links name no example, and keep their meaning.
    """
    if "puzzle" in params:
        return begun(view.puzzle)
    is_empty = all(param.startswith(ADDED_BY_OTHERS) for param in params)
    return as_stack(load_example(DEFAULT_EXAMPLE if is_empty else UNNAMED_EXAMPLE))


def _described(params: Params) -> Stack:
    """The layers of a link. One typed by hand may say only what is to change in the first page.

    Links of the page say what they start from. So only one that is wrong by itself is read so.
    """
    try:
        return _shown(decode_stack(params))
    except MhaError:
        if "example" in params or "tokens" in params:
            raise
        return _shown(decode_stack({"example": UNNAMED_EXAMPLE, **params}))


def _shown(stack: Stack) -> Stack:
    """The layers, if they are not too large for the page."""
    _ = trace_to_show(stack)
    return stack


def params_of(session: Session, view: View | None = None) -> dict[str, str]:
    """The present moment as parameters; for a scenario too large for a link, only the view.

    With `view` the scenario is shown in that way instead of the present one.
    """
    return {**(_in_words(session).params or {}), **(view or session.view).to_params()}


def is_edited(session: Session, *names: str) -> bool:
    """Whether some numbers of these arrays differ from what their source makes at this size.

    The source of an array is its recipe, or else the example, which made it at one size only. At
    another size nobody can tell whether numbers of the example were edited: the answer is no.
    """
    s = session.stack.first if set(names) <= OF_THE_INPUT else session.scenario
    return any(_has_source(s, name) and name in _in_words(session).edited for name in names)


def _has_source(s: Scenario, name: str) -> bool:
    if (s.origin.x in INPUTS) if name in ("x", "context") else (s.origin.weights in PRESETS):
        return True
    if s.origin.example not in EXAMPLES:
        return False
    theirs, ours = (each.given().get(name) for each in (load_example(s.origin.example), s))
    return theirs is not None and ours is not None and theirs.shape == ours.shape


def fits_a_link(session: Session) -> bool:
    return _in_words(session).params is not None


def link_for_the_tab(session: Session) -> str:
    """What the browser's tab must keep because no address can; "" if there is nothing to keep."""
    if fits_a_link(session):
        return ""
    return session.make_once_for_all("long link", lambda: in_a_long_link(session.stack))


def _in_words(session: Session) -> InWords:
    """Both need what the recipes make. That may take long, so it is made once for a scenario."""
    return session.make_once_for_all("in words", lambda: put_in_words(session.stack, session.layer))


def parts_of(params: Params, names: Sequence[str]) -> dict[str, dict[str, str]]:
    """The parameters of each session; those that begin with no session's name are the first's."""
    parts: dict[str, dict[str, str]] = {name: {} for name in names}
    for param, text in params.items():
        name, dot, rest = param.partition(".")
        if dot and name and name in parts:
            parts[name][rest] = text
        else:
            parts[names[0]][param] = text
    return parts


def _drop_wrong_cell(session: Session) -> list[MhaError]:
    cell = session.view.cell
    if cell is None or session.has(cell):
        return []
    session.look_at(cell=None)
    return [no_such_cell(cell)]


def _unknown(params: Params) -> list[MhaError]:
    """Unknown names in an address, except those that mailings add to any link."""
    names = [name for name in params if not is_parameter(name) and name not in PARAMS]
    said = [name[:40] for name in names if not name.startswith(ADDED_BY_OTHERS)][:5]
    if not said:
        return []
    need = say("must hold only parameters of this page")
    meant = [nearest_name(name, PARAMS) for name in said]
    way_out = say("Check the spelling. All other parameters were used.")
    if all(meant):
        way_out = say("Write {names}. All other parameters were used.")
    way_out = way_out.format(names=", ".join(meant))
    return [FormatError(say("The address"), need, ", ".join(map(repr, said)), way_out)]
