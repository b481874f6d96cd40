"""The rooms import what their line allows, and a planted violation is caught."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tools.check_imports import HOUSE, IN_NO_CIRCLE, circles_in, faults_in, python_files

ROOT = Path(__file__).resolve().parents[2]


def all_faults(root: Path) -> list[str]:
    return [fault for file in python_files(root) for fault in faults_in(root, file)]


def test_every_room_keeps_to_its_line() -> None:
    assert all_faults(ROOT) == []


def test_every_file_of_the_house_is_looked_at() -> None:
    looked_at = {file.relative_to(ROOT).parts[0] for file in python_files(ROOT)}
    assert looked_at == set(HOUSE)


@pytest.mark.parametrize(
    ("file", "line", "module"),
    [
        ("mha_core/layer/planted.py", "import streamlit", "streamlit"),
        ("mha_core/io/scenario/planted.py", "import pandas as pd", "pandas"),
        ("mha_core/layer/planted.py", "from plotly import graph_objects", "plotly.graph_objects"),
        ("mha_core/layer/planted.py", "from ui.theme import COLOURS", "ui.theme.COLOURS"),
        ("mha_core/layer/planted.py", "import scipy.special", "scipy.special"),
        ("mha_core/layer/planted.py", "import pickle", "pickle"),
        ("mha_core/layer/planted.py", "def late():\n    import torch", "torch"),
        ("mha_core/layer/planted.py", "from . import errors", "a module by a relative name"),
        ("mha_core/layer/planted.py", "__import__('streamlit')", "streamlit"),
        ("mha_core/layer/planted.py", "import importlib\nimportlib.import_module('ui')", "ui"),
        ("mha_core/layer/planted.py", "__import__(name)", "a module whose name is computed"),
        (
            "mha_core/checks/planted.py",
            "from mha_core.scenario.masks import Rule",
            "mha_core.scenario.masks.Rule",
        ),
        (
            "mha_core/scenario/planted.py",
            "from mha_core.layer.attention import softmax",
            "mha_core.layer.attention.softmax",
        ),
        ("mha_core/scenario/planted.py", "import mha_core", "mha_core"),
        (
            "mha_core/layer/planted.py",
            "from mha_core.reading import metrics",
            "mha_core.reading.metrics",
        ),
        ("mha_core/reading/planted.py", "from mha_core import making", "mha_core.making"),
        ("mha_core/making/planted.py", "from mha_core import examples", "mha_core.examples"),
        ("mha_core/examples/planted.py", "from mha_core import changing", "mha_core.changing"),
        ("mha_core/changing/planted.py", "from mha_core import io", "mha_core.io"),
        ("mha_core/guide/planted.py", "from mha_core import io", "mha_core.io"),
        ("mha_core/io/program/planted.py", "from mha_core import reading", "mha_core.reading"),
        ("mha_core/io/tensors/planted.py", "from gguf import quants", "gguf.quants"),
        ("mha_core/io/tensors/planted.py", "def late():\n    import torch", "torch"),
        ("mha_core/io/tensors/planted.py", "import safetensors", "safetensors"),
        ("ui/theme.py", "import plotly", "plotly"),
        (
            "mha_core/io/matrix/planted.py",
            "from mha_core.io import scenario",
            "mha_core.io.scenario",
        ),
        ("ui/figures/planted.py", "import streamlit as st", "streamlit"),
        ("ui/figures/planted.py", "from ui import state", "ui.state"),
        ("ui/edits/planted.py", "import streamlit as st", "streamlit"),
        ("ui/edits/planted.py", "from ui.state import session", "ui.state.session"),
        ("ui/plot/planted.py", "from ui.theme import COLOURS", "ui.theme.COLOURS"),
        ("ui/state/planted.py", "from ui.controls import refusal", "ui.controls.refusal"),
        ("ui/state/planted.py", "from ui.figures.board import Board", "ui.figures.board.Board"),
        ("ui/state/planted.py", "import plotly", "plotly"),
        ("ui/controls/planted.py", "from ui import blocks", "ui.blocks"),
        ("ui/controls/sidebar/planted.py", "from ui.blocks import share", "ui.blocks.share"),
        ("ui/controls/planted.py", "import pandas as pd", "pandas"),
        ("ui/blocks/planted.py", "import pages.explore", "pages.explore"),
        ("ui/blocks/planted.py", "import plotly.graph_objects", "plotly.graph_objects"),
        ("ui/planted.py", "import plotly", "plotly"),
        ("ui/planted.py", "import pages.explore", "pages.explore"),
        ("ui/__init__.py", "import streamlit", "streamlit"),
        ("pages/planted.py", "import numpy as np", "numpy"),
        ("pages/planted.py", "import plotly.graph_objects", "plotly.graph_objects"),
        ("app.py", "import mha_core", "mha_core"),
    ],
)
def test_a_planted_violation_is_caught(tmp_path: Path, file: str, line: str, module: str) -> None:
    plant(tmp_path, file, line)
    (fault,) = all_faults(tmp_path)
    assert fault.startswith(f"{file}:")
    assert f"imports {module};" in fault


@pytest.mark.parametrize("file", ["mha_core/planted.py", "mha_core/new_room/planted.py"])
def test_a_file_in_no_room_is_told(tmp_path: Path, file: str) -> None:
    plant(tmp_path, file, "import numpy")
    assert all_faults(tmp_path) == [f"{file}: stands in no room; give its folder a line in ROOMS."]


@pytest.mark.parametrize(
    ("file", "line"),
    [
        (
            "mha_core/layer/planted.py",
            "import numpy.typing as npt\nfrom mha_core.checks.errors import MhaError",
        ),
        ("ui/figures/planted.py", "from mha_core.checks.shapes import Dims\nfrom PIL import Image"),
        ("ui/figures/planted.py", "from ui.figures.heads import heatmaps\nfrom ui import theme"),
        ("ui/edits/planted.py", "import numpy\nimport mha_core\nfrom ui.edits import entries"),
        ("ui/state/planted.py", "import pandas\nimport streamlit\nfrom ui import edits, theme"),
        ("ui/controls/planted.py", "import streamlit\nfrom ui import edits, figures, state, theme"),
        ("ui/blocks/planted.py", "import streamlit\nfrom ui import controls, figures, plot, state"),
        ("ui/planted.py", "import streamlit\nfrom ui import figures, plot\nimport pandas"),
        ("pages/planted.py", "import streamlit as st\nfrom ui import blocks\nimport mha_core"),
    ],
)
def test_what_the_line_allows_passes(tmp_path: Path, file: str, line: str) -> None:
    plant(tmp_path, file, line)
    assert all_faults(tmp_path) == []


def test_the_command_refuses_a_house_with_one_violation(tmp_path: Path) -> None:
    (tmp_path / "tools").mkdir()
    shutil.copy(ROOT / "tools/check_imports.py", tmp_path / "tools")
    plant(tmp_path, "mha_core/layer/sound.py", "import numpy")
    assert check(tmp_path).returncode == 0
    plant(tmp_path, "mha_core/layer/planted.py", "import streamlit")
    run = check(tmp_path)
    assert run.returncode == 1
    assert (
        "mha_core/layer/planted.py:1: imports streamlit; mha_core/layer/* may import" in run.stdout
    )


def check(house: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tools.check_imports"]
    return subprocess.run(command, cwd=house, capture_output=True, text=True, check=False)


def plant(house: Path, file: str, line: str) -> None:
    """Write a file of this house with only this line."""
    planted = house / file
    planted.parent.mkdir(parents=True, exist_ok=True)
    planted.write_text(line)


@pytest.mark.parametrize("folder", IN_NO_CIRCLE)
def test_no_modules_import_each_other_in_a_circle(folder: str) -> None:
    assert list(circles_in(ROOT / folder)) == []


def test_a_planted_circle_is_caught_also_inside_a_function(tmp_path: Path) -> None:
    (tmp_path / "ui").mkdir()
    (tmp_path / "ui/one.py").write_text("from ui.two import thing\n")
    (tmp_path / "ui/two.py").write_text("def do():\n    from ui import one\n")
    (said,) = circles_in(tmp_path / "ui")
    assert "ui.one" in said
    assert "ui.two" in said
