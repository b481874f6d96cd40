"""Puzzles: write the matrices of a head so that it does a job, and be told whether it does."""
