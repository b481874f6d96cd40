"""What a person chooses to map a layer: a tensor for each matrix, and how a fused one is cut."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate, takewhile
from typing import Final

from mha_core.checks.errors import FormatError, ShapeError
from mha_core.checks.limits import LIMITS
from mha_core.checks.values import check_head_groups, check_whole
from mha_core.language import say
from mha_core.models.by_hand.layer_by_hand import (
    N_HEADS,
    N_KV_HEADS,
    SAY_HEADS,
    THE_MAPPING,
    LayerByHand,
    SaidByHand,
)
from mha_core.models.sizes import width_a_head
from mha_core.models.stored import LAYER, LayerNames, Stored
from mha_core.models.weights import GAINS
from mha_core.options.registry import OPTIONS
from mha_core.scenario.given_arrays import GIVEN, OF_FACTORS

Shapes = Mapping[str, tuple[int, ...]]

MATRICES: Final = ("w_q", "w_k", "w_v", "w_o")
BIASES: Final = ("b_q", "b_k", "b_v", "b_o")
RARE: Final = (*GAINS, "sinks", "b_g")  # lists of numbers that few layers have
GATE: Final = "w_g"  # a matrix that few layers have, perhaps in one tensor with W_Q
GATE_OF_ADDITIONS: Final = "w_f"
TURNED: Final = (*MATRICES, GATE, GATE_OF_ADDITIONS)  # those that may be stored either way round
SYMBOLS: Final = {
    **{role: GIVEN[role].symbol for role in (*MATRICES, *BIASES, GATE, "b_g", *OF_FACTORS)},
    **{role: OPTIONS[role].title for role in GAINS},
    "sinks": say("Sinks"),
}
OF_QUERIES: Final = "q"  # the end of a role; those of k and v have as many heads as keys have
NUMBER: Final = re.compile(r"(?<![^._/])\d+(?=[._/])")  # a part of a name, as in h.3.attn


@dataclass(frozen=True)
class Choice(SaidByHand):
    """Which tensor is which, and how each is stored. A role that is not in `names` has no tensor.

    A tensor that is chosen for several of Q, K and V is fused: it is cut. Its columns stand side
    by side for all heads, or, with `is_cut_by_head`, each head of keys has its own Q, K and V side
    by side. A tensor of both W_Q and W_G has a head's columns of both side by side.
    """

    names: Mapping[str, str] = field(default_factory=dict)
    transposed: frozenset[str] = frozenset()  # of TURNED: rows are outputs
    is_cut_by_head: bool = False

    def with_tensor(self, role: str, name: str) -> Choice:
        """The same with another tensor, or with none, for this role."""
        others = {each: tensor for each, tensor in self.names.items() if each != role}
        return replace(self, names={**others, role: name} if name else others)

    def with_table(self, name: str) -> Choice:
        """The same with another table of distances, or with none and so no gate of it."""
        kept = {role: tensor for role, tensor in self.names.items() if role not in OF_FACTORS}
        return replace(self, table=name, names=self.names if name else kept)

    def stored(self, role: str, *, is_transposed: bool) -> Choice:
        """The same, where the tensor of this role is stored the other way round."""
        others = self.transposed - {role}
        return replace(self, transposed=others | {role} if is_transposed else others)

    @property
    def fused(self) -> tuple[str, ...]:
        """The matrices that stand in one tensor with another."""
        chosen = [self.names.get(role) for role in MATRICES[:3]]
        return tuple(role for role in MATRICES[:3] if chosen.count(self.names.get(role, "")) > 1)

    # The layer.

    def mapped(self, shapes: Shapes) -> LayerByHand:
        """The mapping that this is in a file of such shapes; in its names, {layer} for a number."""
        if missing := [SYMBOLS[role] for role in MATRICES if role not in self.names]:
            raise FormatError(
                THE_MAPPING,
                say("must say which tensor is W_Q, which W_K, which W_V and which W_O"),
                say("none for {roles}").format(roles=", ".join(missing)),
                say("Choose a tensor for each. One that holds several is chosen for each of them."),
            )
        patterns, _, _ = numbered(self.names, shapes)
        found = {
            **self._parts(shapes, MATRICES),
            **self._parts(shapes, BIASES),
            **{role: Stored(self.names[role]) for role in RARE if role in self.names},
            **self._gate(shapes),
            **{
                role: Stored(self.names[role], self._is_transposed(role))
                for role in OF_FACTORS
                if role in self.names
            },
        }
        stored = {role: replace(part, name=patterns[role]) for role, part in found.items()}
        return LayerByHand(LayerNames(**stored), **self.said)

    def _parts(self, shapes: Shapes, roles: Sequence[str]) -> dict[str, Stored]:
        """Where the matrices, or the biases, stand."""
        stored: dict[str, Stored] = {}
        for role in roles:
            if role in self.names:
                stored[role] = Stored(self.names[role], self._is_transposed(role))
        for name in {self.names[role] for role in roles[:3] if role in self.names}:
            together = [role for role in roles[:3] if self.names.get(role) == name]
            if len(together) > 1:
                stored |= self._cut(shapes, together, stored[together[0]])
        return stored

    def _gate(self, shapes: Shapes) -> dict[str, Stored]:
        """Where W_G stands, and W_Q if both stand in one tensor."""
        if GATE not in self.names:
            return {}
        is_with_q = self.names[GATE] == self.names["w_q"]
        whole = Stored(self.names[GATE], self._is_transposed("w_q" if is_with_q else GATE))
        if not is_with_q:
            return {GATE: whole}
        columns = whole.shape_in(shapes, 2)[-1]
        n_heads = self.n_heads or (columns // (2 * self.d_k) if self.d_k else 0)
        check_whole(N_HEADS, n_heads, 1, LIMITS.heads, SAY_HEADS)
        of_both = width_a_head(columns, n_heads)
        whole = replace(whole, groups=n_heads)
        half = of_both // 2
        return {"w_q": replace(whole, end=half), GATE: replace(whole, begin=half, end=2 * half)}

    def _is_transposed(self, role: str) -> bool:
        return role in self.transposed and role in TURNED

    def _cut(self, shapes: Shapes, roles: Sequence[str], whole: Stored) -> dict[str, Stored]:
        """The parts of a fused tensor. All its heads are equally wide."""
        n_axes = 1 if roles[0] in BIASES else 2
        columns = whole.shape_in(shapes, n_axes)[-1]
        n_heads, n_kv_heads = self._heads_in(columns, roles)
        heads = [n_heads if role.endswith(OF_QUERIES) else n_kv_heads for role in roles]
        if columns % sum(heads):
            raise ShapeError(
                whole.name,
                say("must have columns for the heads of {roles}, {count} together").format(
                    roles=", ".join(SYMBOLS[role] for role in roles), count=sum(heads)
                ),
                str(columns),
                say("Look at the numbers of heads, and at which way round it is stored."),
            )
        groups = n_kv_heads if self.is_cut_by_head else 1
        widths = [count * (columns // sum(heads)) // groups for count in heads]
        ends = list(accumulate(widths))
        return {
            role: replace(
                whole,
                is_transposed=self._is_transposed(role),
                groups=groups,
                begin=end - width,
                end=end,
            )
            for role, width, end in zip(roles, widths, ends, strict=True)
        }

    def _heads_in(self, columns: int, roles: Sequence[str]) -> tuple[int, int]:
        """How many heads of queries and of keys have their columns in one tensor."""
        n_heads, n_kv_heads = self.n_heads, self.n_kv_heads or self.n_heads
        if self.d_k and not n_heads:
            all_heads = columns // self.d_k
            n_kv_heads = self.n_kv_heads or all_heads // len(roles)
            n_heads = all_heads - n_kv_heads * (len(roles) - 1)
        check_whole(N_HEADS, n_heads, 1, LIMITS.heads, SAY_HEADS)
        check_whole(N_KV_HEADS, n_kv_heads, 1, LIMITS.heads, SAY_HEADS)
        check_head_groups(n_heads, n_kv_heads)
        return n_heads, n_kv_heads

    # Its number.

    def of_layer(self, layer: int, shapes: Shapes) -> Choice:
        """The same tensors of another layer."""
        patterns, _, _ = numbered(self.names, shapes)
        names = {role: name.replace(LAYER, str(layer)) for role, name in patterns.items()}
        return replace(self, names=names)


def numbered(names: Mapping[str, str], shapes: Shapes) -> tuple[dict[str, str], int, list[int]]:
    """The names with {layer} for their number; the number; all numbers that the file has.

    >>> shapes = {f"h.{n}.{m}": (2, 2) for n in (0, 1) for m in "qk"}
    >>> numbered({"w_q": "h.1.q", "w_k": "h.1.k"}, shapes)
    ({'w_q': 'h.{layer}.q', 'w_k': 'h.{layer}.k'}, 1, [0, 1])
    >>> numbered({"w_q": "q", "w_k": "k"}, shapes)
    ({'w_q': 'q', 'w_k': 'k'}, 0, [0])
    """
    same = _same_beginning(list(names.values()))
    found = [*NUMBER.finditer(same)]
    if not found:
        return dict(names), 0, [0]
    before, number, behind = same[: found[-1].start()], found[-1][0], same[found[-1].end() :]
    patterns = {
        role: before + LAYER + behind + name.removeprefix(same) for role, name in names.items()
    }
    first = next(iter(patterns.values()))
    is_one = re.compile(re.escape(first).replace(re.escape(LAYER), r"(\d+)"))
    layers = [int(each[1]) for name in shapes if (each := is_one.fullmatch(name))]
    whole = [
        layer
        for layer in layers
        if all(name.replace(LAYER, str(layer)) in shapes for name in patterns.values())
    ]
    return patterns, int(number), sorted(whole) or [int(number)]


def _same_beginning(names: Sequence[str]) -> str:
    """What all begin with, up to the end of a part.

    >>> _same_beginning(["h.1.attn.q", "h.1.attn.qk"])
    'h.1.attn.'
    """
    columns = takewhile(lambda letters: len(set(letters)) == 1, zip(*names, strict=False))
    same = "".join(letters[0] for letters in columns)
    return same[: max(map(same.rfind, "._/")) + 1]


def choice_of(mapped: LayerByHand, shapes: Shapes) -> Choice:
    """What a person would choose to get this mapping, as far as it can be chosen."""
    layer = _first_layer(mapped, shapes)
    given = mapped.names.of_layer(layer).given()
    return Choice(
        {role: stored.name for role, stored in given.items() if role in SYMBOLS},
        frozenset(r for r, stored in given.items() if r in TURNED and stored.is_transposed),
        any(given[role].groups > 1 for role in ("w_k", "w_v")),
        **mapped.said,
    )


def _first_layer(mapped: LayerByHand, shapes: Shapes) -> int:
    """The first layer of the file that has the names of the mapping; 0 if none has."""
    name = mapped.names.w_q.name
    if LAYER not in name:
        return 0
    is_one = re.compile(re.escape(name).replace(re.escape(LAYER), r"(\d+)"))
    return min((int(found[1]) for each in shapes if (found := is_one.fullmatch(each))), default=0)
