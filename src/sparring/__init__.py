"""Write the rules of a two-player game once, in plain Python, and get a strong bot by self-play."""

__version__ = "0.1.0"
