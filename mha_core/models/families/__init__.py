"""The families of models whose files are recognised: one file for each, which is mostly data."""
