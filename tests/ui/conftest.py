"""What every test of a part of the page has in common."""

from tests.running_page import runs_are_cheap as runs_are_cheap
