"""How the number of a cell is made of others, as data that Python and the browser both read."""
