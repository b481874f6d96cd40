"""How much of a noun and of a verb a word is: from a short list, else from its ending.

It is a guess, good enough to see heads that read it. English alone is known.
"""

from __future__ import annotations

from typing import Final


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


SMALL: Final = _words(
    """a an the this that these those my your his her its our their some any no every each all both
    i you he she it we they me him us them who whom which what where when why how
    and or but nor so if than then because while as of in on at to from by with without for about
    into over under up down out off near not never always often very too also just only still again
    here there now quickly slowly"""
)
LIKE_NOUNS: Final = _words(
    """other same big small large little old new young good bad great long short high low red green
    blue black white brown grey happy sad hungry lazy quick slow fast tired hot cold warm nice best
    own first last next many few more most"""
)
VERBS: Final = _words(
    """am is are was were be been being do does did have has had can could will would shall should
    may might must see sees saw seen look looks looked like likes liked eat eats ate sit sits
    sat run runs ran go goes went come comes came get gets got give gives gave take takes took
    make makes made say says said know knows knew think thinks thought find finds found tell
    tells told bite bites bit sleep sleeps slept read reads write writes wrote hear hears heard
    catch catches caught chase chases chased jump jumps jumped want wants wanted follow follows
    followed hold holds held keep keeps kept bring brings brought buy buys bought meet meets met
    lend lends lent lose loses lost win wins won pay pays paid sell sells sold send sends sent
    leave leaves left build builds built teach teaches taught learn learns learned sing sings
    sang swim swims swam fly flies flew fall falls fell feel feels felt hate hates need needs
    use uses try tries ask asks speak speaks spoke open opens close closes move moves stop stops
    begin begins began become becomes became carry carries wear wears wore break breaks broke
    pull pulls push pushes throw throws threw draw draws drew drive drives drove cook cooks show
    shows visit visits"""
)
EITHER: Final = _words(
    """love loves play plays walk walks watch watches drink drinks help helps work works talk talks
    dream dreams call calls answer answers fish hunt rain rains snow snows bark barks"""
)
AROUND: Final = ".,;:!?\"'()[]«»“”…-"  # signs that do not belong to the word


def plain_word(token: str) -> str:
    """The word of a token, in small letters and without the signs around it.

    >>> plain_word("“Cats,")
    'cats'
    """
    return token.strip(AROUND).casefold() or token


def kind_of(word: str) -> tuple[float, float]:
    """How much of a noun and of a verb a plain word is.

    >>> kind_of("cat"), kind_of("sees"), kind_of("other"), kind_of("the")
    ((1.0, 0.0), (0.0, 1.0), (0.4, 0.0), (0.0, 0.0))
    >>> kind_of("barking"), kind_of("nearly"), kind_of("love")
    ((0.2, 0.8), (0.0, 0.0), (0.5, 0.5))
    """
    if word in SMALL or word.endswith("ly"):
        return 0.0, 0.0
    if word in VERBS:
        return 0.0, 1.0
    if word in EITHER:
        return 0.5, 0.5
    if word in LIKE_NOUNS:
        return 0.4, 0.0
    return (0.2, 0.8) if word.endswith(("ing", "ed")) else (1.0, 0.0)
