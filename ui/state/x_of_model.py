"""Where X of a session came from, if that was a layer of a trained model on a text."""

from __future__ import annotations

from typing import TYPE_CHECKING
from weakref import ref

import numpy as np

from mha_core.layer.trace import Trace
from mha_core.scenario.scenario import Scenario

if TYPE_CHECKING:  # the room of models is opened when somebody looks at one
    from mha_core.models.score_parts import ScoreParts
    from ui.state.models_here import OpenedModel


class XOfModel:
    """X as the model made it. A visitor's own model may be let go; this does not keep it."""

    def __init__(self, model: OpenedModel, text: str, layer: int, s: Scenario) -> None:
        self._model, self._text, self._layer = ref(model), text, layer
        self._x, self._tokens = s.x, s.tokens

    def is_in(self, s: Scenario) -> bool:
        """Whether queries and keys are still made of that X."""
        return s.context is None and np.array_equal(s.x, self._x)

    def was_in(self, s: Scenario) -> bool:
        """Whether it is another X of the same tokens."""
        is_alike = (s.tokens, s.x.shape) == (self._tokens, self._x.shape)
        return is_alike and not np.array_equal(s.x, self._x)

    def score_parts(self, trace: Trace, head: int, at: tuple[int, int]) -> ScoreParts | None:
        """A score of the layer as a sum; None if the model is no longer open."""
        model = self._model()
        return (
            None if model is None else model.score_parts(self._text, self._layer, trace, head, at)
        )
