"""Edits: what turns an entry of a person into the next scenario. No Streamlit, no session.

An entry is read here: what is typed or chosen in a field, tokens as a line of text, a number as a
small expression, cells that are typed or pasted. What it does to the numbers is decided in
`mha_core/changing`.
"""
