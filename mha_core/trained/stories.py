"""Small stories in plain English, from our own lists of words: the text of the trained model.

Who learns to read them has a reason to copy. A name has two words, drawn for each story: nobody can
know the second one when it is read first, and everybody can when the first one comes back. So it is
with places, things and animals, with lists, and with what is told again.
"""

from __future__ import annotations

from typing import Final

import numpy as np

FIRST_NAMES: Final = (
    *("Anna", "Ben", "Clara", "David", "Emma", "Felix", "Grace", "Hugo", "Ida", "Jack"),
    *("Kate", "Leo", "Mila", "Nina", "Oscar", "Paul", "Rosa", "Sam", "Tara", "Victor"),
)
LAST_NAMES: Final = (
    *("Stone", "Wood", "Brook", "Marsh", "Reed", "Ford", "Cook", "Baker", "Smith", "Young"),
    *("Winter", "Snow", "Page", "Price", "Moss", "Banks", "Day", "Carter", "North", "Rivers"),
)
LOOKS: Final = (
    *("red", "blue", "green", "white", "black", "yellow", "tiny", "new", "small", "big"),
    *("long", "round", "warm", "cold", "quiet", "clean"),
)
LANDS: Final = ("valley", "forest", "garden", "harbour", "village", "town", "park", "castle")
SPOTS: Final = ("house", "school", "market", "station", "shop", "farm", "river", "beach")
THINGS: Final = (
    *("boat", "box", "lamp", "cup", "map", "key", "book", "coat", "hat", "bell", "chair", "drum"),
    *("clock", "ball", "bag", "ring", "letter", "spoon", "knife", "mirror", "basket", "rope"),
)
ANIMALS: Final = (
    *("dog", "cat", "horse", "bird", "fish", "goat", "mouse", "duck", "sheep", "fox", "bear"),
    *("rabbit", "frog", "cow", "pig"),
)
FOOD: Final = ("bread", "cheese", "milk", "honey", "apples", "soup", "cake", "tea", "rice", "eggs")
DID: Final = ("saw", "found", "took", "lost", "kept", "sold", "bought", "cleaned", "carried")
DID_TO_A_PERSON: Final = ("met", "helped", "called", "followed", "thanked", "knew")
WENT: Final = ("ran", "went", "walked", "came")
TIMES: Final = ("today", "then", "later", "soon", "now", "once")
HELPERS: Final = (
    *("a", "the", "and", "in", "at", "to", "with", "is", "was", "has", "had", "lives", "named"),
    *("said", "likes", "gave", "there", "who", "from", "by"),
)
MARKS: Final = (".", ",", ":")
UNKNOWN: Final = "?"  # what a word is read as that is in none of these lists

# Each once. A capital at the beginning of a sentence makes no other word.
WORDS: Final = (
    *(UNKNOWN, *MARKS, *HELPERS, *FIRST_NAMES, *LAST_NAMES, *LOOKS, *LANDS, *SPOTS, *THINGS),
    *(*ANIMALS, *FOOD, *DID, *DID_TO_A_PERSON, *WENT, *TIMES),
)

SENTENCES: Final = (
    "{anna} lives in the {land} .",
    "{anna} has a {dog} named {rex} .",
    "{anna} had the {box} and {ben} had the {cup} .",
    "{time} {anna} {met} {ben} at the {spot} .",
    "{time} {ben} {met} {anna} by the {spot} .",
    "{anna} {saw} the {box} in the {land} .",
    "{ben} {saw} the {cup} at the {spot} .",
    "{time} the {dog} {ran} to {anna} .",
    "The {dog} {ran} from the {spot} to the {land} .",
    "{anna} gave the {box} to {ben} .",
    "{ben} gave the {cup} to {anna} .",
    "At the {spot} there was {bread} , {milk} and {cheese} .",
    "{ben} likes {bread} , {milk} and {cheese} .",
    "{anna} bought {bread} , {milk} and {cheese} .",
    "{rex} is a {dog} .",
    "{rex} {ran} with {ben} to the {spot} .",
    "{time} {rex} found the {box} .",
    "{anna} said : {ben} has the {cup} .",
    "{ben} said : {anna} is at the {spot} .",
    "{ben} , who {met} {anna} , was in the {land} .",
)
LEAST, MOST = 5, 9  # sentences of a story
TOLD_AGAIN: Final = 0.25  # how many of them are one of the story's own, once more


def story(rng: np.random.Generator) -> tuple[str, ...]:
    """The words of one story. Marks are words too.

    >>> " ".join(story(np.random.default_rng(3))[:14])
    'David Carter , who helped Ben Banks , was in the tiny village .'
    """
    cast = _cast(rng)
    told: list[str] = []
    while len(told) < rng.integers(LEAST, MOST + 1):
        if told and rng.random() < TOLD_AGAIN:
            told.append(told[rng.integers(len(told))])
            continue
        usual = {
            "time": _one(rng, TIMES),
            "met": _one(rng, DID_TO_A_PERSON),
            "saw": _one(rng, DID),
            "ran": _one(rng, WENT),
        }
        told.append(_one(rng, SENTENCES).format(**cast, **usual))
    return tuple(word for sentence in told for word in _capital(sentence).split())


def text(rng: np.random.Generator, length: int) -> tuple[str, ...]:
    """So many words of stories, one after the other. The first begins at its beginning."""
    words: list[str] = []
    while len(words) < length:
        words.extend(story(rng))
    return tuple(words[:length])


def _cast(rng: np.random.Generator) -> dict[str, str]:
    """Who and what a story is about: names of two words that come back."""
    anna, ben, rex = rng.choice(FIRST_NAMES, 3, replace=False)
    of_anna, of_ben = rng.choice(LAST_NAMES, 2, replace=False)
    looks = rng.choice(LOOKS, 4, replace=False)
    box, cup = rng.choice(THINGS, 2, replace=False)
    bread, milk, cheese = rng.choice(FOOD, 3, replace=False)
    return {
        "anna": f"{anna} {of_anna}",
        "ben": f"{ben} {of_ben}",
        "rex": str(rex),
        "land": f"{looks[0]} {_one(rng, LANDS)}",
        "box": f"{looks[1]} {box}",
        "cup": f"{looks[2]} {cup}",
        "dog": f"{looks[3]} {_one(rng, ANIMALS)}",
        "spot": _one(rng, SPOTS),
        "bread": bread,
        "milk": milk,
        "cheese": cheese,
    }


def _one(rng: np.random.Generator, words: tuple[str, ...]) -> str:
    return words[rng.integers(len(words))]


def _capital(sentence: str) -> str:
    return sentence[0].upper() + sentence[1:]
