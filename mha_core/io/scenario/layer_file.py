"""A layer in a .npz that somebody else wrote: arrays named x, w_q, w_k, w_v, w_o, or nearly so.

    layer = layer_in_file(data)
    layer.asks                          ('n_heads',): what the file does not say
    layer.scenario(n_heads=4)

Names say which array is which (see `array_names.py`), and shapes say whether weights are stored as
inputs x outputs, as here, or the other way round. `asks` lists what neither says. A file without X
gets one: word vectors of the width that the weights need.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final, Self

import numpy as np

from mha_core.checks.errors import FormatError, HeadsError, OptionError, ShapeError
from mha_core.checks.limits import LIMITS
from mha_core.checks.shapes import FloatArray, as_float_array
from mha_core.checks.sizes import check_size
from mha_core.io.matrix.array_files import Array, ArrayHeader, check_real, listed, opened_archive
from mha_core.io.scenario.array_names import FUSED, layers_in, meaning_of, roles_in
from mha_core.language import say
from mha_core.making.inputs import make_x
from mha_core.scenario.given_arrays import GIVEN
from mha_core.scenario.origin import Origin
from mha_core.scenario.scenario import Scenario

THING: Final = say("The file")
WEIGHTS: Final = ("w_q", "w_k", "w_v", "w_o")
TOKENS: Final = ("I", "LOVE", "PIZZA")  # of a layer that comes without X
MADE_X: Final = "word_vectors"
NAME_THEM: Final = say(
    "Name the arrays x, w_q, w_k, w_v and w_o, as in np.savez('layer.npz', x=x, w_q=w_q, ...)."
)
BYTES_A_LETTER: Final = 4  # in NumPy
Shape = tuple[int, ...]


@dataclass(frozen=True)
class LayerInFile:
    """The arrays of a file as parts of a layer, and what is not known of them.

    `roles` says which array is which: its name in the file, by its name here. `w_qkv` is one array
    of queries, keys and values. `layers` are those that the file holds; `layer` is the chosen one.
    """

    data: bytes
    headers: Mapping[str, ArrayHeader]
    layers: tuple[str, ...]
    layer: str
    roles: Mapping[str, str]
    n_heads: int = 0  # as the file says; 0 where it says none
    said_heads: str = ""  # what it says instead
    said_turned: bool | None = None  # by a person, of what shapes do not say

    def of_layer(self, layer: str) -> Self:
        """The same file, with another of its layers chosen."""
        named = roles_in(self.headers, layer)
        roles = {role: name for role, name in named.items() if _can_be(role, self.headers[name])}
        return replace(self, layer=layer, roles=roles)

    def stored(self, *, turned: bool) -> Self:
        """The same file, where a person has said whether weights are outputs x inputs."""
        return replace(self, said_turned=turned)

    def with_roles(self, roles: Mapping[str, str]) -> Self:
        """The same file, where a person has said which array is which; "" takes a role away.

        What a person says replaces what the names have said.
        """
        for role, name in roles.items():
            if role not in GIVEN or (name and name not in self.headers):
                got = f"{role}={name!r}"
                need = say("must be an array of the layer and the name of one in the file")
                raise OptionError(say("A role"), need, got, say("Choose from `headers`."))
        said = {role: name for role, name in roles.items() if name}
        others = {
            role: name
            for role, name in self.roles.items()
            if role not in roles
            and name not in said.values()
            and not said.keys() & FUSED.get(role, ())
        }
        return replace(self, roles={**others, **said})

    # What is not known.

    @property
    def asks(self) -> tuple[str, ...]:
        """What a person has to say: of "layer", "roles", "n_heads" and "turned"."""
        if self.missing:
            return ("roles",)
        open_questions = {
            "layer": len(self.layers) > 1,
            "n_heads": not self.known_heads,
            "turned": self.turned is None,
        }
        return tuple(name for name, is_open in open_questions.items() if is_open)

    @property
    def missing(self) -> tuple[str, ...]:
        """The projections for which no array is known."""
        there = {part for role in self.roles for part in FUSED.get(role, (role,))}
        return tuple(name for name in WEIGHTS if name not in there)

    @property
    def suggested(self) -> Mapping[str, str]:
        """What matrices with unknown names may be: the missing parts, in order."""
        matrices = [name for name in self.left_out if self.headers[name].is_matrix]
        wanted = (*(["x"] if self.makes_x else []), *self.missing)
        for roles in (wanted, self.missing):
            if len(roles) == len(matrices):
                return dict(zip(roles, matrices, strict=True))
        return {}

    @property
    def makes_x(self) -> bool:
        return "x" not in self.roles

    @property
    def left_out(self) -> tuple[str, ...]:
        """The arrays of the file that are not used."""
        used = set(self.roles.values())
        return tuple(name for name in self.headers if name not in used)

    @cached_property
    def turned(self) -> bool | None:
        """Whether weights are stored as outputs x inputs; None where only a person can say it.

        Shapes say it where the arrays fit each other in one way only. Where both ways fit, as all
        are square, names say it, unless a framework may have chosen them.
        """
        ways = [way for way in (False, True) if self._fit(self._shapes(turned=way))]
        if len(ways) == 1:
            return ways[0]
        if self.said_turned is not None:
            return self.said_turned
        return None if ways and self.has_names_of_torch else False

    @property
    def is_taken_as_turned(self) -> bool:
        """The same, but never None: names decide until a person has."""
        return self.has_names_of_torch if self.turned is None else self.turned

    @property
    def has_names_of_torch(self) -> bool:
        """Whether weights are named as PyTorch names them, which stores outputs x inputs."""
        of_weights = [name for role, name in self.roles.items() if role.startswith("w_")]
        meanings = filter(None, map(meaning_of, of_weights))
        return any(meaning.is_torch for meaning in meanings)

    @property
    def known_heads(self) -> int:
        """The number of heads, if the file says it or only one number fits; else 0."""
        counts = self.head_counts
        return self.n_heads or (counts[0] if len(counts) == 1 else 0)

    @property
    def head_counts(self) -> tuple[int, ...]:
        """The numbers of heads that fit the widths."""
        shapes = self._shapes(turned=self.is_taken_as_turned)
        if self.missing or not self._fit(shapes):
            return ()
        queries, keys, values = (shapes[name][1] for name in WEIGHTS[:3])
        group = queries // keys  # heads that share keys and values
        return tuple(
            heads
            for heads in range(group, LIMITS.heads + 1, group)
            if queries % heads == 0 and values % (heads // group) == 0
        )

    # The scenario.

    def scenario(self, *, n_heads: int = 0, tokens: Sequence[str] = TOKENS) -> Scenario:
        """The layer as a scenario. `tokens` are those of an X that is made."""
        if self.missing:
            raise _without(self.missing, self.left_out)
        shapes = self._shapes(turned=self.is_taken_as_turned)
        self._check_fit(shapes)
        n_heads = n_heads or self.known_heads
        self._check_heads(n_heads, shapes)
        arrays, words = self._arrays(), self._tokens()
        if self.makes_x:
            words = words or tuple(tokens)
            arrays["x"] = make_x(MADE_X, words, shapes["w_q"][0]).astype(arrays["w_q"].dtype)
        return Scenario(
            **arrays,
            n_heads=n_heads,
            n_kv_heads=n_heads * shapes["w_k"][1] // shapes["w_q"][1],
            tokens=words,
            origin=Origin(x=MADE_X) if self.makes_x and "context" not in arrays else Origin(),
        )

    def _check_heads(self, n_heads: int, shapes: Mapping[str, Shape]) -> None:
        if n_heads not in self.head_counts:
            counts = ", ".join(map(str, self.head_counts))
            raise HeadsError(
                say("The number of heads"),
                say("must be given, and fit W_Q with its {count} columns").format(
                    count=shapes["w_q"][1]
                ),
                str(n_heads) if n_heads else self.said_heads or say("nothing"),
                say("Give one of {counts} as n_heads, or save n_heads beside the arrays.").format(
                    counts=counts
                ),
            )

    def _arrays(self) -> dict[str, Any]:
        used = {role: name for role, name in self.roles.items() if role in {**GIVEN, **FUSED}}
        size = sum(self.headers[name].bytes for name in used.values())
        check_size(say("The layer"), size, LIMITS.file_bytes, say("Take float32."))
        with opened_archive(THING, self.data) as archive:
            read = {role: archive.read(name, check_real) for role, name in used.items()}
        arrays: dict[str, FloatArray] = {}
        for role, array in read.items():
            own = array.reshape(self._shape(role))
            arrays |= _parts(role, own, turned=self.is_taken_as_turned)
        return {role: as_float_array(GIVEN[role].symbol, array) for role, array in arrays.items()}

    def _tokens(self) -> tuple[str, ...]:
        """The labels that the file gives to the rows of X."""
        if "tokens" not in self.roles:
            return ()
        with opened_archive(THING, self.data) as archive:
            return tuple(map(str, archive.read(self.roles["tokens"], _checked_before)))

    # Shapes.

    def _shape(self, role: str) -> Shape:
        """The shape of an array, without extra axes of length 1, such as that of a batch of 1."""
        shape = self.headers[self.roles[role]].shape
        axes = 1 if role.startswith("b_") else 2
        while len(shape) > axes and shape[0] == 1:
            shape = shape[1:]
        return shape

    def _shapes(self, *, turned: bool) -> dict[str, Shape]:
        """The shapes of the arrays by their names here, as they are in a scenario."""
        shapes: dict[str, Shape] = {}
        for role in self.roles:
            if role in GIVEN or role in FUSED:
                shapes |= _shapes_of_parts(role, self._shape(role), turned=turned)
        return shapes

    def _fit(self, shapes: Mapping[str, Shape]) -> bool:
        """Whether these are the shapes of one layer."""
        axes = {role: len(given.dims.axes) for role, given in GIVEN.items()}
        if self.missing or any(len(shape) != axes[r] or 0 in shape for r, shape in shapes.items()):
            return False
        (width, queries), (width_kv, keys), (_, values), (joined, out) = (
            shapes[name] for name in WEIGHTS
        )
        width_v = shapes["context_v"][1] if "context_v" in shapes else width_kv
        lengths = {"b_q": queries, "b_k": keys, "b_v": values, "b_o": out}
        return (
            shapes["w_v"][0] == width_v
            and (shapes["x"][1] if "x" in shapes else width) == width
            and (shapes["context"][1] if "context" in shapes else width) == width_kv
            and queries % keys == 0
            and joined == queries // keys * values
            and all(shapes[b] == (n,) for b, n in lengths.items() if b in shapes)
        )

    def _check_fit(self, shapes: Mapping[str, Shape]) -> None:
        if not self._fit(shapes):
            there = [(GIVEN[role].symbol, shapes[role]) for role in GIVEN if role in shapes]
            raise ShapeError(
                say("The arrays of the file"),
                say(
                    "must fit each other: X (n × d), W_Q, W_K and W_V (d × columns of all heads), "
                    "W_O (columns of all heads × d)"
                ),
                ", ".join(f"{symbol} {_by(shape)}" for symbol, shape in there),
                say("Save the arrays of one layer."),
            )


def layer_in_file(data: bytes) -> LayerInFile:
    """What a .npz file holds of a layer. Only the number of heads is unpacked."""
    with opened_archive(THING, data) as archive:
        headers = dict(archive.headers)
        layers = layers_in(headers) or ("",)
        found = LayerInFile(data, headers, layers, "", {}).of_layer(layers[0])
        heads = found.roles.get("n_heads")
        if heads is None:
            return found
        said = archive.read(heads, _checked_before).flat[0]
    if math.isfinite(said) and said == int(said):
        return replace(found, n_heads=int(said))
    others = {role: name for role, name in found.roles.items() if role != "n_heads"}
    return replace(found, roles=others, said_heads=f"{heads} = {said}")


def _parts(role: str, array: Array, *, turned: bool) -> dict[str, Array]:
    """An array as it is in a scenario; one of queries, keys and values, cut in three."""
    if turned and role.startswith("w_"):
        array = array.T
    if role in FUSED:
        return dict(zip(FUSED[role], np.split(array, 3, axis=-1), strict=True))
    return {role: array}


def _shapes_of_parts(role: str, shape: Shape, *, turned: bool) -> dict[str, Shape]:
    """The shapes of `_parts`. One that cannot be cut in three is empty, which fits nothing."""
    if turned and role.startswith("w_"):
        shape = shape[::-1]
    if role in FUSED:
        thirds = (*shape[:-1], shape[-1] // 3 if shape and shape[-1] % 3 == 0 else 0)
        return dict.fromkeys(FUSED[role], thirds)
    return {role: shape}


def _without(missing: Sequence[str], others: Sequence[str]) -> FormatError:
    symbols = ", ".join(GIVEN[name].symbol for name in missing)
    got = (
        say("arrays of other names: {names}").format(names=listed([*others]))
        if others
        else say("no others")
    )
    return FormatError(
        THING, say("must hold {matrices} of a layer too").format(matrices=symbols), got, NAME_THEM
    )


def _by(shape: Shape) -> str:
    """A shape in the words of an error.

    >>> _by((8, 4)), _by((4,))
    ('8 × 4', '4')
    """
    return " × ".join(map(str, shape))


def _can_be(role: str, header: ArrayHeader) -> bool:
    """Whether an array is of the right kind for what its name says."""
    if role == "n_heads":
        return header.dtype.kind in "iuf" and math.prod(header.shape) == 1  # 2.0 too
    if role == "tokens":
        is_short = 0 < header.bytes <= LIMITS.tokens * LIMITS.label_chars * BYTES_A_LETTER
        return header.dtype.kind == "U" and len(header.shape) == 1 and is_short
    return True


def _checked_before(thing: str, header: ArrayHeader) -> None:
    """By `_can_be`."""
