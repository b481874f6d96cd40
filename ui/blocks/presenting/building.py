"""A puzzle as it is presented: its job, and the head that is built."""

from __future__ import annotations

from typing import Final

from ui.blocks.building.head import head_picture
from ui.blocks.building.puzzle_shown import puzzle_of
from ui.blocks.building.question import question_of
from ui.blocks.presenting.parts import Part, Parts, Shown
from ui.state import Session

BUILD: Final = "build"


def parts_of_building(session: Session) -> Parts:
    """One part: the layer that is shown."""
    puzzle, question = puzzle_of(session), question_of(session)
    title, job = (question.title, question.asked) if question else (puzzle.title, puzzle.job)
    part = Part(BUILD, title, [], "", _draw, job)
    return Parts("part", [part], part, part)


def _draw(session: Session) -> list[Shown]:
    picture = head_picture(session, is_presented=True)
    return [Shown(picture, session)] if picture else []
