"""What to do with a file that cannot be read here: words, and a program of one line."""

from __future__ import annotations

import pickle
import re
from pathlib import Path

import numpy as np
import pytest
import torch

from mha_core.io.matrix.other_kinds import OTHER_KINDS, not_read
from mha_core.io.scenario.files import read_scenario

LAYER = torch.nn.MultiheadAttention(6, 2)


def program_for(name: str) -> str:
    """The program that the error for this file says."""
    found = re.search(r'python -c "(.*)"', str(not_read(name, (".npz",))))
    assert found
    return found[1]


@pytest.mark.parametrize("ending", [end for end, kind in OTHER_KINDS.items() if kind.program])
def test_every_program_is_one_line_of_python(ending: str) -> None:
    program = program_for(f"my{ending}")
    compile(program, "program", "exec")
    assert "\n" not in program
    assert f"'my{ending}'" in program


def test_a_name_that_is_no_plain_word_stays_out_of_the_program() -> None:
    assert "'layer.pt'" in program_for("a'); evil('.pt")
    assert "evil" not in program_for("a'); evil('.pt")


@pytest.mark.parametrize("name", ["layer.pt", "layer.pkl"])
def test_the_program_makes_a_file_that_opens(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    stored = LAYER.state_dict()
    if name.endswith(".pt"):
        torch.save(stored, tmp_path / name)
    else:
        arrays = {key: value.numpy() for key, value in stored.items()}
        (tmp_path / name).write_bytes(pickle.dumps(arrays))
    exec(program_for(name), {})  # noqa: S102 - here PyTorch is imported, which takes a second
    s = read_scenario((tmp_path / "layer.npz").read_bytes(), "layer.npz", n_heads=2)
    assert np.array_equal(s.w_o, stored["out_proj.weight"].numpy().T)
