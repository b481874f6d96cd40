"""What a model reads at first, and many texts that it can read: of ours, as far as its words go."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

import numpy as np

from mha_core.checks.errors import MhaError
from mha_core.models import PACKAGES, Model
from mha_core.models.text import Ids
from mha_core.survey.sentences import sentences
from mha_core.trained.stories import story
from ui.state.opened_first import FIRST_TEXT

OUR_TEXT: Final = "Once Mila Stone met Leo Snow at the farm. Then Leo Snow thanked Mila Stone."
HOW_MANY: Final = 200  # texts
OUR_LENGTH: Final = 24  # words of each of ours
OF_THE_LIST: Final = 6  # words of a model's own that are said twice


def our_texts() -> tuple[str, ...]:
    """Beginnings of stories as our model has learned to read them."""
    rng = np.random.default_rng(HOW_MANY)
    return tuple(" ".join(story(rng)[:OUR_LENGTH]) for _ in range(HOW_MANY))


# A first text, and many of its kind: of a model whose words are these, the page shows most on them.
KINDS: Final[tuple[tuple[str, Callable[[], Sequence[str]]], ...]] = (
    (FIRST_TEXT, sentences),
    (OUR_TEXT, our_texts),
    *((each.example, each.texts or sentences) for each in PACKAGES.values()),
)


def text_for(model: Model) -> str:
    """The first text that the model has all words for; else words of its own list, said twice."""
    for text in (*(first for first, _ in KINDS), *sentences(), *_of_its_list(model)):
        if writes(model, text):
            return text
    return FIRST_TEXT


def texts_for(model: Model) -> Sequence[str]:
    """Many texts of the first kind that it has words for; of ours, whatever it makes of them."""
    for _, many in KINDS:
        if own := [text for text in many() if writes(model, text)]:
            return own
    return sentences()


def _of_its_list(model: Model) -> Iterator[str]:
    """Some words, then the same again: so heads can find what was there before.

    Fewer where a model has few words, or few places for them.
    """
    try:
        listed = model.tokenizer.listed()
    except MhaError:
        return
    words = [word for word in listed if word.isalnum()] or [*listed]
    for count in range(OF_THE_LIST, 0, -1):
        for between in ("", " "):
            yield between.join(words[:count] * 2)


def writes(model: Model, text: str) -> bool:
    """Whether it can read the text, and has a token for all of it."""
    return can_read(model, text) and model.tokenizer.writes(text)


def can_read(model: Model, text: str) -> bool:
    """Whether a text is no error: its words are known, and there are places for them."""
    try:
        model.embedded(model.read_text(text).ids)
    except MhaError:
        return False
    return True


def reads_ids(model: Model) -> bool:
    """Whether it came without its tokenizer."""
    try:
        return isinstance(model.tokenizer, Ids)
    except MhaError:
        return False
