"""What a person chose, as plain data that is checked when it is made: no arithmetic."""
