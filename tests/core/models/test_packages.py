"""Models that come as packages are found where they are installed, and no code of theirs is run."""

from __future__ import annotations

import importlib
import json
import re
import sys
from pathlib import Path

import numpy as np
import pytest

from mha_core import attend
from mha_core.checks.errors import FileError, OptionError
from mha_core.models import PACKAGES, ModelPackage, installed_models, open_installed
from tests.core.refusals import check_refused


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A place of its own for packages, the first in which Python looks."""
    monkeypatch.syspath_prepend(str(tmp_path))
    importlib.invalidate_caches()
    return tmp_path


def test_a_package_that_is_not_there_says_what_to_install(installed: Path) -> None:
    nowhere = ModelPackage("x", "the-package", "no_such_module", "m", "A model", 1, "a")
    assert nowhere.path is None
    check_refused(
        nowhere.open,
        FileError(
            "A model",
            "must be installed",
            "no such package",
            "Install it: pip install the-package.",
        ),
    )


def test_a_package_without_the_file_is_none(installed: Path) -> None:
    (installed / "hollow").mkdir()
    assert ModelPackage("x", "x", "hollow", "m", "A model", 1, "a").path is None  # no __init__.py
    (installed / "hollow" / "__init__.py").touch()
    importlib.invalidate_caches()
    assert ModelPackage("x", "x", "hollow", "m", "A model", 1, "a").path is None


def test_a_name_that_there_is_not_is_refused() -> None:
    with pytest.raises(OptionError, match="The name of the model must be one of mathformer-add"):
        open_installed("gpt5")


def test_each_has_a_name_of_its_own_and_says_its_size() -> None:
    assert all(each.n_bytes > 1000 and each.title and each.example for each in PACKAGES.values())


def test_pip_is_asked_for_one_version_by_its_hash() -> None:
    for package in PACKAGES.values():
        name, _, pinned = package.requirement.partition("==")
        assert name == package.package
        assert re.fullmatch(r"[0-9.]+ --hash=sha256:[0-9a-f]{64}\n", pinned)


# The two that the tests install.


def test_they_are_found_and_their_code_is_not_run() -> None:
    names = {each.name for each in installed_models()}
    assert {"mathformer-add", "mathformer-mul", "glassllm-en", "glassllm-pt"} <= names
    model = open_installed("mathformer-add")
    assert (model.family, model.n_layers, model.n_heads, model.width) == ("Llama", 1, 2, 8)
    assert "mathformer" not in sys.modules


@pytest.mark.parametrize(("sign", "name"), [("+", "add"), ("*", "mul"), ("-", "sub")])
def test_the_small_ones_calculate(sign: str, name: str) -> None:
    model = open_installed(f"mathformer-{name}")
    right = 0
    for first in range(5, 10):
        for second in range(5):
            said = f"{first}{sign}{second}="
            right += model.next_token(model.read_text(said)) == str(eval_of(first, sign, second))[0]
    assert right == 25


def eval_of(first: int, sign: str, second: int) -> int:
    return {"+": first + second, "-": first - second, "*": first * second}[sign]


def test_the_writer_gives_what_its_own_code_gave() -> None:
    model = open_installed("glassllm-en")
    text = model.read_text("the old man and the old woman")
    assert text.tokens == ("the", "old", "man", "and", "the", "old", "w", "##om", "##an")
    assert text.ids == (181, 552, 391, 120, 97, 552, 98, 149, 139)
    run = model.run(text.ids)
    scores = run.result[-1] @ model.file.read("E").T
    best = np.argsort(-scores)[:3]
    recorded = json.loads((Path(__file__).parent / "recorded" / "glassllm.json").read_text())
    np.testing.assert_array_equal(best, recorded["best"])
    np.testing.assert_allclose(scores[best], recorded["scores"], atol=1e-4)
    weights = attend(model.scenario(3, text, run)).weights
    np.testing.assert_allclose(weights[:, -1], recorded["weights"], atol=1e-5)


@pytest.mark.parametrize(("head", "least", "most"), [(0, 0, 20), (1, 100, 100)])
def test_the_one_that_adds_needs_its_first_head_alone(head: int, least: int, most: int) -> None:
    """Of all 100 sums, so many begin right without the head."""
    model = open_installed("mathformer-add")
    sums = [(first, second) for first in range(10) for second in range(10)]
    right = sum(
        model.next_token(model.read_text(f"{a}+{b}="), [(0, head)]) == str(a + b)[0]
        for a, b in sums
    )
    assert least <= right <= most


def test_a_model_without_a_last_table_has_that_of_its_words() -> None:
    model = open_installed("glassllm-en")
    assert model.next_token(model.read_text("the old man and the old")) == "man"
