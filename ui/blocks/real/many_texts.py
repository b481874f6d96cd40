"""One head on many sentences: what it does there, where it does it most, and where it does not."""

from __future__ import annotations

import html
from typing import Final

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from mha_core.checks.shapes import FloatArray
from mha_core.language import say, say_number
from mha_core.layer.attending import attend
from mha_core.survey.head_map import small_pictures
from mha_core.survey.many_texts import ManyTexts, found_in, highest_middle_lowest, ranked
from mha_core.survey.measures import MEASURES, NAMES, TITLES, label_of, mean_of_known
from mha_core.survey.own_sentences import (
    LONGEST_TEXT,
    MOST_TEXTS,
    SENTENCE_FILE_TYPES,
    sentences_in,
    sentences_of,
)
from ui.blocks.real.fields import select
from ui.blocks.real.head_tiles import Dot, head_dots, head_tiles
from ui.blocks.real.opening import click
from ui.controls.file_field import file_field
from ui.controls.markdown import plain
from ui.figures.head_tiles import Tile, in_words
from ui.machine.budget import TURNS
from ui.machine.one_thread import ONE_THREAD
from ui.reports import reported
from ui.state.real_layers import RealLayers
from ui.state.refusals import REFUSES

BINS: Final = 10
KINDS: Final = {
    "highest": say("Where it does so most"),
    "middle": say("In the middle"),
    "lowest": say("Where it does so least"),
}
OWN_TEXTS: Final = "real-own-texts"
SENTENCES: Final = "real-sentences"  # the key of its refusals
MOST_EXCEPTIONS: Final = 3


def many_texts(shown: RealLayers) -> None:
    """The button that begins, and what was found so far."""
    st.header(say("On many sentences"), anchor=False)
    st.markdown(
        say(
            "A pattern on one sentence says little of a head. Here all heads read {count} "
            "sentences."
        ).format(count=len(shown.many_texts))
    )
    with st.container(horizontal=True):
        place = st.empty()
        with st.popover(say("Own sentences"), key="real-own-sentences"):
            _own_sentences(shown)
    _what_is_left_out(shown)
    if shown.many is None or shown.many.count < len(shown.many.texts):
        _begin_or_go_on(shown, place)
    if shown.many and shown.many.count:
        _what_was_found(shown, shown.many)


def _begin_or_go_on(shown: RealLayers, place: DeltaGenerator) -> None:
    """Any click stops it, and what was found by then stays."""
    count = shown.many.count if shown.many else 0
    label = say("Go on") if count else say("Read them all")
    if not place.button(label, key="real-many"):
        return
    place.button(say("Stop"), key="real-stop")
    shown.many = shown.many or ManyTexts(shown.many_texts)
    progress = st.progress(0.0)
    model = shown.opened
    for text in shown.many.texts[shown.many.count :]:
        try:
            with TURNS.turn(shown.use), ONE_THREAD:
                shown.many.take(*found_in(model.on(text)))
        except REFUSES as error:  # of a model whose words are others
            shown.skip(text, str(error))
            if shown.many.texts:
                continue
            shown.many = None
            progress.empty()
            st.error(plain(str(error)))
            return
        of = len(shown.many.texts)
        done = say("{count} of {all} sentences").format(count=shown.many.count, all=of)
        progress.progress(shown.many.count / of, done)
    st.rerun()


def _own_sentences(shown: RealLayers) -> None:
    """Pasted, or out of a file."""

    def take(data: bytes, name: str) -> None:
        with shown.refusals.noting(SENTENCES, name):
            shown.read_many(sentences_in(name, data))

    def paste() -> None:
        shown.refusals.pop(SENTENCES, None)
        shown.read_many(sentences_of(str(reported(OWN_TEXTS) or "").splitlines()))

    st.session_state[OWN_TEXTS] = "\n".join(shown.own_sentences.texts)
    st.text_area(
        say("A sentence in each line, at most {most} of {long:,} characters").format(
            most=MOST_TEXTS, long=LONGEST_TEXT
        ),
        key=OWN_TEXTS,
        on_change=paste,
        height=160,
        width=480,
    )
    label = say("Or a text file, or a table with the sentences in its first column")
    file_field(shown, "real-texts", label, SENTENCE_FILE_TYPES, take, lambda: None)
    if refused := shown.refusals.get(SENTENCES):
        st.error(plain(refused.reason))


def _what_is_left_out(shown: RealLayers) -> None:
    """Of a visitor's own sentences: what was too much, and what this model cannot read."""
    said = [shown.own_sentences.says]
    if shown.unread:
        first = next(iter(shown.unread.values()))
        said.append(
            say_number(
                "{count} sentence is left out, as this model cannot read it. {first}",
                "{count} sentences are left out, as this model cannot read them. The first: "
                "{first}",
                len(shown.unread),
            ).format(count=len(shown.unread), first=first)
        )
    if says := " ".join(filter(None, said)):
        st.caption(plain(says))


def _what_was_found(shown: RealLayers, many: ManyTexts) -> None:
    means = many.means()
    if shown.studied is None:
        shown.studied = clearest_head(means)
    dots, one = st.columns([1, 1], gap="medium")
    with dots:
        _scatter(shown, means)
    with one:
        _one_head(shown, many, means)
    _sentences(shown, many, *shown.studied)


def _scatter(shown: RealLayers, means: FloatArray) -> None:
    with st.container(horizontal=True):
        for place, label in enumerate((say("Across"), say("Up"))):
            _axis(shown, place, label)
    across, up = (NAMES.index(name) for name in shown.axes)
    places = _heads_in(means)
    told = [at for at in places if not np.isnan(means[at][[across, up]]).any()]
    dots = [
        Dot(
            float(means[at][across]),
            float(means[at][up]),
            label_of(means[at]),
            _spoken(shown, at, means),
            at == shown.studied,
        )
        for at in told
    ]

    def study(place: int) -> None:
        shown.studied = told[place]

    head_dots("real-dots", dots, (TITLES[shown.axes[0]], TITLES[shown.axes[1]]), study)


def _axis(shown: RealLayers, place: int, label: str) -> None:
    def choose(name: str | None) -> None:
        axes = list(shown.axes)
        axes[place] = name or axes[place]
        shown.axes = (axes[0], axes[1])

    key, names = f"real-axis-{place}", list(NAMES)
    select(key, label, names, shown.axes[place], choose, TITLES.__getitem__, width=180)


def _spoken(shown: RealLayers, at: tuple[int, ...], means: FloatArray) -> str:
    layer, head = at
    says = say("{layer}, head {head}: {says}")
    name = shown.opened.layer_name(layer)
    return says.format(layer=name, head=head + 1, says=in_words(means[layer, head]))


def _one_head(shown: RealLayers, many: ManyTexts, means: FloatArray) -> None:
    """What the chosen head does, and where it does not."""
    places = _heads_in(means)
    assert shown.studied
    layer, head = shown.studied

    def choose(at: tuple[int, int] | None) -> None:
        shown.studied = at

    def name_of(at: tuple[int, int]) -> str:
        layer, head = shown.opened.layer_name(at[0]), at[1] + 1
        return say("{layer}, head {head}").format(layer=layer, head=head)

    select("real-head", say("Head"), places, shown.studied, choose, name_of, width=220)
    measure = measure_of(means[layer, head])
    says = say("{meaning} Over {count} sentences, {share:.0%} of its weight goes there.")
    share = means[layer, head][NAMES.index(measure)]
    st.markdown(says.format(meaning=MEASURES[measure].meaning, share=share, count=many.count))
    st.html(_bars(many.scores()[:, layer, head, NAMES.index(measure)]))
    for each in many.exceptions(layer, head, measure)[:MOST_EXCEPTIONS]:
        where = say("after “{word}”") if each.is_before else say("at “{word}”")
        says = say("But not {where}: {share:.0%} there, in {count} places.")
        where = where.format(word=each.word.strip())
        st.markdown(plain(says.format(where=where, share=each.share, count=each.places)))


def _heads_in(means: FloatArray) -> list[tuple[int, int]]:
    """All of which something is known: a decoder may have fewer in a layer than the encoder."""
    every = [(int(layer), int(head)) for layer, head in np.ndindex(means.shape[:2])]
    return [at for at in every if not np.isnan(means[at]).all()] or every


def clearest_head(means: FloatArray) -> tuple[int, int]:
    """The head that does one thing more than any other head does anything."""
    most = np.nan_to_num(means[..., :-1]).max(axis=-1)
    layer, head = np.unravel_index(most.argmax(), most.shape)
    return int(layer), int(head)


def measure_of(scores: FloatArray) -> str:
    """What the head does most, be it ever so little."""
    return NAMES[int(np.nan_to_num(scores[:-1]).argmax())]


def _bars(scores: FloatArray) -> str:
    """How many sentences have which share, as a small histogram."""
    known = scores[~np.isnan(scores)]
    counts, _ = np.histogram(known, BINS, (0, 1))
    most = max(1, counts.max())
    bars = "".join(
        f'<span style="height:{max(count and 3, 100 * count / most):.0f}%" '
        f'title="{html.escape(_range(place, count))}"></span>'
        for place, count in enumerate(counts)
    )
    spoken = "; ".join(_range(place, count) for place, count in enumerate(counts) if count)
    return (
        f'<div class="share-bars" role="img" aria-label="{html.escape(spoken)}">{bars}</div>'
        '<div class="share-axis"><span>0</span><span>1</span></div>'
    )


def _range(place: int, count: int) -> str:
    says = say("{least:.1f} to {most:.1f}: {count} sentences")
    return says.format(least=place / BINS, most=(place + 1) / BINS, count=count)


def _sentences(shown: RealLayers, many: ManyTexts, layer: int, head: int) -> None:
    """The sentences with the highest, middle and lowest share, as pictures that open."""
    scores = many.scores()[:, layer, head]
    measure = measure_of(mean_of_known(scores, axis=0))
    order = ranked(scores[:, NAMES.index(measure)])
    chosen = list(highest_middle_lowest(order))
    tiles = [_tile(shown, many, layer, head, text, kind, measure) for kind, text in chosen]

    def take(place: int) -> None:
        click(shown, layer, head, many.texts[chosen[place][1]])

    head_tiles("real-sentences", tiles, take, are_texts=True)


def _tile(
    shown: RealLayers, many: ManyTexts, layer: int, head: int, text: int, kind: str, measure: str
) -> Tile:
    trace = attend(shown.opened.on(many.texts[text]).layer(layer))
    share = mean_of_known(many.read[text][layer, head].astype(np.float32), axis=-1)
    says = say("{share:.2f}").format(share=share[NAMES.index(measure)])
    return Tile(
        group=KINDS[kind],
        title=says,
        label=label_of(share),
        says=many.texts[text],
        spoken=say("{says}: {text}").format(says=says, text=many.texts[text]),
        small=small_pictures(trace.weights[[head]])[0],
    )
