"""`sparring check`."""

import dataclasses
import json
import sys
from typing import TYPE_CHECKING, Any

from sparring.app.options import Check
from sparring.app.talk import announce_compiling, finite, say
from sparring.errors import GameError

if TYPE_CHECKING:
    from sparring.games.check import Report
    from sparring.games.check_numbers import Numbers
    from sparring.games.game import Game
    from sparring.learn.alphazero_settings import AlphaZeroSettings


def run(options: Check) -> int:
    """Check each game; returns 1 if any has a fault."""
    if not options.games:
        raise GameError("name the games to check, such as tic-tac-toe or mine.py")
    for name, value, least in (("count", options.count, 1), ("seed", options.seed, 0), ("game", options.game or 0, 0)):
        if value < least:
            raise GameError(f"--{name} is {value}, but it must be at least {least}")
    say(f"Checking {', '.join(options.games)} in {options.count} random games each.")
    from sparring.games.check import check
    from sparring.games.game import load

    announce_compiling("the rules")
    reports: list[dict[str, Any]] = []
    broken = False
    for name in options.games:
        try:
            game = load(name)
        except GameError as fault:
            if len(options.games) == 1:
                raise
            say(f"sparring: {fault}")
            broken = True
            continue
        report = check(game, options.count, options.seed, options.game)
        chosen = chosen_for(game) if report.numbers else None
        reports.append(as_json(report, chosen))
        if not options.json:
            for line in lines(game, report, name, chosen):
                print(line)
            sys.stdout.flush()
    if options.json:
        print(json.dumps(finite(reports)))
    return int(broken or any(report["faults"] for report in reports))


def chosen_for(game: "Game") -> "AlphaZeroSettings | str":
    """What AlphaZero would choose by itself, or why it cannot learn the game."""
    from sparring.learn.alphazero_settings import AlphaZeroSettings
    from sparring.learn.derive import check_trainable, derive

    try:
        check_trainable(game)
    except GameError as fault:
        return str(fault)
    return derive(game, AlphaZeroSettings())[0]


def as_json(report: "Report", chosen: "AlphaZeroSettings | str | None") -> dict[str, Any]:
    """The report for a program."""
    row = dataclasses.asdict(report)
    names = ("blocks", "width", "simulations", "window")
    row["alphazero"] = {n: getattr(chosen, n) for n in names} if chosen and not isinstance(chosen, str) else None
    if row["numbers"]:
        row["numbers"]["shares"] = {str(value): share for value, share in row["numbers"]["shares"].items()}
    return row


def lines(game: "Game", report: "Report", name: str, chosen: "AlphaZeroSettings | str | None") -> list[str]:
    """The report for people. name: as the game was asked for. chosen: see `chosen_for`."""
    games = f"{report.games:,} random game{'' if report.games == 1 else 's'}"
    if report.faults:
        several = f"{len(report.faults)} fault{'' if len(report.faults) == 1 else 's'}"
        found = [f"{game.name}: {several}"]
        for fault in report.faults:
            found.append(f"  {fault.message}")
            found += [f"    again: {fault.command}"] if fault.command else []
        return found
    found = [f"{game.name}: sound in {games}"]
    found += [f"  note: {note}" for note in report.notes]
    numbers = report.numbers
    if numbers is None:
        return found
    first, second = game.players
    who = {v: f"{first} win" if v > 0 else f"{second} win" if v < 0 else "draw" for v in numbers.shares}
    ends = [f"{who[v]}{f' by {abs(v):g}' if abs(v) != 1 and v else ''} {s:.1%}" for v, s in numbers.shares.items()]
    ends += [f"{how} {s:.1%}" for how, s in (("repeated", numbers.by_repetition), ("limit", numbers.by_limit)) if s]
    moves = f"{numbers.mean_moves:.1f} legal on average, {numbers.most_moves} at most"
    found += [
        f"  speed     {numbers.positions_per_second / 1e6:.1f} million positions/s, "
        f"{numbers.games_per_second:,.0f} games/s on one core",
        f"  length    {numbers.mean_length:.1f} moves on average, {numbers.longest} at most",
        f"  moves     {moves}",
        f"  results   {', '.join(ends)}",
        f"  position  {numbers.record_bytes} bytes, {numbers.features} features",
    ]
    usual = "TD(λ) over whole turns" if game.defines("chance") else "cloning and PPO" if game.BOTS else ""
    training = training_lines(numbers, name, chosen, usual)
    return found + [f"  {'training' if i == 0 else '':8}  {line}" for i, line in enumerate(training)]


def training_lines(
    numbers: "Numbers", name: str, chosen: "AlphaZeroSettings | str | None", usual: str = ""
) -> list[str]:
    """How the game can be learned, or why not yet; the usual way first. usual: empty where that is AlphaZero."""
    if numbers.features == 0:
        return [numbers.learner]
    if chosen is None or isinstance(chosen, str):
        found = [f"AlphaZero: {chosen}"]
    else:
        net = f"{chosen.blocks}×{chosen.width} net, {chosen.simulations} simulations a move"
        asked = f"{name} --learner alphazero" if usual else name
        found = [f"AlphaZero: sparring train {asked}; {net}, window up to {chosen.window:,} positions"]
        if usual:
            found.insert(0, f"{usual}: sparring train {name}")
    if numbers.training_seconds is not None:
        about = f"100 generations take about {span(numbers.training_seconds)}"
        found.append(f"{numbers.learner}: sparring train {name} --learner td; {about}")
    return found


def span(seconds: float) -> str:
    """A length of time in the unit that suits it."""
    if seconds < 90:
        return f"{seconds:.0f} seconds"
    return f"{seconds / 60:.0f} minutes" if seconds < 5400 else f"{seconds / 3600:.1f} hours"
