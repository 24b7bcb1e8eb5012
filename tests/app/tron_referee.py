"""CodinGame's "Tron Battle" as its referee plays it: two to four bots, one after the other, over pipes.

A bot is asked by `N P` and a line `X0 Y0 X1 Y1` of each player, and has to name a direction in time. Whoever goes off
the board or into a trail, answers something else, or is late, is out: his trail vanishes, his line is -1 -1 -1 -1.
"""

import contextlib
import pathlib
import queue
import random
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass, field

import numpy as np

WIDTH, HEIGHT = 30, 20
DIRECTIONS = {"UP": (0, -1), "RIGHT": (1, 0), "DOWN": (0, 1), "LEFT": (-1, 0)}
FIRST, LIMIT = 1.0, 0.1  # seconds for the first answer, and for each that follows


@dataclass
class Board:
    """trails: of each player in the order they were ridden, cells (x, y), the head last; None once he is out."""

    trails: list

    @property
    def living(self):
        return [who for who, trail in enumerate(self.trails) if trail]

    @property
    def taken(self):
        return {cell for trail in self.trails if trail for cell in trail}

    def ahead(self, who, name):
        """The cell that a direction leads to."""
        (x, y), (dx, dy) = self.trails[who][-1], DIRECTIONS[name]
        return x + dx, y + dy

    def free(self, cell):
        return 0 <= cell[0] < WIDTH and 0 <= cell[1] < HEIGHT and cell not in self.taken

    def legal(self, who):
        """Names of the directions in which the player can go on."""
        return [name for name in DIRECTIONS if self.free(self.ahead(who, name))]

    def lines(self, who):
        """What the player is sent."""
        rows = [(*trail[0], *trail[-1]) if trail else (-1, -1, -1, -1) for trail in self.trails]
        return [f"{len(self.trails)} {who}", *(" ".join(map(str, row)) for row in rows)]


@dataclass
class Report:
    """How a game went.

    out: players in the order in which they went; the winner last. first, slowest: seconds of each player's first turn,
    and of the longest of the others. faults: what a player did wrong, as (player, words); a crash counts where he could
    have gone on. late: the players that were. notes: what the bots wrote to stderr. memory: bytes at most of each
    player that is a program, where the system tells.
    """

    out: list = field(default_factory=list)
    turns: int = 0
    faults: list = field(default_factory=list)
    late: list = field(default_factory=list)
    first: dict = field(default_factory=dict)
    slowest: dict = field(default_factory=dict)
    notes: dict = field(default_factory=dict)
    memory: dict = field(default_factory=dict)

    @property
    def winner(self):
        return self.out[-1]


class Program:
    """A bot in a process of its own. options: of the interpreter."""

    def __init__(self, path, *options):
        self.errors = tempfile.TemporaryFile("w+")  # noqa: SIM115  # closed in `close`
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": self.errors}
        self.process = subprocess.Popen([sys.executable, *options, str(path)], **pipes, text=True)
        self.said = queue.Queue()
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self):
        for line in self.process.stdout:
            self.said.put(line.strip())
        self.said.put(None)

    def ask(self, board, who, seconds):
        """The answer; None where there is none in time, an empty one where the process has ended."""
        try:
            self.process.stdin.write("\n".join(board.lines(who)) + "\n")
            self.process.stdin.flush()
            answer = self.said.get(timeout=seconds)
        except queue.Empty:
            return None
        except OSError:
            return ""
        return answer or ""

    def memory(self):
        """The most that the process has held, in bytes; 0 where the system does not tell."""
        with contextlib.suppress(OSError):
            for line in pathlib.Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
                if line.startswith("VmHWM:"):
                    return 1024 * int(line.split()[1])
        return 0

    def close(self):
        """End the process; returns what it wrote to stderr, and more answers than were asked for."""
        self.process.kill()
        self.process.wait()
        self.reader.join()
        self.process.stdout.close()
        with contextlib.suppress(OSError):
            self.process.stdin.close()
        self.errors.seek(0)
        notes = self.errors.read()
        self.errors.close()
        unasked = [answer for answer in self.said.queue if answer is not None]
        return notes + "".join(f"answered {answer!r} without being asked\n" for answer in unasked)


class Ours:
    """A bot of the rules file. It sees the nearest living opponent as the other, and all trails as walls."""

    def __init__(self, game, name):
        self.game, self.bot = game, game.bot(name)

    def ask(self, board, who, seconds):
        """A legal direction, where there is one."""
        legal = board.legal(who)
        state = state_of(self.game, board, who)
        return list(DIRECTIONS)[int(self.bot(state))] if len(legal) > 1 else (legal or ["UP"])[0]

    def close(self):
        return ""


class Random:
    """Any direction that is free; a reckless one any direction at all, so that it is soon out."""

    def __init__(self, seed, reckless=False):
        self.random, self.reckless = random.Random(seed), reckless

    def ask(self, board, who, seconds):
        """A direction."""
        return self.random.choice((not self.reckless and board.legal(who)) or list(DIRECTIONS))

    def close(self):
        return ""


def state_of(game, board, who):
    """The position of two, as the player to move has it."""
    (x, y), state = board.trails[who][-1], game.states(1)[0]
    heads = {other: board.trails[other][-1] for other in board.living if other != who}
    other = min(heads, key=lambda p: (abs(heads[p][0] - x) + abs(heads[p][1] - y), p))
    state["trails"] = 0
    for player in board.living:
        for a, b in board.trails[player]:
            state["trails"][int(player != who), b] |= np.uint32(1 << a)
    state["heads"] = [30 * y + x, 30 * heads[other][1] + heads[other][0]]
    state["headings"] = [heading(board.trails[who]), heading(board.trails[other])]
    state["turn"] = 0
    return state


def heading(trail):
    """The number of the direction last ridden in; at first towards the further edge."""
    if len(trail) == 1:
        return 1 if trail[0][0] < WIDTH // 2 else 3
    (x, y), (a, b) = trail[-2:]
    return list(DIRECTIONS.values()).index((a - x, b - y))


def referee(bots, starts, first=FIRST, limit=LIMIT):
    """Play a game. starts: the players' first cells. The bots are closed."""
    board, report, asked = Board([[cell] for cell in starts]), Report(), set()
    try:
        while len(board.living) > 1:
            for who in board.living:
                if len(board.living) == 1:
                    break
                began = time.perf_counter()
                answer = bots[who].ask(board, who, limit if who in asked else first)
                spent = time.perf_counter() - began
                times = report.slowest if who in asked else report.first
                times[who] = max(times.get(who, 0), spent)
                asked.add(who)
                report.turns += 1
                take(board, report, who, answer)
    finally:
        for who, bot in enumerate(bots):
            if isinstance(bot, Program):
                report.memory[who] = bot.memory()
            if notes := bot.close():
                report.notes[who] = notes
    report.out += board.living
    return report


def take(board, report, who, answer):
    """Do what the player answered, or take him out."""
    legal = board.legal(who)
    if answer in DIRECTIONS and board.free(cell := board.ahead(who, answer)):
        board.trails[who].append(cell)
        return
    if answer is None:
        report.late.append(who)
    elif answer not in DIRECTIONS:
        report.faults.append((who, f"answered {answer!r}" if answer else "ended"))
    elif legal:
        report.faults.append((who, f"crashed by {answer}, though it could go {' or '.join(legal)}"))
    board.trails[who] = None
    report.out.append(who)
