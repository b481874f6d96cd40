"""Where the projections W_Q, W_K, W_V and W_O come from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from mha_core.changing.distances import FIRST_REACH, with_reach, without_distances
from mha_core.changing.recipes import WEIGHTS
from mha_core.changing.shared_keys import shares_queries_and_keys, with_queries_as_keys
from mha_core.language import say
from mha_core.making.inputs import INPUTS
from mha_core.making.presets import PRESETS
from mha_core.options.registry import OPTIONS
from mha_core.scenario.scenario import Scenario
from ui.controls.form import Item, Section, one_of, said, tick, whole_number
from ui.controls.sidebar.by_hand import changed_by_hand
from ui.controls.sidebar.scores import field_of, is_of_distances, note_of
from ui.edits import entries
from ui.state import Session

_OF_DISTANCES: Final = [option for option in OPTIONS.values() if is_of_distances(option)]


def weights_section(session: Session) -> Section:
    s = session.scenario
    preset = entries.preset_of(s)
    presets = {name: each.title for name, each in PRESETS.items()}
    is_shared = _is_shared(session)
    often: list[Item] = [
        one_of(
            "weights",
            say("Weight preset"),
            presets if preset else {"": say("Given numbers"), **presets},
            preset.name if preset else "",
            _with_preset,
            as_list=True,
        ),
        *said(
            preset.sentence if preset else "",
            _input_it_brings(s),
            _seed_in_use(s),
            *(note_of(s, option) for option in _OF_DISTANCES),
        ),
    ]
    edited = changed_by_hand(session, *(n for n in WEIGHTS if not (is_shared and n == "w_k")))
    notes = ["W_Q = W_K" if is_shared else "", edited]
    return Section("weights", say("Weights"), often, _rare(session), notes)


def _with_preset(s: Scenario, name: str) -> Scenario:
    """Given numbers have no preset: they stay as they are."""
    return entries.with_preset(s, name, s.origin.weights_seed) if name else s


def _rare(session: Session) -> Sequence[Item]:
    s = session.scenario
    preset = entries.preset_of(s)
    rare: list[Item] = []
    if s.w_q.shape == s.w_k.shape:
        means = say("Queries and keys are made with the same numbers.")
        is_shared = _is_shared(session)
        rare.append(
            tick("share", say("Share W_Q = W_K"), is_shared, with_queries_as_keys, help=means)
        )
    else:
        rare += said(say("W_Q and W_K have different shapes here, so they cannot be shared."))
    if preset and preset.seeded:
        seed = whole_number(
            "weights-seed",
            say("Seed of the weights"),
            s.origin.weights_seed,
            lambda s, seed: entries.with_preset(s, preset.name, seed),
            called=say("The seed"),
            help=say("Another seed draws other numbers."),
            draws=True,
        )
        rare.append(seed)
    return [*rare, *_distances(s)]


def _distances(s: Scenario) -> list[Item]:
    """A switch for relative positions, how far they reach, and between which places."""
    switch = tick(
        "relative",
        say("Relative positions R_K"),
        s.n_distances > 0,
        lambda s, is_on: with_reach(s, FIRST_REACH) if is_on else without_distances(s),
        help=say("Each distance has a vector: a query meets the key plus this vector."),
    )
    reach = whole_number(
        "reach",
        say("Farthest distance"),
        s.reach,
        with_reach,
        called=say("The farthest distance"),
        help=say("So many before and as many after. What is farther away has the same vector."),
    )
    if not s.n_distances:
        return [switch]
    return [switch, reach, *(field_of(s, each) for each in _OF_DISTANCES)]


def _is_shared(session: Session) -> bool:
    return session.make_once_for_all("share", lambda: shares_queries_and_keys(session.scenario))


def _seed_in_use(s: Scenario) -> str:
    preset, seed = entries.preset_of(s), s.origin.weights_seed
    return say("Seed {seed}.").format(seed=seed) if preset and preset.seeded and seed else ""


def _input_it_brings(s: Scenario) -> str:
    preset = entries.preset_of(s)
    if not preset or not preset.needs_input:
        return ""
    says = say("This preset needs X from “{input}”, so it sets X too. Undo brings your X back.")
    return says.format(input=INPUTS[preset.needs_input].title)
