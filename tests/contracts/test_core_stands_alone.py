"""mha_core works where Streamlit, Plotly, pandas and what models need are not installed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

# Import finders are asked in order: this one comes first and says that there is no such package.
NOT_INSTALLED = """
import sys

LEFT_OUT = {"streamlit", "plotly", "pandas", "ui", "torch", "gguf", "safetensors", "tokenizers"}

class NotInstalled:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in LEFT_OUT:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, NotInstalled())
"""

EVERY_MODULE = """
import importlib, pkgutil
import mha_core

for module in pkgutil.walk_packages(mha_core.__path__, "mha_core."):
    if not module.name.endswith(".__main__"):  # a command: to import it is to run it
        importlib.import_module(module.name)
    print(module.name)
"""

A_COMMAND = """
import runpy
sys.argv = ["", "--help"]
runpy.run_module("mha_core.puzzles", run_name="__main__")
"""

A_FORWARD_PASS = """
import numpy as np
from mha_core import Scenario, attend

I = np.eye(2)
trace = attend(Scenario(x=I, w_q=I, w_k=I, w_v=I, w_o=I, n_heads=2))
print(trace.output.round(2).tolist())
"""


def run_where_not_installed(code: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-W", "error", "-c", NOT_INSTALLED + code]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def test_every_module_of_the_core_imports() -> None:
    run = run_where_not_installed(EVERY_MODULE)
    assert run.stderr == ""
    assert "mha_core.checks.errors" in run.stdout.split()


def test_its_command_runs() -> None:
    run = run_where_not_installed(A_COMMAND)
    assert run.stderr == ""
    assert run.stdout.startswith("usage: python -m mha_core.puzzles")


def test_a_forward_pass_runs() -> None:
    run = run_where_not_installed(A_FORWARD_PASS)
    assert run.stderr == ""
    assert run.stdout == "[[0.73, 0.5], [0.5, 0.73]]\n"


def test_streamlit_is_truly_out_of_reach_there() -> None:
    run = run_where_not_installed("import streamlit")
    assert "ModuleNotFoundError: No module named 'streamlit'" in run.stderr
