"""What a trace says: numbers about its heads, patterns in its weights, and sentences."""
