"""Puzzles that a teacher makes: as data, as a text, as a file, as a word of a link."""

from mha_core.puzzles.own.asked import Asked
from mha_core.puzzles.own.by_function import own_puzzle
from mha_core.puzzles.own.file import pack_puzzle, read_puzzle, unpack_puzzle, write_puzzle
from mha_core.puzzles.own.own_puzzle import OwnPuzzle, puzzle_of

__all__ = [
    "Asked",
    "OwnPuzzle",
    "own_puzzle",
    "pack_puzzle",
    "puzzle_of",
    "read_puzzle",
    "unpack_puzzle",
    "write_puzzle",
]
