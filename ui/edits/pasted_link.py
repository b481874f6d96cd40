"""A link that a person has pasted: to which page of the explorer it leads, and what it says."""

from __future__ import annotations

from typing import Final, NamedTuple
from urllib.parse import parse_qsl, urlsplit

from mha_core.checks.errors import FormatError
from mha_core.checks.limits import LIMITS
from mha_core.checks.values import check_limit
from mha_core.language import say

PAGES: Final = (
    *("walkthrough", "compare", "patterns", "build"),
    *("tours", "exercise", "real_layers", "for_class"),
)
WAY_OUT: Final = say("Copy the whole address of a page, or what Share gives.")


class PastedLink(NamedTuple):
    """A page, which is "" for the explorer, and the parameters of its address."""

    page: str
    params: dict[str, str]


def read_link(text: str) -> PastedLink:
    """The page and the parameters of an address, or of the part behind its question mark.

    >>> read_link("https://example.org/walkthrough?example=pizza&step=mask")
    PastedLink(page='walkthrough', params={'example': 'pizza', 'step': 'mask'})
    >>> read_link("example=pizza").params
    {'example': 'pizza'}
    """
    text = text.strip()
    check_limit(say("The count of characters of the link"), len(text), LIMITS.link_chars, WAY_OUT)
    try:
        address = urlsplit(text if "?" in text or "=" not in text else f"?{text}")
        params = dict(
            parse_qsl(address.query, keep_blank_values=True, max_num_fields=LIMITS.link_fields)
        )
    except ValueError as error:
        raise _no_link(text) from error
    page = address.path.rstrip("/").rpartition("/")[2]
    if not params and page not in PAGES:
        raise _no_link(text)
    return PastedLink(page if page in PAGES else "", params)


def _no_link(text: str) -> FormatError:
    need = say("must be an address of this explorer, with what it shows after a question mark")
    return FormatError(say("The link"), need, repr(text[:40]), WAY_OUT)
