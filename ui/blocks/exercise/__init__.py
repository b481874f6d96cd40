"""The page of an exercise: which one, its sheet with blanks, the way to its solution."""

from ui.blocks.exercise.choice import exercise_heading
from ui.blocks.exercise.marked_sheet import marked_sheet

__all__ = ["exercise_heading", "marked_sheet"]
