"""A scenario as a short, readable text for a link, and back, to the last bit.

    example=pizza&heads=4&mask=causal

A link starts from an example and says what to change. Without an example it starts from one token
of width 1 and one head. The parameters take effect in a fixed order, wherever they stand in the
link:

1. words, sizes, recipes and scores, all at once;
2. the mask and the heads that are switched off;
3. the numbers of every array that still differs, as `x.cells`, `x.rows` or `x.zip` (see
   `link_values.py`).

So a wrong `origin` makes a link longer, but never wrong.

Reading a link runs no code. All cells are counted before any array is made. There are at most
LIMITS.link_cells of them, and reading needs a few times their memory at most.

The parameters are in `link_names.py`, the cut of the text in `link_query.py`, and the two ways in
`link_reading.py` and `link_writing.py`.
"""

from __future__ import annotations

from collections.abc import Mapping

from mha_core.checks.errors import FormatError
from mha_core.io.scenario.stack_link import decode_stack, encode_stack
from mha_core.language import say
from mha_core.scenario.scenario import Scenario


def encode_link(s: Scenario) -> str:
    """The scenario as a query string, without its question mark.

    >>> from mha_core.changing.changes import with_changes
    >>> from mha_core.examples import load_example
    >>> encode_link(with_changes(load_example("two-tokens"), sizes={"n_heads": 4}))
    'example=two-tokens&heads=4'
    """
    return encode_stack(s)


def decode_link(link: str | Mapping[str, str]) -> Scenario:
    """The scenario of a link: of a whole address, a query string, or names and values.

    Parameters of the page, and those that mailings add, are ignored.

    >>> s = decode_link("tokens=I+LOVE+PIZZA&d_model=4&heads=2&x=one_hot&mask=causal")
    >>> s.tokens, s.d_k, s.mask.rules
    (('I', 'LOVE', 'PIZZA'), 2, (Rule(name='causal', options={}),))
    """
    stack = decode_stack(link)
    if not stack.is_one_layer:
        need = say("must be of one layer, without a stream and a prediction")
        count = say("{count} layers").format(count=len(stack.layers))
        raise FormatError(say("The link"), need, count, say("Use decode_stack."))
    return stack.first
