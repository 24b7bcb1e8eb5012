"""Monte Carlo tree search with Python objects: slow, obvious, and equal to search/mcts.py to the last bit."""

import math

import numpy as np

from sparring.games.contract import CHANCE, ONGOING

F = np.float32


class Edge:
    def __init__(self, move, prior, logit, low, high):
        self.move, self.prior, self.logit, self.low, self.high = move, F(prior), F(logit), F(low), F(high)
        self.visits, self.total, self.child = 0, F(0), None

    def mean(self, otherwise):
        value = float(self.total) / self.visits if self.visits else otherwise
        return min(max(value, float(self.low)), float(self.high))


class Node:
    def __init__(self, mover, judged):
        self.mover, self.judged, self.edges, self.visits, self.total = mover, F(judged), [], 0, F(0)
        self.low = self.high = None

    @property
    def sign(self):
        return 1.0 if self.mover == 0 else -1.0

    def open(self):
        """Edges that may still be the best."""
        if self.mover == 0:
            return [e for e in self.edges if e.high > self.low or e.low >= self.low]
        return [e for e in self.edges if e.low < self.high or e.high <= self.high]

    def bound(self):
        if self.mover == CHANCE:
            low = high = F(0)
            for i, e in enumerate(self.edges):
                low = F(e.prior * e.low) if i == 0 else F(low + F(e.prior * e.low))
                high = F(e.prior * e.high) if i == 0 else F(high + F(e.prior * e.high))
        else:
            choose = max if self.mover == 0 else min
            low, high = choose(e.low for e in self.edges), choose(e.high for e in self.edges)
        self.low, self.high = low, high


class SlowSearch:
    """One search of a position. judge(state) -> (logit of each legal move, outcome and score as player 0 sees them)."""

    def __init__(self, game, judge, selection, longest, state, plies=0, past=()):
        self.game, self.judge, self.how, self.longest = game, judge, selection, longest
        self.state, self.plies, self.past = game.after(state), plies, [int(k) for k in past]
        self.largest = max(abs(v) for v in game.RESULTS)
        self.order = []  # nodes as they were made
        self.done = 0
        logits, outcome = judge(self.state)
        self.root = self.make(self.state, logits, outcome, plies)

    # --- utilities ---------------------------------------------------------------------------------------------------

    def part(self, plies):
        return min(plies / self.longest, 1.0)

    def end_utility(self, end, plies):
        return F(self.game.RESULTS[end] / self.largest * (1.0 - self.how.haste * self.part(plies)))

    def judged(self, outcome):
        value = sum(float(p) * v for p, v in zip(outcome, self.game.RESULTS, strict=False))
        return F((1.0 - self.how.haste) * value / self.largest + self.how.haste * float(outcome[-1]))

    def ended(self, state, plies):
        end = self.game.result(state)
        if end == ONGOING and 0 < self.game.LIMIT <= plies:
            return self.game.RESULTS.index(0.0)
        return end

    # --- nodes -------------------------------------------------------------------------------------------------------

    def make(self, state, logits, outcome, plies):
        node = Node(self.game.mover(state), self.judged(outcome))
        priors = [math.exp(float(F(x))) for x in logits]
        return self.fill(node, state, self.game.legal_moves(state), priors, logits, plies)

    def make_chance(self, state, plies):
        n = self.game.MOST_MOVES
        moves, chances = np.zeros(n, np.int32), np.zeros(n)
        n = self.game.chance(state, moves, chances)
        return self.fill(Node(CHANCE, 0), state, moves[:n], chances[:n], np.zeros(n), plies)

    def fill(self, node, state, moves, priors, logits, plies):
        worst, best = self.game.RESULTS[0] / self.largest, self.game.RESULTS[-1] / self.largest
        soon, late = 1.0 - self.how.haste * self.part(plies + 2), 1.0 - self.how.haste
        low, high = worst * (soon if worst < 0 else late), best * (soon if best > 0 else late)
        for move, prior, logit in zip(moves, priors, logits, strict=True):
            edge = Edge(int(move), prior, logit, low, high)
            end = self.ended(self.game.after(state, int(move)), plies + 1)
            if end != ONGOING:
                edge.low = edge.high = self.end_utility(end, plies + 1)
            elif self.how.lookahead and not 0 < self.game.LIMIT <= plies + 1 + self.how.lookahead:
                found = self.forced(self.game.after(state, int(move)), self.how.lookahead)
                if found is not None:
                    edge.low = edge.high = self.end_utility(found[0], plies + 1 + found[1])
            node.edges.append(edge)
        node.bound()
        self.order.append(node)
        return node

    def forced(self, state, depth):
        """(the end, plies to it) where best play leads to the best or worst result within `depth` plies, else None."""
        end = self.game.result(state)
        if end != ONGOING:
            return (end, 0) if end in (0, len(self.game.RESULTS) - 1) else None
        if depth == 0:
            return None
        below = [self.forced(self.game.after(state, m), depth - 1) for m in self.game.legal_moves(state)]
        best, worst = (
            (len(self.game.RESULTS) - 1, 0) if self.game.mover(state) == 0 else (0, len(self.game.RESULTS) - 1)
        )
        wins = [far for found in below if found for end, far in [found] if end == best]
        if wins:
            return best, 1 + min(wins)
        if all(found and found[0] == worst for found in below):
            return worst, 1 + max(far for _, far in below)
        return None

    # --- selection ---------------------------------------------------------------------------------------------------

    def first_best(self, edges, rating):
        best = None
        for edge in edges:
            value = rating(edge)
            if best is None or value > best[0]:
                best = value, edge
        return best[1]

    def mixed(self, node):
        seen = [e for e in node.edges if e.visits]
        priors = sum((float(e.prior) for e in seen), 0.0)
        if priors <= 0:
            return float(node.judged)
        weighed = sum((float(e.prior) * (float(e.total) / e.visits) for e in seen), 0.0)
        return (float(node.judged) + node.visits * weighed / priors) / (1.0 + node.visits)

    def scale(self, node):
        most = max(e.visits for e in node.edges)
        return (self.how.visit_scale + most) * self.how.value_scale * 0.5

    def improved(self, node):
        otherwise, scale, there = self.mixed(node), self.scale(node), node.open()
        ratings = {id(e): float(e.logit) + scale * node.sign * e.mean(otherwise) for e in there}
        top = max(ratings.values())
        weights = [math.exp(ratings[id(e)] - top) if id(e) in ratings else 0.0 for e in node.edges]
        total = 0.0
        for w in weights:
            total += w
        return [w / total for w in weights]

    def select(self, node, at_root, halving):
        n = node.visits
        if node.mover == CHANCE:
            return self.first_best(node.edges, lambda e: float(e.prior) * (n + 1.0) - e.visits)
        if self.how.rule == "gumbel":
            if at_root:
                moves = min(len(node.edges), self.how.considered)
                wanted = halving[moves][min(self.done, len(halving[moves]) - 1)]
                there = [e for e in node.open() if e.visits == wanted]
                otherwise, scale = self.mixed(node), self.scale(node)
                if there:
                    return self.first_best(there, lambda e: float(e.logit) + scale * node.sign * e.mean(otherwise))
            policy = dict(zip(map(id, node.edges), self.improved(node), strict=True))
            return self.first_best(node.open(), lambda e: policy[id(e)] - e.visits / (1.0 + n))
        if self.how.rule == "uct":
            fresh = [e for e in node.open() if not e.visits]
            if fresh:
                return fresh[0]
            log = math.log(n + 1.0)
            return self.first_best(
                node.open(), lambda e: node.sign * e.mean(0.0) + self.how.puct * math.sqrt(log / e.visits)
            )
        start = (float(node.judged) + float(node.total)) / (1.0 + n)
        unseen = node.sign * start - (0.0 if at_root else self.how.first_play)
        spread = self.how.puct * math.sqrt(n + 0.25)
        if at_root:
            for e in node.open():
                if 0 < e.visits * e.visits < self.how.forced * float(e.prior) * n:
                    return e
        return self.first_best(
            node.open(),
            lambda e: node.sign * e.mean(node.sign * unseen) + spread * float(e.prior) / (1.0 + e.visits),
        )

    # --- a simulation ------------------------------------------------------------------------------------------------

    def simulate(self, halving):
        state, plies, node = self.game.after(self.state), self.plies, self.root
        path, keys = [], [*self.past, int(self.game.key(state))]
        while True:
            edge = self.select(node, node is self.root, halving)
            path.append((node, edge))
            if edge.low == edge.high:
                self.back_up(path, edge.low)
                break
            self.game.play(state, edge.move)
            plies += 1
            if self.game.REPETITION:
                own, reach = int(self.game.key(state)), int(self.game.quiet(state))
                if own in keys[max(len(keys) - reach, 0) :]:
                    drawn = self.end_utility(self.game.RESULTS.index(0.0), plies)
                    self.narrow(path, drawn, drawn)
                    self.back_up(path, drawn)
                    break
                keys.append(own)
            if edge.child is None:
                if self.game.mover(state) == CHANCE:
                    edge.child = self.make_chance(state, plies)
                else:
                    logits, outcome = self.judge(state)
                    edge.child = self.make(state, logits, outcome, plies)
                    self.narrow(path, edge.child.low, edge.child.high)
                    self.back_up(path, edge.child.judged)
                    break
            node = edge.child
        self.done += 1

    def narrow(self, path, low, high):
        for node, edge in reversed(path):
            edge.low, edge.high = max(edge.low, low), min(edge.high, high)
            before = node.low, node.high
            node.bound()
            low, high = node.low, node.high
            if (low, high) == before:
                return

    def back_up(self, path, utility):
        for node, edge in reversed(path):
            edge.visits += 1
            edge.total = F(edge.total + utility)
            node.visits += 1
            node.total = F(node.total + utility)

    def run(self, simulations, halving):
        while self.done < simulations and self.root.low != self.root.high:
            if len(self.root.edges) == 1 and self.done:
                break
            self.simulate(halving)
        return self
