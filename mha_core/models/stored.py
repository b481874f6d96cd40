"""Where the matrices of a layer stand in a file, and how each is stored; as JSON too."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import Any, Final

import numpy as np

from mha_core.checks.errors import FileError, FormatError, ShapeError
from mha_core.checks.shapes import FloatArray
from mha_core.checks.values import is_whole, short_repr
from mha_core.io.tensors.tensor_file import TensorFile
from mha_core.language import say
from mha_core.models.in_float32 import in_float32

LAYER: Final = "{layer}"  # in a name: the number of the layer
HEAD: Final = "{head}"  # in the name of gains: that of a head, where each has a tensor of its own
EXPERT: Final = "{expert}"  # in a name: the number of the expert
SCALE: Final = "_scale_inv"  # behind the name of numbers of 8 bits, whose blocks it scales
THE_NAMES: Final = say("The names of the matrices")

KINDS: Final[Mapping[str, Callable[[Any], bool]]] = {  # of the fields of `Stored`
    "name": lambda value: isinstance(value, str),
    "is_transposed": lambda value: isinstance(value, bool),
    "groups": lambda value: is_whole(value) and value > 0,
    "begin": lambda value: is_whole(value) and value >= 0,
    "end": lambda value: value is None or (is_whole(value) and value > 0),
    "heads_of_neighbours": lambda value: is_whole(value) and value >= 0,
}


@dataclass(frozen=True)
class Stored:
    """Where one matrix or one bias stands in a file, and how it is stored.

    `is_transposed`: rows are outputs, as in torch.nn.Linear. A fused matrix has several matrices in
    it: after transposing, its columns are cut into `groups` of equal width, and of each group the
    columns from `begin` to `end` are taken. GGUF stores the rotary columns of some models as
    neighbours where their code turns halves: `heads_of_neighbours` heads are put back into halves.
    Matrices of experts stand in one array: its first axis has an expert a place.
    """

    name: str
    is_transposed: bool = False
    groups: int = 1
    begin: int = 0
    end: int | None = None
    heads_of_neighbours: int = 0

    def __post_init__(self) -> None:
        for name, is_right in KINDS.items():
            if not is_right(value := getattr(self, name)):
                raise FormatError(
                    say("{name} of a stored matrix").format(name=name),
                    say("must be what its name says: a text, True or False, or a whole number"),
                    short_repr(value),
                    say('Write Stored("q.weight", is_transposed=True), for instance.'),
                )

    def of(self, array: FloatArray) -> FloatArray:
        """The matrix, for x @ W, or the bias, out of the array that the file has.

        >>> Stored("qkv", groups=2, begin=1, end=2).of(np.arange(6.0))
        array([1., 4.])
        >>> Stored("q", heads_of_neighbours=1).of(np.arange(4.0))
        array([0., 2., 1., 3.])
        """
        turned = array.swapaxes(-1, -2) if self.is_transposed and array.ndim > 1 else array
        *rows, columns = turned.shape
        part = turned.reshape(*rows, self.groups, columns // self.groups)[
            ..., self.begin : self.end
        ]
        matrix = part.reshape(*rows, -1)
        if self.heads_of_neighbours:
            pairs = matrix.reshape(*rows, self.heads_of_neighbours, -1, 2)
            matrix = pairs.swapaxes(-1, -2).reshape(*rows, -1)
        return np.ascontiguousarray(matrix)

    def shape_of(self, shape: tuple[int, ...]) -> tuple[int, ...]:
        """The shape of the matrix, if the file's array has this one."""
        is_turned = self.is_transposed and len(shape) > 1
        turned = (*shape[:-2], shape[-1], shape[-2]) if is_turned else shape
        width, left = divmod(turned[-1], self.groups)
        end = width if self.end is None else self.end
        if left or not self.begin < end <= width:
            raise self._error(say("must have columns for the parts that are taken of it"), shape)
        made = self.groups * (end - self.begin)
        if self.heads_of_neighbours and made % (2 * self.heads_of_neighbours):
            raise self._error(say("must have pairs of columns for each head"), shape)
        return (*turned[:-1], made)

    def shape_in(self, shapes: Mapping[str, tuple[int, ...]], n_axes: int) -> tuple[int, ...]:
        """The shape of the matrix in a file of such shapes, which must have it."""
        if self.name not in shapes:
            raise FileError(
                say("The file"),
                say("must have the tensor {name}").format(name=self.name),
                say("{count} tensors without it").format(count=len(shapes)),
                say("Give all files of the model, or map its tensors by hand."),
            )
        shape = shapes[self.name]
        if len(shape) != n_axes:
            raise self._error(say("must have {count} axes").format(count=n_axes), shape)
        return self.shape_of(shape)

    def check(self, shapes: Mapping[str, tuple[int, ...]], need: tuple[int, ...]) -> None:
        """Refuse a file that does not have it, or has it in another shape."""
        if self.name + SCALE in shapes:
            raise FileError(
                self.name,
                say("must have numbers that need no scale"),
                say("a scale beside them, {name}").format(name=short_repr(self.name + SCALE)),
                say("Take the model's files in BF16: nothing here applies such scales."),
            )
        made, stored = self.shape_in(shapes, len(need)), shapes[self.name]
        if made == stored != need:
            raise self._error(say("must give a matrix of shape {need}").format(need=need), stored)
        if made != need:
            needs = say("must give a matrix of shape {need}, and gives {made}")
            raise self._error(needs.format(need=need, made=made), stored)

    def read(self, file: TensorFile, need: tuple[int, ...]) -> FloatArray:
        """The matrix out of the file, of the shape that it must have, in float32."""
        self.check(file.shapes, need)
        return self.of(in_float32(self.name, file.read(self.name)))

    def _error(self, need: str, shape: tuple[int, ...]) -> ShapeError:
        return ShapeError(
            self.name,
            need,
            say("shape {shape}").format(shape=shape),
            say("Check that config.json, or the mapping by hand, belongs to this file."),
        )


@dataclass(frozen=True)
class LayerNames:
    """Where the matrices of an attention layer stand. `{layer}` in a name is its number."""

    w_q: Stored
    w_k: Stored
    w_v: Stored
    w_o: Stored
    b_q: Stored | None = None
    b_k: Stored | None = None
    b_v: Stored | None = None
    b_o: Stored | None = None
    q_gain: Stored | None = None  # of a norm of the queries
    q_shift: Stored | None = None
    k_gain: Stored | None = None
    k_shift: Stored | None = None
    v_gain: Stored | None = None
    concat_gain: Stored | None = None
    concat_shift: Stored | None = None
    sinks: Stored | None = None
    w_g: Stored | None = None  # of a gate between the heads and W_O
    b_g: Stored | None = None
    w_f: Stored | None = None  # of a gate of b_S, as WavLM has it
    b_f: Stored | None = None
    c_f: Stored | None = None

    def __post_init__(self) -> None:
        needed = (self.w_q, self.w_k, self.w_v, self.w_o)
        for stored in (*needed, *self.given().values()):
            if not isinstance(stored, Stored):
                raise FormatError(
                    THE_NAMES,
                    say("must be one Stored each, and w_q, w_k, w_v and w_o must be there"),
                    short_repr(stored),
                    say('Write LayerNames(w_q=Stored("q.weight"), ...).'),
                )

    def given(self) -> dict[str, Stored]:
        """Those that the layer has, by the names that a Scenario gives them."""
        each = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: stored for name, stored in each.items() if stored is not None}

    def of_layer(self, layer: int) -> LayerNames:
        """The same with the number of the layer in each name."""
        numbered = {
            name: replace(stored, name=stored.name.replace(LAYER, str(layer)))
            for name, stored in self.given().items()
        }
        return LayerNames(**numbered)

    def to_json(self) -> str:
        """As text that can be kept, and given to others who have such a file."""
        return json.dumps({name: asdict(stored) for name, stored in self.given().items()}, indent=1)

    @classmethod
    def from_json(cls, text: str) -> LayerNames:
        """What `to_json` wrote."""
        try:
            given = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise _not_names(say("no JSON")) from error
        return cls.from_given(given)

    @classmethod
    def from_given(cls, given: object) -> LayerNames:
        """The same, of JSON that has been read."""
        known = {field.name for field in fields(cls)}
        needed = {"w_q", "w_k", "w_v", "w_o"}
        if not isinstance(given, dict) or not needed <= given.keys() <= known:
            raise _not_names(short_repr(given))
        return cls(**{name: _stored(value) for name, value in given.items()})


def _stored(given: object) -> Stored:
    is_right = (
        isinstance(given, dict)
        and "name" in given
        and all(name in KINDS and KINDS[name](value) for name, value in given.items())
    )
    if not is_right:
        raise _not_names(short_repr(given))
    assert isinstance(given, dict)
    return Stored(**given)


def _not_names(got: str) -> FormatError:
    return FormatError(
        THE_NAMES,
        say("must be JSON with w_q, w_k, w_v and w_o, each with the name of a tensor"),
        got,
        say('Write {{"w_q": {{"name": "q.weight", "is_transposed": true}}, ...}}.').format(),
    )
