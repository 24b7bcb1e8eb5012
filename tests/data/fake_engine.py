"""A chess engine that moves a knight out and back, and does one thing wrong if it is told to.

fake_engine.py [FAULT [GO]]: at the GO-th `go` (of all games, from 1) and at all later ones it commits the fault: dies,
hangs, sleeps (0.3 s), illegal (e2e5), nothing (no move), talks (of other lines and bounds). With `mute` it never says
that it speaks the protocol. `log` makes it say all that it was told.
"""

import sys
import time

fault, at = [*sys.argv[1:], *["", "1"][len(sys.argv) - 1 :]]
asked, moves, log = 0, [], []


def say(text):
    print(text, flush=True)


for line in sys.stdin:
    words = line.split()
    if not words:
        continue
    log.append(line.strip())
    if words[0] == "uci" and fault != "mute":
        say("id name Fake 1.0")
        say("option name Hash type spin default 16 min 1 max 64")
        say("option name Log Book type string default <empty>")
        say("uciok")
    elif words[0] == "isready":
        say("readyok")
    elif words[0] == "position":
        moves = words[words.index("moves") + 1 :] if "moves" in words else []
    elif words[0] == "go":
        asked += 1
        wrong = fault if asked >= int(at) else ""
        if wrong == "dies":
            sys.exit(3)
        if wrong == "hangs":
            continue
        if wrong == "sleeps":
            time.sleep(0.3)
        out, home = ("f3", "g1") if len(moves) % 2 == 0 else ("f6", "g8")
        move = home + out if len(moves) // 2 % 2 == 0 else out + home
        say(f"info depth 1 score cp 13 pv {move}")
        if wrong == "talks":
            say("info depth 2 seldepth 3 multipv 2 score cp -99 pv a7a6")
            say("info depth 2 multipv 1 score cp 400 lowerbound nodes 5")
            say("info string no score cp")
        say({"illegal": "bestmove e2e5", "nothing": "bestmove (none)"}.get(wrong, f"bestmove {move} ponder a7a6"))
    elif words[0] == "log":
        for said in log:
            say(f"log {said}")
        say("logged")
    elif words[0] == "quit":
        break
