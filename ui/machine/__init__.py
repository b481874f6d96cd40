"""What one machine gives to all visitors together: limits, turns, memory, and measures."""
