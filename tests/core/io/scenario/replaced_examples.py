"""Other scenarios in place of the examples that links start from."""

from __future__ import annotations

import pytest

from mha_core.io.scenario import link_reading, link_writing
from mha_core.scenario.scenario import Scenario


def replace_examples(monkeypatch: pytest.MonkeyPatch, **examples: Scenario) -> None:
    """Let links load these scenarios by their names, and no others."""
    for module in (link_reading, link_writing):
        monkeypatch.setattr(module, "load_example", examples.__getitem__)
