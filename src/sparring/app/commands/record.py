"""`sparring record`."""

import contextlib
import pathlib
from collections import Counter

from sparring.app.options import Record
from sparring.app.talk import announce_compiling, say, threads_of
from sparring.errors import MatchError


def run(options: Record) -> None:
    """Play the games, write each to the file when it is over, and say how they went."""
    if options.games < 1:
        raise MatchError(f"--games is {options.games}, but it must be at least 1")
    if options.seed < 0:
        raise MatchError(f"--seed is {options.seed}, but it must be 0 or more")
    threads = threads_of(options.threads)
    against = f"against {options.b}" if options.b else "against itself"
    path = pathlib.Path(options.out or f"{pathlib.Path(options.game).stem}.jsonl")
    say(f"{options.game}: {options.a} {against}, {options.games} games on {threads} threads, into {path}.")
    from sparring.app.contest import usual_opening
    from sparring.app.recording import Recording, record
    from sparring.app.waiting import status
    from sparring.arena.player import parse_player
    from sparring.games.game import load

    announce_compiling("the rules and the search")
    game = load(options.game)
    a, b = parse_player(options.a, game), parse_player(options.b, game) if options.b else None
    opening = usual_opening(game) if options.opening is None else options.opening
    recording = Recording(game, a, b, options.games, opening, options.seed)
    ends: Counter[str] = Counter()
    moves, held = 0, []
    with status("playing") as note:

        def tell(games: int) -> None:
            held.append(games)
            note(f"{games} of {options.games} games are in {path}")
            if games and len(held) == 1:
                more = "the others follow" if games < options.games else "nothing is left to play"
                say(f"{games} games of these players and this seed are there; {more}.")

        played = record(recording, path, threads, tell)
        stopped = False
        with contextlib.closing(played):
            try:
                for one in played:
                    moves += len(one.moves)
                    winner = 0 if (one.result or 0) > 0 else 1
                    ends["nobody" if not one.result else one.players[winner] if b else game.players[winner]] += 1
            except KeyboardInterrupt:
                stopped = True
    games = sum(ends.values())
    print(f"{games} games, {moves} moves: {path}")
    if games:
        print(", ".join(f"won by {who}: {n}" for who, n in ends.most_common()))
    if stopped:
        print("interrupted; the same command goes on from here")
