"""Part 3, search: from a position to a move."""
