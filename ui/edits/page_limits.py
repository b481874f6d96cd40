"""The largest layer that the page shows. mha_core itself takes far larger ones."""

from __future__ import annotations

import re
from dataclasses import astuple
from typing import Final

from mha_core import Scenario, Trace, attend
from mha_core.checks.errors import FormatError
from mha_core.checks.limits import PAGE_LIMITS
from mha_core.language import say
from mha_core.scenario.room_for_scores import check_room_for_scores

_HALF_A_CHARACTER: Final = re.compile("[\ud800-\udfff]")


def trace_to_show(scenario: Scenario) -> Trace:
    """The trace with its output. A scenario that is too large for the page is refused."""
    way_out = say("Take fewer tokens or heads; mha_core itself takes more.")
    check_room_for_scores(scenario, PAGE_LIMITS.score_cells, way_out, where=say(" on this page"))
    for text in (*scenario.tokens, *scenario.context_tokens, *map(str, astuple(scenario.origin))):
        if _HALF_A_CHARACTER.search(text):  # Streamlit sends UTF-8, which cannot write a half
            need = say("must consist of whole characters")
            way_out = say("Remove half of a surrogate pair.")
            raise FormatError(say("A label"), need, ascii(text)[:60], way_out)
    trace = attend(scenario)
    _ = trace.output  # an overflow is found only when the output is computed
    return trace
