"""The trained models that can be looked at: those of the server, and a visitor's own."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from functools import cache
from typing import Final, NamedTuple

from mha_core.checks.errors import LimitError
from mha_core.checks.limits import PAGE_LIMITS
from mha_core.language import say
from mha_core.models import Model, ModelRun, Text, open_model
from mha_core.models.ours.trained import FILE
from mha_core.scenario.scenario import Scenario


class KnownModel(NamedTuple):
    """A model that comes with the server."""

    title: str
    open: Callable[[], Model]


MODELS: Final[Mapping[str, KnownModel]] = {
    "ours": KnownModel(
        say("Two layers that copy (trained for this page)"), lambda: open_model(FILE)
    )
}


class OpenedModel:
    """A model that several visitors may read with at once."""

    def __init__(self, title: str, model: Model) -> None:
        check_width(model)
        self.title, self._model = title, model
        self._reading = threading.Lock()

    @property
    def n_layers(self) -> int:
        return self._model.n_layers

    @property
    def says(self) -> str:
        return self._model.says

    def on(self, text: str) -> ModelOnText:
        """The model when it has read a text."""
        with self._reading:
            read = self._model.read_text(text)
            check_length(read)
            return ModelOnText(self._model, read, self._model.run(read.ids), self._reading)


def check_width(model: Model) -> None:
    """Refuse a model whose rows of X are wider than the page shows."""
    if model.width > PAGE_LIMITS.width:
        raise LimitError(
            say("The model"),
            say("must be at most {most:,} columns wide on this page").format(
                most=PAGE_LIMITS.width
            ),
            f"{model.width:,}",
            say("Read a layer of it in Python: {call}.").format(
                call='scenario_from_layer("model.safetensors", layer=0, text="...")'
            ),
        )


class ModelOnText:
    """The layers of a model on one text: each runs when it is asked for."""

    def __init__(self, model: Model, text: Text, run: ModelRun, reading: threading.Lock) -> None:
        self._model, self.text, self._run, self._reading = model, text, run, reading

    @property
    def n_layers(self) -> int:
        return self._model.n_layers

    def layer(self, layer: int) -> Scenario:
        with self._reading:
            return self._model.scenario(layer, self.text, self._run)

    def one_head(self, layer: int, head: int) -> Scenario:
        """The layer with this head alone, where all of them would be too many to be shown."""
        with self._reading:
            x = self._run.inputs[layer]
            return self._model.weights(layer).only([head]).scenario(x, self.text.tokens)


def check_length(text: Text) -> None:
    """Refuse a text of more tokens than the page shows."""
    if len(text) > PAGE_LIMITS.tokens:
        raise LimitError(
            say("The text"),
            say("must have at most {most} tokens").format(most=PAGE_LIMITS.tokens),
            str(len(text)),
            say("Take a part of it."),
        )


@cache
def known_model(name: str) -> OpenedModel:
    """One of MODELS, opened once for all visitors."""
    return OpenedModel(MODELS[name].title, MODELS[name].open())
