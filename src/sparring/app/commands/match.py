"""`sparring match`."""

import json
import pathlib
from dataclasses import replace
from typing import Any

from sparring.app.contest import Contest, play_contest, usual_opening, verdict
from sparring.app.options import Match
from sparring.app.talk import announce_compiling, announce_table, finite, ladder_path, say, threads_of
from sparring.errors import MatchError


def run(options: Match) -> None:
    """Play the match with a live score, keep it in the ladder, print the result."""
    if options.games < 2 or options.games % 2:
        raise MatchError(f"--games is {options.games}, but matches are played in pairs: an even number, at least 2")
    if options.seed < 0:
        raise MatchError(f"--seed is {options.seed}, but it must be 0 or more")
    options = with_limits(options)
    threads = threads_of(options.threads)
    what = f"matches to {options.points} points" if options.points else "games"
    cube = " with the cube" if options.cube and not options.points else ""
    say(f"{options.game}: {options.a} against {options.b}, {options.games} {what}{cube} in pairs on {threads} threads.")
    from sparring.app.pgn_file import PgnFile
    from sparring.arena.books import read_book
    from sparring.arena.player import parse_player
    from sparring.arena.under_way import Terms
    from sparring.games.game import load

    announce_compiling("the rules and the search")
    game = load(options.game)
    a, b = parse_player(options.a, game), parse_player(options.b, game)
    book = read_book(options.openings, game) if options.openings else None
    opening = (0 if book else usual_opening(game)) if options.opening is None else options.opening
    if book and len(book.lines) < options.games // 2:
        say(f"{book.name} holds {len(book.lines)} openings for {options.games // 2} pairs; some are played again.")
    terms = Terms(opening, options.points, options.cube, book=book, adjudicate=options.adjudicate)
    terms.check(game, a, b)
    if terms.points:
        announce_table(game.name, terms.points)
    file = PgnFile(pathlib.Path(options.pgn), game, a, b) if options.pgn else None
    contest = Contest(game, a, b, options.games // 2, terms, options.seed, options.sprt, options.luck, file)
    played = play_contest(contest, threads, ladder_path(options.ladder), show=not options.json)
    if options.json:
        print(json.dumps(finite(as_json(contest, played))))
        return
    for line in verdict(contest, played):
        print(line)


def with_limits(options: Match) -> Match:
    """The options with the match's limit in the players' specs."""
    from sparring.arena.player import limited
    from sparring.search.clock import read_control

    if options.nodes < 0:
        raise MatchError(f"--nodes is {options.nodes}, but it must be 0 (no limit of the match's) or more")
    if options.nodes and options.tc:
        raise MatchError(f"give --nodes or --tc, not both: {options.nodes} and {options.tc!r}")
    if not options.nodes and not options.tc:
        return options
    limit = f"tc={read_control(options.tc)}" if options.tc else f"nodes={options.nodes}"
    return replace(options, a=limited(options.a, limit), b=limited(options.b, limit))


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
        **(as_points(played) if played.points.units else {}),
        "pairs": dict(zip(("ll", "ld", "even", "wd", "ww"), counts.cells, strict=True)),
        "elo": elo.elo,
        "elo_low": elo.low,
        "elo_high": elo.high,
        "elo_error": elo.error,
        "superiority": superiority(counts),
        **({"without_luck": without_luck(played)} if played.fair.units else {}),
        **({"match_length": contest.terms.points} if contest.terms.points else {}),
        **({"cube": dict(played.cube)} if contest.terms.stakes and not played.before else {}),
        "seed": contest.seed,
        "opening": contest.terms.opening,
        **({"book": contest.terms.book.name} if contest.terms.book else {}),
        **({"adjudicated": played.adjudicated} if contest.terms.adjudicate else {}),
        **({"forfeits": faults} if (faults := forfeits_of(contest, played)) else {}),
        "finished": played.finished,
    }
    if played.sprt is not None:
        row["sprt"] = {"llr": played.sprt.llr, "bounds": [played.sprt.lower, played.sprt.upper]}
        row["sprt"]["decision"] = str(played.sprt.decision)
    return row


def forfeits_of(contest: Contest, played: Any) -> dict[str, dict[str, int]]:
    """Games that each player forfeited, by the kind of fault."""
    told: dict[str, dict[str, int]] = {}
    for (who, kind), n in played.faults.items():
        told.setdefault("a" if who == contest.a.label else "b", {})[kind] = n
    return told


def as_points(played: Any) -> dict[str, Any]:
    """Points a game with standard error and 95 % interval, and how often each number came up."""
    points = played.points
    low, high = points.interval()
    row = {"points": points.mean, "points_error": points.error, "points_low": low, "points_high": high}
    if not played.before:
        row["results"] = {f"{size:+g}": n for size, n in sorted(played.sizes.items())}
    return row


def without_luck(played: Any) -> dict[str, Any]:
    """Value a game (of a match −1 to 1) without the luck of the dice, and as it was, over the pairs played now."""
    fair = played.fair
    low, high = fair.interval()
    row = {"value": fair.mean, "error": fair.error, "low": low, "high": high}
    return {**row, "with_luck": played.raw.mean, "with_luck_error": played.raw.error, "judge": played.judge}
