"""`sparring calibration`."""

import json
from typing import TYPE_CHECKING, Any

from sparring.app.options import Calibration as Options
from sparring.app.talk import announce_compiling, finite, picture_path, say, threads_of
from sparring.errors import MatchError

if TYPE_CHECKING:
    from sparring.arena.calibration import Bin, Calibration, Forecasts, Verdict


def run(options: Options) -> None:
    """Let the net play itself; print what it foresaw and what came; draw it where that is asked for."""
    if options.games < 2 or options.seed < 0:
        raise MatchError(f"--games is {options.games}, --seed {options.seed}; they must be at least 2 and 0")
    picture = picture_path(options.out) if options.out else None
    threads = threads_of(options.threads)
    say(
        f"{options.game}: {options.games} games of {options.net} with itself, on {threads} thread{'s' * (threads > 1)}."
    )
    announce_compiling("the rules and the net")
    from sparring.app.waiting import heard
    from sparring.arena import calibration
    from sparring.arena.player import shipped
    from sparring.games.game import load
    from sparring.nets import weights

    game = load(options.game)
    net = shipped(game) if options.net == "shipped" else weights.load_perceptron(options.net)
    forecaster = calibration.Forecaster(game, net, threads, options.net)
    work = lambda: forecaster.play(options.games, options.seed)  # noqa: E731
    seen = heard(work, forecaster.stop, "playing", lambda: forecaster.done / options.games)
    found = [calibration.measure(seen, asked) for asked in calibration.questions(game)]
    verdict = calibration.verdict(found)
    if options.json:
        told = {"game": game.name, "net": options.net, "digest": net.digest, "seed": options.seed}
        print(json.dumps(finite({**told, **as_json(seen, found, verdict)})))
    else:
        for line in lines(seen, found, verdict):
            print(line)
    if picture:
        from sparring.app import calibration_plot
        from sparring.nets.storage import write_whole

        title = f"{game.name.replace('_', ' ').capitalize()}: what a net foresees, and what comes"
        write_whole(picture, calibration_plot.draw(title, f"{options.net}#{net.digest}  ·  {counted(seen)}", found))
        say(f"Drawn in {picture}")


def counted(seen: "Forecasts") -> str:
    """How much was looked at."""
    cut = f" ({seen.cut_off} more were cut off)" if seen.cut_off else ""
    return f"{len(seen.number):,} positions of {seen.played:,} games{cut}"


def lines(seen: "Forecasts", found: "list[Calibration]", verdict: "Verdict") -> list[str]:
    """For people: a table a question, and what to think of it."""
    from sparring.arena.calibration import TOLERANCE

    text = [f"{counted(seen)}; ±: 95 % intervals over games, as positions of one game are not independent"]
    for one in found:
        name = f"to {one.question.name}, %" if one.question.chance else one.question.name
        text += ["", f"{name:22}{'positions':>10}{'foreseen':>10}{'came':>9}{'gap':>9}{'±':>8}"]
        text += [row(f"{at + 1:4}", own, one.question.chance) for at, own in enumerate(one.bins)]
        text.append(row(" all", one.whole, one.question.chance))
    own = verdict.largest
    where = (
        f"to {verdict.question.name}, where {100 * own.predicted:.1f} % were foreseen and {100 * own.observed:.1f} came"
    )
    text += ["", f"Largest gap: {100 * own.gap:+.1f} ± {100 * own.reach:.1f} points of percent, {where}."]
    what = f"within {100 * TOLERANCE:g} points of percent"
    if not verdict.beyond:
        return [*text, f"All {verdict.of} gaps are {what}."]
    return [*text, f"{verdict.beyond} of {verdict.of} gaps are not {what}, {verdict.surely} of them for sure."]


def row(name: str, own: "Bin", chance: bool) -> str:
    """A bin."""
    times, places = (100, 1) if chance else (1, 3)
    gap = round(times * own.gap, places) + 0.0  # no minus before a zero
    numbers = f"{times * own.predicted:10.{places}f}{times * own.observed:9.{places}f}{gap:+9.{places}f}"
    return f"{name:22}{own.positions:10,}{numbers}{times * own.reach:8.{places}f}"


def as_json(seen: "Forecasts", found: "list[Calibration]", verdict: "Verdict") -> dict[str, Any]:
    """For programs: chances and gaps as shares of 1."""

    def told(own: "Bin") -> dict[str, Any]:
        counts = {"positions": own.positions, "games": own.games}
        return {**counts, "predicted": own.predicted, "observed": own.observed, "gap": own.gap, "error": own.error}

    return {
        "games": seen.played,
        "cut_off": seen.cut_off,
        "positions": len(seen.number),
        "questions": [
            {
                "name": one.question.name,
                "chance": one.question.chance,
                "bins": [*map(told, one.bins)],
                "all": told(one.whole),
            }
            for one in found
        ],
        "largest": {"question": verdict.question.name, "bin": verdict.at + 1, **told(verdict.largest)},
        "beyond_tolerance": verdict.beyond,
        "surely_beyond_tolerance": verdict.surely,
        "bins": verdict.of,
    }
