"""Chess written as its rules are told: a dictionary of squares, moves tried one by one. Slow and obvious."""

FILES, RANKS = "abcdefgh", "12345678"
STRAIGHT = [(1, 0), (-1, 0), (0, 1), (0, -1)]
SLANTING = [(1, 1), (1, -1), (-1, 1), (-1, -1)]
LEAPS = [(x, y) for x in (-2, -1, 1, 2) for y in (-2, -1, 1, 2) if abs(x) != abs(y)]
WAYS = {"N": LEAPS, "B": SLANTING, "R": STRAIGHT, "Q": STRAIGHT + SLANTING, "K": STRAIGHT + SLANTING}
VALUES = {"P": 100, "N": 320, "B": 330, "R": 500, "Q": 950, "K": 20000}
ROOKS = {"K": "h1", "Q": "a1", "k": "h8", "q": "a8"}  # whose rook each right needs
CORNERS = {"e1": "KQ", "e8": "kq", **{square: right for right, square in ROOKS.items()}}


def step(square, way, far=1):
    """The square some steps away, or None beyond the board."""
    x, y = FILES.index(square[0]) + far * way[0], RANKS.index(square[1]) + far * way[1]
    return FILES[x] + RANKS[y] if 0 <= x < 8 and 0 <= y < 8 else None


class Board:
    """men: letter by square, White's capital. white: whether White is to move. rights: some of KQkq. ep: a square."""

    def __init__(self, fen):
        board, side, rights, ep, half, _ = fen.split()
        self.men = {}
        for rank, row in zip("87654321", board.split("/"), strict=True):
            x = 0
            for letter in row:
                if letter.isdigit():
                    x += int(letter)
                else:
                    self.men[FILES[x] + rank] = letter
                    x += 1
        self.white, self.rights, self.half = side == "w", set(rights) - {"-"}, int(half)
        self.ep = None if ep == "-" else ep

    def copy(self):
        other = object.__new__(Board)
        other.__dict__.update(self.__dict__, men=dict(self.men), rights=set(self.rights))
        return other

    def attacks(self, square):
        """Squares that the piece on a square attacks."""
        letter = self.men[square]
        if letter.upper() == "P":
            y = 1 if letter == "P" else -1
            return [to for x in (-1, 1) if (to := step(square, (x, y)))]
        found = []
        for way in WAYS[letter.upper()]:
            for far in range(1, 2 if letter.upper() in "NK" else 8):
                to = step(square, way, far)
                if to is None:
                    break
                found.append(to)
                if to in self.men:
                    break
        return found

    def attackers(self, square, white):
        """Squares from which a side's pieces attack a square, a1 first, h8 last."""
        ours = [s for s, letter in self.men.items() if letter.isupper() == white and square in self.attacks(s)]
        return sorted(ours, key=lambda s: (s[1], s[0]))

    def in_check(self, white):
        king = next(s for s, letter in self.men.items() if letter == ("K" if white else "k"))
        return bool(self.attackers(king, not white))

    def tried(self):
        """Moves as UCI writes them, whether or not they leave the king in check."""
        found = []
        for square, letter in self.men.items():
            if letter.isupper() != self.white:
                continue
            free = [
                to for to in self.attacks(square) if self.men.get(to, " ").isupper() != self.white or to not in self.men
            ]
            if letter.upper() == "P":
                free = [to for to in free if to in self.men or to == self.ep]
                y = 1 if self.white else -1
                for far in (1, 2):
                    to = step(square, (0, y), far)
                    if to is None or to in self.men or (far == 2 and square[1] != ("2" if self.white else "7")):
                        break
                    free.append(to)
            new = "nbrq" if letter.upper() == "P" and square[1] == ("7" if self.white else "2") else [""]
            found += [square + to + more for to in free for more in new]
        home = "1" if self.white else "8"
        for right, king_to, empty, safe in (("K", "g", "fg", "efg"), ("Q", "c", "bcd", "cde")):
            right = right if self.white else right.lower()
            blocked = any(file + home in self.men for file in empty)
            attacked = any(self.attackers(file + home, not self.white) for file in safe)
            if right in self.rights and not blocked and not attacked:
                found.append(f"e{home}{king_to}{home}")
        return found

    def moves(self):
        """The legal moves, sorted."""
        return sorted(move for move in self.tried() if not self.after(move).in_check(self.white))

    def after(self, move):
        """The board after a move."""
        new = self.copy()
        origin, to = move[:2], move[2:4]
        letter = new.men.pop(origin)
        new.half = 0 if letter.upper() == "P" or to in new.men else self.half + 1
        if letter.upper() == "P" and to == self.ep:
            del new.men[to[0] + origin[1]]
        if letter.upper() == "K" and origin[0] == "e" and to[0] in "cg":
            rook = new.men.pop(("a" if to[0] == "c" else "h") + to[1])
            new.men[("d" if to[0] == "c" else "f") + to[1]] = rook
        if len(move) == 5:
            letter = move[4].upper() if self.white else move[4]
        new.men[to] = letter
        for square in (origin, to):
            new.rights -= set(CORNERS.get(square, ""))
        new.white = not self.white
        new.ep = None
        if letter.upper() == "P" and abs(int(to[1]) - int(origin[1])) == 2:
            behind = to[0] + str((int(to[1]) + int(origin[1])) // 2)
            takers = [step(to, (x, 0)) for x in (-1, 1)]
            if any(s and new.men.get(s) == ("P" if new.white else "p") for s in takers):
                new.ep = behind
        return new

    def exchange(self, move):
        """Centipawns that a move gains once both sides have taken on its square as long as that pays."""
        to, after = move[2:4], self.after(move)
        letter = self.men[move[:2]].upper()
        gain = VALUES[self.men[to].upper()] if to in self.men else 0
        if letter == "P" and to == self.ep:
            gain = VALUES["P"]
        if letter == "K" and abs(FILES.index(to[0]) - FILES.index(move[0])) == 2:
            return 0
        if len(move) == 5:
            gain += VALUES[move[4].upper()] - VALUES["P"]
        return gain - after.best_capture(to, not self.white)

    def best_capture(self, square, white):
        """What a side gains by taking on a square with its least piece, or 0 where that does not pay."""
        takers = sorted(self.attackers(square, white), key=lambda s: VALUES[self.men[s].upper()])
        if not takers or (self.men[takers[0]].upper() == "K" and self.attackers(square, not white)):
            return 0
        after = self.copy()
        gain = VALUES[after.men[square].upper()]
        after.men[square] = after.men.pop(takers[0])
        return max(0, gain - after.best_capture(square, not white))
