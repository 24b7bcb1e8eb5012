"""Recipes: settings with the strength they reached, each runnable with `python -m recipes.NAME`."""
