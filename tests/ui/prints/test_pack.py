"""The lecture pack, unpacked: what is in it, and that its programs run from their own folder.

Takes long: PyTorch is imported anew, and pdfLaTeX compiles what is to be pasted.
"""

from __future__ import annotations

import io
import json
import subprocess
import sys
from importlib.metadata import packages_distributions
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import numpy as np
import pytest

from mha_core import STEPS, Trace, attend
from mha_core.examples import load_example, load_stack
from mha_core.io.matrix.files import read_matrix
from mha_core.io.program import PROGRAM_FILES
from mha_core.io.scenario.files import read_scenario
from tests.core.io.latex.test_compiling import Compiled, assert_good, compiled
from tests.ui.prints.test_slides import CAUSAL, LINK, wish
from tools.find_latex import STANDALONE, finds
from ui.controls.file_names import file_name
from ui.prints import files
from ui.prints.album import album_of
from ui.prints.pack import pack_entries, zipped
from ui.state import Session

PROGRAMS_SAY = {
    "with-numpy.py": "Same as in the explorer: weights and output.\n",
    "with-pytorch.py": "Same as in the explorer: output.\n",
    "with-numpy.ipynb": "Same as in the explorer: weights and output.\n",
}


@pytest.fixture(scope="module")
def found() -> dict[str, bytes]:
    """What is in the pack of a layer, by name."""
    entries = pack_entries(wish(attend(CAUSAL), kinds=["svg", "tikz"]))
    with ZipFile(io.BytesIO(zipped({entry.name: entry.make() for entry in entries}))) as opened:
        assert opened.testzip() is None
        return {name: opened.read(name) for name in opened.namelist()}


def listed(trace: Trace) -> tuple[set[str], str]:
    """The names of what a pack would hold, and its text. The rest is not made."""
    entries = {entry.name: entry for entry in pack_entries(wish(trace))}
    return {*entries}, entries["read-me.txt"].make().decode()


def test_a_pack_holds_pictures_slides_numbers_programs_and_words(found: dict[str, bytes]) -> None:
    assert {
        "pictures/heads.svg",
        "pictures/heads.tex",
        "slides.pptx",
        "slides.pdf",
        "handout.pdf",
        "scenario.json",
        "matrices/x.csv",
        "matrices/weights-head-2.csv",
        "captions.txt",
        "read-me.txt",
    } <= set(found)
    assert LINK in found["read-me.txt"].decode()
    assert "press Open there" in found["read-me.txt"].decode()
    assert "MIT licence" in found["read-me.txt"].decode()
    assert "heads: The heads." in found["captions.txt"].decode()
    assert not any("positions" in name for name in found)  # there are none


def test_its_numbers_are_the_traces_to_the_last_digit(found: dict[str, bytes]) -> None:
    trace = attend(CAUSAL)
    for head in (0, 1):
        saved = read_matrix(found[f"matrices/weights-head-{head + 1}.csv"], "w.csv")
        np.testing.assert_array_equal(saved, trace.weights[head])
    np.testing.assert_array_equal(read_matrix(found["matrices/output.csv"], "o.csv"), trace.output)
    again = read_scenario(found["scenario.json"], "scenario.json")
    np.testing.assert_array_equal(attend(again).output, trace.output)


def test_of_several_layers_it_has_each_and_what_lies_between_them() -> None:
    traces = attend(load_stack("induction"))
    entries = {each.name: each for each in pack_entries(wish(traces.layers[0], traces=traces))}
    shared = ("x", "w_q", "weights-head-1", "output")
    for number, trace in enumerate(traces.layers, 1):
        folder = f"matrices/layer-{number}"
        assert {f"{folder}/{name}.csv" for name in shared} <= {*entries}
        saved = read_matrix(entries[f"{folder}/output.csv"].make(), "o.csv")
        np.testing.assert_array_equal(saved, trace.output)
    assert not {f"matrices/{name}.csv" for name in shared} & {*entries}
    end = read_matrix(entries["matrices/stream_2.csv"].make(), "s.csv")
    np.testing.assert_array_equal(end, traces.stream[-1])
    assert "matrices/layer-2/ has its" in entries["read-me.txt"].make().decode()


def test_pictures_of_several_layers_say_which_in_their_names_and_captions() -> None:
    (picture, *_) = album_of(attend(CAUSAL), STEPS, "A title", 1).values()
    assert picture.name == "layer-2-into-the-heads"
    assert "A title, layer 2:" in picture.caption


def test_what_is_too_large_is_left_out_and_the_text_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    s = load_example("two-tokens")
    monkeypatch.setattr("ui.prints.pack.MOST_IN_CSV", s.w_q.size - 1)
    names, text = listed(attend(s))
    assert "matrices/w_q.csv" not in names
    assert "matrices/x.csv" in names
    assert f"w_q.csv: it has {s.w_q.size} numbers" in text


def test_without_python_pptx_the_rest_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "find_spec", lambda name: None if name == "pptx" else name)
    names, text = listed(attend(CAUSAL))
    assert "slides.pptx" not in names
    assert "slides.pptx: It needs python-pptx" in text
    assert "slides.pdf" in names


def test_the_same_pack_is_the_same_file() -> None:
    made = {"a.txt": b"1", "b/c.txt": b"2"}
    assert zipped(made) == zipped(made)


# ---- programs ----


@pytest.fixture(scope="module")
def unpacked(found: dict[str, bytes], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of an archive that was unpacked."""
    folder = tmp_path_factory.mktemp("unpacked")
    for name, content in found.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    return folder


def code_of(program: Path) -> list[str]:
    """What Python is given to run a script, or all cells of a notebook as its kernel runs them."""
    if program.suffix == ".py":
        return [program.name]
    cells = json.loads(program.read_text())["cells"]
    return ["-c", "\n".join(cell["source"] for cell in cells if cell["cell_type"] == "code")]


@pytest.mark.parametrize("name", PROGRAM_FILES)
def test_a_program_runs_from_its_own_folder_beside_the_others(name: str, unpacked: Path) -> None:
    programs = unpacked / "programs"
    assert {each.name for each in programs.iterdir()} >= {*PROGRAM_FILES}
    command = [sys.executable, "-B", *code_of(programs / name)]
    ran = subprocess.run(command, cwd=programs, capture_output=True, text=True, check=False)
    assert (ran.stdout, ran.stderr) == (PROGRAMS_SAY[name], "")


def importable(names: Any) -> set[str]:
    """The files that `import` would take for a module that somebody else has made."""
    others = {*sys.stdlib_module_names, *packages_distributions()}
    return {name for name in names if Path(name).stem in others}


def test_no_file_has_the_name_of_a_module(found: dict[str, bytes]) -> None:
    in_a_pack = [Path(name).name for name in found if name.endswith(".py")]
    sessions = (Session(CAUSAL), Session(load_example("pizza")))
    alone = [file_name(session, name) for session in sessions for name in PROGRAM_FILES]
    assert len(in_a_pack) == 2
    assert importable([*in_a_pack, *alone]) == set()
    assert importable(["numpy.py", "json.py", *alone]) == {"numpy.py", "json.py"}


# ---- pictures in LaTeX ----


def as_document(tex: str, folder: Path) -> Compiled:
    """What pdfLaTeX makes of a picture; as an article, where it has no standalone class."""
    if not finds(STANDALONE):
        tex = tex.replace(r"\documentclass[border=4bp]{standalone}", r"\documentclass{article}")
    return compiled(tex, folder)


@pytest.mark.usefixtures("pdflatex")
def test_a_picture_in_latex_is_a_document_and_a_piece_to_paste(
    found: dict[str, bytes], tmp_path: Path
) -> None:
    document = found["pictures/heads.tex"].decode()
    piece = found["pictures/heads-to-paste.tex"].decode()
    assert document.startswith("\\documentclass[border=4bp]{standalone}\n\\usepackage{tikz}\n")
    assert piece in document
    alone = as_document(document, tmp_path)
    assert alone.status == 0, alone.said[-3000:]
    assert alone.pages == 1
    (tmp_path / "heads-to-paste.tex").write_text(piece, "ascii")
    paper = r"\documentclass{article}\usepackage[paper=a0paper]{geometry}\usepackage{tikz}"
    assert_good(
        compiled(rf"{paper}\begin{{document}}\input{{heads-to-paste}}\end{{document}}", tmp_path)
    )
    assert r"\input{NAME-to-paste}" in found["read-me.txt"].decode()
