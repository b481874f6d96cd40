"""The trained models that can be looked at: those of the server, and a visitor's own."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache, lru_cache, partial
from pathlib import Path
from typing import Final, NamedTuple
from weakref import WeakMethod

from mha_core.checks.shapes import FloatArray
from mha_core.language import say
from mha_core.layer.trace import Trace
from mha_core.models import Model, Text, open_model
from mha_core.models.model import ModelOnText
from mha_core.models.packages import ModelPackage, installed_models
from mha_core.models.score_parts import ScoreParts, score_inputs
from mha_core.models.tokenizers_of_models import tokenizer_in
from mha_core.scenario.origin import Origin
from mha_core.scenario.scenario import Scenario
from mha_core.survey.sentences import sentences
from mha_core.trained.numbers import FILE
from ui.machine.limits import MACHINE, MEGABYTE
from ui.machine.memory import check_room
from ui.machine.one_thread import ONE_THREAD
from ui.machine.own_machine import is_at_own_machine
from ui.state.layer_to_map import ReadyLayer, check_fits_page, check_tokens, check_width
from ui.state.opened_first import FIRST_TEXT, model_first, name_of_path, of_model
from ui.state.texts_to_read import OUR_TEXT, can_read, our_texts, reads_ids, text_for, texts_for

OF_COMMAND: Final = "opened"  # the name of a model that the command has got; it holds here alone


class KnownModel(NamedTuple):
    """A model that comes with the server, what it reads at first, and what it can read many of."""

    title: str
    open: Callable[[], Model]
    first_text: str
    many_texts: Callable[[], Sequence[str]]


def _of_package(package: ModelPackage) -> KnownModel:
    return KnownModel(package.title, package.open, package.example, package.texts or sentences)


def of_command(environment: Mapping[str, str] = os.environ) -> dict[str, KnownModel]:
    """The model that the command has got, if it has got one."""
    if (first := model_first(environment)) is None:
        return {}
    file, text = first

    @cache
    def opened() -> Model:
        return open_model(file, own_machine=True)

    def many() -> Sequence[str]:
        return texts_for(opened())

    return {OF_COMMAND: KnownModel(name_of_path(file), opened, text, many)}


MODELS: Final[dict[str, KnownModel]] = {
    **of_command(),
    "ours": KnownModel(
        say("Two layers that copy, trained for this page"),
        lambda: open_model(FILE),
        OUR_TEXT,
        our_texts,
    ),
}


def note_installed() -> None:
    """Packages that have come since: all visitors may choose their models."""
    MODELS.update({package.name: _of_package(package) for package in installed_models()})


note_installed()
LONGEST_NAME: Final = 50  # characters, in a title of 80


SHORTER: Final = say(
    "Take a shorter text or a smaller model. Whoever runs the server may give more: "
    "EXPLORER_ARRAYS_MB."
)
IN_PYTHON: Final = say("Read a layer of it in Python: {call}.").format(
    call='scenario_from_layer("model.safetensors", layer=0, text="...")'
)


class OpenedModel:
    """A model that several visitors may read with at once. Where nothing is said, it reads ours."""

    def __init__(
        self,
        title: str,
        model: Model,
        first_text: str = FIRST_TEXT,
        many_texts: Callable[[], Sequence[str]] = sentences,
        name: str = "",
    ) -> None:
        check_width(model.width, IN_PYTHON)
        model.kept_bytes = min(model.kept_bytes, int(MACHINE.arrays_mb * MEGABYTE) // 2)
        self.title, self._model = title, model
        self.name = name or title  # in the origin of its layers
        self.first_text, self.many_texts = first_text, cache(many_texts)
        self._reading = threading.Lock()

    @property
    def n_layers(self) -> int:
        return self._model.n_layers

    @property
    def width(self) -> int:
        return self._model.width

    def bytes_for(self, n_tokens: int) -> int:
        """About how much memory a run over all layers takes."""
        return self._model.bytes_for(n_tokens)

    @property
    def says(self) -> str:
        """What its config says, and what it reads where that is no text."""
        if not self.reads_ids:
            return self._model.says
        of_ids = say(
            "It came without its tokenizer, so it reads the ids of tokens. To type words, give its "
            "tokenizer.json."
        )
        return f"{self._model.says} {of_ids}"

    @property
    def has_decoder(self) -> bool:
        return self._model.has_decoder

    def layer_name(self, layer: int, *, is_of_mlp: bool = False) -> str:
        return self._model.layer_name(layer, is_of_mlp=is_of_mlp)

    @property
    def reads_ids(self) -> bool:
        return reads_ids(self._model)

    def take_tokenizer(self, name: str, data: bytes) -> None:
        """A tokenizer.json that came without the folder of the model. Its texts are others then."""
        with self._reading:
            self._model.tokenizer = tokenizer_in(name, data)
            self.first_text = text_for(self._model)
            self.many_texts = cache(partial(texts_for, self._model))

    def can_read(self, text: str) -> bool:
        return can_read(self._model, text)

    def on(self, text: str, of_decoder: str = "") -> OpenedOnText:
        """The model when it has read a text, and its decoder another, if it has one."""
        with self._reading:
            read = self._model.read_text(text, of_decoder)
            check_tokens(read.longest)
            check_room(self._model.bytes_for(read.longest), SHORTER)
            on_text = ModelOnText(self._model, read, self._model.run_on(read))
            return OpenedOnText(on_text, self._reading)

    def score_parts(
        self, origin: Origin, trace: Trace, head: int, at: tuple[int, int]
    ) -> ScoreParts | None:
        """A score of a layer as a sum of words, places, earlier heads and MLPs.

        None where its query or its key is not what the model makes there: X is another.
        """
        s, layer, model = trace.scenario, origin.model_layer, self._model
        with self._reading, ONE_THREAD:
            text = model.read_text(origin.model_text, origin.model_text_of_decoder)
            if layer >= self.n_layers or not _reads(model, layer, text, s):
                return None
            check_room(model.bytes_for(text.longest), SHORTER)
            inputs = score_inputs(model, model.run_on(text), layer, at)
        return inputs.of_score(trace, head, at) if inputs.make(s, at) else None

    def ready(self, layer: int, rows: FloatArray, *, is_normed: bool) -> ReadyLayer:
        """A layer with X out of a file, as the explorer shows it. No layer before it is run."""
        with self._reading:
            check_room(self._model.bytes_for(len(rows)), SHORTER)
            scenario = self._model.scenario_on(layer, rows, is_normed=is_normed)
        check_fits_page(scenario, say("Save fewer rows."))
        model, name = self.title[:LONGEST_NAME], self._model.layer_name(layer)
        says = say("{model}: {layer}, X from a file").format(model=model, layer=name)
        return ReadyLayer(of_model(scenario, self.name, layer), says)


def _reads(model: Model, layer: int, text: Text, s: Scenario) -> bool:
    """Whether the rows of a layer are as many and as wide as those of the model on this text."""
    queries, keys = model.words(layer, text)
    width, of_keys = model.widths(layer)
    context = None if s.context is None else s.context.shape
    expected = None if of_keys is None else (len(keys), of_keys)
    return s.x.shape == (len(queries), width) and context == expected


class OpenedOnText:
    """A model on one text, for several visitors at once: only one of them lets it run."""

    def __init__(self, on_text: ModelOnText, reading: threading.Lock) -> None:
        self._on_text, self._reading = on_text, reading

    @property
    def text(self) -> Text:
        return self._on_text.text

    @property
    def n_layers(self) -> int:
        return self._on_text.n_layers

    def layer_name(self, layer: int) -> str:
        return self._on_text.layer_name(layer)

    def next_token(self, heads_off: Collection[tuple[int, int]] = ()) -> str:
        """What the model expects to come next, with some heads switched off."""
        with self._reading:
            return self._on_text.model.next_token(self.text, heads_off)

    def layer(self, layer: int) -> Scenario:
        with self._reading:
            return self._on_text.layer(layer)

    def one_head(self, layer: int, head: int) -> Scenario:
        """The layer with this head alone, where all of them would be too many to be shown."""
        whole = self.layer(layer)
        with self._reading:
            return self._on_text.model.weights(layer).only([head]).of(whole)

    def words(self, layer: int) -> tuple[Sequence[int], Sequence[int]]:
        return self._on_text.words(layer)


Kept = tuple[int, WeakMethod[Callable[[], None]]]  # bytes, and how it is let go


class OwnModels:
    """The files that visitors have opened, as long as there is room for all of them."""

    def __init__(self, most_bytes: float) -> None:
        self._most = most_bytes
        self._changing = threading.Lock()
        self._kept: dict[object, Kept] = {}  # the oldest first

    def keep(self, visitor: object, size: int, let_go: WeakMethod[Callable[[], None]]) -> None:
        """One more file, in the place of this visitor's last one. The oldest are let go for it."""
        with self._changing:
            self._kept.pop(visitor, None)
            self._kept[visitor] = (size, let_go)
            while len(self._kept) > 1 and sum(size for size, _ in self._kept.values()) > self._most:
                _, let_oldest_go = self._kept.pop(next(iter(self._kept)))
                if is_here := let_oldest_go():
                    is_here()


OWN_MODELS: Final = OwnModels(MACHINE.uploads_mb * MEGABYTE)


@cache
def known_model(name: str) -> OpenedModel:
    """One of MODELS, opened once for all visitors."""
    known = MODELS[name]
    in_origins = known.title if name == OF_COMMAND else name
    return OpenedModel(known.title, known.open(), known.first_text, known.many_texts, in_origins)


PATHS: Final[dict[str, Path]] = {}  # of files that the person at this machine has named


def note_path(path: Path) -> None:
    """A model at this path may be opened again, by its name."""
    PATHS[name_of_path(path)] = path.resolve()


def model_named(name: str) -> OpenedModel | None:
    """A model that is known here, by the name that origins have."""
    if OF_COMMAND in MODELS and name == MODELS[OF_COMMAND].title:
        return known_model(OF_COMMAND)
    if name in MODELS:
        return known_model(name)
    if name in PATHS and is_at_own_machine():
        return _model_at(PATHS[name])
    return None


@lru_cache(1)
def _model_at(path: Path) -> OpenedModel:
    return OpenedModel(name_of_path(path), open_model(path, own_machine=True))
