"""Self-play as in pgx's example of AlphaZero: its rules, mctx's Gumbel search, many games in one compiled step.

Whole games, begun anew as they end. The net is the usual residual one in float32, its batch norm folded away; bfloat16
was no faster on a CPU. The number of games is the fastest of a few.
"""

import functools
import time

import jax
import jax.numpy as jnp
import mctx
import numpy as np
import pgx
from clock import Counts, Run, Ways, serve
from pgx.experimental import auto_reset

SIMULATIONS, BLOCKS, WIDTH = 64, 3, 64
GAMES = (16, 64, 256)  # that are tried
ENV = pgx.make("connect_four")


def weights() -> dict:
    """Of a net that has learned nothing: pairs of weights and biases, convolutions [rows, columns, in, out]."""
    rng = np.random.default_rng(1)
    rows, columns, planes = ENV.observation_shape
    points = rows * columns

    def layer(*shape: int) -> tuple[jax.Array, jax.Array]:
        drawn = rng.normal(size=shape) * np.sqrt(2 / np.prod(shape[:-1]))
        return jnp.asarray(drawn, jnp.float32), jnp.zeros(shape[-1], jnp.float32)

    return {
        "stem": layer(3, 3, planes, WIDTH),
        "blocks": [(layer(3, 3, WIDTH, WIDTH), layer(3, 3, WIDTH, WIDTH)) for _ in range(BLOCKS)],
        "policy": (layer(1, 1, WIDTH, 2), layer(2 * points, ENV.num_actions)),
        "value": (layer(1, 1, WIDTH, 1), layer(points, WIDTH), layer(WIDTH, 1)),
    }


def convolved(x: jax.Array, layer: tuple[jax.Array, jax.Array]) -> jax.Array:
    """x: (games, rows, columns, channels)."""
    dims = ("NHWC", "HWIO", "NHWC")
    return jax.lax.conv_general_dilated(x, layer[0], (1, 1), "SAME", dimension_numbers=dims) + layer[1]


def dense(x: jax.Array, layer: tuple[jax.Array, jax.Array]) -> jax.Array:
    """x: (games, …)."""
    return x.reshape(len(x), -1) @ layer[0] + layer[1]


def net(params: dict, seen: jax.Array) -> tuple[jax.Array, jax.Array]:
    """Logits (games, moves) and values (games,) for the player to move."""
    relu = jax.nn.relu
    x = relu(convolved(seen.astype(jnp.float32), params["stem"]))
    for first, second in params["blocks"]:
        x = relu(x + convolved(relu(convolved(x, first)), second))
    squeeze, moves = params["policy"]
    logits = dense(relu(convolved(x, squeeze)), moves)
    squeeze, hidden, value = params["value"]
    return logits, jnp.tanh(dense(relu(dense(relu(convolved(x, squeeze)), hidden)), value))[:, 0]


def simulate(params: dict, key: jax.Array, moves: jax.Array, states: pgx.State) -> tuple:
    """One move below a leaf of each tree."""
    movers = states.current_player
    states = jax.vmap(ENV.step)(states, moves)
    logits, value = net(params, states.observation)
    over = states.terminated
    found = mctx.RecurrentFnOutput(
        reward=states.rewards[jnp.arange(len(movers)), movers],
        discount=jnp.where(over, 0.0, -1.0),
        prior_logits=jnp.where(states.legal_action_mask, logits, jnp.finfo(jnp.float32).min),
        value=jnp.where(over, 0.0, value),
    )
    return found, states


@jax.jit
def step(params: dict, states: pgx.State, key: jax.Array) -> tuple[pgx.State, jax.Array]:
    """Search and play one move in each game. Returns the games and the improved policies."""
    searched, fresh = jax.random.split(key)
    logits, value = net(params, states.observation)
    found = mctx.gumbel_muzero_policy(
        params=params,
        rng_key=searched,
        root=mctx.RootFnOutput(prior_logits=logits, value=value, embedding=states),
        recurrent_fn=simulate,
        num_simulations=SIMULATIONS,
        invalid_actions=~states.legal_action_mask,
        qtransform=mctx.qtransform_completed_by_mix_value,
        gumbel_scale=1.0,
    )
    keys = jax.random.split(fresh, len(value))
    return jax.vmap(auto_reset(ENV.step, ENV.init))(states, found.action, keys), found.action_weights


class Games:
    """So many games at once."""

    def __init__(self, games: int) -> None:
        self.games, self.params, self.moves = games, weights(), 0
        self.states = jax.jit(jax.vmap(ENV.init))(jax.random.split(jax.random.key(1), games))

    def move(self) -> None:
        """One move in each game."""
        self.moves += 1
        self.states, policies = step(self.params, self.states, jax.random.key(self.moves))
        policies.block_until_ready()

    def speed(self) -> float:
        """Positions a second of the processor."""
        self.move()  # compiles
        began, moves = time.process_time(), self.moves
        while time.process_time() - began < 1 or self.moves - moves < 2:
            self.move()
        return (self.moves - moves) * self.games / (time.process_time() - began)


def run(games: Games, until: float) -> Counts:
    """Play on."""
    moves = games.moves
    while time.perf_counter() < until:
        games.move()
    positions = games.games * (games.moves - moves)
    return {
        "positions": positions,
        "simulations": SIMULATIONS * positions,
        "evaluations": (SIMULATIONS + 1) * positions,
    }


def prepare() -> tuple[Ways, dict[str, str]]:
    """The fastest number of games."""
    best = max((Games(number) for number in GAMES), key=Games.speed)

    def way() -> Run:
        return functools.partial(run, best)

    others = ", ".join(str(number) for number in GAMES if number != best.games)
    return {"pgx + mctx": way}, {"pgx + mctx": f"{best.games} games at once (tried too: {others})"}


if __name__ == "__main__":
    serve(prepare)
