"""Edits: from an entry of a person to the next scenario. No Streamlit, no session.

An entry is read here: a choice, tokens as a line of text, a number as a small expression, or cells
that are typed or pasted. `mha_core/changing` decides what it does to the numbers.
"""
