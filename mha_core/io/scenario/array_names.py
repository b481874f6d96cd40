"""What the name of an array says of its place in a layer.

People and frameworks spell these names in many ways, in small and in capital letters:

    w_q, Wq, query/kernel                     inputs x outputs, as this package has them
    q_proj.weight, wq.weight, to_q.weight     outputs x inputs, as PyTorch stores them
    in_proj_weight, c_attn.weight             queries, keys and values in one array

In a file of many layers the same names come again, with the name of a layer before each.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from itertools import takewhile
from typing import Final, NamedTuple

FUSED: Final = {"w_qkv": ("w_q", "w_k", "w_v"), "b_qkv": ("b_q", "b_k", "b_v")}

_LETTERS: Final = {
    "q": "q|query|queries",
    "k": "k|key|keys",
    "v": "v|value|values",
    "o": "o|out|output",
}
_MODULE: Final = "(?: proj| lin| linear| dense)?(?: 0)?"  # of a framework, around its weight
_FUSED: Final = "in proj|qkv proj|(?:w ?)?qkv|c attn"


def _weights(letter: str) -> str:
    spelt = _LETTERS[letter]
    here = rf"w ?(?:{spelt})|(?:{spelt}) kernel"
    elsewhere = rf"w ?(?:{spelt}) weight|(?:{spelt}) proj|(?:to )?(?:{spelt}){_MODULE} weight"
    return f"{here}|{elsewhere}" + "|(?:c )?proj weight" * (letter == "o")


def _bias(letter: str) -> str:
    spelt = _LETTERS[letter]
    return rf"(?:b|bias) ?(?:{spelt})|(?:to )?(?:{spelt}){_MODULE} bias" + "|(?:c )?proj bias" * (
        letter == "o"
    )


# Each is asked in this order. Those at the end of a name may have the name of a layer before them.
_AT_THE_END: Final = {
    "w_qkv": rf"(?:{_FUSED}) (?:weight|kernel)|w ?qkv",
    "b_qkv": rf"(?:{_FUSED}) bias|b ?qkv",
    **{f"w_{letter}": _weights(letter) for letter in _LETTERS},
    **{f"b_{letter}": _bias(letter) for letter in _LETTERS},
}
_WHOLE: Final = {
    "x": "x|inputs?|hidden states?",
    "context": "c|context|memory",
    "context_v": "(?:c|context) ?v",
    "n_heads": "h|n ?heads?|num heads|heads|num attention heads",
    "tokens": "tokens|words",
}
_PATTERNS: Final = {
    **{role: re.compile(pattern) for role, pattern in _WHOLE.items()},
    **{role: re.compile(rf"(?:.*? )?(?P<own>{p})") for role, p in _AT_THE_END.items()},
}


class Meaning(NamedTuple):
    """Which array of a layer a name means, of which layer, and whether PyTorch spells it so."""

    role: str
    layer: str
    is_torch: bool


def meaning_of(name: str) -> Meaning | None:
    """What a name means; None for a name that says nothing of a layer.

    >>> meaning_of("W_Q")
    Meaning(role='w_q', layer='', is_torch=False)
    >>> meaning_of("self_attn.k_proj.weight")
    Meaning(role='w_k', layer='self_attn', is_torch=True)
    >>> meaning_of("ln_1.weight") is None
    True
    """
    words = list(re.finditer("[a-z]+|[0-9]+", name.removesuffix(":0").lower()))
    spelt = " ".join(word[0] for word in words)
    for role, pattern in _PATTERNS.items():
        if found := pattern.fullmatch(spelt):
            own = found.groupdict().get("own", spelt)
            before = words[: len(words) - len(own.split())]
            layer = name[: before[-1].end()] if before else ""
            return Meaning(role, layer, bool(re.search("weight|proj", own)))
    return None


def layers_in(names: Iterable[str]) -> tuple[str, ...]:
    """The layers that have queries, by what stands before the name of an array.

    >>> layers_in(["h.0.attn.c_attn.weight", "h.1.attn.c_attn.weight", "wte.weight"])
    ('h.0.attn', 'h.1.attn')
    """
    meanings = filter(None, map(meaning_of, names))
    return tuple(dict.fromkeys(m.layer for m in meanings if m.role in ("w_q", "w_qkv")))


def roles_in(names: Iterable[str], layer: str) -> Mapping[str, str]:
    """The arrays of one layer. Of several with one meaning, the one named most like it counts.

    If two are equally like it, neither counts.

    >>> roles_in(["h.0.attn.c_proj.weight", "h.0.mlp.c_proj.weight"], "h.0.attn")
    {'w_o': 'h.0.attn.c_proj.weight'}
    """
    found: dict[str, list[tuple[tuple[int, int], str]]] = {}
    for name in names:
        if meaning := meaning_of(name):
            found.setdefault(meaning.role, []).append((_likeness(meaning.layer, layer), name))
    best = {role: max(likeness for likeness, _ in named) for role, named in found.items()}
    closest = {role: [n for a, n in named if a == best[role]] for role, named in found.items()}
    return {role: names[0] for role, names in closest.items() if len(names) == 1}


def _likeness(one: str, other: str) -> tuple[int, int]:
    """Higher for a name that begins with more of the other's words; if equal, for a shorter one."""
    parts = [name.split(".") for name in (one, other)]
    same = takewhile(lambda pair: pair[0] == pair[1], zip(*parts, strict=False))
    return len(list(same)), -len(one)
