"""The text of a link as names and values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import Final
from urllib.parse import parse_qsl

from mha_core.checks.errors import FormatError
from mha_core.checks.limits import LIMITS
from mha_core.checks.values import check_limit, short_repr
from mha_core.io.scenario.link_names import (
    ADDED_BY_OTHERS,
    NUMBERS_OF_LAYERS,
    OF_A_STACK,
    OF_LAYERS,
    OF_THE_PAGE,
    PARAMETERS,
    is_parameter,
)
from mha_core.io.scenario.link_values import COPY_AGAIN, FORMS, SMALLER, refused
from mha_core.language import say

ALIKE: Final = 0.75  # of the letters; with less, "head_count" would be "d_out"


def names_and_values(link: str | Mapping[str, str]) -> dict[str, str]:
    """What a link says; what is not known of it is refused."""
    pairs = list(link.items()) if isinstance(link, Mapping) else pairs_of(link)
    given: dict[str, str] = {}
    for name, value in pairs:
        if not isinstance(name, str):
            raise refused(short_repr(name), say("must be a text"), type(name).__name__)
        if name in OF_THE_PAGE or name.startswith(ADDED_BY_OTHERS):
            continue
        if not is_parameter(name):
            raise _unknown(name)
        if name in given:
            raise refused(name, say("must be given once"), say("it twice"), say("Remove one."))
        if not isinstance(value, str):
            raise refused(name, say("must be a text"), type(value).__name__)
        given[name] = value
    length = sum(len(value) for value in given.values())
    check_limit(say("The link's length"), length, LIMITS.link_chars, SMALLER)
    return given


def _unknown(name: str) -> FormatError:
    number, _, rest = name.partition(".")
    if not number.isdecimal():
        near = nearest_name(name)
        way_out = say("Write {name}, or remove it.") if near else say("Remove it.")
        need = say("must be one that links have, such as heads, mask or x.cells")
        return refused(name[:60], need, say("an unknown name"), way_out.format(name=near))
    if rest in OF_LAYERS:
        need = say("must begin with the number of a layer, {numbers}")
        got = number[:60]
        return refused(name[:60], need.format(numbers=", ".join(NUMBERS_OF_LAYERS)), got)
    need = say(
        "must be what a layer above the first has: {parameters}, and the numbers of a matrix"
    )
    own = ", ".join(n for n in OF_LAYERS if "." not in n)
    return refused(name[:60], need.format(parameters=own), rest[:60], say("Remove it."))


def nearest_name(name: str, more: Iterable[str] = ()) -> str:
    """The name of a link, or of `more`, that somebody who wrote this may have meant; else none.

    >>> nearest_name("haeds"), nearest_name("w_q"), nearest_name("colour")
    ('heads', 'w_q.cells', '')
    """
    known = [*PARAMETERS, *OF_A_STACK, *more]
    of_matrix = [each for each in known if each == f"{name}.{FORMS[0]}"]
    return "".join(of_matrix or get_close_matches(name[:60], known, n=1, cutoff=ALIKE))


def _query_of(link: str) -> str:
    """The part of an address between ? and #. A text that is no address is returned as it is.

    >>> _query_of("https://example.org/?heads=4#top"), _query_of("tokens=why?")
    ('heads=4', 'tokens=why?')
    """
    address, mark, query = link.partition("?")
    if mark and "=" not in address:
        return query.partition("#")[0]
    if "://" in address.partition("=")[0]:
        need = say("must have parameters after a question mark")
        raise FormatError(say("The link"), need, say("an address alone"), COPY_AGAIN)
    return link


def pairs_of(link: object) -> list[tuple[str, str]]:
    """All that a link says, whatever its names mean."""
    if not isinstance(link, str):
        need = say("must be a text, or names and values")
        raise FormatError(say("The link"), need, short_repr(link), COPY_AGAIN)
    check_limit(say("The link's length"), len(link), LIMITS.link_chars, SMALLER)
    query = _query_of(link.strip())
    try:
        return parse_qsl(
            query,
            keep_blank_values=True,
            errors="surrogatepass",  # as in encode_link: labels may hold any sign
            max_num_fields=LIMITS.link_fields,
        )
    except UnicodeError as error:
        raise FormatError(
            say("The link"), say("must be in UTF-8"), say("other bytes"), COPY_AGAIN
        ) from error
    except ValueError as error:
        need = say("must have at most {limit} parameters").format(limit=LIMITS.link_fields)
        raise FormatError(say("The link"), need, say("more"), COPY_AGAIN) from error
