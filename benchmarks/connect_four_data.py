"""Makes the data of the perfect player of Connect Four, all with our own solver. Each file is written whole.

python benchmarks/connect_four_data.py book [--ply 3]       adds scores of openings: half an hour on one core for ply 3
python benchmarks/connect_four_data.py selection            positions to choose settings by
python benchmarks/connect_four_data.py public FOLDER        the public sets, from files of lines `columns score`
"""

import argparse
import io
import pathlib
import time

import numpy as np

from sparring.arena.yardsticks import connect_four as known
from sparring.arena.yardsticks.connect_four_search import key_of, wins_at_once
from sparring.arena.yardsticks.connect_four_solver import BOOK, Solver, opening_book
from sparring.games.connect_four import STATE
from sparring.games.game import Game, load
from sparring.nets.storage import write_whole
from sparring.rng import draw_below, seeded

PLIES = range(6, 35)  # of the selection
SIZE, SEED = 2000, 1
MAY_WIN = 5  # of so many positions of the selection, one may have a win at once


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parts = parser.add_subparsers(dest="part", required=True)
    book = parts.add_parser("book")
    book.add_argument("--ply", type=int, default=3, help="stones on the board, 0 to 8")
    parts.add_parser("selection")
    parts.add_parser("public").add_argument("folder", type=pathlib.Path)
    options = parser.parse_args()
    if options.part == "book":
        make_book(options.ply)
    elif options.part == "selection":
        make_set(known.SELECTION, random_positions(load("connect-four")), f"Random positions, seed {SEED}")
    else:
        for name in known.PUBLIC:
            convert(options.folder / f"Test_{name}", name)


def canonical(state: np.void) -> int:
    """Alike for a position and its mirror image."""
    return int(key_of(state["own"], state["own"] | state["other"], 0))


def can_win(state: np.void) -> bool:
    """Whether the player to move wins at once."""
    return bool(wins_at_once(state["own"], state["own"] | state["other"]))


def make_book(ply: int) -> None:
    """Solve every position of a ply that is not in the book yet, and keep each as it is found.

    Neighbours come one after the other, as they share much of their trees.
    """
    game, began = load("connect-four"), time.perf_counter()
    level = {0: game.states(1)[0]}
    for _ in range(ply):
        after = [game.after(state, move) for state in level.values() for move in game.legal_moves(state)]
        level = {canonical(state): state for state in after if game.result(state) < 0}
    book = list(zip(*opening_book(), strict=True)) if BOOK.is_file() else []
    there = {canonical(state) for state, _ in book}
    level = {key: state for key, state in level.items() if key not in there and not can_win(state)}
    solver = Solver(512)
    for done, key in enumerate(sorted(level), 1):
        book.append((level[key], solver.score(level[key])))
        keep(book)
        seconds = time.perf_counter() - began
        print(f"{done} of {len(level)}, {solver.nodes / 1e9:.2f} billion nodes, {seconds:.0f} s", flush=True)


def keep(book: list[tuple[np.void, int]]) -> None:
    """Write the book."""
    states, scores = np.array([state for state, _ in book], STATE), np.array([score for _, score in book], np.int8)
    file = io.BytesIO()
    np.savez_compressed(file, own=states["own"], other=states["other"], scores=scores)
    write_whole(BOOK, file.getvalue())


class Progress:
    """Prints how far it is, once in a while."""

    def __init__(self, total: int, began: float) -> None:
        self.total, self.began, self.last = total, began, began

    def __call__(self, done: int) -> None:
        now = time.perf_counter()
        if now - self.last > 10 or done == self.total:
            self.last = now
            print(f"{done} of {self.total}, {now - self.began:.0f} s", flush=True)


def random_positions(game: Game) -> list[str]:
    """Columns played in random games, as many of each ply, different from each other and from the public sets.

    More than one column is free.
    """
    rng, texts = seeded(SEED), list[str]()
    seen = {canonical(state) for name in known.PUBLIC for state in known.truth(name).states}
    while len(texts) < SIZE:
        ply = PLIES[len(texts) % len(PLIES)]
        state, text = game.states(1)[0], ""
        while len(text) < ply and (moves := game.legal_moves(state)):
            move = moves[draw_below(rng, len(moves))]
            game.play(state, move)
            text += str(move + 1)
        if len(text) < ply or len(game.legal_moves(state)) < 2 or canonical(state) in seen:
            continue
        if can_win(state) and len(texts) % MAY_WIN:
            continue
        seen.add(canonical(state))
        texts.append(text)
    return texts


def make_set(name: str, texts: list[str], says: str) -> None:
    """Solve all columns of the positions, and write them."""
    solver, began = Solver(), time.perf_counter()
    scores = solver.columns_of(known.states_of(texts), tell=Progress(len(texts), began))
    head = f"# {says}; columns played, then the score of each column. See NOTICE.md.\n"
    write_whole(known.FOLDER / f"connect_four_{name}.txt", (head + known.write(texts, scores)).encode())
    print(
        f"{name}: {len(texts)} positions, {solver.nodes / 1e9:.1f} billion nodes, {time.perf_counter() - began:.0f} s"
    )


def convert(path: pathlib.Path, name: str) -> None:
    """A public set; the best of our scores must be the one that its file states."""
    rows = [line.split() for line in path.read_text(encoding="utf-8").splitlines()]
    make_set(name, [row[0] for row in rows], f"{path.name}, by P. Pons")
    best = known.truth(name).scores.max(axis=1)
    assert best.tolist() == [int(row[1]) for row in rows], f"{name}: another score than in {path}"


if __name__ == "__main__":
    main()
