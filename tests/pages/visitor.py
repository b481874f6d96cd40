"""A person at a page: what can be done there, and what can be read."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterable
from typing import Any, Final
from urllib.parse import parse_qsl

from streamlit.testing.v1 import AppTest

from mha_core.checks.shapes import FloatArray
from tests.form_fields import enter_into, fields_on, reasons_on, shown_in, words_on
from tests.running_page import RunningPage, redo, undo
from tests.serving import ROOT
from tests.unpacking import unpacked
from ui.controls.sidebar import fields
from ui.controls.sidebar.mask import OFTEN_USED

WIDGETS = (
    *("text_input", "number_input", "selectbox", "multiselect"),
    *("checkbox", "toggle", "radio", "button_group"),
)


OPENED: Final = ("mask-picture", "added", "moved-options", "view-options")
MENUS: Final = (
    "examples",
    "share",
    "download",
)  # a third of a run: a test that looks there opens them


HISTORY = {"Undo": undo, "Redo": redo}

UNSEEN: Final = re.compile(
    r'<ul class="claims unseen".*?</ul>|<span class="unseen".*?</span>'
)  # it only keeps its room


class Visitor(RunningPage):
    """A person at the first page, or another one, at an address, with all open but some menus."""

    def __init__(
        self, address: str = "example=two-tokens", page: str = "", opened: Iterable[str] = ()
    ) -> None:
        at = AppTest.from_file(str(ROOT / "pages" / "navigation.py"), default_timeout=60)
        if page:
            at.switch_page(page)
        for name, value in parse_qsl(address, keep_blank_values=True):
            at.query_params[name] = value
        super().__init__(
            at, **dict.fromkeys((*OPENED, *opened), True)
        )  # what is closed is not sent

    # What a person does.

    def enter(self, key: str, value: Any) -> Visitor:
        """Enter a value in the control with this key."""
        if key in fields(self.session):
            enter_into(self.session, key, value)
        else:
            self.widget(key).set_value(value)
        return self.run()

    def mask_by(self, *rules: str) -> Visitor:
        """Switch the mask's rules: those that are often used by a pill, the others by a box."""
        on = [rule.name for rule in self.scenario.mask.rules]
        offered = {*OFTEN_USED, *on}
        self.enter("rules", [name for name in rules if name in offered])
        for name in rules:
            if name not in offered:
                self.enter(f"rule {name}", True)
        return self

    def open(self, menu: str) -> Visitor:
        self.at.session_state[menu] = True
        return self.run()

    def open_example(self, name: str) -> Visitor:
        """Pick an example from the list."""
        self.at.button(key=f"example-{name}").click()
        return self.run()

    def press(self, label: str) -> Visitor:
        if label in HISTORY:  # buttons of our own, which a browser is needed to press
            HISTORY[label](self.session)
            return self.run()
        return super().press(label)

    # What a person sees.

    @property
    def controls(self) -> dict[str, Any]:
        """Every control on the page by its key."""
        widgets = [widget for kind in WIDGETS for widget in self.at.get(kind)]
        return {widget.key: widget for widget in widgets if widget.key}

    def widget(self, key: str) -> Any:
        controls = self.controls
        return controls[next(full for full in (f"enter-{key}", f"view-{key}") if full in controls)]

    def shows(self, key: str) -> Any:
        """What the control with this key shows."""
        field = fields_on(self.at).get(key)
        return shown_in(field) if field else self.widget(key).value

    def has(self, key: str) -> bool:
        return key in fields_on(self.at) or bool(
            {f"enter-{key}", f"view-{key}"} & set(self.controls)
        )

    @property
    def examples_offered(self) -> dict[str, str]:
        """The examples that can be picked, each with what its button says."""
        return {
            button.key.removeprefix("example-"): unmarked(button.label)
            for button in self.at.button
            if button.key and button.key.startswith("example-")
        }

    @property
    def errors(self) -> list[str]:
        return [*(unmarked(error.value) for error in self.at.error), *reasons_on(self.at)]

    def complains(self, message: str) -> bool:
        """True where exactly one error is shown, and it begins with these words."""
        return len(self.errors) == 1 and self.errors[0].startswith(message)

    @property
    def words(self) -> str:
        """All that is written on the page, as it is read."""
        written = [node.value for node in self.at.get("text")]
        kinds = ("title", "header", "markdown", "caption")
        marked = [node.value for kind in kinds for node in self.at.get(kind)]
        seen = [UNSEEN.sub("", node.value) for node in self.at.get("html")]
        blocks = [html.unescape(re.sub("<[^>]+>", " ", each)) for each in seen]
        read = [*written, *(unmarked(text) for text in marked), *blocks, *words_on(self.at)]
        return "\n".join(read)

    @property
    def sent(self) -> list[bytes]:
        """What was sent to each plot, packed."""
        sent = [node.proto for node in self.at.get("bidi_component")]
        return [p.bytes for p in sent if p.component_name == "attention_plot"]

    @property
    def plots(self) -> dict[str, Any]:
        """What was sent to each plot, by the plot's name without the example's."""
        plots = [unpacked(data) for data in self.sent]
        example = f"{self.scenario.origin.example} "
        return {plot["name"].removeprefix(example): plot for plot in plots}

    @property
    def title(self) -> str:
        """The heading of the page, as it is read."""
        return unmarked(self.at.title[0].value)

    @property
    def outlined(self) -> list[Any]:
        """The matrix, row and column of the cell that is outlined."""
        sent = [node.proto for node in self.at.get("bidi_component")]
        outlines = [json.loads(p.json) for p in sent if p.component_name == "attention_outline"]
        latest = max(outlines, key=lambda outline: outline["picked_at"])
        return list(latest["cell"])

    @property
    def matrices(self) -> dict[str, FloatArray]:
        """Every matrix in the pictures, by its name; NaN where a cell is masked."""
        shown = [matrix for plot in self.plots.values() for matrix in plot["figure"]["matrices"]]
        return {matrix["name"]: matrix["values"] for matrix in shown}


def unmarked(text: str) -> str:
    """Markdown of ours as it is read: no backslashes, no bold, no colours, no word joiners."""
    without_colors = re.sub(r":gray\[(.*?)\]", r"\1", text.replace("\u2060", ""))
    return re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", without_colors)
