"""What everything stands on: errors with four parts, shapes by name, and the checks at the door."""
