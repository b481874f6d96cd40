"""A JSON object of a file of tensors: its header, its index, its config."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any, Final

from mha_core.checks.errors import LimitError, MhaError
from mha_core.checks.limits import LIMITS
from mha_core.checks.sizes import check_size
from mha_core.checks.text_source import short_quote
from mha_core.io.tensors.checked import broken
from mha_core.language import say

MOST_NESTED: Final = 4 * LIMITS.tensors  # lists and objects: a tensor has three in a header


def json_object(thing: str, data: bytes) -> dict[str, Any]:
    """The object in these bytes. What could take much memory is refused before it is parsed."""
    check_size(thing, len(data), LIMITS.header_bytes, say("Save fewer tensors in one file."))
    if data.count(b"[") + data.count(b"{") > MOST_NESTED:
        raise LimitError(
            thing,
            say("must hold at most {limit:,} lists and objects").format(limit=MOST_NESTED),
            say("more"),
            say("Save fewer tensors in one file."),
        )
    try:
        value = json.loads(
            data.decode("utf-8-sig"), object_pairs_hook=lambda pairs: _each_once(thing, pairs)
        )
    except MhaError:
        raise
    except json.JSONDecodeError as error:
        got = say("{error} in line {line}, column {column}").format(
            error=error.msg, line=error.lineno, column=error.colno
        )
        raise broken(thing, say("must be JSON"), got) from error
    except UnicodeDecodeError as error:
        got = say("another byte at {place}").format(place=error.start + 1)
        raise broken(thing, say("must be UTF-8 text"), got) from error
    except ValueError as error:  # Python refuses whole numbers of thousands of digits
        need = say("must hold numbers of a usual length")
        raise broken(thing, need, say("a longer one")) from error
    except RecursionError as error:
        need = say("must be nested a few levels deep")
        raise broken(thing, need, say("many more")) from error
    if not isinstance(value, dict):
        raise broken(thing, say("must be a JSON object"), short_quote(repr(value)))
    return value


def _each_once(thing: str, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        [(twice, _)] = Counter(name for name, _ in pairs).most_common(1)
        got = say("{field} twice").format(field=short_quote(twice))
        raise broken(thing, say("must name each field once"), got)
    return fields
