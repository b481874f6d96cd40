"""What the server shows to the people who run it: health, measures, logs, words at the start.

Nothing is imported here: `packages.py` must be able to say which package is missing.
"""
