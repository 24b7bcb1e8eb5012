"""Every command's options, as tyro reads them. Nothing heavy is imported here, so that `--help` is quick."""

from dataclasses import dataclass
from typing import Annotated, Generic, TypeVar

import tyro

Settings = TypeVar("Settings")

GameName = Annotated[tyro.conf.Positional[str], tyro.conf.arg(metavar="GAME")]
GameNames = Annotated[tyro.conf.Positional[tuple[str, ...]], tyro.conf.arg(metavar="GAME...")]
PositionText = Annotated[str, tyro.conf.arg(aliases=["--fen"])]
PlayerSpec = Annotated[tyro.conf.Positional[str], tyro.conf.arg(metavar="PLAYER")]


@dataclass(frozen=True)
class Games:
    """List the games that come with the package."""

    json: bool = False
    """Print JSON."""


@dataclass(frozen=True)
class Check:
    """Test a game's rules by thousands of random games, and say what the game is like."""

    games: GameNames
    """Names of games, or paths of rules files."""
    seed: int = 1
    """Of the random games, 0 or more."""
    count: int = 10_000
    """Random games, at least 1."""
    game: int | None = None
    """Check only the random game of this number, as a fault's line says."""
    json: bool = False
    """Print JSON."""


@dataclass(frozen=True)
class Perft:
    """Count the lines of DEPTH moves: the standard test of a move generator. Outcomes of chance count as moves."""

    game: GameName
    """Name of a game, or path of a rules file."""
    depth: Annotated[tyro.conf.Positional[int], tyro.conf.arg(metavar="DEPTH")]
    """Moves, 0 or more."""
    moves: str = ""
    """Moves played from the start first, by name, separated by spaces."""
    position: PositionText = ""
    """Position to begin with instead of the start, as the game writes it; in chess a FEN."""
    split: bool = False
    """Show the count below each first move."""
    json: bool = False
    """Print JSON."""


@dataclass(frozen=True, kw_only=True)
class Train(Generic[Settings]):
    """Train a net by self-play. A run that is in the folder already goes on where it stopped."""

    game: GameName
    """Name of a game, or path of a rules file."""
    learner: str = ""
    """Who learns: alphazero, clone, dice, nnue, ppo or td; by default dice where there are dice, nnue where the rules
    file tells what changes a net sees, ppo where it has bots that can teach, else alphazero. Each has options of its
    own: sparring train --learner td --help."""
    settings: Annotated[Settings, tyro.conf.arg(name="learner's", prefix_name=False)]
    out: str = ""
    """Folder of the run; by default runs/GAME."""
    start: str = ""
    """File of the net to begin with, instead of a random one."""
    threads: int = 0
    """Threads of self-play and matches; 0: one for each core."""
    ladder: str = ""
    """File of the ladder that matches are written to; by default the user's."""
    json: bool = False
    """Print rows as JSON lines."""


@dataclass(frozen=True)
class Match:
    """Play a match of two players in pairs of games: one opening, played twice with the sides swapped."""

    game: GameName
    """Name of a game, or path of a rules file."""
    a: PlayerSpec
    """First player, such as alphabeta:depth=3"""
    b: PlayerSpec
    """Second player, such as random"""
    games: int = 400
    """Games at most, even; with --points, matches."""
    points: int = 0
    """Play whole matches to so many points, with the doubling cube; 0: single games."""
    cube: bool = False
    """Play single games with the doubling cube, for money."""
    opening: int | None = None
    """Random moves at the start of each pair, 0 or more; by default 4, with dice or --openings 0."""
    seed: int = 1
    """Of openings, dice and choices, 0 or more."""
    nodes: int = 0
    """Positions that players of kind alphabeta and uci visit a move, if they name no limit themselves; 0: no such."""
    tc: str = ""
    """Clock that they play by, if they name no limit: seconds and seconds more after each move, such as 8+0.08."""
    openings: str = ""
    """File of openings, each played twice with the sides swapped: positions, a line each (FEN, EPD), or a .pgn."""
    pgn: str = ""
    """File that games are appended to as PGN."""
    luck: bool = False
    """Take the luck of the dice off the results, as the net of a player such as turn:net=PATH judges it."""
    adjudicate: bool = False
    """End games whose scores leave no doubt: 1000 centipawns in 8 moves on end win, 10 at most in 12 draw."""
    sprt: tuple[float, float] | None = None
    """Stop early: test these two values of normalised Elo against each other, such as 0 5."""
    threads: int = 0
    """Games at once; 0: one for each core."""
    ladder: str = ""
    """File of the ladder; by default the user's."""
    json: bool = False
    """Print JSON."""


@dataclass(frozen=True)
class Ladder:
    """Ratings of all players over all matches played: Bradley–Terry, in Elo, with 95 % intervals."""

    game: GameName
    """Name of a game, or path of a rules file."""
    points: int = 0
    """Of matches to so many points, instead of single games."""
    cube: bool = False
    """Of games with the doubling cube."""
    anchor: str = "random"
    """Player whose rating is 0, if it has played."""
    ladder: str = ""
    """File of the ladder; by default the user's."""
    json: bool = False
    """Print JSON."""


@dataclass(frozen=True)
class Play:
    """Play against a player in the terminal, or with two people at one board."""

    game: GameName
    """Name of a game, or path of a rules file."""
    player: PlayerSpec = ""
    """The opponent; by default the strongest that comes with the package. `human`: two people."""
    side: int = 0
    """Which player you are: 1 moves for the game's first player, 2 for its second; 0: whoever moves first."""
    seed: int = 0
    """Of dice, of choices among equal moves, of how a game begins; 0: by the clock."""
    deal: int | None = None
    """Number of the first position, in games that begin at random; by default drawn from the seed."""
    moves: str = ""
    """Moves played from the start first, by name, separated by spaces: how a game that was left is taken up again."""
    points: int = 0
    """Play a match to so many points, with the doubling cube, in games won by 1, 2 or 3; 0: a single game."""
    cube: bool = False
    """Play a single game with the doubling cube, for money."""
    score: str = ""
    """Points of both players so far, such as 3-2: how a match that was left is taken up again."""
    crawford: bool = False
    """At that score, this is the Crawford game, in which nobody doubles."""


@dataclass(frozen=True)
class Watch:
    """Watch a game between two players as it is played, or one that was recorded."""

    game: GameName
    """Name of a game, or path of a rules file."""
    a: PlayerSpec = ""
    """First player, such as alphabeta:depth=3; by default the strongest that comes with the package."""
    b: PlayerSpec = ""
    """Second player; by default the first plays both sides."""
    replay: str = ""
    """File of recorded games, instead of players."""
    number: int = 1
    """Which game of that file is shown first, from 1."""
    games: int = 1
    """Games, one after the other, at least 1. Of two players every other one begins."""
    delay: float = 0.3
    """Seconds from move to move at least, where a person watches."""
    seed: int = 0
    """Of dice, of choices among equal moves, of how a game begins; 0: by the clock."""


@dataclass(frozen=True)
class Record:
    """Play games between two players, or of one with itself, and write them to a file, one in a line."""

    game: GameName
    """Name of a game, or path of a rules file."""
    a: PlayerSpec
    """First player, such as alphabeta:depth=3"""
    b: PlayerSpec = ""
    """Second player, who takes turns with the first at moving first; by default the first plays itself."""
    games: int = 400
    """Games that the file is to hold of these players and this seed, at least 1."""
    out: str = ""
    """The file, which is made or gone on with; by default GAME.jsonl."""
    opening: int | None = None
    """Random moves at the start of each game, 0 or more; by default 4, and where chance plays a part 0."""
    seed: int = 1
    """Of first positions, dice and choices, 0 or more."""
    threads: int = 0
    """Games at once; 0: one for each core."""


@dataclass(frozen=True)
class Analyse:
    """Search a position and show the best moves, what they are worth and what the net thinks; or review a game."""

    game: GameName
    """Name of a game, or path of a rules file."""
    moves: str = ""
    """Moves from the start, by name, separated by spaces."""
    deal: int | None = None
    """Number of the first position, in games that begin at random."""
    position: PositionText = ""
    """Position to begin with instead, as the game writes it: "24:2X 13:5X 12:5O; white plays 3-1", in chess a FEN."""
    player: str = ""
    """Who searches: a kind of alphabeta, mcts, policy or turn; by default the strongest that comes with the package."""
    lines: int = 3
    """How many of the best moves to show, at least 1. A board of columns shows them all, if the search rates each."""
    rollout: int = 0
    """Games that each of these is rolled out for, in games with dice; 1296 make good use of it. 0: none."""
    rollout_turns: int = 0
    """Turns after which a rolled out game is judged as it stands; 0: it is played to its end."""
    review: bool = False
    """Judge every turn of the game so far, in games with dice: its error, and the luck of its roll."""
    threads: int = 0
    """Threads of rollouts; 0: one for each core."""
    truth: bool = False
    """Show the perfect score of each move too, where the game is solved. Early in a game that may take a minute."""
    svg: str = ""
    """Write the position as an SVG image to this file."""
    json: bool = False
    """Print JSON."""


@dataclass(frozen=True)
class Solve:
    """Score every move of a position exactly, where a perfect player of the game is known: connect-four."""

    game: GameName
    """Name of the game."""
    moves: str = ""
    """Moves from the start, by name, with or without spaces."""
    threads: int = 0
    """Moves looked at at once; 0: one for each core."""
    json: bool = False
    """Print JSON."""


@dataclass(frozen=True)
class Accuracy:
    """Measure a player where the truth is known: shares of ideal and sound moves and of blunders. connect-four only."""

    game: GameName
    """Name of the game."""
    player: PlayerSpec
    """The player, such as alphabeta:depth=4"""
    sets: tuple[str, ...] = ()
    """Sets of positions; by default the public ones. `selection` is for choosing settings."""
    limit: int | None = None
    """Positions of each set at most; by default all."""
    games: int = 100
    """Games against itself whose positions make a row of their own; 0: none."""
    seed: int = 1
    """Of openings and choices, 0 or more."""
    threads: int = 0
    """Threads; 0: one for each core."""
    json: bool = False
    """Print JSON."""


@dataclass(frozen=True)
class Calibration:
    """Measure whether a net's chances can be trusted, in games with dice: what it foresees after each turn of games
    against itself and what comes, for ten groups of positions from the least to the most hopeful."""

    game: GameName
    """Name of a game, or path of a rules file."""
    net: Annotated[tyro.conf.Positional[str], tyro.conf.arg(metavar="NET")] = "shipped"
    """File of the net, or folder of a run, whose newest one is meant; by default the one that comes with Sparring."""
    games: int = 10_000
    """Games, at least 2."""
    seed: int = 1
    """Of the dice, 0 or more."""
    threads: int = 0
    """Threads; 0: one for each core."""
    out: str = ""
    """Draw it as well, as a PNG in this file."""
    json: bool = False
    """Print JSON."""


@dataclass(frozen=True)
class Plot:
    """Draw a training run's curves as a PNG, and write TensorBoard's log where that is installed."""

    run: Annotated[tyro.conf.Positional[str], tyro.conf.arg(metavar="RUN")]
    """Folder of the run."""
    out: str = ""
    """The PNG; by default curves.png in the run's folder."""


@dataclass(frozen=True)
class Export:
    """Write a net for programs other than Sparring, and check that it answers there as it does here."""

    source: Annotated[tyro.conf.Positional[str], tyro.conf.arg(metavar="RUN_OR_NET")]
    """Folder of a run, whose newest net is meant, or a net's file."""
    onnx: bool = False
    """As an ONNX model."""
    nnue: str = ""
    """In whole numbers, as engines run it, to this file: NNUE nets; docs/nnue.md has its layout."""
    codingame: str = ""
    """As a bot for CodinGame's Tron Battle, one Python source that is written to this file: nets of light-cycles."""
    numpy: bool = True
    """The bot uses NumPy, which is there; --no-numpy makes one of the standard library alone."""
    out: str = ""
    """File of the ONNX model; by default the net's name with the ending .onnx, beside it."""
    game: str = ""
    """Rules file of the net's game, where that does not come with the package."""


@dataclass(frozen=True)
class Uci:
    """Be an engine for chess programs: speak the Universal Chess Interface on standard input and output."""

    net: str = ""
    """File of the net that judges; by default the one that comes with the package. The option EvalFile changes it."""
    game: str = "chess"
    """Name of a game, or path of a rules file."""


@dataclass(frozen=True)
class DataInfo:
    """Say what a file of positions holds: counts, results, a histogram of the scores, repeated positions, faults."""

    file: Annotated[tyro.conf.Positional[str], tyro.conf.arg(metavar="FILE")]
    """The file: text (FEN | score | result), bulletformat or viriformat, whichever its content is."""
    json: bool = False
    """Print JSON."""


@dataclass(frozen=True)
class DataConvert:
    """Write a file of positions anew in another format. Positions that cannot be are left out, and counted."""

    source: Annotated[tyro.conf.Positional[str], tyro.conf.arg(metavar="FROM")]
    """The file, of any format that `data info` reads."""
    target: Annotated[tyro.conf.Positional[str], tyro.conf.arg(metavar="TO")]
    """The new file, whose ending says the format: .txt (text) or .bf (bulletformat)."""
    quiet: bool = False
    """Of games (viriformat), leave out positions in check and those whose move takes something or promotes."""


@dataclass(frozen=True)
class DataMake:
    """Play games of a net with itself on all cores, and write their positions to a file, which is gone on with."""

    game: GameName
    """Name of a game whose positions have a format for files: chess."""
    out: str
    """The file, whose ending says the format: .bf (bulletformat), .txt (text) or .vf (viriformat, whole games)."""
    positions: int = 1_000_000
    """Positions that the file is to hold, at least 1; the game that reaches the number is written whole."""
    nodes: int = 5_000
    """Positions that a search visits before it begins no further iteration, at least 1."""
    hard: int = 0
    """Positions that a search visits at most, not fewer than --nodes; 0: eight times as many."""
    brief: int = 0
    """The same of a position that the file is not to hold, as it is in check or its best move takes something; not more
    than --nodes; 0: as of the others."""
    net: str = ""
    """File of the net that plays; by default the one that comes with the package, else the rules' own judgement."""
    seed: int = 1
    """Of the games, 0 or more."""
    threads: int = 0
    """Threads; 0: one for each core. The file is the same with any number."""
    json: bool = False
    """Print JSON."""


@dataclass(frozen=True)
class Data:
    """Files of positions with scores and results: look at them, convert them, make them."""

    what: (
        Annotated[DataInfo, tyro.conf.subcommand("info", prefix_name=False)]
        | Annotated[DataConvert, tyro.conf.subcommand("convert", prefix_name=False)]
        | Annotated[DataMake, tyro.conf.subcommand("make", prefix_name=False)]
    )


@dataclass(frozen=True)
class Bench:
    """Measure speed on this machine; the node counts are the same everywhere and tell whether the search changed."""

    repeat: int = 3
    """Times each figure is measured, at least 1; the median counts."""
    json: bool = False
    """Print JSON."""


COMMANDS = {
    "games": Games,
    "check": Check,
    "perft": Perft,
    "train": Train,
    "match": Match,
    "ladder": Ladder,
    "play": Play,
    "watch": Watch,
    "record": Record,
    "analyse": Analyse,
    "solve": Solve,
    "accuracy": Accuracy,
    "calibration": Calibration,
    "plot": Plot,
    "export": Export,
    "data": Data,
    "uci": Uci,
    "bench": Bench,
}
