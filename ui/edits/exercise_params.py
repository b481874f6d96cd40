"""What an address says of an exercise: its seed, and each setting that is not the usual one.

tokens=3&d_model=4&heads=2&mask=causal&level=queries_given&base=2&scale=1/2&seed=7
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from functools import partial
from typing import Any, Final, NamedTuple

from mha_core.checks.errors import FormatError, MhaError, OptionError
from mha_core.checks.limits import LIMITS
from mha_core.checks.values import check_whole, is_one_of, need_one_of, short_repr
from mha_core.io.scenario.link_names import ADDED_BY_OTHERS
from mha_core.language import say
from mha_core.worksheets.exercise import (
    BASES,
    DIFFICULTIES,
    MASKINGS,
    MOST_HEADS,
    MOST_TOKENS,
    MOST_WIDTH,
    SCALES,
    Exercise,
)
from mha_core.worksheets.stages import FIRST

WHOLE: Final = re.compile(r"-?[0-9]{1,12}")
UNKNOWN_NAMES_SAID: Final = 5


class Param(NamedTuple):
    """A setting of an exercise, and how its text is read."""

    field: str
    read: Callable[[str, str], Any]  # by the name of the parameter and its text


def _whole(least: int, most: int, name: str, text: str) -> int:
    number = int(text) if WHOLE.fullmatch(text) else text
    check_whole(name, number, least, most)
    return int(number)


def _word(words: Mapping[str, str], name: str, text: str) -> str:
    if not is_one_of(text, words):
        near = get_close_matches(text[:60], words, n=1, cutoff=0)
        way_out = say("Write {word}.").format(word=near[0])
        raise OptionError(name, need_one_of(words), short_repr(text), way_out)
    return text


PARAMS: Final[Mapping[str, Param]] = {
    "tokens": Param("n_tokens", partial(_whole, 2, MOST_TOKENS)),
    "d_model": Param("d_model", partial(_whole, 2, MOST_WIDTH)),
    "heads": Param("n_heads", partial(_whole, 1, MOST_HEADS)),
    "mask": Param("mask", partial(_word, MASKINGS)),
    "level": Param("difficulty", partial(_word, DIFFICULTIES)),
    "base": Param("base", partial(_word, BASES)),
    "scale": Param("scale", partial(_word, SCALES)),
    "seed": Param("seed", partial(_whole, 0, LIMITS.seed)),
}


def exercise_params(exercise: Exercise) -> dict[str, str]:
    """What the address of an exercise says. An empty address means the first exercise.

    >>> exercise_params(Exercise(base="2", seed=7)), exercise_params(Exercise())
    ({'base': '2', 'seed': '7'}, {'seed': '0'})
    """
    usual = Exercise()
    return {
        name: str(getattr(exercise, param.field))
        for name, param in PARAMS.items()
        if name == "seed" or getattr(exercise, param.field) != getattr(usual, param.field)
    }


def exercise_from(params: Mapping[str, str]) -> tuple[Exercise, list[MhaError]]:
    """The exercise of an address, and what is wrong with the address.

    If it names none, or a value is wrong, this is the first exercise: nobody shall take another one
    for the one that was set. An unknown name changes nothing.

    >>> exercise, (wrong,) = exercise_from({"tokens": "9", "seed": "7"})
    >>> exercise == FIRST
    True
    >>> print(wrong)
    tokens must be a whole number from 2 to 5, got 9. Take 5, or another number in this range.
    """
    settings, wrong = {}, list[MhaError]()
    for name, param in PARAMS.items():
        if name in params:
            try:
                settings[param.field] = param.read(name, params[name])
            except MhaError as error:
                wrong.append(error)
    exercise = FIRST
    if settings and not wrong:
        try:
            exercise = Exercise(**settings)
        except MhaError as error:  # settings that do not go together
            wrong.append(error)
    return exercise, wrong + _unknown(params, is_else_used=not wrong)


def _unknown(params: Mapping[str, str], *, is_else_used: bool) -> list[MhaError]:
    """Names that no exercise has, except those that mailings add to any link."""
    names = [name for name in params if name not in PARAMS]
    said = [short_repr(name) for name in names if not name.startswith(ADDED_BY_OTHERS)]
    if not said:
        return []
    need = say("must hold only {names}").format(names=", ".join(PARAMS))
    used = say("Check the spelling. All else was used.")
    way_out = used if is_else_used else say("Check the spelling.")
    return [FormatError(say("The address"), need, ", ".join(said[:UNKNOWN_NAMES_SAID]), way_out)]
