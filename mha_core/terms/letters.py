"""Letters that formulas of several steps have, and what they are."""

from __future__ import annotations

from typing import Final

from mha_core.language import say
from mha_core.terms.counts import COLUMN, Width
from mha_core.terms.terms import Letter

PAIR: Final = Letter("c", say("the pair of columns, counted from 0"), COLUMN // 2)
D_K: Final = Letter("d_k", say("the width of a head's queries and keys"), Width("q_heads"))
