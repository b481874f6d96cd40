"""What goes into the layer: tokens, the width of their vectors, and the numbers of X."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from textwrap import shorten

from mha_core.changing.changes import with_own_values
from mha_core.language import say
from mha_core.making.inputs import INPUTS, natural_width
from mha_core.scenario.one_text import reads_one_text
from mha_core.scenario.scenario import Scenario
from ui.controls.form import Field, Item, Section, one_of, said, text, tick, whole_number
from ui.controls.sidebar.by_hand import changed_by_hand
from ui.edits import entries
from ui.edits.followed import width_that_followed
from ui.edits.token_text import write_tokens
from ui.state import Session


def input_section(session: Session) -> Section:
    """What goes into the first layer, whichever of them is shown."""
    s = session.stack.first
    recipe = entries.input_of(s)
    recipes = {name: each.title for name, each in INPUTS.items()}
    often: list[Item] = [
        whole_number(
            "n-tokens",
            say("Number of tokens"),
            s.n_q,
            entries.with_token_count,
            called=say("The number of tokens"),
        ),
        whole_number(
            "d-model", say("Width d_model"), s.d_model, entries.with_d_model, called="d_model"
        ),
        one_of(
            "x",
            say("Fill X with"),
            recipes if recipe else {"": say("Given numbers"), **recipes},
            recipe.name if recipe else "",
            _with_input,
            help=recipe.sentence if recipe else say("X holds one row of numbers for each token."),
            as_list=True,
        ),
        *said(
            (session.layer == 0 and width_that_followed(session.before_last_entry, s))
            or _least_width(s),
            _in_use(s),
        ),
    ]
    notes = [changed_by_hand(session, "x", "context")]
    often, rare = ([*map(_of_first, items)] for items in (often, _rare(s)))
    return Section("input", say("Input"), often, rare, notes)


def _of_first(item: Item) -> Item:
    return replace(item, layer=0) if isinstance(item, Field) else item


def sentence_section(session: Session) -> Section:
    """The tokens alone: in a box above the pictures, or at the top of the sidebar."""
    tokens = text(
        "tokens",
        say("Tokens"),
        write_tokens(session.stack.tokens),
        entries.with_typed_tokens,
        help=say('Put spaces between tokens, and quotes around a token with a space: "New York".'),
        placeholder=say("Type any sentence"),
    )
    return Section("sentence", say("Sentence"), [_of_first(tokens)], [])


def _with_input(s: Scenario, name: str) -> Scenario:
    """Given numbers have no recipe: they stay as they are."""
    return entries.with_input(s, name, s.origin.x_seed) if name else s


def _rare(s: Scenario) -> Sequence[Item]:
    context = text(
        "context",
        say("Second sequence"),
        write_tokens(s.context_tokens),
        entries.with_typed_context,
        placeholder=say("none: keys and values come from X"),
        help=say(
            "Tokens for cross-attention. Queries come from X, keys and values from these tokens."
        ),
    )
    own_values = tick(
        "own-values",
        say("Values from rows of their own"),
        s.context_v is not None,
        lambda s, is_on: with_own_values(s, on=is_on),
        help=say(
            "C_V has a row for each key, and no positions are added to it. At first it is a copy "
            "of what values were made from, so nothing changes until you edit it."
        ),
    )
    recipe = entries.input_of(s)
    if not (recipe and recipe.seeded):
        return [context, own_values]
    seed = whole_number(
        "x-seed",
        say("Seed of X"),
        s.origin.x_seed,
        lambda s, seed: entries.with_input(s, recipe.name, seed),
        called=say("The seed"),
        help=say("Another seed draws other numbers."),
        draws=True,
    )
    return [context, own_values, seed]


def _least_width(s: Scenario) -> str:
    recipe = entries.input_of(s)
    if recipe and s.d_model == natural_width(recipe.name, s.tokens):
        return say("These tokens need a d_model of {d_model} or more.").format(d_model=s.d_model)
    return ""


def _in_use(s: Scenario) -> str:
    """The fields behind "More" that are not as usual."""
    recipe = entries.input_of(s)
    in_use = []
    if s.context is not None and reads_one_text(s):
        in_use.append(say("Keys and values come from C, the latent of the same tokens."))
    elif s.context is not None:
        tokens = shorten(write_tokens(s.context_tokens), 60, placeholder=" …")
        says = say("Keys and values come from a second sequence: {tokens}.")
        if s.context_v is not None:
            says = say("Keys come from a second sequence: {tokens}.")
        in_use.append(says.format(tokens=tokens))
    if s.context_v is not None:
        in_use.append(say("Values come from rows of their own, C_V."))
    if recipe and recipe.seeded and s.origin.x_seed:
        in_use.append(say("Seed {seed}.").format(seed=s.origin.x_seed))
    return " ".join(in_use)
