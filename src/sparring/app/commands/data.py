"""`sparring data info`, `data convert` and `data make`."""

import json
import pathlib
import time

from sparring.app.options import Data, DataConvert, DataInfo, DataMake
from sparring.app.talk import announce_compiling, say, threads_of
from sparring.errors import RecordError


def run(options: Data) -> None:
    """Do what is asked."""
    if isinstance(options.what, DataInfo):
        info(options.what)
    elif isinstance(options.what, DataConvert):
        convert(options.what)
    else:
        make(options.what)


def info(options: DataInfo) -> None:
    """Read the whole file and print what it holds; what was read is told even where it is too faulty."""
    say(f"Reading {options.file} …")
    announce_compiling("the reader")
    from sparring.app.data_report import Report
    from sparring.app.waiting import status
    from sparring.games.chess_data import Reading

    reading = Reading(pathlib.Path(options.file))
    report = Report(reading)
    try:
        with status("reading") as note:
            for block in reading.blocks():
                report.add(block)
                note(f"{reading.done / reading.size:.0%}".replace("%", " %"))
    finally:
        if report.positions or reading.faults.total:
            print(json.dumps(report.numbers()) if options.json else "\n".join(report.lines()))


def convert(options: DataConvert) -> None:
    """Write the new file, whole or not at all."""
    source, target = pathlib.Path(options.source), pathlib.Path(options.target)
    say(f"Reading {source}, writing {target} …")
    announce_compiling("the reader")
    from sparring.app.waiting import status
    from sparring.games.chess_data import Reading, write_positions
    from sparring.games.chess_format import kind_by_ending

    kind = kind_by_ending(target)
    if target.exists():
        raise RecordError(f"{target} is there already; give another name")
    reading, positions = Reading(source, quiet=options.quiet), 0
    unfinished = target.with_name(f".{target.name}.unfinished")
    try:
        with status("converting") as note, unfinished.open("wb") as file:
            for block in reading.blocks():
                file.write(write_positions(block, kind))
                positions += len(block)
                note(f"{positions:,} positions")
        unfinished.replace(target)
    finally:
        unfinished.unlink(missing_ok=True)
    print(f"{target}: {kind}, {positions:,} positions from {reading.records:,} records of {reading.kind}")
    for line in reading.faults.told():
        print(f"left out: {line}")


def make(options: DataMake) -> None:
    """Play games until the file holds enough positions, and say how it went."""
    for name, least in (("positions", 1), ("nodes", 1), ("hard", 0), ("brief", 0), ("seed", 0)):
        if (value := getattr(options, name)) < least:
            raise RecordError(f"--{name} is {value}, but it must be {least} or more")
    threads, path = threads_of(options.threads), pathlib.Path(options.out)
    say(f"{options.game}: {options.positions:,} positions on {threads} threads, into {path}.")
    from sparring.app.data_making import Making, Recipe
    from sparring.app.waiting import heard
    from sparring.games.chess_format import kind_by_ending
    from sparring.games.game import load
    from sparring.search.judging import strongest

    announce_compiling("the rules and the search")
    game, kind = load(options.game), kind_by_ending(path)
    if not game.defines("read_data"):
        raise RecordError(f"positions of {game.name} have no format for files; chess has")
    judge = strongest(game, options.net)
    limits = (options.nodes, options.hard, options.brief)
    making = Making(game, judge, Recipe(game.name, judge.name, *limits, options.seed, kind), path, threads)
    heard(making.warm, making.stop, "getting ready")
    before, began = making.progress, time.perf_counter()
    if before.positions:
        say(f"{before.positions:,} positions are there; the others follow.")
    stopped = False
    try:
        heard(
            lambda: making.run(options.positions),
            making.stop,
            f"playing for {path}",
            lambda: min(making.positions / options.positions, 1.0),
        )
    except KeyboardInterrupt:
        stopped = True
    after, seconds = making.progress, time.perf_counter() - began
    new, nodes = after.positions - before.positions, after.nodes - before.nodes
    ends = {str(value): n for value, n in zip(game.RESULTS, after.ends, strict=True)}
    if options.json:
        found = {"file": str(path), "format": kind, "positions": after.positions, "games": after.games, "ends": ends}
        speed = {"new": new, "seconds": seconds, "per_second": new / seconds, "nodes_per_second": nodes / seconds}
        print(json.dumps({**found, **speed, "interrupted": stopped}))
        return
    first, second = game.players
    won = f"{first} won {after.ends[-1]}, {second} {after.ends[0]}, {sum(after.ends[1:-1])} drawn"
    print(f"{path}: {kind}, {after.positions:,} positions of {after.games:,} games ({won})")
    say(f"{new:,} new in {seconds:.0f} s: {new / seconds:,.0f} positions, {nodes / seconds:,.0f} nodes a second")
    if stopped:
        print("interrupted; the same command goes on from here")
