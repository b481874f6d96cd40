"""Whatever a config says: a model that runs, or an error of ours."""

from __future__ import annotations

from functools import cache
from typing import Any

import hypothesis.strategies as st
from hypothesis import given

from mha_core.checks.errors import MhaError
from mha_core.models import open_model
from tests.core.models.held import Held
from tests.core.models.recorded_models import IDS, NAMES, Recorded

WITH_TEXT = [name for name in NAMES if name not in ("vit", "clip-of-images")]
numbers = st.sampled_from([0, 1, 2, -1, 3, 7, 10**9, 10**400, 0.0, -0.5, 1e-300, 1e300, 1e999])
values = st.recursive(
    numbers | st.none() | st.booleans() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=4,
)


@cache
def recorded(name: str) -> tuple[Held, list[str]]:
    file = Recorded(name)
    scaling = [f"rope_parameters.{key}" for key in file.config.get("rope_parameters", ())]
    return file.file, [
        *file.config,
        *scaling,
        "rope_scaling",
        "text_config",
        *("stored_in_neighbours", "stored_as_linear", "qkv_apart", "gains_hold_one"),
        "rotary_columns",
    ]


@given(st.sampled_from(WITH_TEXT), st.data())
def test_a_hostile_config_gives_an_error_of_ours_or_a_model(name: str, data: st.DataObject) -> None:
    file, fields = recorded(name)
    config: dict[str, Any] = dict(file.config)
    for field in data.draw(st.lists(st.sampled_from(fields), min_size=1, max_size=3)):
        place, _, inner = field.partition(".")
        value = data.draw(values)
        before = config.get(place)
        within = before if isinstance(before, dict) else {}
        config[place] = {**within, inner: value} if inner else value
    try:
        model = open_model(Held(file.tensors, config))
        assert model.says
        made = model.run(IDS).result
    except MhaError:
        return
    assert made.shape == (1 if model.has_decoder else len(IDS), model.width)
