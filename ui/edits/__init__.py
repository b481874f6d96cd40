"""Edits: what turns an entry of a person into the next scenario. No Streamlit, no session.

`entries` reads what is typed or chosen in a field. `editable_array` is an array that can be edited
as a table of numbers. `token_text` is tokens as a line of text, `expression` a number
as a person may write it.
"""
