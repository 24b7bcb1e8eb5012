"""Part 2, judgement: nets in torch for training, their compiled twins for a search, weights on disk."""
