"""Arena: players meet, matches are counted, strength is measured."""
