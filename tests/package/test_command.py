"""The command: what it opens, and what it says to Streamlit."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import numpy as np
import pytest

from attention_explorer import command
from attention_explorer.command import document_in, main
from mha_core import Scenario, attend, read_stack, scenario_from_layer, write_scenario, write_stack
from mha_core.changing.layers import as_stack, with_layer_count
from mha_core.examples import load_example
from mha_core.scenario.origin import Origin
from mha_core.survey.sentences import sentences
from tests.core.strategies import self_attention
from tests.coroutines import run
from tests.pages.page_visitor import PageVisitor
from tests.pages.small_model import model_file, model_with_decoder
from tests.serving import free_port
from ui.blocks.first_sight import first_picture
from ui.machine import own_machine
from ui.state.models_here import OpenedModel, of_command
from ui.state.opened_first import MODEL, READS, VARIABLE, model_first, opened_first
from ui.state.real_layers import RealLayers

PIZZA = load_example("pizza")
TEXT = "the cat sat"


@pytest.fixture
def flags(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What Streamlit is told, and what it would open: nothing is started."""
    told: list[str] = []

    def run(flags: list[str]) -> None:
        told.extend(flags)
        told.extend(repr(make().first.tokens) for make in opened_first().values())

    monkeypatch.setattr(command, "run", run)
    monkeypatch.setenv(VARIABLE, "")
    monkeypatch.setenv(own_machine.VARIABLE, "")
    monkeypatch.setenv(MODEL, "")
    monkeypatch.setenv(READS, "")
    return told


def saved_model(folder: Path) -> Path:
    file = folder / "model.npz"
    file.write_bytes(model_file())
    return file


def saved(folder: Path, s: Scenario, name: str) -> str:
    (folder / name).write_bytes(write_scenario(s, name))
    return str(folder / name)


def test_it_listens_to_this_machine_alone_unless_another_address_is_said(flags: list[str]) -> None:
    main([])
    assert flags == ["--server.address=127.0.0.1", "--server.headless=false"]
    assert os.environ[own_machine.VARIABLE] == "1"  # so a path may be named
    flags.clear()
    port = str(free_port())
    main(["--address", "0.0.0.0", "--port", port, "--headless", "--server.maxUploadSize=7"])
    assert flags[:2] == ["--server.address=0.0.0.0", "--server.headless=true"]
    assert flags[2:] == [f"--server.port={port}", "--server.maxUploadSize=7"]


def test_a_server_for_others_reads_no_paths(flags: list[str]) -> None:
    main(["--address", "0.0.0.0"])
    assert os.environ[own_machine.VARIABLE] == ""
    assert flags


@pytest.mark.parametrize(
    ("said", "told"),
    [
        (["--port", "99999"], "--port must be from 1 to 65535, got 99999. Leave it out for 8501."),
        (["--address", "256.1.1.1"], "must be free on this machine, got 256.1.1.1: "),
    ],
)
def test_a_place_where_nothing_can_listen_is_refused_in_words(
    flags: list[str], capsys: pytest.CaptureFixture[str], said: list[str], told: str
) -> None:
    with pytest.raises(SystemExit):
        main(said)
    assert told in capsys.readouterr().err
    assert flags == []


def test_a_port_that_is_taken_is_refused_in_words(
    flags: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        with pytest.raises(SystemExit):
            main(["--port", str(port)])
    assert f"got 127.0.0.1 and {port}: Address already in use. Leave" in capsys.readouterr().err
    assert flags == []


@pytest.mark.parametrize("name", ["saved.json", "saved.npz"])
def test_the_app_opens_on_the_scenario_of_a_file(
    flags: list[str], tmp_path: Path, name: str
) -> None:
    main([saved(tmp_path, PIZZA, name)])
    assert flags[-1] == repr(PIZZA.tokens)


def test_layers_are_opened_too(tmp_path: Path) -> None:
    two = with_layer_count(as_stack(PIZZA), 2)
    file = tmp_path / "two.json"
    file.write_bytes(write_stack(two, file.name))
    assert document_in(file, None, None) == (two, "")


@pytest.mark.parametrize(
    ("content", "says"),
    [(b"", "nothing"), (b'{"x": [[1]', "must be JSON"), (b"PK\x03\x04", "saved.json")],
    ids=["empty", "cut off", "of another kind"],
)
def test_a_file_that_cannot_be_read_is_refused_in_words(
    flags: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes, says: str
) -> None:
    file = tmp_path / "saved.json"
    file.write_bytes(content)
    with pytest.raises(SystemExit):
        main([str(file)])
    assert "attention-explorer: error: " in (said := capsys.readouterr().err)
    assert says in said
    assert flags == []


def test_a_file_that_is_not_there_and_a_layer_too_large_are_refused(
    flags: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main([str(tmp_path / "none.json")])
    assert "No such file" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main([saved(tmp_path, self_attention(2049, 2, 2), "large.npz")])
    assert "mha_core itself takes more" in capsys.readouterr().err
    assert flags == []


def test_a_layer_of_a_model_is_read_with_its_text(tmp_path: Path) -> None:
    file = saved_model(tmp_path)
    read, _ = document_in(file, 1, "a b a")
    assert isinstance(read, Scenario)
    assert (read.tokens, read.n_heads) == (("a", "b", "a"), 2)
    np.testing.assert_array_equal(read.x, scenario_from_layer(file, 1, "a b a").x)
    name = file.parent.name
    assert read.origin == Origin(model=name, model_layer=1, model_text="a b a")


def test_a_layer_of_a_decoder_is_read_with_its_text(tmp_path: Path) -> None:
    file = tmp_path / "both.npz"
    file.write_bytes(model_with_decoder())
    read, _ = document_in(file, 2, "c d")
    assert isinstance(read, Scenario)
    assert read.tokens == ("a", "c", "d")
    assert read.origin == Origin(model="both.npz", model_layer=2, model_text="c d")


@pytest.mark.parametrize("layer", [4, 5])
def test_the_app_knows_what_a_score_of_a_decoder_is_the_sum_of(
    flags: list[str], tmp_path: Path, layer: int
) -> None:
    file = tmp_path / "both.npz"
    file.write_bytes(model_with_decoder())
    main([str(file), "--layer", str(layer), "--text", "c d e"])
    assert flags
    [known] = of_command().values()
    read, _ = document_in(file, layer, "c d e")
    assert isinstance(read, Scenario)
    trace, origin = attend(read), read.origin
    assert origin.model == known.title
    parts = OpenedModel(known.title, known.open()).score_parts(origin, trace, 1, (3, 2))
    assert parts
    score = trace.scaled_scores[1, 3, 2]
    assert parts.table.terms.sum() == pytest.approx(float(score), abs=1e-5)


def test_the_app_knows_the_model_of_a_layer_and_begins_with_the_layer(
    flags: list[str], tmp_path: Path
) -> None:
    file = saved_model(tmp_path)
    main([str(file), "--layer", "1", "--text", "a b a"])
    assert flags[-1] == repr(("a", "b", "a"))
    [known] = of_command().values()
    assert (known.title, known.open().n_layers) == (tmp_path.name, 2)


def test_a_layer_without_a_text_reads_one_that_its_list_can_write(tmp_path: Path) -> None:
    read, text = document_in(saved_model(tmp_path), 0, None)
    assert isinstance(read, Scenario)
    assert read.tokens == (*"abcabc",)
    assert text == "a b c a b c"


@pytest.mark.parametrize("given", ["", "a b a"])
def test_a_model_without_a_layer_opens_with_all_its_heads(
    flags: list[str], tmp_path: Path, given: str
) -> None:
    assert model_first() is None
    assert of_command() == {}
    model = saved_model(tmp_path)
    main([str(model), "--text", given] if given else [str(model)])
    reads = given or "a b c a b c"
    assert model_first() == (model, reads)
    [(name, known)] = of_command().items()
    assert (known.title, known.first_text) == (tmp_path.name, reads)
    opened = OpenedModel(known.title, known.open(), known.first_text)
    assert opened.on(reads).n_layers == 2
    assert next(iter(known.many_texts())) == sentences()[0]  # none of ours can be written
    assert name not in RealLayers(name).in_address.values()  # nobody else has it


@pytest.mark.parametrize("said", [["--layer", "0"], ["--text", "a b"]])
def test_a_layer_and_a_text_are_of_a_file(
    flags: list[str], capsys: pytest.CaptureFixture[str], said: list[str]
) -> None:
    with pytest.raises(SystemExit):
        main(said)
    assert "--layer and --text are of a model: give its file" in capsys.readouterr().err
    assert flags == []


def test_a_model_that_cannot_read_a_text_is_refused(
    flags: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main([str(saved_model(tmp_path)), "--text", "a " * 700])
    assert "attention-explorer: error: " in (said := capsys.readouterr().err)
    assert "has no more positions" in said
    assert flags == []


def is_at_heads(visitor: PageVisitor) -> bool:
    return [title.value for title in visitor.at.title] == ["Real layers"]


def test_the_first_page_leads_to_the_model_once(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert not is_at_heads(PageVisitor("explore.py"))
    monkeypatch.setenv(MODEL, str(saved_model(tmp_path)))
    assert not is_at_heads(PageVisitor("explore.py", "example=pizza"))
    visitor = PageVisitor("explore.py")
    assert is_at_heads(visitor)
    visitor.at.switch_page("explore.py")
    assert not is_at_heads(visitor.run())
    assert not run(_picture({}))  # nothing else is seen before it


def test_the_file_is_opened_where_the_address_says_nothing(tmp_path: Path) -> None:
    file = saved(tmp_path, PIZZA, "pizza.npz")
    assert opened_first({}) == opened_first({VARIABLE: ""}) == {}
    [(session, make)] = opened_first({VARIABLE: file}).items()
    assert session == ""
    assert make() == read_stack(Path(file).read_bytes(), file)
    assert make() is make()


async def _picture(params: dict[str, str]) -> bool:
    return await first_picture(params) is not None


def test_nothing_else_is_seen_before_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert run(_picture({}))
    monkeypatch.setenv(VARIABLE, saved(tmp_path, PIZZA, "pizza.npz"))
    assert not run(_picture({}))
    assert not run(_picture({"head": "1"}))
    assert run(_picture({"example": "pizza"}))
