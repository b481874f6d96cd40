"""Sizes that followed an entry, in words: an entry of tokens may change a width.

Each function compares the scenario before the last entry with the present one.
"""

from __future__ import annotations

from mha_core.language import say, say_number
from mha_core.making.inputs import INPUTS, natural_width
from mha_core.scenario.scenario import Scenario


def width_that_followed(before: Scenario, now: Scenario) -> str:
    """Why d_model, or the width of the second sequence, has changed.

    >>> from mha_core.examples import load_example
    >>> from ui.edits.entries import with_typed_tokens
    >>> pizza = load_example("pizza")
    >>> width_that_followed(pizza, with_typed_tokens(pizza, "a b c d e f g h i"))
    'd_model went from 8 to 10, as these tokens need 9 columns or more.'
    """
    if now.origin.x not in INPUTS:
        return ""
    is_typed = (now.tokens, now.origin.x) == (before.tokens, before.origin.x)
    needed = natural_width(now.origin.x, now.tokens)
    if needed and not is_typed and now.d_model != before.d_model:
        says = say_number(
            "d_model went from {old} to {new}, as these tokens need {count} column or more.",
            "d_model went from {old} to {new}, as these tokens need {count} columns or more.",
            needed,
        )
        return says.format(old=before.d_model, new=now.d_model, count=needed)
    needed = natural_width(now.origin.x, now.context_tokens) if now.context_tokens else None
    if needed and now.d_model_kv != now.d_model and now.d_model_kv != before.d_model_kv:
        says = say("The second sequence is {width} wide, as its tokens need {count} columns.")
        return says.format(width=now.d_model_kv, count=needed)
    return ""


def head_widths_that_followed(before: Scenario, now: Scenario) -> str:
    """How d_k and d_v followed d_model or the number of heads.

    >>> from mha_core.examples import load_example
    >>> from ui.edits.entries import with_d_model
    >>> pizza = load_example("pizza")
    >>> head_widths_that_followed(pizza, with_d_model(pizza, 10))
    'd_k and d_v went from 4 to 5.'
    """
    if (before.d_model, before.n_heads) == (now.d_model, now.n_heads):
        return ""
    widths = {"d_k": (before.d_k, now.d_k), "d_v": (before.d_v, now.d_v)}
    went = {name: (old, new) for name, (old, new) in widths.items() if old != new}
    if len(went) == 2 and went["d_k"] == went["d_v"]:
        old, new = went["d_k"]
        return say("d_k and d_v went from {old} to {new}.").format(old=old, new=new)
    says = say("{width} went from {old} to {new}.")
    return " ".join(says.format(width=name, old=old, new=new) for name, (old, new) in went.items())
