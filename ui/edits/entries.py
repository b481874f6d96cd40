"""From what a person types or chooses in a field to the next scenario.

An entry is read here and checked against the limits of the page. `mha_core/changing` decides what
it does to the numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from mha_core.changing.changes import (
    with_changes,
    with_gate,
    with_matrix,
    with_scores,
    with_weights,
    with_words,
)
from mha_core.changing.recipes import Recipe
from mha_core.changing.sizes_taken_along import (
    sizes_for_context,
    sizes_for_input,
    sizes_of_heads,
    sizes_of_width,
    sizes_with_one,
)
from mha_core.checks.errors import OptionError
from mha_core.checks.expression import read_expression
from mha_core.checks.limits import PAGE_LIMITS
from mha_core.checks.values import check_limit, check_whole
from mha_core.io.matrix.matrix_text import parse_matrix
from mha_core.language import say
from mha_core.making.inputs import INPUTS, WayToMakeX
from mha_core.making.presets import PRESETS, Preset
from mha_core.options.kinds import Numbers, Real, Rows, Whole, Word
from mha_core.options.option import Option
from mha_core.options.registry import OPTIONS
from mha_core.scenario.scenario import Scenario
from ui.edits.new_names import new_names
from ui.edits.token_text import read_tokens


def with_typed_tokens(s: Scenario, text: str) -> Scenario:
    """Tokens as typed, each with its vector. A one-hot X gets wider with the words."""
    words = _words(text)
    if not input_of(s):
        return with_words(s, words)
    return with_changes(s, tokens=words, sizes=sizes_for_input(s, s.origin.x, words))


def with_token_count(s: Scenario, count: int) -> Scenario:
    """The first `count` tokens, or new ones after them."""
    check_whole(say("The number of tokens"), count, 1, PAGE_LIMITS.tokens)
    words = s.tokens[:count] + new_names("tokens", s.tokens, count - len(s.tokens))
    return with_changes(s, tokens=words, sizes=sizes_for_input(s, s.origin.x, words))


def with_typed_context(s: Scenario, text: str) -> Scenario:
    """Keys and values from these words, as wide as the recipe of X needs. Without words, from X."""
    if not text.strip():
        return with_changes(s, context_tokens=())
    words = _words(text)
    return with_changes(s, context_tokens=words, sizes=sizes_for_context(s, words))


def with_d_model(s: Scenario, d_model: int) -> Scenario:
    """Another width. If the heads cannot share it, they keep their own widths."""
    check_whole("d_model", d_model, 1, PAGE_LIMITS.width)
    return with_changes(s, sizes=sizes_of_width(s, d_model))


def with_input(s: Scenario, name: str, seed: int) -> Scenario:
    """X made by a recipe, and as wide as the recipe needs."""
    return with_changes(s, x=Recipe(name, seed), sizes=sizes_for_input(s, name, s.tokens))


def with_preset(s: Scenario, name: str, seed: int) -> Scenario:
    """A weight preset, and the input that it needs, if it needs one."""
    needs = PRESETS[name].needs_input
    if not needs or needs == s.origin.x:
        return with_weights(s, name, seed)
    return with_changes(
        s,
        x=Recipe(needs, s.origin.x_seed),
        weights=Recipe(name, seed),
        sizes=sizes_for_input(s, needs, s.tokens),
    )


def with_head_count(s: Scenario, n_heads: int) -> Scenario:
    """Another number of heads, of width d_model / n_heads if that is a whole number."""
    check_whole(say("The number of heads"), n_heads, 1, PAGE_LIMITS.heads)
    return with_changes(s, sizes=sizes_of_heads(s, n_heads))


def with_size(name: str) -> Callable[[Scenario, int], Scenario]:
    """Another n_kv_heads, d_k or d_v, while the others and n_heads stay."""

    def change(s: Scenario, size: int) -> Scenario:
        check_whole(name, size, 1, PAGE_LIMITS.heads if name == "n_kv_heads" else PAGE_LIMITS.width)
        return with_changes(s, sizes=sizes_with_one(s, name, size))

    return change


GATES: Final = {
    "none": say("None"),
    "number": say("One for each number of a head"),
    "head": say("One for each head"),
}


def gate_of(s: Scenario) -> str:
    """Which of GATES a layer has."""
    if s.w_g is None:
        return "none"
    return "number" if s.d_g == s.d_v else "head"


def with_gate_of(s: Scenario, kind: str) -> Scenario:
    """Another of GATES."""
    if kind == "none":
        return with_matrix(s, "w_g", None)
    return with_gate(s, 1 if kind == "head" else s.d_v)


def with_option(name: str) -> Callable[[Scenario, str], Scenario]:
    """What is chosen of the scores as typed: a word for a special value, or expressions."""

    def change(s: Scenario, text: str) -> Scenario:
        return with_scores(s, **{name: option_typed(OPTIONS[name], text, _names(s))})

    return change


def option_typed(option: Option, text: str, names: Mapping[str, float]) -> Any:
    """The value of an option that is no word, as it was typed. Expressions may name these sizes."""
    kind = option.kind
    assert not isinstance(kind, Word)
    if special := kind.special_typed(text):
        return special.value
    if isinstance(kind, Rows):
        return kind.read(text, lambda numbers: parse_matrix(numbers, option.thing))
    if isinstance(kind, Numbers):
        words = (word.rstrip(",;") for word in text.split())
        return tuple(_number(word, kind.each, option, names) for word in words)
    return _number(text, kind, option, names)


def _number(text: str, kind: Real | Whole, option: Option, names: Mapping[str, float]) -> float:
    return kind.taken(read_expression(text, option.thing, names))


# What may be entered for a number that stands in no cell: by a slider, and typed in its field.
TYPED: Final[Mapping[str, Callable[[Scenario, str], Scenario]]] = {
    name: with_option(name)
    for name, option in OPTIONS.items()
    if not isinstance(option.kind, Word) and option.kind.specials
}


def input_of(s: Scenario) -> WayToMakeX | None:
    """The recipe of X; None if X was given as numbers."""
    return INPUTS.get(s.origin.x)


def preset_of(s: Scenario) -> Preset | None:
    """The preset of the projections; None if they were given as numbers."""
    return PRESETS.get(s.origin.weights)


def whole_numbers(text: str) -> tuple[int, ...]:
    """Whole numbers with blanks or commas between, as in `1 1 2`."""
    words = text.replace(",", " ").split()
    for word in words:
        if not (word.isascii() and word.isdigit() and len(word) < 10):
            raise OptionError(
                say("The list"),
                say("must hold whole numbers"),
                repr(word[:40]),
                say("Write one number for each token, as in 1 1 2."),
            )
    return tuple(int(word) for word in words)


def _names(s: Scenario) -> dict[str, float]:
    """The sizes that an expression may name."""
    return {"d_k": s.d_k, "d_v": s.d_v, "d_model": s.d_model}


def _words(text: str) -> tuple[str, ...]:
    words = read_tokens(text)
    check_limit(
        say("The number of tokens on this page"),
        len(words),
        PAGE_LIMITS.tokens,
        say("Take a part of it."),
    )
    return words
