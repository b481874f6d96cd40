"""The page drops a sentence of an example when a switch has made it false, and not before.

The table says for each sentence which switches drop it. A person has read it word by word: whoever
adds a sentence, an option or a switch must read its line.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final

import pytest

from mha_core import attend
from mha_core.examples import EXAMPLES, load_example
from mha_core.options.registry import OPTIONS
from mha_core.reading.claims import Claim
from tests.core.examples.switched import NAMES, VALUES, switched

SMALL: Final = [name for name in EXAMPLES if not name.endswith(("1024", "512"))]

# The beginning of each sentence, and the names of the switches that drop it.
GOES: Final = {
    "the-cat": {
        "Each of four heads looks for somethi": (
            "scale0 capped waves rope hot fast part halves own jump biases weights x normed "
            "normed_all eps q_gain k_gain added near layer normed_after q_shift k_shift crossed"
        ),
        "In head 1 no word gets more weight t": (
            "waves rope fast part halves jump biases weights x q_gain k_gain added near layer "
            "normed_after q_shift crossed"
        ),
        "In head 2 no word gets more weight t": (
            "waves biases weights x k_gain added near layer normed_after q_shift"
        ),
        "In head 3, “cat” looks at “sees”: a ": (
            "scale0 capped waves hot causal weights x own jump normed normed_all eps q_gain added "
            "near normed_after q_shift k_shift"
        ),
        "Type another sentence: each word get": (
            "scale0 capped waves rope hot fast part halves own jump biases weights x normed "
            "normed_all eps q_gain k_gain added near layer normed_after q_shift k_shift crossed"
        ),
    },
    "wide-head": {
        "One wide head: its raw scores are la": (
            "unscaled half scale0 waves biases split eps near grows grows_late grows_from_0 "
            "grows_smoothly"
        ),
        "Raw scores spread by about sqrt(d_k)": (
            "unscaled half scale0 waves biases split eps near grows grows_late grows_from_0 "
            "grows_smoothly"
        ),
        "With the division, no query gives ha": (
            "unscaled half scale0 waves causal biases split x halves all_pairs normed normed_all "
            "added near layer grows grows_late grows_from_0 grows_smoothly crossed"
        ),
        "Without it, most queries would give ": (
            "unscaled half scale0 capped hot fast jump x eps crossed"
        ),
        "A score is a sum of d_k products. It": "unscaled half scale0",
    },
    "saturated": {
        "With scores this large, each query s": (
            "scale0 capped hot naive causal weights normed normed_all eps layer normed_after"
        ),
        "Head 2's raw scores are head 1's tim": "biases weights normed eps layer normed_after",
        "Every row of head 2 gives one key mo": (
            "scale0 capped naive causal weights normed normed_all eps layer normed_after"
        ),
        "exp(s) / sum(exp(s)) overflows here ": (
            "scale0 capped hot naive weights normed normed_all eps layer normed_after"
        ),
        "The division by sqrt(d_k) prevents t": "",
    },
    "causal": {
        "Each word sees itself and the words ": "unmasked",
        "The first word sees only itself: its": "unmasked",
        "No token looks ahead.": "unmasked",
        "Row t of a head's output blends valu": "unmasked off",
        "Change the last word: only the last ": "unmasked",
        "A model that writes text needs this ": "unmasked",
    },
    "one-head": {
        "One head gives each query one set of": (
            "scale0 capped waves rope hot fast part halves jump grid all_pairs weights split x "
            "normed normed_all eps near layer normed_after crossed"
        ),
        "Every token looks at the one before ": (
            "scale0 capped waves rope hot fast part halves jump grid all_pairs weights split x "
            "normed normed_all eps near layer normed_after crossed"
        ),
        "The output is the rows of X that hea": (
            "waves off biases weights values normed_values eps_of_values normed_concat "
            "concat_layer eps_of_concat hardswish smaller_values smaller_output"
        ),
        "A token may need more, such as the o": "",
    },
    "four-heads": {
        "Four heads give each query four sets": "scale0",
        "Each head follows the next of these ": (
            "scale0 capped waves rope hot fast part halves own jump causal weights x normed "
            "normed_all eps added near layer normed_after crossed"
        ),
        "No two heads have the same weights.": "scale0",
        "Every head adds something to the out": "off",
        "The four heads have the first four o": (
            "scale0 capped waves rope hot fast part halves own jump causal weights x normed "
            "normed_all eps added near layer normed_after crossed"
        ),
    },
    "grouped-query": {
        "Four query heads: every two of them ": "",
        "Heads 1 and 2 share keys and values,": "",
        "Shared keys do not mean equal weight": "scale0",
        "A model that generates text stores K": "",
    },
    "long": {
        "128 tokens, and six heads built by h": (
            "scale0 capped waves rope alibi hot fast part halves own jump grid all_pairs causal "
            "biases weights x normed normed_all eps added near layer normed_after crossed"
        ),
        "Each head follows the next of these ": (
            "scale0 capped waves rope alibi hot fast part halves own jump grid all_pairs causal "
            "biases weights x normed normed_all eps added near layer normed_after crossed"
        ),
        "d_k is 128, with one column for each": "",
    },
    "heads-apart": {
        "W_O is the identity: the output has ": (
            "biases weights normed_concat concat_layer eps_of_concat hardswish smaller_output"
        ),
        "The output is the concatenation of t": (
            "biases weights normed_concat concat_layer eps_of_concat hardswish smaller_output"
        ),
        "Each column of the output is from on": (
            "off weights normed_concat concat_layer eps_of_concat"
        ),
        "Put a 1 into W_O off its diagonal: t": "weights",
    },
    "permutation": {
        "Shuffle the words, and the rows are ": (
            "waves rope alibi fast part halves own jump grid other_axes all_pairs causal added "
            "values near normed_after grows grows_late grows_from_0 grows_smoothly crossed"
        ),
        "In reverse order, each token has the": (
            "waves rope fast part halves own jump grid other_axes all_pairs causal added values "
            "near normed_after grows grows_late grows_from_0 grows_smoothly crossed"
        ),
        "Both THE have the same output, becau": (
            "waves rope alibi fast part halves own jump grid other_axes all_pairs causal x added "
            "near normed_after grows grows_late grows_from_0 grows_smoothly crossed"
        ),
        "Add positions or a mask: then the or": (
            "waves rope alibi fast part halves own jump grid other_axes all_pairs causal added "
            "values near normed_after grows grows_late grows_from_0 grows_smoothly crossed"
        ),
    },
    "positions": {
        "A wave for each position is added to": (
            "scale0 none rope alibi fast part halves own jump grid other_axes all_pairs "
            "normed_after crossed"
        ),
        "In reverse order, the tokens get oth": "scale0 none alibi",
        "The two THE have different outputs, ": "scale0 none x",
        "Set positions to none: then both cla": (
            "scale0 none alibi causal x added values near grows grows_late grows_from_0 "
            "grows_smoothly"
        ),
    },
    "image": {
        "Head 1 looks along the row of a patch": (
            "scale0 capped none waves alibi hot halves jump other_axes all_pairs biases weights x "
            "normed normed_all eps added near layer normed_after"
        ),
        "All patches ask the same and offer t": "none waves alibi weights x normed_after",
        "RoPE alone shows the heads where a p": (
            "scale0 capped none waves alibi hot halves jump other_axes all_pairs causal biases "
            "weights x normed normed_all eps added near layer normed_after"
        ),
        "Patch a1 is at row 0, column 0: its ": "none waves alibi jump",
        "Half of each head turns with the row": (
            "scale0 capped none waves alibi hot halves jump other_axes all_pairs biases weights x "
            "normed normed_all eps added near layer normed_after"
        ),
    },
    "neighbours": {
        "Head 1 looks at the word before, hea": (
            "causal added near distances_on_axes weights x scale0 capped hot layer"
        ),
        "Without R_K, every word would look a": (
            "causal added near distances_on_axes weights x scale0 capped alibi hot layer"
        ),
        "The first word has none before it, t": (
            "causal added near distances_on_axes weights x scale0 capped alibi hot layer"
        ),
        "Both THE are the same row of X, and ": "x scale0 layer",
        "R_K has a row for each distance: typ": (
            "causal added near distances_on_axes weights x scale0 capped hot layer"
        ),
    },
    "near-patches": {
        "Head 1 looks at the patch above, head": "added near weights x scale0 capped hot layer",
        "Without R_K, every patch would look a": (
            "causal added near weights x scale0 capped alibi hot layer"
        ),
        "A score is 16 where the distance fits": (
            "causal biases added near weights x half scale0 capped waves alibi grows grows_late "
            "grows_from_0 grows_smoothly hot normed normed_all eps q_gain k_gain layer q_shift "
            "k_shift"
        ),
        "Patches in the first row have none ab": (
            "causal added near weights x scale0 capped alibi hot layer"
        ),
        "R_K has 5 rows for distances by rows ": "added near weights x scale0 capped hot layer",
    },
    "translation": {
        "Three Spanish words are the queries,": "",
        "Three queries, four keys: each head'": "",
        "Head 1 is a dictionary: CAFÉ finds C": (
            "scale0 capped waves rope alibi hot fast part halves own jump grid other_axes causal "
            "biases weights x normed normed_all eps added near layer normed_after crossed"
        ),
        "The order is crossed: a later word i": "scale0 waves causal weights x near",
        "Queries are made from the first sequ": "values",
    },
    "own-numbers": {
        "A small X, and projections that chan": "biases weights values",
        "Nothing is projected: Q, K and V are": "waves biases weights values",
        "The output is the concatenation of t": "biases weights smaller_output",
        "Type in the grid, paste a matrix as ": "",
    },
    "induction": {
        "Each token copies the word before it": (
            "half scale0 capped waves hot off biases weights x normed normed_all eps added "
            "values near layer normed_values eps_of_values normed_concat concat_layer "
            "eps_of_concat concat_gain concat_shift hardswish smaller_values smaller_output"
        ),
        "Each token but the first looks at th": "scale0 capped waves weights x eps near",
        "It copies the word of that token int": (
            "half scale0 capped waves hot off biases weights x normed normed_all eps added "
            "values near layer normed_values eps_of_values normed_concat concat_layer "
            "eps_of_concat concat_gain concat_shift hardswish smaller_values smaller_output"
        ),
        "No token sees itself: so the first o": "causal unmasked biases concat_shift",
        "Under a causal mask the first a woul": (
            "half scale0 capped waves hot causal unmasked off biases weights x part normed "
            "normed_all eps added values near layer normed_values eps_of_values normed_concat "
            "concat_layer eps_of_concat concat_gain concat_shift hardswish smaller_values "
            "smaller_output"
        ),
    },
    "trained": {
        "Nobody wrote these numbers: a model ": (
            "scale0 capped waves hot fast halves unmasked biases weights split x normed eps added "
            "near layer normed_after crossed"
        ),
        "Head 1 looks at the word before: tha": (
            "scale0 capped waves hot fast halves unmasked biases weights split x normed eps added "
            "near layer normed_after crossed"
        ),
        "Each row of X is what the model has ": "x",
        "Layer 2 needs what head 1 of layer 1": (
            "scale0 capped waves hot fast halves own all_pairs unmasked biases weights split x "
            "normed eps added values near layer normed_after normed_values eps_of_values "
            "normed_concat concat_layer hardswish smaller_values smaller_output crossed"
        ),
    },
    "split-only": {
        "Two tokens, two heads of width 1, no": "biases weights values",
        "Nothing is projected: Q, K and V are": "waves biases weights values",
        "The output is the concatenation of t": "biases weights smaller_output",
        "In head 1 the first token takes e / ": (
            "half scale0 capped waves alibi hot causal biases weights x normed normed_all eps "
            "added near q_gain k_gain layer q_shift k_shift grows"
        ),
        "A query that is all zeros prefers no": "waves alibi causal biases weights added q_shift",
        "Q = K = V = X here: the source docum": "waves biases weights values",
    },
    "three-tokens": {
        "Width 6, two heads of width 3, and t": "waves weights split x",
        "Tokens 2 and 3 differ in X, but W_Q ": "waves weights split x",
        "Tokens 2 and 3 have the same key, so": (
            "waves alibi causal weights split x part own added near"
        ),
        "Both heads are equal, because they s": "alibi off biases weights split added near",
        "Tokens 2 and 3 get the same query. T": "waves weights split x",
        "W_O is the identity, so the output i": (
            "biases weights normed_concat concat_layer eps_of_concat hardswish smaller_output"
        ),
    },
    "pizza": {
        "Four words under a causal mask: each": "unmasked",
        "No token looks ahead.": "unmasked",
        "Row t of a head's output blends valu": "unmasked off",
        "Change the last word: only the last ": "unmasked",
        "Head 1 gives the weights of the sour": (
            "unscaled scale0 capped waves rope alibi hot fast part halves own jump grid other_axes "
            "all_pairs unmasked biases weights split x normed normed_all eps added near layer "
            "normed_after grows grows_late grows_from_0 grows_smoothly crossed"
        ),
        "W_O mixes: every head reaches every ": "off split",
        "A small version: width 8, two heads ": "",
        "Without W_O each group of 4 columns ": "",
        "The document prints weights, but no ": (
            "unscaled scale0 capped waves rope alibi hot fast part halves own jump grid other_axes "
            "all_pairs unmasked biases weights split x normed normed_all eps added near layer "
            "normed_after grows grows_late grows_from_0 grows_smoothly crossed"
        ),
    },
    "pizza-patches": {
        "Four patches of a picture, without a": "causal",
        "Every patch looks at every patch: no": "causal",
        "Every output row depends on all patc": "causal",
        "W_O mixes: every head reaches every ": "off split",
        "A small version: width 8, two heads ": "",
        "Without W_O each group of 4 columns ": "",
    },
    "eight-tokens": {
        "Two heads, and each reads only its o": "weights",
        "Each head reads only its own slice o": "weights",
        "Split X, then project each slice by ": "waves biases weights",
        "Small numbers make weights nearly eq": (
            "waves rope alibi fast part halves own jump causal biases x normed normed_all q_gain "
            "k_gain added near layer normed_after q_shift k_shift grows grows_late grows_from_0 "
            "grows_smoothly crossed"
        ),
        "The document prints X, but no projec": "weights",
        "Splitting first is the same formula ": "weights",
    },
    "two-tokens": {
        "Two heads with equal weights and mir": (
            "rope alibi fast part halves own jump off biases weights split q_gain k_gain added "
            "near normed_after q_shift v_gain normed_concat concat_layer eps_of_concat "
            "concat_gain concat_shift hardswish smaller_output crossed"
        ),
        "Both heads have the same weights.": (
            "rope alibi fast part halves own jump biases weights q_gain k_gain added near "
            "normed_after q_shift crossed"
        ),
        "Their outputs are mirrored: head 2 h": (
            "rope alibi fast part halves own jump off biases weights split q_gain k_gain added "
            "near normed_after q_shift v_gain crossed"
        ),
        "W_O is the identity: the output is t": (
            "biases weights normed_concat concat_layer eps_of_concat concat_gain concat_shift "
            "hardswish smaller_output"
        ),
        "d_k and d_v are two sizes: W_Q and W": "",
        "The document calls its projections r": (
            "rope alibi fast part halves own jump off biases weights split q_gain k_gain added "
            "near normed_after q_shift v_gain crossed"
        ),
        "The document does not give W_O. Here": (
            "biases weights normed_concat concat_layer eps_of_concat concat_gain concat_shift "
            "hardswish smaller_output"
        ),
    },
    "two-tokens-mixed": {
        "The same two heads, and a W_O that g": (
            "rope alibi fast part halves own jump off biases weights split q_gain k_gain added "
            "near normed_after q_shift v_gain normed_concat concat_layer eps_of_concat "
            "concat_gain concat_shift hardswish smaller_output crossed"
        ),
        "Both heads have the same weights.": (
            "rope alibi fast part halves own jump biases weights q_gain k_gain added near "
            "normed_after q_shift crossed"
        ),
        "Their outputs are mirrored: head 2 h": (
            "rope alibi fast part halves own jump off biases weights split q_gain k_gain added "
            "near normed_after q_shift v_gain crossed"
        ),
        "The output's left half is head 1 + h": (
            "biases weights split normed_concat concat_layer eps_of_concat concat_gain "
            "concat_shift hardswish smaller_output"
        ),
        "W_O mixes: every head reaches every ": "off split",
        "d_k and d_v are two sizes: W_Q and W": "",
        "The document calls its projections r": (
            "rope alibi fast part halves own jump off biases weights split q_gain k_gain added "
            "near normed_after q_shift v_gain crossed"
        ),
        "The document does not give W_O. Here": (
            "biases weights split normed_concat concat_layer eps_of_concat concat_gain "
            "concat_shift hardswish smaller_output"
        ),
    },
}

# A sentence with such a word speaks of the option, and so of what is chosen there.
SPEAKS_OF: Final = {"positions": r"\bwaves?\b|\bpositions?\b", "scale": r"\bdivi[ds]|\bthe scale\b"}
OF_ATTENTION: Final = {"The division by sqrt(d_k) prevents this in wide heads."}


def sentences(name: str) -> list[Claim]:
    """What an example shows, what it claims, and its notes."""
    example = EXAMPLES[name]
    return [Claim(example.sentence, example.holds), *example.claims, *example.notes]


@cache
def gone(name: str) -> list[list[str]]:
    """For each sentence, the switches that drop it."""
    traces = [(switch, attend(s)) for switch, s in switched(load_example(name))]
    return [
        [switch for switch, trace in traces if not each.holds(trace)] for each in sentences(name)
    ]


def test_every_option_and_every_small_example_is_in_the_table() -> None:
    assert set(VALUES) == set(OPTIONS)
    assert list(GOES) == SMALL
    assert {switch for name in SMALL for switch, _ in switched(load_example(name))} == set(NAMES)


@pytest.mark.parametrize("name", SMALL)
def test_a_sentence_goes_with_the_switches_that_make_it_false(name: str) -> None:
    table = GOES[name]
    said = [each.sentence for each in sentences(name)]
    assert [text[: len(begin)] for text, begin in zip(said, table, strict=True)] == list(table)
    for begin, found in zip(table, gone(name), strict=True):
        assert {begin: set(found)} == {begin: set(table[begin].split())}


@pytest.mark.parametrize("name", SMALL)
def test_a_sentence_that_speaks_of_an_option_supposes_what_is_chosen(name: str) -> None:
    for claim, found in zip(sentences(name), gone(name), strict=True):
        for option, words in SPEAKS_OF.items():
            if claim.sentence in OF_ATTENTION or not re.search(words, claim.sentence):
                continue
            chosen = getattr(load_example(name).scores, option)
            supposed = claim.supposes.get(option, (chosen,))
            for switch, value in VALUES[option].items():
                assert value in supposed or switch in found, (claim.sentence, switch)


def test_what_numbers_cannot_tell_is_told_by_what_is_supposed() -> None:
    """Under RoPE the order matters too, but no wave is added to X."""
    positions = EXAMPLES["positions"]
    rope = dict(switched(load_example("positions")))["rope"]
    (claim, *_) = positions.claims
    assert claim.holds(attend(rope))
    assert positions.sentence.startswith("A wave for each position is added to X")
    assert not positions.holds(attend(rope))


def test_a_claim_that_supposes_something_is_false_of_anything_else() -> None:
    trace = attend(load_example("positions"))
    for supposed, holds in (("sinusoidal", True), ("rope", False)):
        claim = Claim("Always.", lambda _: True, {"positions": (supposed,)})
        assert claim.holds(trace) is holds
