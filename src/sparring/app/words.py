"""Values, chances and proofs in words."""

from collections.abc import Sequence

import numpy as np

from sparring.games.game import Game
from sparring.search.reading import Proof
from sparring.search.scores import UNIT, largest
from sparring.search.searcher import DEEPEST, Line, Thought

EVEN = "about even"
STANDINGS = ((0.1, EVEN), (0.35, "a little {}"), (0.7, "clearly {}"), (0.95, "much {}"))  # by share of a win
ENDS = {1: "win", 0: "draw", -1: "loss"}
Chances = Sequence[tuple[float, float]]  # results and their probabilities


def signed(value: float) -> str:
    """A value to two digits with its sign; zero has a plus."""
    return f"{round(value, 2) + 0.0:+.2f}"


def percent(share: float) -> str:
    """A share of 1: `61 %`."""
    return f"{100 * share:.0f} %"


def plies_told(plies: int) -> str:
    """`1 ply`, `3 plies`."""
    return "1 ply" if plies == 1 else f"{plies} plies"


def depth_told(thought: Thought) -> str:
    """How far a search looked: `12 plies deep`."""
    return "to the end of the game" if thought.depth >= DEEPEST else f"{plies_told(thought.depth)} deep"


def standing(game: Game, value: float) -> str:
    """A value in words for the player it belongs to: `about even`, `clearly better`."""
    share = abs(value) / largest(game.RESULTS)
    for below, words in STANDINGS:
        if share < below:
            return words.format("better" if value > 0 else "worse")
    return "as good as won" if value > 0 else "as good as lost"


def worth(game: Game, line: Line) -> str:
    """A line's value in words for the player to move: `+0.12, a little better`, `wins in 5 plies`.

    Where judgements are sums of material, in pawns, and what is expected of 1: `+0.61 pawns, 58 %, a little better`.
    """
    if line.end is not None:
        return f"{'wins' if line.score > 0 else 'loses'} in {plies_told(line.end)}"
    if game.ODDS and game.PAWN:
        pawns = f"{signed(pawns_of(game, line))} pawns, {percent((1 + line.value) / 2)}"
        return f"{pawns}, {standing(game, line.value)}"
    return f"{signed(line.value)}, {standing(game, line.value)}"


def pawns_of(game: Game, line: Line) -> float:
    """A line's score in small leads, in chess pawns."""
    return line.score / UNIT / game.PAWN


def chances_told(game: Game, chances: Chances, mover: int) -> str:
    """A distribution in words, by winner: `chances X 61 %, draw 30 %, O 9 %`. chances: as the mover sees results."""
    first, second = game.players
    told = []
    for value, chance in sorted(((v if mover == 0 else -v, p) for v, p in chances), reverse=True):
        by = f" by {abs(value):g}:" if len(game.RESULTS) > 3 else ""
        told.append(f"{f'{first if value > 0 else second}{by}' if value else 'draw'} {percent(chance)}")
    return f"chances {', '.join(told)}"


def entropy(chances: Chances) -> float:
    """How open a result is, in bits: 0 where it is certain, log2 of their number where all results are as likely."""
    shares = np.array([chance for _, chance in chances if chance > 0])
    return float(-(shares * np.log2(shares)).sum()) + 0.0


def proof_told(proof: Proof, name: str) -> str:
    """What is proven for the player of that name: `a win for X in 5 plies`."""
    if proof.winner == 0:
        return "a draw"
    when = "" if proof.plies is None else f" in {'' if proof.exact else 'at most '}{plies_told(proof.plies)}"
    return f"a {ENDS[proof.winner]} for {name}{when}"


def proof_cell(proof: Proof) -> str:
    """What is proven of a move, for a table: `win 5`."""
    when = "" if proof.plies is None else f" {'' if proof.exact else '≤'}{proof.plies}"
    return f"{ENDS[proof.winner]}{when}"


def scores_told(scores: dict[str, int]) -> str:
    """Perfect scores by move in words: `4 is best; 4 wins; 3 5 draw; 1 2 6 7 lose`."""
    best = max(scores.values())
    groups = [([name for name, score in scores.items() if score == best], "is best", "are best")]
    for sign, one, more in ((1, "wins", "win"), (0, "draws", "draw"), (-1, "loses", "lose")):
        groups.append(([name for name, score in scores.items() if np.sign(score) == sign], one, more))
    told = []
    for names, one, more in groups:
        who = "all" if 1 < len(names) == len(scores) else " ".join(names)
        told += [f"{who} {one if len(names) == 1 else more}"] if names else []
    return "; ".join(told)
