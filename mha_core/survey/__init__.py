"""What the heads of a whole trained model do: on one text, and on many."""
