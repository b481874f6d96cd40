"""The trained model that a visitor looks at: which one, what it reads, and what was found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final
from weakref import WeakMethod

import streamlit as st

from mha_core.checks.errors import LimitError
from mha_core.language import say
from mha_core.models import Text
from mha_core.survey.head_map import IN_LAYERS, ORDERS, HeadsOfLayer
from mha_core.survey.many_texts import ManyTexts
from mha_core.survey.own_sentences import LONGEST_TEXT, OwnSentences
from ui.machine.budget import Use
from ui.state.hidden_states import StatesFile
from ui.state.layer_to_map import LayerToMap, ReadyLayer
from ui.state.models_here import MODELS, OF_COMMAND, OWN_MODELS, OpenedModel, known_model
from ui.state.page_sessions import keep_no_address
from ui.state.refusals import Refusals
from ui.state.view_params import wrong_param

OURS: Final = OwnSentences()  # none: ours are read
PAGE: Final = "real_layers"
KEY: Final = "real layers"
OWN: Final = "own"  # in the choice of models, the visitor's own
SWITCH: Final = ("on", "off")
GONE: Final = LimitError(
    say("Your file"),
    say("must leave room for those that others have opened since"),
    say("one of the oldest"),
    say("Open it again."),
)


@dataclass(frozen=True)
class HeadOnText:
    """A head that a person wants to see on a text. Both are counted from 0."""

    layer: int
    head: int
    text: str
    of_decoder: str = ""


@dataclass
class RealLayers:
    """What a visitor looks at on the page of real layers, and what was found there.

    `heads` are those of the layers that were read so far; `many` is what many sentences have shown,
    and `studied` the head that is looked at there.
    """

    model: str  # a name of MODELS, or OWN
    own: OpenedModel | None = None  # that a visitor has opened
    taken: int = 0  # files so far: with each, the fields for that close
    own_text: str = ""  # that a visitor has typed
    of_decoder: str = ""  # that the decoder reads, if there is one; nothing: the same text
    order: str = IN_LAYERS
    has_first: bool = True  # else the first token is left out
    has_words: bool = False  # whole words, not the tokens that they are made of
    axes: tuple[str, str] = ("previous", "induction")
    heads: list[HeadsOfLayer] = field(default_factory=list)
    read_text: Text | None = None  # the text as the model has read it
    many: ManyTexts | None = None
    own_sentences: OwnSentences = OURS  # that a visitor has given, instead of ours
    unread: dict[str, str] = field(default_factory=dict)  # own sentences, each with the reason why
    studied: tuple[int, int] | None = None
    to_open: HeadOnText | None = None
    to_map: LayerToMap | None = None  # a file that was not recognised
    states: StatesFile | None = None  # hidden states, for X of one layer
    ready: ReadyLayer | None = None  # made of a mapping or of hidden states, to be opened
    refusals: Refusals = field(default_factory=Refusals)
    use: Use = field(default_factory=Use)  # of the processor

    def key(self, name: str) -> str:
        """The page has one of these alone."""
        return name

    def choose(self, model: str) -> None:
        """Another model: nothing that was found holds for it. A text that it can read stays."""
        if model != self.model:
            self.model = model
            if not self.opened.can_read(self.own_text):
                self.own_text = ""
            if not self.opened.can_read(self.of_decoder):
                self.of_decoder = ""
            self.forget_many()
            self.heads.clear()
            self.states = None
            self.refusals.clear()

    def take_own(self, model: OpenedModel, size: int) -> None:
        """A model out of a visitor's own file, of which so many bytes stay in memory."""
        self.own, self.model, self.to_map = model, "", None
        self.choose(OWN)
        OWN_MODELS.keep(id(self), size, WeakMethod(self.let_own_go))

    def take_tokenizer(self, name: str, data: bytes) -> None:
        """Of the visitor's own model: it reads words from now on."""
        if self.own:
            self.own.take_tokenizer(name, data)
            self.own_text = self.of_decoder = ""
            self.forget_many()
            self.heads.clear()

    def map_by_hand(self, layer: LayerToMap) -> None:
        """A file that cannot be opened as a whole."""
        self.to_map = layer
        OWN_MODELS.keep((id(self), "to map"), layer.size, WeakMethod(self.let_mapping_go))

    def let_mapping_go(self) -> None:
        """The server needs the room."""
        if self.to_map:
            self.to_map = None
            self.refusals.note("own", GONE, None)

    def let_own_go(self) -> None:
        """The server needs the room."""
        self.own = None
        if self.model == OWN:
            self.choose(next(iter(MODELS)))
            self.refusals.note("own", GONE, None)

    @property
    def opened(self) -> OpenedModel:
        """The model that is looked at."""
        return self.own if self.model == OWN and self.own else known_model(self.model)

    @property
    def text(self) -> str:
        """What the model reads: what was typed, else what shows most of this model."""
        return self.own_text or self.opened.first_text

    def read(self, text: str) -> None:
        """Another text. Nothing typed means the first one."""
        if text != self.own_text:
            self.own_text = "" if text == self.opened.first_text else text[:LONGEST_TEXT].strip()
            self.heads.clear()
            self.refusals.clear()

    def read_in_decoder(self, text: str) -> None:
        """Another text for the decoder. Nothing typed means that of the encoder."""
        if text != self.of_decoder:
            self.of_decoder = text[:LONGEST_TEXT].strip()
            self.heads.clear()
            self.refusals.clear()

    @property
    def many_texts(self) -> Sequence[str]:
        """What all heads read: what was given, else what this model can read many of."""
        return self.own_sentences.texts or self.opened.many_texts()

    def read_many(self, sentences: OwnSentences) -> None:
        """Sentences of a visitor's own; with none, ours again."""
        if sentences != self.own_sentences:
            self.own_sentences = sentences
            self.forget_many()

    def skip(self, text: str, reason: str) -> None:
        """An own sentence that this model cannot read. The others are read."""
        assert self.many
        self.unread[text] = reason
        self.many.texts = tuple(each for each in self.many.texts if each not in self.unread)

    def forget_many(self) -> None:
        self.many, self.studied = None, None
        self.unread.clear()

    def leave_first_out(self, *, leaves: bool) -> None:
        if leaves == self.has_first:
            self.has_first = not leaves
            self.heads.clear()

    def see_words(self, *, sees: bool) -> None:
        if sees != self.has_words:
            self.has_words = sees
            self.heads.clear()

    @property
    def in_address(self) -> dict[str, str]:
        """What the address says: the model, and what was chosen otherwise than at first."""
        said = {"model": self.model, "text": self.own_text, "order": self.order}
        said["decoder"] = self.of_decoder
        said["first"] = "on" if self.has_first else "off"
        said["words"] = "on" if self.has_words else "off"
        usual = {"text": "", "decoder": "", "order": IN_LAYERS, "first": "on", "words": "off"}
        if self.model in (OWN, OF_COMMAND):  # nobody else has it
            del said["model"]
        return {name: value for name, value in said.items() if value != usual.get(name)}


def open_real_layers() -> RealLayers:
    """What this visitor looks at; the first time, what the address describes."""
    shown: RealLayers | None = st.session_state.get(KEY)
    if shown is None:
        shown = st.session_state[KEY] = described(st.query_params.to_dict())
    keep_no_address(PAGE)
    if st.query_params.to_dict() != shown.in_address:
        st.query_params.from_dict(shown.in_address)
    return shown


def described(params: Mapping[str, str]) -> RealLayers:
    """What an address says. What it says wrong is told, and all else is used."""
    shown = RealLayers(next(iter(MODELS)))
    shown.read(params.get("text", ""))
    shown.read_in_decoder(params.get("decoder", ""))
    may_be = {"model": MODELS, "order": ORDERS, "first": SWITCH, "words": SWITCH}
    right = dict(params)
    for name, words in may_be.items():
        if name in params and params[name] not in words:
            need = say("must be one of {words}").format(words=", ".join(words))
            shown.refusals.note(name, wrong_param(name, need, params[name]), params[name])
            del right[name]
    shown.model = right.get("model", shown.model)
    shown.order = right.get("order", shown.order)
    shown.has_first = right.get("first", "on") == "on"
    shown.has_words = right.get("words", "off") == "on"
    return shown
