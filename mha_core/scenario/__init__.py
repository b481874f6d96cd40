"""What a person chose, as plain data. It is checked when it is made; nothing is computed here."""
