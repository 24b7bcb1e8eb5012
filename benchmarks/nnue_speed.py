"""How fast NNUE nets for chess are, in a search and in training. Random weights; the best of several rounds.

    python -m benchmarks.nnue_speed judge            nanoseconds of a judgement
    python -m benchmarks.nnue_speed train [THREADS]  positions a second: forward, backward and AdamW, batches of 16384

A judgement is of each position after each legal move of random games, where the position before has been judged, as in
a search; the time to make the moves is taken off. Of a judgement the time of the processor counts, of training that of
the clock.
"""

import sys
import time

import numpy as np

from sparring.compiled import compiled
from sparring.games.game import load
from sparring.nets import nnue_twin
from sparring.nets.nnue import Nnue, NnueShape, shape_for
from sparring.nets.twin import LINE

CHESS = load("chess")
legal, play = CHESS.legal, CHESS.play
PLIES, GAMES, ROUNDS, AGAIN = 80, 10, 6, 3
BATCH, STEPS = 16384, 8
ONE = {"sets": 8, "outputs": 1}
JUDGED = {
    "256": ONE,
    "256, three outputs": {"sets": 8},
    "512": {**ONE, "hidden": 512},
    "256, eight places of the king": {**ONE, "framing": "kings8"},
    "256, layers 16 and 32": {**ONE, "layers": (16, 32)},
    "256, layers 32 (block-sparse) and 32": {**ONE, "layers": (32, 32), "block_sparse": True},
}


def shape_of(hidden: int = 256, framing: str = "", **more) -> NnueShape:
    """The shape of such a net."""
    frames = dict(zip(("buckets", "flips"), CHESS.module.FRAMINGS[framing], strict=True)) if framing else {}
    return shape_for(CHESS, hidden, **more, **frames)


def random_net(shape: NnueShape) -> Nnue:
    """Weights of about the size that training makes them."""
    random, arrays = np.random.default_rng(0), {}
    for name, size in shape.arrays.items():
        spread = 0.08 if name == "features.weight" else 0.5 / np.sqrt(size[-1])
        arrays[name] = np.clip(random.normal(size=size) * spread, -1.98, 1.98).astype(np.float32)
    return Nnue(CHESS.name, CHESS.FEATURES_VERSION, shape, arrays)


def nanoseconds(net: Nnue) -> float:
    """Of a judgement."""
    kernels, dtype = nnue_twin.join(net, CHESS), nnue_twin.record_dtype(net, CHESS)
    room = np.dtype([("work", dtype, (1,)), ("stack", CHESS.STATE, (PLIES + 1,)), ("moves", "i4", (256,))], align=True)
    memory = np.zeros(room.itemsize + LINE, np.uint8)
    first = -memory.ctypes.data % LINE
    ctx = memory[first : first + room.itemsize].view(room)[0]
    nnue_twin.fill(ctx["work"][0], net)
    CHESS.start(ctx["stack"][0])
    judge = kernels.judge

    @compiled
    def walk(ctx, seed, judging):
        stack, moves, judged = ctx["stack"], ctx["moves"], 0
        total = 0.0
        for ply in range(PLIES):
            if judging:
                total += judge(ctx["work"][0], stack, ply)
            n = legal(stack[ply], moves)
            if n == 0:
                break
            for _ in range(AGAIN):
                for i in range(n):
                    stack[ply + 1] = stack[ply]
                    play(stack[ply + 1], moves[i])
                    total += judge(ctx["work"][0], stack, ply + 1) if judging else stack[ply + 1]["board"][i & 63]
                    judged += 1
            seed = (seed * 1103515245 + 12345) & 0x7FFFFFFF
            stack[ply + 1] = stack[ply]
            play(stack[ply + 1], moves[(seed >> 8) % n])
        return judged, total

    times = []
    for judging in (True, False):
        best = np.inf
        for _ in range(ROUNDS):
            began, judged = time.thread_time(), 0
            for seed in range(GAMES):
                judged += walk(ctx, seed + 1, judging)[0]
            best = min(best, (time.thread_time() - began) / judged * 1e9)
        times.append(best)
    return times[0] - times[1]


def positions_a_second(shape: NnueShape, threads: int) -> float:
    """Of training, on so many threads."""
    import torch

    from sparring.nets.nnue_module import NnueModule

    torch.set_num_threads(threads)
    random, module = np.random.default_rng(0), NnueModule(shape)
    seen = np.full((2, BATCH, 32), -1, np.int32)
    for row in seen.reshape(-1, 32):
        n = int(random.integers(4, 33))
        row[:n] = random.choice(shape.inputs * shape.input_buckets, n, replace=False)
    own, other = torch.from_numpy(seen[0]), torch.from_numpy(seen[1])
    phase = torch.from_numpy(random.integers(0, shape.output_buckets, BATCH))
    results = torch.from_numpy(random.integers(0, shape.outputs, BATCH))
    optimiser = torch.optim.AdamW(module.parameters(), fused=True)
    best = np.inf
    for _ in range(STEPS):
        began = time.perf_counter()
        loss = torch.nn.functional.cross_entropy(module(own, other, phase), results)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        module.clip()
        best = min(best, time.perf_counter() - began)
    return BATCH / best


def main() -> None:
    """One or the other."""
    what, *rest = sys.argv[1:] or ["judge"]
    if what == "judge":
        for name, sizes in JUDGED.items():
            print(f"{name}: {nanoseconds(random_net(shape_of(**sizes))):.0f} ns")
    else:
        for name in ("256, three outputs", "256, layers 16 and 32", "256, layers 32 (block-sparse) and 32"):
            shape = shape_of(**JUDGED[name] | {"outputs": 3})
            print(f"{name}: {positions_a_second(shape, int(rest[0]) if rest else 1):,.0f} positions/s")


if __name__ == "__main__":
    main()
