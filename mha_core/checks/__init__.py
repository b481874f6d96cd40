"""What all other folders use: errors, limits, shapes by name, and one check for each thing."""
