"""A model that we trained, and the stories that it was trained on.

Two layers of attention and nothing else: no norm, no MLP, no biases. So the whole model is a Stack.
`tools/train_induction.py` makes the file.
"""
