"""Parts of JAX's primitives need what they read, by the primitives' own results."""

import numpy as np
import pytest

from dags import load
from tests.test_dags.importers.part_checks import check_operator

jax = pytest.importorskip("jax")
from jax import lax  # noqa: E402
from jax import numpy as jnp  # noqa: E402

ORDER = ("NHWC", "HWIO", "NHWC")


def convolved(x, w):
    return lax.conv_general_dilated(
        x, w, (2, 1), ((1, 0), (2, 1)), rhs_dilation=(1, 2), dimension_numbers=ORDER
    )


def grouped(x, w):
    return lax.conv_general_dilated(
        x, w, (1, 1), "SAME", dimension_numbers=ORDER, feature_group_count=2
    )


CASES = {
    "add": (lambda x, y: x + y, (4, 6), (4, 6)),
    "spread": (lambda x, y: x * y[:, None], (4, 6), (4,)),
    "select": (lambda x, y: jnp.where(x > y, x - y, 3 * y), (4, 6), (4, 6)),
    "dot": (lambda x, y: x @ y, (4, 6), (6, 5)),
    "turned": (lambda x, y: x.T @ y.T, (6, 4), (5, 6)),
    "batched": (lambda x, y: jnp.einsum("bik,kbj->bij", x, y), (2, 4, 3), (3, 2, 5)),
    "outer": (lambda x, y: lax.dot_general(x, y, (((), ()), ((), ()))), (4,), (5,)),
    "sum": (lambda x: x.sum(axis=1), (4, 6, 3)),
    "cumsum": (lambda x: jnp.cumsum(x, axis=1), (4, 5)),
    "sort": (lambda x: jnp.sort(x, axis=0), (4, 5)),
    "convolution": (convolved, (2, 7, 8, 3), (3, 2, 3, 4)),
    "groups": (grouped, (1, 5, 5, 4), (3, 3, 2, 6)),
    "windows": (
        lambda x: lax.reduce_window(x, 0.0, lax.add, (1, 3, 2), (1, 2, 1), "SAME"),
        (2, 7, 5),
    ),
    "slices": (lambda x: x[1:4, ::2] + x[2:5, 1::2], (5, 6)),
    "joined": (lambda x, y: jnp.concatenate([x, y[::-1]]) * 2.0, (3, 4), (2, 4)),
    "padded": (lambda x: lax.pad(x, 0.0, ((1, -1, 1), (0, 2, 0))) * 2.0, (4, 3)),
}


@pytest.mark.parametrize("tile", [2, (2, 2), (1, 3, 2)])
@pytest.mark.parametrize("name", CASES)
def test_parts(name, tile):
    function, *shapes = CASES[name]
    rng = np.random.default_rng(0)
    names = function.__code__.co_varnames[: len(shapes)]
    arrays = [rng.uniform(0.5, 1.5, shape).astype(np.float32) for shape in shapes]
    dag = load(jax.make_jaxpr(function)(*arrays), tile=tile)
    if dag.level.max() > 1:
        assert name == "select"  # several operators
        return
    check_operator(dag, dict(zip(names, arrays, strict=True)), function)
