"""The attention layer: every array of the forward pass, and plain functions for parts of it."""
