"""What a document prints, beside what is computed here; and what it has wrong."""

from __future__ import annotations

import html

import numpy as np

from mha_core import Trace
from mha_core.checks.shapes import FloatArray
from mha_core.examples import Erratum, Printed
from mha_core.guide.tours import Stop
from mha_core.language import say
from ui.blocks.claims import FAILS, HOLDS


def printed_beside_ours(stop: Stop, trace: Trace) -> str:
    """As HTML: each printed array beside the computed one, then each erratum of this place."""
    pairs = "".join(_pair(printed, trace) for printed in stop.printed)
    errata = "".join(_erratum(erratum) for erratum in stop.errata)
    return f'<div class="printed">{pairs}</div>{errata}' if pairs else errata


def _pair(printed: Printed, trace: Trace) -> str:
    whose = say("document") if printed.in_document else say("worked out independently")
    holds = printed.matches(trace)
    ours = printed.computed(trace)
    here = _table(say("here"), ours, printed.digits) if ours is not None else ""
    return (
        f"<figure><figcaption>{html.escape(printed.what)} {HOLDS if holds else FAILS}</figcaption>"
        f"<div>{_table(whose, np.asarray(printed.values), printed.digits)}{here}</div></figure>"
    )


def _table(whose: str, numbers: FloatArray, digits: int) -> str:
    rows = "".join(
        f"<tr>{''.join(f'<td>{_number(n, digits)}</td>' for n in row)}</tr>"
        for row in np.atleast_2d(numbers)
    )
    return f"<figure><figcaption>{whose}</figcaption><table>{rows}</table></figure>"


def _number(number: float, digits: int) -> str:
    return f"{number:.{digits}f}" if digits else f"{number:g}"


def _erratum(erratum: Erratum) -> str:
    title, sentences = html.escape(erratum.title), html.escape(erratum.sentences)
    return f'<p class="erratum"><strong>{title}</strong> {sentences}</p>'
