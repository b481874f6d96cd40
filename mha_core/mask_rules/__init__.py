"""Which query may attend to which key: a file for each rule, in which all about it is declared.

Every rule is a small function that returns a boolean matrix with one row for each query and one
column for each key. True means: may attend. Rules combine by AND. Each takes `rows`, to make only a
few rows of a mask that is too large for the memory.

If there are more keys than queries, each query needs a place among the keys. `align="end"` puts
the last query at the last key, as in a decoder with a cache of earlier tokens. `align="start"` puts
the first query at the first key.

A new rule is a new file here. CONTRIBUTING.md has the way.
"""
