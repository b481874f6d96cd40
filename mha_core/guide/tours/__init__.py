"""Tours by name: lists of stops, each a scenario to look at and a sentence.

Tours that are named for what they teach come first; the documents, with their titles, come last.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from mha_core.guide.tours.documents import DOCUMENTS
from mha_core.guide.tours.questions import QUESTIONS
from mha_core.guide.tours.softmax import SOFTMAX
from mha_core.guide.tours.tellings import TELLINGS
from mha_core.guide.tours.tour import Stop, Tour
from mha_core.guide.tours.two_layers import TWO_LAYERS

__all__ = ["TOURS", "Stop", "Tour"]

TOURS: Final[Mapping[str, Tour]] = {
    tour.name: tour for tour in (*QUESTIONS, TELLINGS, SOFTMAX, TWO_LAYERS, *DOCUMENTS)
}
