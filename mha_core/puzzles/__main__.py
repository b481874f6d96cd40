"""python -m mha_core.puzzles: see command.py."""

import sys

from mha_core.puzzles.command import main

sys.exit(main(sys.argv[1:]))
