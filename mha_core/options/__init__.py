"""What may be chosen for the scores: a file for each option, in which all about it is declared.

A new option is a new file here. CONTRIBUTING.md has the way.
"""
