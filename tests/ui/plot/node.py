"""A script in Node that answers question after question."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from tools.javascript import NODE


@contextmanager
def answering(script: Path) -> Iterator[Callable[[Any], Any]]:
    """Ask the script: a line of JSON to it, and a line of JSON back."""
    with subprocess.Popen(
        [NODE, script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as node:
        to_node, from_node = node.stdin, node.stdout
        assert to_node is not None
        assert from_node is not None

        def ask(question: Any) -> Any:
            to_node.write(json.dumps(question, default=_plain) + "\n")
            to_node.flush()
            return json.loads(from_node.readline())

        yield ask
        to_node.close()


def _plain(array: Any) -> Any:
    """JSON has no infinity: where there is one, it becomes a text."""
    rows = array.tolist()
    if np.isfinite(array).all():
        return rows
    return json.loads(json.dumps(rows).replace("-Infinity", '"-inf"'))
