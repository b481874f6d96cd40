"""A scenario as a program that anyone can run without this package, and that checks its numbers."""

from mha_core.io.program.files import PROGRAM_FILES, program_file, why_no_program

__all__ = ["PROGRAM_FILES", "program_file", "why_no_program"]
