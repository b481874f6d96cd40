"""The sidebar: every control, in the order of the work."""

from __future__ import annotations

import streamlit as st

from mha_core.changes import with_scores
from mha_core.examples import EXAMPLES, load_example
from mha_core.inputs import INPUTS, LARGEST_SEED
from mha_core.io.number_text import parse_number
from mha_core.presets import PRESETS
from mha_core.scenario import BY_ROOT_D_K, POSITIONS, Scenario
from ui.controls import steps
from ui.controls.mask import mask_controls
from ui.controls.parts import refusal, section
from ui.number_format import format_number
from ui.state import ROWS, SCORE_STEPS, bound, bound_to_view, explorer
from ui.theme import PALETTES

MOST_TOKENS = 128
MOST_WIDTH = 1024
MOST_HEADS = 32
BY_HAND = "by hand"


def sidebar() -> None:
    with st.sidebar:
        example_section()
        input_section()
        heads_section()
        weights_section()
        mask_controls()
        scores_section()
        view_section()


def example_section() -> None:
    if "example" in explorer().view.hide:
        return
    name = explorer().example
    st.selectbox(
        "Example",
        list(EXAMPLES),
        format_func=lambda name: EXAMPLES[name].title,
        **bound("example", name, lambda _, chosen: load_example(chosen)),
    )


def input_section() -> None:
    if not section(1, "Input", "input"):
        return
    s = explorer().scenario
    st.text_input("Tokens", **bound("tokens", " ".join(s.tokens), steps.with_text))
    refusal("tokens")
    left, right = st.columns(2)
    left.number_input(
        "Number of tokens",
        1,
        max(MOST_TOKENS, s.n_q),
        **bound("n-tokens", s.n_q, steps.with_token_count),
    )
    right.number_input(
        "Width d_model",
        1,
        max(MOST_WIDTH, s.d_model),
        **bound("d-model", s.d_model, steps.with_d_model),
    )
    refusal("n-tokens", "d-model")
    left, right = st.columns([3, 2])
    left.selectbox(
        "X made from",
        _recipes(s.origin.x, list(INPUTS)),
        format_func=lambda name: INPUTS[name].title if name else "Numbers as given",
        **bound("x", s.origin.x, lambda s, name: steps.with_input(s, name, s.origin.x_seed)),
    )
    right.number_input(
        "Seed",
        0,
        LARGEST_SEED,
        disabled=not (s.origin.x and INPUTS[s.origin.x].seeded),
        **bound("x-seed", s.origin.x_seed, lambda s, seed: steps.with_input(s, s.origin.x, seed)),
    )
    refusal("x", "x-seed")
    with st.expander("Second sequence", expanded=s.context is not None):
        st.text_input(
            "Its tokens, for cross-attention",
            placeholder="none: the keys are X's own tokens",
            **bound("context", " ".join(s.context_tokens), steps.with_second_text),
        )
        refusal("context")


def heads_section() -> None:
    if not section(2, "Heads", "heads"):
        return
    s = explorer().scenario
    fitting = [n for n in range(1, MOST_HEADS + 1) if s.d_model % n == 0]
    st.segmented_control(
        "Number of heads",
        sorted({*fitting, s.n_heads}),
        required=True,
        **bound("heads", s.n_heads, steps.with_head_count),
    )
    refusal("heads")
    st.caption(_widths(s) + " " + _not_dividing(s.d_model))
    with st.expander("More"):
        for label, key, size in (
            ("Key/value heads", "kv-heads", "n_kv_heads"),
            ("Width d_k of queries and keys", "d-k", "d_k"),
            ("Width d_v of values", "d-v", "d_v"),
            ("Heads, whether they divide d_model or not", "any-heads", "n_heads"),
        ):
            st.number_input(
                label,
                1,
                MOST_HEADS if size.endswith("heads") else MOST_WIDTH,
                **bound(key, s.sizes[size], steps.with_size(size)),
            )
            refusal(key)


def weights_section() -> None:
    if not section(3, "Weights", "weights"):
        return
    s = explorer().scenario
    preset = PRESETS.get(s.origin.weights)
    left, right = st.columns([3, 2])
    left.selectbox(
        "Weight preset",
        _recipes(s.origin.weights, list(PRESETS)),
        format_func=lambda name: PRESETS[name].title if name else "Numbers as given",
        **bound(
            "weights",
            s.origin.weights,
            lambda s, name: steps.with_preset(s, name, s.origin.weights_seed),
        ),
    )
    right.number_input(
        "Seed of the weights",
        0,
        LARGEST_SEED,
        disabled=not (preset and preset.seeded),
        **bound(
            "weights-seed",
            s.origin.weights_seed,
            lambda s, seed: steps.with_preset(s, s.origin.weights, seed),
        ),
    )
    refusal("weights", "weights-seed")
    st.caption(preset.sentence if preset else "The projections are the example's own numbers.")
    if s.w_q.shape == s.w_k.shape:
        st.checkbox(
            "Share W_Q = W_K",
            **bound("share", bool((s.w_q == s.w_k).all()), steps.with_queries_as_keys),
        )
        refusal("share")


def scores_section() -> None:
    if not section(5, "Scores", "scores"):
        return
    s = explorer().scenario
    st.text_input(
        "Scale",
        help="1/sqrt(d_k), none, or a number such as 0.5 or 1/3",
        **bound("scale", _scale_text(s), lambda s, text: with_scores(s, scale=_scale(text))),
    )
    refusal("scale")
    st.caption(f"Scores are multiplied by {format_number(s.scores.factor(s.d_k), 4)}.")
    st.selectbox(
        "Positions",
        list(POSITIONS),
        format_func=lambda name: {"none": "None", "rope": "RoPE", "alibi": "ALiBi"}.get(
            name, name.title()
        ),
        **bound("positions", s.scores.positions, lambda s, name: with_scores(s, positions=name)),
    )
    refusal("positions")
    st.caption(POSITIONS[s.scores.positions])
    st.text_input(
        "Soft cap",
        placeholder="none",
        help="Bends scores so that none leaves -cap to cap",
        **bound("softcap", _cap_text(s), lambda s, text: with_scores(s, softcap=_cap(text))),
    )
    refusal("softcap")


def view_section() -> None:
    if not section(6, "View", "view"):
        return
    st.number_input("Decimals", 0, 6, **bound_to_view("decimals"))
    st.segmented_control(
        "Scores shown", SCORE_STEPS, required=True, format_func=str.title, **bound_to_view("scores")
    )
    st.pills(
        "Rows of the picture",
        ROWS,
        selection_mode="multi",
        format_func=str.title,
        **bound_to_view("rows", tuple, list),
    )
    st.selectbox("Palette", list(PALETTES), format_func=str.title, **bound_to_view("palette"))
    st.checkbox("One colour scale for all heads", **bound_to_view("shared_scale"))
    st.checkbox("Values in the cells", **bound_to_view("values"))


def _recipes(now: str, names: list[str]) -> list[str]:
    """What can be chosen; given numbers only while they are what there is."""
    return names if now else ["", *names]


def _widths(s: Scenario) -> str:
    if s.n_heads == 1:
        return f"One head of width {s.d_k}."
    return f"{s.n_heads} heads of width {s.d_k}."


def _not_dividing(d_model: int) -> str:
    rest = [str(n) for n in range(2, min(d_model, 9)) if d_model % n]
    return f"{', '.join(rest)} do not divide {d_model}." if rest else ""


def _scale_text(s: Scenario) -> str:
    scale = s.scores.scale
    return scale if isinstance(scale, str) else repr(scale)


def _scale(text: str) -> float | str:
    word = text.strip().replace(" ", "")
    if word in ("", BY_ROOT_D_K, "1/√d_k"):
        return BY_ROOT_D_K
    return word if word in ("none", "off") else parse_number(text, "The scale")


def _cap_text(s: Scenario) -> str:
    return "" if s.scores.softcap is None else repr(s.scores.softcap)


def _cap(text: str) -> float | None:
    return None if text.strip() in ("", "none") else parse_number(text, "The soft cap")
