"""Building a head: the puzzles, the job, the head, and whether it does its job."""

from ui.blocks.building.choice import heading, make_own
from ui.blocks.building.head import head
from ui.blocks.building.making import is_making
from ui.blocks.building.question import ask, question_of
from ui.blocks.building.verdict import show_verdict
from ui.blocks.building.what_helps import what_helps

__all__ = [
    "ask",
    "head",
    "heading",
    "is_making",
    "make_own",
    "question_of",
    "show_verdict",
    "what_helps",
]
