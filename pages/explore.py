"""The main page: an example, every head's scores and weights, and what the heads make together."""

import streamlit as st

from mha_core import attend
from mha_core.examples import DEFAULT_EXAMPLE, EXAMPLES, load_example
from ui import blocks

example = EXAMPLES[DEFAULT_EXAMPLE]
trace = attend(load_example(example.name))

st.title(example.title)
st.text(example.sentence)
blocks.claims(example.claims, trace)
blocks.heads(trace)
blocks.together(trace)
