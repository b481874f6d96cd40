"""What a page without a server must know of a layer to say where a number comes from.

Its arithmetic is ui/plot/js/numbers/derive.js. Here stands all that stays the same, whatever a
person changes there.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from mha_core import STEPS, Trace
from mha_core.changing.sources import source_of
from mha_core.language import say
from mha_core.layer.equations import equation_of
from mha_core.layer.matrices import axis_in
from mha_core.layer.naming import dims_of, in_brackets
from mha_core.layer.where import ADDITIVE, array_of
from mha_core.scenario.given_arrays import GIVEN
from mha_core.terms.terms import as_data
from ui.mathml import mathml

AS_GIVEN: Final = say("as it was given")


def facts_of(trace: Trace) -> dict[str, Any]:
    """Steps and given arrays in words, the names on axes, which step hands on which, and rules."""
    s = trace.scenario
    given = [name for name in GIVEN if name in s.given()]
    words = {name: _of_given(trace, name) for name in (*given, ADDITIVE)}
    words |= {step.name: _of_step(trace, step.name) for step in STEPS}
    axes = dict.fromkeys(axis for each in words.values() for axis in each["axes"])
    return {
        "words": words,
        "axes": {axis: _of_axis(trace, axis) for axis in axes if axis != "1"},
        "same": {step.name: earlier.name for step in STEPS if (earlier := step.handed_on(s))},
        "rules": {
            step.name: as_data(term) for step in STEPS if (term := step.made_of.term(s)) is not None
        },
        "additive": s.mask.additive,
    }


def _of_step(trace: Trace, name: str) -> dict[str, Any]:
    step = getattr(type(trace), name)
    s = trace.scenario
    n_heads = len(getattr(trace, name)) if len(step.dims.axes) == 3 else 0
    symbols = [step.symbol_in(s, head) for head in range(n_heads)]
    return _of_array(trace, name, step.symbol_in(s), symbols) | {
        "title": step.title,
        "meaning": step.meaning_in(s),
        "latex": mathml(latex, "block") if (latex := equation_of(step, s).latex) else "",
        "as_given": _as_given(trace, name) if name in s.given() else "",
    }


def _of_given(trace: Trace, name: str) -> dict[str, Any]:
    symbol = "M_add" if name == ADDITIVE else GIVEN[name].symbol
    title = say("The additive mask") if name == ADDITIVE else symbol
    given = {"title": title, "meaning": "", "is_given": True, "as_given": _as_given(trace, name)}
    return _of_array(trace, name, symbol) | given


def _as_given(trace: Trace, name: str) -> str:
    """Who gave all numbers of an array, as long as nobody changes them."""
    source = source_of(trace.scenario, name) if name in GIVEN else None
    now = array_of(trace, name)
    if source and np.array_equal(source.array.astype(now.dtype), now):
        return say("as {source} has it").format(source=source.words)
    return AS_GIVEN


def _of_array(trace: Trace, name: str, symbol: str, of_heads: Sequence[str] = ()) -> dict[str, Any]:
    """`of_heads` has the symbol of each of its heads."""
    axes = dims_of(trace, name).axes
    return {
        "symbol": in_brackets(symbol),
        "of_heads": [in_brackets(each) for each in of_heads],
        "axes": axes[-2:],
        "has_heads": len(axes) == 3,
    }


def _of_axis(trace: Trace, axis: str) -> dict[str, Any]:
    found = axis_in(trace, axis)
    return {"names": found.names, "kind": found.kind}
