"""Widgets: each shows the scenario and turns an entry into the next scenario."""
