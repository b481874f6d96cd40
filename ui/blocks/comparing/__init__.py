"""The parts of the page that compares A and B."""

from ui.blocks.comparing.layer_of_model import layer_of_model
from ui.blocks.comparing.opening import opens_in_layer, opens_on
from ui.blocks.comparing.pictures import pictures
from ui.blocks.comparing.ready_questions import ready_questions
from ui.blocks.comparing.sides import controls_of_a_side, editors_of_a_side, heading, side_to_change
from ui.blocks.comparing.words import every_step, what_becomes_of_it

__all__ = [
    "controls_of_a_side",
    "editors_of_a_side",
    "every_step",
    "heading",
    "layer_of_model",
    "opens_in_layer",
    "opens_on",
    "pictures",
    "ready_questions",
    "side_to_change",
    "what_becomes_of_it",
]
