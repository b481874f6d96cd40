"""How fast the core is beside PyTorch, and how little memory its path for long sequences takes."""
