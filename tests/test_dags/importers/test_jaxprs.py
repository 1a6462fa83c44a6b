from dataclasses import dataclass, field
from types import SimpleNamespace

import numpy as np
import pytest

from dags import load
from dags.importers import ImportedGraphError, from_jaxpr, tensor_dag
from pebble import min_memory


@dataclass(eq=False)
class Var:
    """A variable of a jaxpr."""

    shape: tuple[int, ...]
    dtype: np.dtype = field(default_factory=lambda: np.dtype(np.float32))

    @property
    def aval(self):
        return self


class Literal(Var):
    val = 2.0


def equation(primitive, arguments, built, **params):
    return SimpleNamespace(
        primitive=SimpleNamespace(name=primitive), params=params, invars=arguments, outvars=built
    )


def jaxpr_of(arguments, equations, built, constants=()):
    return SimpleNamespace(
        invars=list(arguments), eqns=equations, outvars=list(built), constvars=list(constants)
    )


def rows_of(dag):
    return {
        dag.labels[v]: [
            dag.labels[pred_index]
            for pred_index in dag.pred_indices[dag.pred_indptr[v] : dag.pred_indptr[v + 1]].tolist()
        ]
        for v in dag.computed.tolist()
    }


def test_a_jaxpr_is_read_by_its_attributes():
    x, w, c, turned, product, half, y = (
        Var(s) for s in [(4, 6), (5, 6), (5,), (6, 5), (4, 5), (4, 5), (4, 5)]
    )
    inner = Var((4, 5))
    called = jaxpr_of([inner], [equation("mul", [inner, Literal(())], [half])], [half])
    equations = [
        equation("transpose", [w], [turned], permutation=(1, 0)),
        equation("dot_general", [x, turned], [product], dimension_numbers=(([1], [0]), ([], []))),
        equation("jit", [product], [half], name="halve", jaxpr=SimpleNamespace(jaxpr=called)),
        equation("add", [half, c], [y]),
    ]
    graph = from_jaxpr(SimpleNamespace(jaxpr=jaxpr_of([x, w], equations, [y], [c])))
    dag = tensor_dag(graph)
    assert rows_of(dag) == {
        "dot_general0": ["in0", "in1"],
        "halve/mul0": ["dot_general0"],
        "add0": ["const0", "halve/mul0"],
    }
    assert dag.sizes.tolist() == [24, 30, 5, 20, 20, 20]
    assert dag.work.tolist()[-3:] == [2 * 6 * 20, 20, 20]
    parts = tensor_dag(graph, tile=2)
    assert rows_of(parts)["dot_general0[0:2,0:5]"] == ["in0[0:2,0:6]", "in1"]
    assert load(jaxpr_of([x, w], equations, [y], [c]), tile=2) == parts


def test_loops_of_values_are_refused():
    x, y = Var(()), Var(())
    loop = jaxpr_of([x], [equation("while", [x], [y])], [y])
    with pytest.raises(ImportedGraphError, match=r"^while repeats until a value says so: use lax"):
        from_jaxpr(loop)


def test_a_transformer_block_of_jax():
    jax = pytest.importorskip("jax")
    from jax import numpy as jnp

    def block(x, wqkv, wo, w1, w2):
        def normed(v):
            return (v - v.mean(-1, keepdims=True)) / jnp.sqrt(v.var(-1, keepdims=True) + 1e-5)

        q, k, v = jnp.split(normed(x) @ wqkv, 3, axis=-1)
        q, k, v = (entry.reshape(8, 2, 4).transpose(1, 0, 2) for entry in (q, k, v))
        mask = jnp.tril(jnp.ones((8, 8), bool))
        weights = jax.nn.softmax(jnp.where(mask, q @ k.transpose(0, 2, 1), -1e9))
        middle = x + (weights @ v).transpose(1, 0, 2).reshape(8, 8) @ wo
        return middle + jax.nn.gelu(normed(middle) @ w1) @ w2

    shapes = (8, 8), (8, 24), (8, 8), (8, 32), (32, 8)
    closed = jax.make_jaxpr(block)(*map(jnp.ones, shapes))
    dag = load(closed)
    rows = rows_of(dag)
    products = [name for name in rows if name.startswith("dot_general")]
    assert [rows[name][-1] for name in products] == [
        "div1",
        "dot_general0",
        "div2",
        "dot_general2",
        "div4",
        "mul3",
    ]
    assert rows["dot_general1"] == ["dot_general0"]  # q and k are slices of one product
    assert dag.labels[:5] == ("x", "wqkv", "wo", "w1", "w2")
    flops = 2 * 8 * (8 * 24 + 8 * 8 + 8 * 32 + 32 * 8) + 4 * 2 * 8 * 8 * 4
    assert dag.work[[dag.labels.index(name) for name in products]].sum() == flops
    parts = load(closed, tile=4)
    assert parts.work.sum() == dag.work.sum()
    assert min_memory(parts) < min_memory(dag)


def test_a_convolution_of_jax():
    jax = pytest.importorskip("jax")
    from jax import lax
    from jax import numpy as jnp

    def network(x, w, dense):
        order = ("NHWC", "HWIO", "NHWC")
        y = lax.conv_general_dilated(x, w, (2, 2), "SAME", dimension_numbers=order)
        y = lax.reduce_window(
            jax.nn.relu(y), -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID"
        )
        return jax.nn.log_softmax(y.reshape(1, -1) @ dense)

    closed = jax.make_jaxpr(network)(
        jnp.ones((1, 16, 16, 3)), jnp.ones((3, 3, 3, 8)), jnp.ones((128, 10))
    )
    rows = rows_of(load(closed, tile=(1, 2)))
    assert rows["conv_general_dilated0[0:1,0:4,0:8,0:8]"] == [
        "x[0:1,0:8,0:16,0:3]",
        "x[0:1,8:9,0:16,0:3]",
        "w",
    ]
    assert rows["conv_general_dilated0[0:1,4:8,0:8,0:8]"] == [
        "x[0:1,8:9,0:16,0:3]",
        "x[0:1,9:16,0:16,0:3]",
        "w",
    ]


def test_a_scan_of_jax_is_written_out():
    jax = pytest.importorskip("jax")
    from jax import numpy as jnp

    def run(state, rows):
        return jax.lax.scan(lambda c, row: (jnp.tanh(c @ row), c.sum()), state, rows)

    closed = jax.make_jaxpr(run)(jnp.ones((3, 3)), jnp.ones((4, 3, 3)))
    rows = rows_of(load(closed))
    assert rows["scan0[0]/dot_general0"] == ["state", "rows"]
    assert rows["scan0[3]/dot_general0"] == ["rows", "scan0[2]/tanh0"]
    assert len(rows) == 12
