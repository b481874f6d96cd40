"""Other scenarios in place of the examples that links start from."""

from __future__ import annotations

import pytest

from mha_core.changing.layers import as_stack
from mha_core.io.scenario import link_reading, stack_link
from mha_core.scenario.scenario import Scenario


def replace_examples(monkeypatch: pytest.MonkeyPatch, **examples: Scenario) -> None:
    """Let links load these scenarios by their names, and no others."""
    for module in (link_reading, stack_link):
        monkeypatch.setattr(module, "load_stack", lambda name: as_stack(examples[name]))
