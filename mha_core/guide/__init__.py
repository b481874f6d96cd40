"""A field guide to what heads do: patterns, why they come about, what breaks them, who saw them."""
