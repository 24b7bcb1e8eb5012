"""`sparring match`."""

import json
from typing import Any

from sparring.app.contest import Contest, play_contest, verdict
from sparring.app.options import Match
from sparring.app.talk import announce_compiling, finite, ladder_path, say, threads_of
from sparring.errors import MatchError


def run(options: Match) -> None:
    """Play the match with a live score, keep it in the ladder, print the result."""
    if options.games < 2 or options.games % 2:
        raise MatchError(f"--games is {options.games}, but matches are played in pairs: an even number, at least 2")
    if options.seed < 0:
        raise MatchError(f"--seed is {options.seed}, but it must be 0 or more")
    threads = threads_of(options.threads)
    say(f"{options.game}: {options.a} against {options.b}, {options.games} games in pairs on {threads} threads.")
    from sparring.arena.player import parse_player
    from sparring.games.game import load

    announce_compiling("the rules and the search")
    game = load(options.game)
    a, b = parse_player(options.a, game), parse_player(options.b, game)
    contest = Contest(game, a, b, options.games // 2, options.opening, options.seed, options.sprt)
    played = play_contest(contest, threads, ladder_path(options.ladder), show=not options.json)
    if options.json:
        print(json.dumps(finite(as_json(contest, played))))
        return
    for line in verdict(contest, played):
        print(line)


def as_json(contest: Contest, played: Any) -> dict[str, Any]:
    """The result for a program."""
    from sparring.arena.stats import estimate_elo, score_interval, superiority

    counts = played.counts
    elo = estimate_elo(counts)
    low, high = score_interval(counts)
    row = {
        "game": contest.game.name,
        "a": contest.a.label,
        "b": contest.b.label,
        "games": counts.games,
        "score": counts.mean,
        "score_low": low,
        "score_high": high,
        **(
            {}
            if played.before
            else {"wins": played.games.wins, "draws": played.games.draws, "losses": played.games.losses}
        ),
        "pairs": dict(zip(("ll", "ld", "even", "wd", "ww"), counts.cells, strict=True)),
        "elo": elo.elo,
        "elo_low": elo.low,
        "elo_high": elo.high,
        "superiority": superiority(counts),
        "seed": contest.seed,
        "opening": contest.opening,
        "finished": played.finished,
    }
    if played.sprt is not None:
        row["sprt"] = {"llr": played.sprt.llr, "bounds": [played.sprt.lower, played.sprt.upper]}
        row["sprt"]["decision"] = str(played.sprt.decision)
    return row
