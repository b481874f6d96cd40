"""A scenario as a script or as a notebook."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple

import numpy as np

from mha_core.checks.errors import MhaError, OptionError
from mha_core.checks.values import check_limit, check_one_of
from mha_core.io.program.numpy_program import COMPARED as BY_NUMPY
from mha_core.io.program.numpy_program import numpy_passages
from mha_core.io.program.passages import Passage, as_script
from mha_core.io.program.stack_program import OfLayer, stack_passages
from mha_core.io.program.torch_program import COMPARED as BY_TORCH
from mha_core.io.program.torch_program import torch_passages
from mha_core.language import say
from mha_core.layer.trace import Trace
from mha_core.layer.unchanged import without_row_max
from mha_core.scenario.scenario import Scenario
from mha_core.stack.trace import StackTrace, layers_of

MOST_NUMBERS: Final = 2**16  # in the text of a program, which people read


class _Program(NamedTuple):
    title: str
    passages: OfLayer
    compares: Sequence[str]
    write: Callable[[Sequence[Passage]], str]


def as_notebook(passages: Sequence[Passage]) -> str:
    """A Jupyter notebook: a heading and a cell of code for each passage."""
    parts: list[dict[str, object]] = []
    for number, passage in enumerate(passages):
        title = f"## {passage.title}"
        code: dict[str, object] = {"execution_count": None, "outputs": []}
        parts.append({"cell_type": "markdown", "id": f"title-{number}", "source": title})
        parts.append({"cell_type": "code", "id": f"code-{number}", "source": passage.code, **code})
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    notebook = {
        "cells": [{"metadata": {}, **part} for part in parts],
        "metadata": {"kernelspec": kernel, "language_info": {"name": "python"}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return json.dumps(notebook, indent=1) + "\n"


# Nobody can import a name with a hyphen. Programs beside a `numpy.py` would take it for NumPy.
_PROGRAMS: Final = {
    "with-numpy.py": _Program(say("NumPy script"), numpy_passages, BY_NUMPY, as_script),
    "with-pytorch.py": _Program(say("PyTorch script"), torch_passages, BY_TORCH, as_script),
    "with-numpy.ipynb": _Program(say("Notebook"), numpy_passages, BY_NUMPY, as_notebook),
}
PROGRAM_FILES: Final[Mapping[str, str]] = {
    name: program.title for name, program in _PROGRAMS.items()
}


def program_file(trace: Trace | StackTrace, name: str) -> str:
    """The text of a program that makes the numbers of this trace anew, and compares them.

    Of several layers, it goes through all of them.

    >>> from mha_core.examples import load_example
    >>> from mha_core.layer.attending import attend
    >>> print(program_file(attend(load_example("pizza")), "with-numpy.py").splitlines()[0])
    # Multi-head attention in plain NumPy
    """
    check_one_of("The name of a program", name, PROGRAM_FILES, "Choose one of them.")
    _check(trace, name)
    program = _PROGRAMS[name]
    if isinstance(trace, StackTrace) and not trace.stack.is_one_layer:
        return program.write(stack_passages(trace, program.passages, program.compares))
    (alone,) = layers_of(trace)
    return program.write(program.passages(alone))


def why_no_program(trace: Trace | StackTrace, name: str) -> str:
    """Why there is no such program of these numbers; "" where there is one."""
    try:
        _check(trace, name)
    except MhaError as error:
        return str(error)
    return ""


def _check(trace: Trace | StackTrace, name: str) -> None:
    layers = layers_of(trace)
    numbers = sum(_count_of_numbers(each.scenario) for each in layers)
    way_out = say("Save the scenario as .npz, and read it with mha_core.")
    check_limit(say("The count of numbers in the program"), numbers, MOST_NUMBERS, way_out)
    if name == "with-pytorch.py" and any(map(_has_lost_weights, layers)):
        raise OptionError(
            say("The softmax"),
            say("must be stable, or naive without an overflow,"),
            say("a naive one that has lost weights"),
            say("PyTorch has no such softmax. Take the NumPy script."),
        )


def _count_of_numbers(s: Scenario) -> int:
    given = sum(array.size for array in s.given().values())
    return given + 2 * s.n_q * s.n_k + s.n_heads * s.n_q * s.n_k + s.n_q * s.d_out


def _has_lost_weights(trace: Trace) -> bool:
    return without_row_max(trace.scenario) and not bool(np.isfinite(trace.weights).all())
