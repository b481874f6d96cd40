"""A visitor's page with one editor, and what a person can do there."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from mha_core import Scenario
from mha_core.examples import load_example
from tests.running_page import RunningPart

Cells = Mapping[tuple[int, int], str | None]


def script(name: str, head: int | None) -> None:
    """A page with one editor, an undo, and somewhere else to go."""
    import streamlit as st

    from tests.running_page import undo
    from ui.controls.editors import matrix_editor
    from ui.state import open_session

    session = open_session()
    st.button("Undo", on_click=undo, args=(session,))
    if not st.checkbox("Elsewhere"):
        matrix_editor(session, st.session_state.get("look at", name), head=head)


class Page(RunningPart):
    """A visitor's page with one editor, and what a person can do there."""

    @property
    def grid(self) -> list[list[str]]:
        """What the grid shows: the table it was opened with, and over it what was typed."""
        self.open_tab("Grid")
        editor = self.at.data_editor[0]
        table = editor.value
        for row, cells in self._typed().items():
            for name, text in cells.items():
                table.iloc[row, table.columns.get_loc(name)] = "" if text is None else text
        rows: list[list[str]] = table.to_numpy().tolist()
        return rows

    @property
    def opened(self) -> str:
        """Which grid is open: another one has another name."""
        return str(self.at.data_editor[0].key)

    @property
    def warnings(self) -> list[str]:
        return [each.value.replace("\\", "").replace("\u2060", "") for each in self.at.warning]

    @property
    def errors(self) -> list[str]:
        """The refusals on the page, as a person reads them."""
        return [error.value.replace("\\", "").replace("\u2060", "") for error in self.at.error]

    def type(self, cells: Cells) -> None:
        """Type into cells of the grid, or paste; None is what Delete leaves.

        AppTest cannot do it, so the message is sent that the browser would send.
        """
        typed = self._typed()
        for (row, column), text in cells.items():
            typed.setdefault(row, {})[f"c{column}"] = text
        states = self.at._tree.get_widget_states()
        edits = {"edited_rows": typed, "added_rows": [], "deleted_rows": []}
        states.widgets.add(id=self.at.data_editor[0].proto.id, string_value=json.dumps(edits))
        self.at._run(states)
        assert not self.at.exception

    def open_tab(self, label: str) -> None:
        """Open Grid, Text or File."""
        if "edit-as" not in self.at.session_state or self.at.session_state["edit-as"] != label:
            self.at.session_state["edit-as"] = label
            self.run()

    @property
    def text(self) -> str:
        """What stands in the text box."""
        self.open_tab("Text")
        return str(self.at.text_area[0].value)

    def type_text(self, text: str) -> None:
        """Type into the text box, and do no more."""
        self.open_tab("Text")
        self.at.text_area[0].set_value(text)
        self.run()

    def paste_text(self, text: str) -> None:
        self.type_text(text)
        self.press("Replace")

    def paste_block(self, row: int, column: int, text: str) -> None:
        """Paste what has no room in the grid: the browser then sends it to the page."""
        states = self.at._tree.get_widget_states()
        (guard,) = [
            node.proto
            for node in self.at.get("bidi_component")
            if node.proto.component_name == "grid_guard"
        ]
        event = {"event": "block", "value": {"row": row, "column": column, "text": text}}
        states.widgets.add(
            id=f"$$STREAMLIT_INTERNAL_KEY_{guard.id}__events",
            json_trigger_value=json.dumps([event]),
        )
        self.at._run(states)
        assert not self.at.exception

    def upload(self, name: str, data: bytes) -> None:
        self.open_tab("File")
        self.at.file_uploader[0].set_value((name, data, "application/octet-stream"))
        self.run()

    def look_at(self, name: str) -> None:
        """Open the editor of another array."""
        self.at.session_state["look at"] = name
        self.run()

    def go_elsewhere_and_back(self) -> None:
        self.at.checkbox[0].check()
        self.run()
        self.at.checkbox[0].uncheck()
        self.run()

    def change(self, change: Callable[[Scenario], Scenario]) -> None:
        """Something else on the page changes the scenario."""
        self.session.attempt("elsewhere", None, change)
        self.run()

    def _typed(self) -> dict[int, dict[str, Any]]:
        edits = self.at.session_state[self.opened]["edited_rows"]
        return {row: dict(cells) for row, cells in edits.items()}


def page(
    name: str = "x", head: int | None = None, scenario: Scenario | str = "three-tokens"
) -> Page:
    s = load_example(scenario) if isinstance(scenario, str) else scenario
    return Page(script, name, head, scenario=s)
