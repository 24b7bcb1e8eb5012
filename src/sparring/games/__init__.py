"""Part 1, rules. A file in this folder that defines STATE is a game; its name is the file's name."""
