"""The page of real layers: a trained model, all its heads on a text, one head on many."""

from ui.blocks.real.all_heads import all_heads
from ui.blocks.real.choice import heading
from ui.blocks.real.many_texts import many_texts
from ui.blocks.real.mapping import by_hand
from ui.blocks.real.opening import open_what_was_clicked

__all__ = ["all_heads", "by_hand", "heading", "many_texts", "open_what_was_clicked"]
