"""Open the explorer on this machine: `attention-explorer`, or `python -m attention_explorer`.

    attention-explorer
    attention-explorer scenario.json
    attention-explorer model.safetensors
    attention-explorer model.safetensors --layer 3 --text "the cat sat on the mat"

A model opens with all its heads, or with a layer on a text.
It does what `streamlit run app.py` does, with the same settings, and listens to this machine alone.
What it does not know, such as --server.maxUploadSize=100, it hands on to Streamlit.
"""

from __future__ import annotations

import argparse
import os
import runpy
import socket
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from mha_core import MhaError, Scenario, Stack, open_model, read_stack, write_stack
from mha_core.changing.layers import as_stack
from mha_core.io.tensors.opening import open_tensors
from ui.edits.page_limits import trace_to_show
from ui.machine import own_machine
from ui.state.opened_first import MODEL, READS, VARIABLE, made_by_model, name_of_path
from ui.state.texts_to_read import text_for

HERE: Final = Path(__file__).resolve().parent
# The app lies in the package where it is installed, and beside it where the project was copied.
APP: Final = next(folder for folder in (HERE, HERE.parent) if (folder / "app.py").exists())
THIS_MACHINE: Final = "127.0.0.1"
LAST_PORT: Final = 65535
SCENARIOS: Final = (".json", ".npz")


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        "attention-explorer", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("file", type=Path, nargs="?", help="a saved scenario, or a model")
    parser.add_argument(
        "--layer", type=int, help="of the model, counted from 0; without it, all heads"
    )
    parser.add_argument("--text", help="what the model reads")
    parser.add_argument("--port", type=int, help="8501, or the next one that is free")
    parser.add_argument("--address", default=THIS_MACHINE, help=f"{THIS_MACHINE}: no other machine")
    parser.add_argument("--headless", action="store_true", help="open no browser")
    said, handed_on = parser.parse_known_args(arguments)
    try:
        check_place(said.address, said.port)
    except OSError as error:
        parser.error(str(error))
    flags = [f"--server.address={said.address}", f"--server.headless={said.headless}".lower()]
    if said.address == THIS_MACHINE:
        os.environ[own_machine.VARIABLE] = "1"
    flags += [f"--server.port={said.port}"] if said.port else []
    with TemporaryDirectory(prefix="attention-explorer-") as folder:
        if not said.file and (said.layer is not None or said.text is not None):
            parser.error("--layer and --text are of a model: give its file")
        if said.file:
            try:
                open_on(said.file, said.layer, said.text, Path(folder))
            except (MhaError, OSError) as error:
                parser.error(str(error))
        run([*flags, *handed_on])


def check_place(address: str, port: int | None) -> None:
    """Refuse an address or a port at which nothing can listen, before anything starts."""
    if port is not None and not 1 <= port <= LAST_PORT:
        raise OSError(f"--port must be from 1 to {LAST_PORT}, got {port}. Leave it out for 8501.")
    try:
        family, kind, *_, place = socket.getaddrinfo(address, port or 0, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind) as tried:
            tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            tried.bind(place)
    except OSError as error:
        got = f"{address} and {port}" if port else address
        raise OSError(
            f"--address and --port must be free on this machine, got {got}: {error.strerror}. "
            f"Leave them out for {THIS_MACHINE}."
        ) from error


def open_on(file: Path, layer: int | None, text: str | None, folder: Path) -> None:
    """Let the app open on this file. What it needs beside the file, it finds in the folder."""
    ending = file.suffix.lower()
    is_model = layer is not None or text is not None or ending not in SCENARIOS
    if not is_model and ending == ".npz":
        is_model = _reads_words(file)
    if is_model and layer is None:
        model = open_model(open_tensors(file.resolve(), own_machine=True))
        reads = text or text_for(model)
        model.on(reads)  # what cannot be read is told here, not in the browser
        os.environ |= {MODEL: str(file.resolve()), READS: reads}
        return
    document, reads = document_in(file, layer, text)
    trace_to_show(document)
    if is_model:
        os.environ |= {MODEL: str(file.resolve()), READS: reads}
    kept = folder / "opened.npz"
    kept.write_bytes(write_stack(as_stack(document), kept.name))
    os.environ[VARIABLE] = str(kept)


def _reads_words(file: Path) -> bool:
    """Whether a .npz is a whole model, and no saved scenario or layer."""
    try:
        return open_model(file).plan.embedding is not None
    except MhaError:
        return False


def document_in(file: Path, layer: int | None, text: str | None) -> tuple[Scenario | Stack, str]:
    """The layers of a saved scenario, or a layer of a model, and the text that it reads."""
    if layer is None:
        return read_stack(file.read_bytes(), file.name), ""
    model = open_model(open_tensors(file.resolve(), own_machine=True))
    reads = text or text_for(model)
    made = model.scenario(layer, model.read_text(reads))
    return made_by_model(made, name_of_path(file.resolve()), layer, reads), reads


def run(flags: Sequence[str]) -> None:
    """Streamlit finds the settings and the pages in the folder that it is started in."""
    os.chdir(APP)
    sys.argv = ["streamlit", "run", str(APP / "app.py"), *flags]
    runpy.run_module("streamlit", run_name="__main__", alter_sys=True)
