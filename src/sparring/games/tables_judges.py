"""Who leads the race: a judgement for backgammon and its kin that takes a line, as a yardstick for better ones."""

from sparring.compiled import compiled
from sparring.games import stacks


@compiled
def pips(state, who):
    """How many pips fewer than the other player `who`, who has just played, has to go."""
    return float(stacks.pips(state, 1 - who) - stacks.pips(state, who))
