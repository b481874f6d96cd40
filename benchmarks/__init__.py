"""How fast the core is beside PyTorch, and how little memory its long path takes."""
