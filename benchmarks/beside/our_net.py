"""A trained net of ours as JAX runs it, for OpenSpiel's search: how often a cache is hit depends on the net.

What it sees follows FEATURES_VERSION 2 of Connect Four: own stones, the other's, points that a stone would fall on.
"""

import jax
import jax.numpy as jnp
import numpy as np

VERSION = 2
UTILITIES = np.array([-1.0, 0.0, 1.0], np.float32)


class OurNet:
    """The part of OpenSpiel's model that its evaluator asks."""

    def __init__(self, path: str) -> None:
        """path: a tower's arrays by name, and "features", their version, as .npz."""
        arrays = dict(np.load(path))
        if (version := int(arrays.pop("features"))) != VERSION:
            raise SystemExit(
                f"our_net.py knows version {VERSION} of Connect Four's features, but the net has {version}"
            )
        arrays = {name: jnp.asarray(a.transpose(2, 3, 1, 0) if a.ndim == 4 else a.T) for name, a in arrays.items()}
        judged = jax.jit(lambda planes, legal: judge(arrays, planes.reshape(3, 6, 7), legal))
        self.inference = lambda seen, legal: jax.device_get(judged(seen.astype(np.float32), legal.astype(bool)))


def inputs(planes: jax.Array) -> tuple[jax.Array, jax.Array]:
    """OpenSpiel's planes (X, O, free; rows from below) as ours, [1, column, row, plane]; and 1 if X moves, else −1."""
    crosses, noughts, free = planes
    sign = jnp.where(crosses.sum() == noughts.sum(), 1.0, -1.0)
    own, other = jnp.where(sign > 0, crosses, noughts), jnp.where(sign > 0, noughts, crosses)
    below = jnp.concatenate([jnp.ones((1, 7)), 1 - free[:-1]])
    return jnp.stack([own, other, free * below, jnp.ones_like(free)], -1).transpose(1, 0, 2)[None], sign


def judge(arrays: dict[str, jax.Array], planes: jax.Array, legal: jax.Array) -> tuple[jax.Array, jax.Array]:
    """Player X's value and the moves' chances."""
    x, sign = inputs(planes)
    x = jax.nn.relu(convolved(x, arrays, "stem"))
    for i in range(sum(name.endswith("first.weight") for name in arrays)):
        inner = jax.nn.relu(convolved(x, arrays, f"block{i}.first"))
        x = jax.nn.relu(x + convolved(inner, arrays, f"block{i}.second"))
    heads = jax.nn.relu(dense(x, arrays, "heads"))[0].transpose(2, 0, 1)  # channel by channel
    policy = arrays["policy.weight"].shape[0] // heads[0].size
    logits = dense(heads[:policy].reshape(-1), arrays, "policy")
    ends = dense(jax.nn.relu(dense(heads[policy:].reshape(-1), arrays, "value")), arrays, "result")
    return sign * (jax.nn.softmax(ends[:-1]) @ UTILITIES), jax.nn.softmax(jnp.where(legal, logits, -jnp.inf))


def convolved(x: jax.Array, arrays: dict[str, jax.Array], name: str) -> jax.Array:
    """x: (1, columns, rows, channels)."""
    weight, bias = arrays[f"{name}.weight"], arrays[f"{name}.bias"]
    dims = ("NHWC", "HWIO", "NHWC")
    return jax.lax.conv_general_dilated(x, weight, (1, 1), "SAME", dimension_numbers=dims) + bias


def dense(x: jax.Array, arrays: dict[str, jax.Array], name: str) -> jax.Array:
    """x: (…, units in)."""
    return x @ arrays[f"{name}.weight"] + arrays[f"{name}.bias"]
