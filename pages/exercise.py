"""An exercise to fill in: it is marked at once, and says which step went wrong."""

from ui import blocks
from ui.blocks import exercise
from ui.controls.answer_sheet import KEY
from ui.state.exercise_shown import open_exercise

shown = open_exercise(KEY)

blocks.style(has_sidebar=False)
blocks.help_button()
exercise.exercise_heading(shown)
exercise.marked_sheet(shown)
