"""`sparring accuracy`."""

import json
import time
from typing import TYPE_CHECKING, Any

from sparring.app.options import Accuracy
from sparring.app.talk import announce_compiling, say, threads_of
from sparring.errors import MatchError

if TYPE_CHECKING:
    from sparring.arena.accuracy import Share, Tally

COLUMNS = {"ideal": "ideal", "sound": "sound", "blunder": "blunder", "value_class_error": "value class wrong"}
WIDTH = 20


def run(options: Accuracy) -> None:
    """Measure a player on each set and on its own games; print a row for each as it comes."""
    if options.games < 0 or options.seed < 0 or (options.limit is not None and options.limit < 1):
        given = f"--games is {options.games}, --seed {options.seed}, --limit {options.limit}"
        raise MatchError(f"{given}; the first two must be 0 or more, the limit at least 1")
    threads = threads_of(options.threads)
    say(f"{options.game}: {options.player} against the truth, on {threads} threads.")
    announce_compiling("the rules and the search")
    from sparring.arena import accuracy
    from sparring.arena.player import parse_player
    from sparring.arena.yardsticks import needed_truth_for
    from sparring.games.game import load

    game = load(options.game)
    known, entry = needed_truth_for(game), parse_player(options.player, game)
    truths = [known.truth(name) for name in options.sets or known.PUBLIC]
    if not options.json:
        print(f"{entry.label}, % with 95 % intervals")
        print(f"{'':14}{'positions':>9}" + "".join(f"{name:>{WIDTH}}" for name in COLUMNS.values()), flush=True)
    how, tallies = {"seed": options.seed, "threads": threads}, []
    for truth in truths:
        tallies.append(accuracy.measure(entry.make, game, truth, limit=options.limit, **how))
        show(tallies[-1], options.json)
    means = accuracy.mean(tallies)
    if not options.json:
        name = f"mean of {len(tallies)}"
        print(f"{name:14}{'':>9}" + "".join(f"{percent(means[n]):>{WIDTH - 13}}{'':13}" for n in COLUMNS))
    own = None
    if options.games:
        say(f"{options.games} games against itself …")
        own = accuracy.own_games(entry, game, known, games=options.games, tell=Told(), **how)
        show(own, options.json)
        say(f"own games: the {own.early} positions before ply {known.FIRST_PLY} are left out; they take long to solve.")
    if options.json:
        rows = {"sets": [as_json(t) for t in tallies], "mean": means, "own_games": own and as_json(own)}
        print(json.dumps({"game": game.name, "player": entry.label, "seed": options.seed, **rows}))


class Told:
    """Says now and then how many positions of a player's own games are solved."""

    def __init__(self) -> None:
        self.last = time.perf_counter()

    def __call__(self, done: int, total: int) -> None:
        now = time.perf_counter()
        if now - self.last > 5:
            self.last = now
            say(f"{done} of {total} positions solved")


def percent(share: float | None) -> str:
    """A share as people read it."""
    return "" if share is None else f"{100 * share:.1f}"


def show(tally: "Tally", silent: bool) -> None:
    """A row for people."""
    if not silent:
        cells = (cell(share) for share in tally.shares.values())
        print(f"{tally.name:14}{tally.positions:>9}" + "".join(f"{text:>{WIDTH}}" for text in cells), flush=True)


def cell(share: "Share | None") -> str:
    """Share and interval."""
    if share is None:
        return ""
    low, high = share.interval
    return f"{percent(share.share)} {f'({percent(low)}–{percent(high)})':>12}"


def as_json(tally: "Tally") -> dict[str, Any]:
    """A row for programs: counts, shares of 1, intervals."""
    shares = {}
    for name, share in tally.shares.items():
        low, high = share.interval if share else (None, None)
        shares[name] = share and {"count": share.count, "of": share.of, "share": share.share, "low": low, "high": high}
    return {"name": tally.name, "positions": tally.positions, "left_out": tally.early, **shares}
