"""A visitor of the page that compares two layers."""

from __future__ import annotations

import json
from typing import Any

from mha_core.examples import load_example
from tests.pages.page_visitor import PageVisitor
from tests.pages.visitor import unmarked
from ui.state import Session

PIZZA = load_example("pizza")
BOTH = "a.example=pizza&b.example=pizza&b.mask=none"
OPENED = {name: True for name in ("a-every-step", "a-editors", "b-editors", "b-examples")}


class Comparison(PageVisitor):
    """A visitor of the page, with what folds open."""

    def __init__(self, address: str = "", page: str = "compare.py") -> None:
        super().__init__(page, address, **OPENED)

    def ask(self, name: str) -> Comparison:
        return self.click(f"a-ask-{name}")

    @property
    def a(self) -> Session:
        return self.at.session_state["session a"]  # type: ignore[no-any-return]

    @property
    def b(self) -> Session:
        return self.at.session_state["session b"]  # type: ignore[no-any-return]

    @property
    def question_shown(self) -> list[str]:
        """The question whose button is marked."""
        buttons = [button for button in self.at.button if (button.key or "").startswith("a-ask-")]
        return [button.label for button in buttons if button.proto.icon]

    @property
    def titles(self) -> tuple[str, ...]:
        """What A and B are called."""
        marked = [heading.value for heading in self.at.markdown]
        starts = ("**A**", "**B**")
        return tuple(
            unmarked(text.removeprefix(start)).strip()
            for start in starts
            for text in marked
            if text.startswith(start)
        )

    @property
    def errors(self) -> list[str]:
        return [unmarked(error.value) for error in self.at.error]

    @property
    def outlined(self) -> dict[str, list[Any]]:
        """By session, the cell that is outlined."""
        sent = [node.proto for node in self.at.get("bidi_component")]
        outlines = [json.loads(p.json) for p in sent if p.component_name == "attention_outline"]
        return {outline["group"]: outline["cell"] for outline in outlines}


def matrices(picture: Any) -> dict[str, Any]:
    return {matrix["name"]: matrix for matrix in picture["figure"]["matrices"]}
