"""Part 6, people: the command line and the board in a terminal."""
