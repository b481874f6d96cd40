"""Ways to make an input X and the projections, by name: from words, at random, or by hand."""
