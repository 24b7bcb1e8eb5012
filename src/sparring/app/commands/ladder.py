"""`sparring ladder`."""

import dataclasses
import json

from sparring.app.options import Ladder as Options
from sparring.app.talk import finite, ladder_path, say
from sparring.errors import MatchError


def run(options: Options) -> None:
    """Print the table of ratings."""
    from sparring.app.contest import ladder_name
    from sparring.arena.ladder import Ladder
    from sparring.arena.under_way import Terms
    from sparring.games.game import load

    game = load(options.game)
    name = ladder_name(game, Terms(points=options.points, cube=options.cube))
    path = ladder_path(options.ladder)
    book = Ladder(path) if path.exists() else None
    matches = book.matches(name) if book else []
    if book is None or not matches:
        more = f" --points {options.points}" if options.points else " --cube" if options.cube else ""
        raise MatchError(f"no match of {name} has been played yet; play one: sparring match {options.game} A B{more}")
    names = {str(e) for m in matches for e in (m.a, m.b)}
    anchor = options.anchor if options.anchor in names else None
    rows = book.standings(name, anchor)
    if options.json:
        print(json.dumps(finite([dataclasses.asdict(row) for row in rows])))
        return
    width = max(len(row.name) for row in rows)
    print(f"{'player':{width}}    Elo   95 % interval    games  score")
    for i, row in enumerate(rows):
        if i and row.group != rows[i - 1].group:
            print("no games link the players below with those above:")
        sure = "≥" if row.open_ended and row.elo > 0 else "≤" if row.open_ended else " "
        elo, low, high = (round(value, 0) + 0.0 for value in (row.elo, row.low, row.high))  # no minus before a zero
        span = f"[{low:+.0f}, {high:+.0f}]"
        print(f"{row.name:{width}} {sure}{elo:+6.0f}  {span:>15}  {row.games:6.0f}  {row.points / row.games:.3f}")
    say(
        f"{sum(m.counts.games for m in matches)} games in {path}"
        + ("" if anchor else "; 'random' has not played, so the busiest player stands at 0")
    )
