"""Part 4, learning: from games to a net."""
