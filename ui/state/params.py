"""A session as the parameters of an address, and the session that an address describes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from mha_core import Scenario
from mha_core.checks.errors import FormatError, MhaError
from mha_core.examples import DEFAULT_EXAMPLE, EXAMPLES, UNNAMED_EXAMPLE, load_example
from mha_core.io.scenario.link import decode_link
from mha_core.io.scenario.link_names import ADDED_BY_OTHERS, PARAMETERS
from mha_core.language import say
from mha_core.layer.cells import cell_of_old_name
from mha_core.layer.derivation import has_cell
from mha_core.making.inputs import INPUTS
from mha_core.making.presets import PRESETS
from ui.edits.page_limits import trace_to_show
from ui.state.in_words import InWords, in_a_long_link, put_in_words
from ui.state.refusals import Refusal
from ui.state.session import Session
from ui.state.view import View
from ui.state.view_params import PARAMS, no_such_cell

Params = Mapping[str, str]


def opened_at(params: Params, name: str = "") -> Session:
    """A session that shows what the address describes.

    A part that is wrong gets its default, and a refusal says what was wrong.
    """
    scenario, wrong = load_example(_first_of(params)), list[MhaError]()
    try:
        if described := {param: params[param] for param in params if param in PARAMETERS}:
            scenario = _described(described)
    except MhaError as error:
        wrong.append(error)
    view, wrong_of_view = View.from_params(params)
    if view.cell:
        today = cell_of_old_name(view.cell, scenario.n_heads, scenario.n_kv_heads)
        view = replace(view, cell=today)
    is_another = bool(wrong)  # than the link was made for: its cells have no meaning
    try:
        if not wrong:
            view.check_head(scenario)
    except MhaError as error:
        is_another = True
        wrong_of_view.append(error)
    session = Session(scenario, view.without_what_is_gone(scenario) if is_another else view, name)
    session.conversation.was_described = any(param in PARAMETERS for param in params)
    wrong += wrong_of_view + _drop_wrong_cell(session) + _unknown(params)
    if wrong:
        session.refusals["address"] = Refusal(dict(params), "\n".join(map(str, wrong)))
    return session


def _first_of(params: Params) -> str:
    """The example of an address that names none: old links keep their meaning."""
    is_empty = all(param.startswith(ADDED_BY_OTHERS) for param in params)
    return DEFAULT_EXAMPLE if is_empty else UNNAMED_EXAMPLE


def _described(params: Params) -> Scenario:
    """The scenario of a link. One typed by hand may say only what is to change in the first page.

    Links of the page say what they start from. So only one that is wrong by itself is read so.
    """
    try:
        return _shown(decode_link(params))
    except MhaError:
        if "example" in params or "tokens" in params:
            raise
        return _shown(decode_link({"example": UNNAMED_EXAMPLE, **params}))


def _shown(scenario: Scenario) -> Scenario:
    """The scenario, if it is not too large for the page."""
    _ = trace_to_show(scenario)
    return scenario


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
    s = session.scenario
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
    return session.make_once("long link", lambda: in_a_long_link(session.scenario))


def _in_words(session: Session) -> InWords:
    """Both need what the recipes make. That may take long, so it is made once for a scenario."""
    return session.make_once("in words", lambda: put_in_words(session.scenario))


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
    if cell is None or has_cell(session.trace, cell):
        return []
    session.look_at(cell=None)
    return [no_such_cell(cell)]


def _unknown(params: Params) -> list[MhaError]:
    """Unknown names in an address, except those that mailings add to any link."""
    names = [name for name in params if name not in PARAMETERS and name not in PARAMS]
    said = [name[:40] for name in names if not name.startswith(ADDED_BY_OTHERS)]
    if not said:
        return []
    need = say("must hold only parameters of this page")
    way_out = say("Check the spelling. All other parameters were used.")
    return [FormatError(say("The address"), need, ", ".join(map(repr, said[:5])), way_out)]
