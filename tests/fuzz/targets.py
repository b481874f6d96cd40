"""What reads the texts and files of strangers, each with inputs to begin from.

An input is any bytes. Compressed parts are packed here, so that the fuzzer reaches what is in them.
"""

from __future__ import annotations

import base64
import io
import json
import struct
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final
from urllib.parse import parse_qsl, urlencode

import numpy as np

from mha_core.changing.changes import with_matrix
from mha_core.changing.layers import as_stack, with_layer_count, with_prediction
from mha_core.checks.errors import MhaError
from mha_core.checks.expression import read_expression
from mha_core.checks.number_text import parse_number
from mha_core.checks.shapes import FloatArray
from mha_core.examples import EXAMPLES, load_example
from mha_core.guide.tours import TOURS
from mha_core.io.matrix.array_files import npy_bytes, write_arrays
from mha_core.io.matrix.block_text import block_of
from mha_core.io.matrix.files import FILE_TYPES, read_matrix, write_matrix
from mha_core.io.matrix.matrix_text import parse_matrix
from mha_core.io.packed_text import pack_text
from mha_core.io.scenario.files import (
    SCENARIO_FILE_TYPES,
    read_scenario,
    read_stack,
    write_scenario,
    write_stack,
)
from mha_core.io.scenario.link import encode_link
from mha_core.io.scenario.stack_link import decode_stack, encode_stack
from mha_core.io.tensors.json_object import json_object
from mha_core.io.tensors.mxfp4 import with_mxfp4
from mha_core.io.tensors.opening import TENSOR_FILE_TYPES, tensors_of
from mha_core.io.tensors.tensor_file import TensorFile
from mha_core.models import open_model
from mha_core.models.by_hand.checked import check_fits
from mha_core.models.by_hand.guess import guessed
from mha_core.models.by_hand.layer_by_hand import LayerByHand
from mha_core.models.renamed import with_config
from mha_core.puzzles.checking import check
from mha_core.puzzles.ladder import PUZZLES
from mha_core.puzzles.own import puzzle_of, read_puzzle, unpack_puzzle, write_puzzle
from mha_core.puzzles.own.asked import read_asked
from mha_core.scenario.masks import Rule
from mha_core.scenario.score_options import ScoreOptions
from mha_core.stack.stack import Stack
from mha_core.worksheets.exercise import Exercise
from mha_core.worksheets.marking import check_answers
from mha_core.worksheets.sheet import Worksheet, make_exercise
from tests.core.models.as_gguf import CASES, written
from tests.core.models.held import Held
from tests.core.models.recorded_models import IDS, Recorded
from tests.core.models.recorded_models import NAMES as MODELS_RECORDED
from tests.core.tensor_files import LIST, TEXT, gguf_of, number_field, text
from tests.fuzz.limits import Target
from ui.edits.exercise_params import exercise_from, exercise_params
from ui.edits.own_puzzle_form import FIRST as FIRST_OWN
from ui.edits.token_text import read_tokens
from ui.edits.tour_text import pack_tour, read_tour, unpack_tour
from ui.state.best_answers import bring_back
from ui.state.params import opened_at
from ui.state.tour_stops import StopOnPage, stop_alone, tour_on_pages

MATRIX: Final = np.array([[1.0, -2.5, 1e-7], [1 / 3, 0, 4e20]])
TEXTS: Final = (
    *("1 2\n3 4", "1;2,5\n3;4", "1\t-inf\n3\t4", "[[1, 2], [3, 4]]", "np.array([[1., 2], [3, 4]])"),
    *(r"\begin{bmatrix} 1 & \frac{1}{2} \\ 3 & 4 \end{bmatrix}", "| a | b |\n|---|---|\n| 1 | 2 |"),
    *("{{1, 2*^3}, {3, 4}}", "[1 2; 3 4]", "tensor([[1, 2]], dtype=torch.float32)", "1e-3", "−2,5"),
)
SMALL: Final = ("two-tokens", "pizza", "causal", "translation")
RICH_LINKS: Final = (
    "tokens=a+b+c&d_model=4&heads=2&kv_heads=1&x=random&x_seed=7&weights=random&softcap=3&scale=none",
    "example=pizza&mask=causal+padding~hidden.0&off=1&temperature=0.5&dtype=float32&softmax=naive",
    "example=pizza&d_model_v=3&context_v.cells=0_0_1+1_1_-2.5&positions=sinusoidal",
    "example=translation&context=x+y&x.cells=0_0_1+1_1_-2.5&additive.rows=0_-inf&positions=rope",
)
VIEWS: Final = (
    *(
        "title=Exercise&hide=input,weights&decimals=3&palette=teal&head=2&page=1&rows=scores,weights",
    ),
    *(
        "cell=weights%2F0%3A1.0&open=into&fold=heads,together&moved=example&order=pattern&embed=true",
    ),
    *("tour=000&stop=3", "screen=scores&step=output", "nothing=1&utm_source=x"),
)
HEADER_ALONE: Final = 128  # a first byte from here on: the header of a safetensors file
LAYERS: Final = 128  # a first byte from here on: without settings
OWN_TOUR: Final = "# Masks\n\nIt falls.\n/walkthrough?screen=mask\n\nBoth.\n/compare?a.heads=2\n"


def text_of(data: bytes) -> str:
    """Any bytes as a text, which may hold what no text should."""
    return data.decode("utf-8", "surrogateescape")


def text_from_a_browser(data: bytes) -> str:
    """As Streamlit and the pages decode: what is no text is replaced."""
    return data.decode("utf-8", "replace")


def first_byte(data: bytes) -> tuple[int, bytes]:
    return (data[0], data[1:]) if data else (0, data)


def packed(data: bytes) -> str:
    return base64.urlsafe_b64encode(zlib.compress(data)).decode().rstrip("=")


# Links and whole addresses

LINK_OF_ARRAYS: Final = "tokens=a+b&d_model=3&heads=1&d_k=2&d_v=2"
ZIPPED: Final = ("x", "w_q", "b_k", "custom", "additive", "context", "context_v")


def read_link(data: bytes) -> None:
    which, rest = first_byte(data)
    if which < len(ZIPPED):
        decode_stack(f"{LINK_OF_ARRAYS}&{ZIPPED[which]}.zip={packed(rest)}")
    else:
        decode_stack(text_of(data))


def link_seeds() -> Iterator[bytes]:
    for name in EXAMPLES:
        yield encode_link(load_example(name)).encode()
    for name in SMALL:
        s = load_example(name)
        yield encode_link(with_matrix(s, "w_q", s.w_q + 1 / 3)).encode()
    yield from (text.encode() for text in RICH_LINKS)
    yield from (encode_stack(stack).encode() for stack in some_layers())
    for which in range(len(ZIPPED)):
        yield bytes([which]) + np.arange(6.0).tobytes()


def some_layers() -> Iterator[Stack]:
    """Two layers with a prediction, and a puzzle of two layers with its solution."""
    yield with_prediction(with_layer_count(as_stack(load_example("two-tokens")), 2), True)
    induction = PUZZLES["induction-word"]
    yield induction.on_all_seen(induction.solution())


def read_address(data: bytes) -> None:
    """As a page does, which says what is wrong instead of raising it."""
    params = dict(parse_qsl(text_from_a_browser(data), keep_blank_values=True))
    session = opened_at((stop_alone(params) or StopOnPage("", "", params)).params)
    if tour := session.view.tour:
        tour_on_pages(tour).stops[session.view.stop - 1]


def address_seeds() -> Iterator[bytes]:
    for view in VIEWS:
        yield f"example=two-tokens&{view}".encode()
    for name in TOURS:
        yield from (urlencode(stop.params).encode() for stop in tour_on_pages(name).stops)


# Matrices as text, and numbers


def read_text(data: bytes) -> None:
    which, rest = first_byte(data)
    text = text_of(rest)
    if which % 3 == 2:
        parse_number(text, minus_infinity=True)
    else:
        parse_matrix(text, minus_infinity=bool(which % 3))


def text_seeds() -> Iterator[bytes]:
    for which in range(3):
        yield from (bytes([which]) + text.encode() for text in TEXTS)


def read_entry(data: bytes) -> None:
    """What is typed into a cell, for a block or for tokens, or what a tab gives back of puzzles."""
    which, rest = first_byte(data)
    if which == BLOCK:
        block_of(text_from_a_browser(rest), 3, 4)
    elif which == OF_PUZZLES:
        bring_back({}, text_from_a_browser(rest))
    elif which % 2:
        read_expression(text_from_a_browser(rest), "The number", {"d_k": 8, "n": 3})
    else:
        read_tokens(text_from_a_browser(rest))


BLOCK: Final = 2  # first bytes
OF_PUZZLES: Final = 3


def entry_seeds() -> Iterator[bytes]:
    yield from (b"\2" + text for text in (b"10*I", b"I - 2*shift(-1)", b"1e-3 + ones"))
    solved = PUZZLES["first"].on_all_seen(PUZZLES["first"].solution()).first
    yield b"\3" + json.dumps({"first": encode_link(solved)}).encode()
    yield from (b"\1" + text for text in (b"1/sqrt(d_k)", b"-2,5", b"2^-3*(n+1)", b"1e-3"))
    yield from (b"\0" + text for text in (b"I LOVE PIZZA", b'"token 1" b', "ä 猫".encode()))


# Files


def read_matrix_file(data: bytes) -> None:
    which, rest = first_byte(data)
    if which < len(FILE_TYPES):
        read_matrix(rest, f"w{FILE_TYPES[which]}", minus_infinity=bool(which % 2))
    else:
        read_matrix(zipped({"w.npy": rest}), "w.npz")


def matrix_file_seeds() -> Iterator[bytes]:
    for which, kind in enumerate(FILE_TYPES):
        yield bytes([which]) + write_matrix(MATRIX, f"w{kind}")
    yield b"\xff" + write_matrix(MATRIX, "w.npy")
    yield b"\xff" + write_matrix(MATRIX.astype(np.float32), "w.npy")


def read_scenario_file(data: bytes) -> None:
    which, rest = first_byte(data)
    if which < len(SCENARIO_FILE_TYPES):
        read_stack(rest, f"s{SCENARIO_FILE_TYPES[which]}")
    else:
        entries = saved_entries(is_layer=which >= LAYERS)
        entries[sorted(entries)[which % len(entries)]] = rest
        read_scenario(zipped(entries), "s.npz", n_heads=load_example("translation").n_heads)


def scenario_file_seeds() -> Iterator[bytes]:
    for which, kind in enumerate(SCENARIO_FILE_TYPES):
        for name in SMALL:
            yield bytes([which]) + write_scenario(load_example(name), f"s{kind}")
        yield from (bytes([which]) + write_stack(stack, f"s{kind}") for stack in some_layers())
    for is_layer in (False, True):
        entries = saved_entries(is_layer=is_layer)
        first = -(-LAYERS // len(entries)) if is_layer else 5
        for place, name in enumerate(sorted(entries)):
            yield bytes([len(entries) * first + place]) + entries[name]


@cache
def _saved() -> bytes:
    return write_scenario(load_example("translation"), "s.npz")


def saved_entries(*, is_layer: bool) -> dict[str, bytes]:
    """The arrays of a saved scenario; without its settings, it is a layer of somebody else's."""
    with zipfile.ZipFile(io.BytesIO(_saved())) as archive:
        names = [n for n in archive.namelist() if n != "settings.npy" or not is_layer]
        return {name: archive.read(name) for name in names}


def zipped(entries: dict[str, bytes]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, content in entries.items():
            archive.writestr(name, content)
    return file.getvalue()


# Files of models


def read_tensor_file(data: bytes) -> None:
    """Opened, and all of it read: its config, each tensor, and the first row of each."""
    which, rest = first_byte(data)
    if which < len(TENSOR_FILE_TYPES):
        file = tensors_of(f"m{TENSOR_FILE_TYPES[which]}", rest)
    elif which < HEADER_ALONE:
        file = tensors_of("m.npz", zipped({"w.npy": rest, "config.npy": rest}))
    else:
        file = tensors_of("m.safetensors", len(rest).to_bytes(8, "little") + rest + bytes(64))
    file = with_mxfp4(file)
    dict(file.config)
    for name, shape in file.shapes.items():
        with suppress(MhaError):  # one that is not read leaves the others
            file.read(name)
        if len(shape) > 1 and shape[0]:
            with suppress(MhaError):
                file.read_rows(name, [shape[0] - 1, 0])


def read_mapping(data: bytes) -> None:
    """Of a layer by hand: what can be read goes through its file again, and is tried on a file."""
    mapped = LayerByHand.from_json(data)
    assert LayerByHand.from_json(mapped.to_json().encode()) == mapped
    check_fits(small_tensors(), mapped, 0)


def mapping_seeds() -> Iterator[bytes]:
    file = small_tensors()
    scores = ScoreOptions(positions="rope", rope_pairs="halves", qk_norm="head")
    rules = (Rule("causal"), Rule("sliding_window", left=1))
    choice = replace(guessed(file), n_heads=2, scores=scores, rules=rules)
    yield choice.mapped(file.shapes).to_json().encode()
    yield choice.mapped(file.shapes).names.to_json().encode()


@cache
def small_tensors() -> TensorFile:
    square = npy_bytes(np.zeros((4, 4)))
    return tensors_of("m.npz", zipped({f"h.0.w_{name}.npy": square for name in "qkvo"}))


def tensor_file_seeds() -> Iterator[bytes]:
    header = {
        kind: {"dtype": kind, "shape": [2, 4], "data_offsets": [8 * at, 8 * at + 8]}
        for at, kind in enumerate(("F8_E4M3", "F8_E5M2", "U8", "BOOL", "I8"))
    }
    wide = {"F32": {"dtype": "F32", "shape": [2, 3], "data_offsets": [40, 64]}}
    listed = json.dumps({"__metadata__": {"config": '{"n": [1]}'}, **header, **wide}).encode()
    yield b"\xff" + listed
    packed_pair = {
        f"w_{part}": {"dtype": "U8", "shape": shape, "data_offsets": places}
        for part, shape, places in (
            ("blocks", [1, 3, 1, 16], [0, 48]),
            ("scales", [1, 3, 1], [48, 51]),
            ("rest", [13], [51, 64]),
        )
    }
    yield b"\xff" + json.dumps(packed_pair).encode()
    yield b"\x00" + len(listed).to_bytes(8, "little") + listed + bytes(64)
    yield from (b"\x01" + a_gguf(number) for number in (0, 1, 8, 12, 20, 30))
    arrays = {"w": MATRIX, "b": MATRIX[0].astype(np.float16), "config": np.array('{"n": 2}')}
    yield b"\x02" + write_arrays(arrays)
    for array in (MATRIX, np.asfortranarray(MATRIX), np.eye(3, dtype=np.int64), np.eye(3) > 0):
        yield b"\x03" + npy_bytes(array)


def a_gguf(number: int) -> bytes:
    """Two tensors of the type of this number, with 256 numbers a row, and fields of every sort."""
    fields = [
        number_field("general.alignment", "u32", 8),
        text("name") + struct.pack("<I", TEXT) + text("ab"),
        text("scores") + struct.pack("<IIQ3f", LIST, 6, 3, 1, 2, 3),
        text("tokens") + struct.pack("<IIQ", LIST, TEXT, 2) + text("a") + text("bc"),
    ]
    tensors = {"v": ((1, 256), number, 0), "w": ((1, 256), number, 1024)}
    return gguf_of(fields, tensors, bytes(2048), step=8)


# The config of a model, whose tensors are those of a recorded one


def read_model_config(data: bytes) -> None:
    """A field in each line. Opened, told in words, and run on a text."""
    which, rest = first_byte(data)
    config: dict[str, object] = {}
    for line in rest.split(b"\n"):
        with suppress(MhaError):  # one that is no JSON leaves the others
            config |= json_object("config.json", b"{" + line + b"}")
    model = open_model(
        Held(recorded_tensors(MODELS_RECORDED[which % len(MODELS_RECORDED)]), config)
    )
    assert model.says
    model.run(IDS).result.sum()


@cache
def recorded_tensors(name: str) -> Mapping[str, FloatArray]:
    return Recorded(name).file.tensors


def model_config_seeds() -> Iterator[bytes]:
    for which, name in enumerate(MODELS_RECORDED):
        fields = Recorded(name).config.items()
        lines = "\n".join(f"{json.dumps(field)}: {json.dumps(value)}" for field, value in fields)
        yield bytes([which]) + lines.encode()


def read_gguf_model(data: bytes) -> None:
    """A GGUF file of a recorded model, with a field of its config in each line."""
    which, rest = first_byte(data)
    config: dict[str, object] = {}
    for line in rest.split(b"\n"):
        with suppress(MhaError):
            config |= json_object("config.json", b"{" + line + b"}")
    model = open_model(with_config(gguf_model([*CASES][which % len(CASES)]), config))
    assert model.says
    model.run(IDS).result.sum()


@cache
def gguf_model(kind: str) -> TensorFile:
    with TemporaryDirectory() as folder:
        path = written(Path(folder) / "m.gguf", kind, Recorded(CASES[kind][0]))
        return tensors_of("m.gguf", path.read_bytes())


def gguf_model_seeds() -> Iterator[bytes]:
    for which, kind in enumerate(CASES):
        fields = dict(gguf_model(kind).config).items()
        lines = "\n".join(f"{json.dumps(field)}: {json.dumps(value)}" for field, value in fields)
        scaled = f'\n"{kind}.rope.scaling.type": "yarn"\n"{kind}.rope.scaling.factor": 4.0'
        window = f'\n"{kind}.attention.sliding_window_pattern": [true, false]'
        yield bytes([which]) + (lines + scaled * (which % 2) + window * (which % 3 > 1)).encode()


# Tours


def read_any_tour(data: bytes) -> None:
    which, rest = first_byte(data)
    if which == 0:
        unpack_tour(f"~{packed(rest)}")
    elif which == 1:
        unpack_tour(text_from_a_browser(rest))
    else:
        pack_tour(read_tour(text_from_a_browser(rest)))


def tour_seeds() -> Iterator[bytes]:
    tour = read_tour(OWN_TOUR)
    yield from (
        b"\0" + OWN_TOUR.encode(),
        b"\2" + OWN_TOUR.encode(),
        b"\1" + pack_tour(tour).encode(),
    )


# Answers to a worksheet, one a line in the order of its blanks


@cache
def small_sheet() -> Worksheet:
    return make_exercise(Exercise(n_tokens=2, d_model=2, n_heads=1, difficulty="scores_given"))


def read_answers(data: bytes) -> None:
    answers = text_from_a_browser(data).split("\n")
    check_answers(small_sheet(), dict(zip(small_sheet().blanks, answers, strict=False)))


def answer_seeds() -> Iterator[bytes]:
    key = [small_sheet().answer(cell) for cell in small_sheet().blanks]
    for answers in (key, key[::-1], ["1/3", "-2,5", "−∞", "1e99"] * 4):
        yield "\n".join(answers).encode()


# The address of an exercise


def read_exercise(data: bytes) -> None:
    """As its page does, which says what is wrong instead of raising it."""
    exercise_from(dict(parse_qsl(text_from_a_browser(data), keep_blank_values=True)))


def exercise_seeds() -> Iterator[bytes]:
    exercise = Exercise(5, 8, 2, "padding", "scores_given", "2", "1/sqrt(d_k)", seed=7)
    yield urlencode(exercise_params(exercise)).encode()
    yield b"tokens=9&mask=causl&scale=half&colour=red&utm_source=x"


# A teacher's own puzzle


def read_own_puzzle(data: bytes) -> None:
    """Of a file, of the sentences in the form, or of an address; what opens is computed."""
    which, rest = first_byte(data)
    text = text_from_a_browser(rest)
    if which % 3 == 2:
        read_asked(text, predicts=bool(which % 2))
        return
    own = unpack_puzzle(pack_text(text)) if which % 3 else read_puzzle(text)
    puzzle = puzzle_of(own)
    check(puzzle, puzzle.solution())


def own_puzzle_seeds() -> Iterator[bytes]:
    yield b"\0" + write_puzzle(FIRST_OWN).encode()
    yield b"\1" + write_puzzle(replace(FIRST_OWN, given={"w_v": "4*shift(-1)"})).encode()
    yield from (b"\2a b : - 1+2", b"\5a b : - b")


TARGETS: Final = {
    "link": Target(read_link, link_seeds, memory=256),  # a few times LIMITS.link_cells
    "address": Target(read_address, address_seeds, memory=256),
    "text": Target(read_text, text_seeds, memory=64),
    "entry": Target(read_entry, entry_seeds, memory=64),
    "matrix-file": Target(read_matrix_file, matrix_file_seeds, memory=64),
    "scenario-file": Target(read_scenario_file, scenario_file_seeds, memory=64),
    "tensor-file": Target(read_tensor_file, tensor_file_seeds, memory=64),
    "mapping": Target(read_mapping, mapping_seeds, memory=64),
    "model-config": Target(read_model_config, model_config_seeds, memory=64),
    "gguf-model": Target(read_gguf_model, gguf_model_seeds, memory=64),
    "tour": Target(read_any_tour, tour_seeds, memory=64),
    "answers": Target(read_answers, answer_seeds, memory=64),
    "exercise": Target(read_exercise, exercise_seeds, memory=64),
    "own-puzzle": Target(read_own_puzzle, own_puzzle_seeds, memory=64),
}
