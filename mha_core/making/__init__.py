"""Ways to make an input X and the projections: by name, from words, from chance, by hand."""
