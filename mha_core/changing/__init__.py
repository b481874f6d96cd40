"""From one scenario to the next: what changes, and which numbers are kept."""
