"""The heads of a trained model, on a person's own words."""

from ui import blocks
from ui.blocks import real
from ui.state.real_layers import open_real_layers

shown = open_real_layers()

blocks.style(has_sidebar=False)
blocks.help_button()
real.open_what_was_clicked(shown)
real.heading(shown)
if shown.to_map:
    real.by_hand(shown, shown.to_map)
else:
    real.all_heads(shown)
    real.many_texts(shown)
