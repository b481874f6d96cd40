"""The trained model that a visitor looks at: which one, what it reads, and what was found."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

import streamlit as st

from mha_core.language import say
from mha_core.survey.head_map import HeadsOfLayer
from mha_core.survey.many_texts import ManyTexts
from mha_core.survey.measures import NAMES
from ui.machine.budget import Use
from ui.state.models_here import MODELS, OpenedModel, known_model
from ui.state.page_sessions import keep_no_address
from ui.state.refusals import Refusals

PAGE: Final = "real_layers"
KEY: Final = "real layers"
OWN: Final = "own"  # in the choice of models, the visitor's own
IN_LAYERS: Final = "layers"
ORDERS: Final = (IN_LAYERS, *NAMES)
FIRST_TEXT: Final = say("The black cat saw the white dog, and the white dog saw the black cat.")
LONGEST_TEXT: Final = 4_000  # characters


@dataclass(frozen=True)
class HeadOnText:
    """A head that a person wants to see on a text. Both are counted from 0."""

    layer: int
    head: int
    text: str


@dataclass
class RealLayers:
    """What a visitor looks at on the page of real layers, and what was found there.

    `heads` are those of the layers that were read so far; `many` is what many sentences have shown,
    and `studied` the head that is looked at there.
    """

    model: str  # a name of MODELS, or OWN
    own: OpenedModel | None = None  # that a visitor has opened
    text: str = FIRST_TEXT
    order: str = IN_LAYERS
    has_first: bool = True  # else the first token is left out
    axes: tuple[str, str] = ("previous", "induction")
    heads: list[HeadsOfLayer] = field(default_factory=list)
    many: ManyTexts | None = None
    studied: tuple[int, int] | None = None
    to_open: HeadOnText | None = None
    refusals: Refusals = field(default_factory=Refusals)
    use: Use = field(default_factory=Use)  # of the processor

    def key(self, name: str) -> str:
        """The page has one of these alone."""
        return name

    def choose(self, model: str) -> None:
        """Another model: nothing that was found holds for it."""
        if model != self.model:
            self.model, self.many, self.studied = model, None, None
            self.heads.clear()
            self.refusals.clear()

    def take_own(self, model: OpenedModel) -> None:
        """A model out of a visitor's own file."""
        self.own, self.model = model, ""
        self.choose(OWN)

    @property
    def opened(self) -> OpenedModel:
        """The model that is looked at."""
        return self.own if self.model == OWN and self.own else known_model(self.model)

    def read(self, text: str) -> None:
        """Another text for the same model."""
        if text.strip() and text != self.text:
            self.text = text[:LONGEST_TEXT]
            self.heads.clear()
            self.refusals.clear()

    def leave_first_out(self, *, leaves: bool) -> None:
        if leaves == self.has_first:
            self.has_first = not leaves
            self.heads.clear()

    @property
    def in_address(self) -> dict[str, str]:
        """What the address says: the model, and what was chosen otherwise than at first."""
        said = {"model": self.model, "text": self.text, "order": self.order}
        said["first"] = "on" if self.has_first else "off"
        usual = {"text": FIRST_TEXT, "order": IN_LAYERS, "first": "on"}
        if self.model == OWN:  # nobody else has it
            del said["model"]
        return {name: value for name, value in said.items() if value != usual.get(name)}


def open_real_layers() -> RealLayers:
    """What this visitor looks at; the first time, what the address describes."""
    shown: RealLayers | None = st.session_state.get(KEY)
    if shown is None:
        said = st.query_params.to_dict()
        first = next(iter(MODELS))
        shown = RealLayers(said["model"] if said.get("model") in MODELS else first)
        shown.read(said.get("text", ""))
        shown.order = said["order"] if said.get("order") in ORDERS else IN_LAYERS
        shown.has_first = said.get("first") != "off"
        st.session_state[KEY] = shown
    keep_no_address(PAGE)
    if st.query_params.to_dict() != shown.in_address:
        st.query_params.from_dict(shown.in_address)
    return shown
