"""What every test of a part of the page has in common."""

from tests.running_page import packages_are_looked_through_once as packages_are_looked_through_once
