"""Random DAGs, the same for the same seed."""

from collections.abc import Iterator
from typing import Final

import numpy as np

from dags.arrays import lock
from dags.cdag.border import require_at_least, require_room
from dags.cdag.construct import from_edges
from dags.cdag.value import CDAG
from dags.errors import InvalidSpecError
from dags.families.common.family import MOST_VERTICES, SEEDS, Arguments, Facts, Family

MAX_WORDS: Final = 2**31 - 1  # so that the sum of all sizes is a 64-bit integer


def random_layered(
    n: int, layers: int | None = None, max_indegree: int = 3, max_words: int = 1, seed: int = 0
) -> CDAG:
    """A random DAG whose vertices stand in layers.

    The first layer is input. A vertex of another reads one value of the layer before, and up
    to `max_indegree` - 1 further values of the two layers before, each drawn uniformly; where
    one is drawn twice it is read once.

    Parameters
    ----------
    n
        Number of vertices, spread evenly over the layers.
    layers
        Number of layers, from 2 to n; about sqrt(n) where not given.
    max_indegree
        Most operands of one vertex.
    max_words
        Sizes are drawn uniformly from 1..max_words.
    seed
        Seed of the generator.

    Examples
    --------
    >>> random_layered(100, seed=1) == random_layered(100, seed=1)
    True
    """
    require_at_least(2, n=n)
    require_at_least(1, max_indegree=max_indegree, max_words=max_words)
    require_at_least(0, seed=seed)
    require_room(n, n * max_indegree)
    _require_sizes(max_words)
    layers = max(2, round(n**0.5)) if layers is None else layers
    if not 2 <= layers <= n:
        raise InvalidSpecError(f"layers must be in 2..{n}, not {layers}")
    rng = np.random.default_rng(seed)
    starts = np.linspace(0, n, layers + 1).astype(np.int64)
    layer = np.repeat(np.arange(layers), np.diff(starts))
    reader = np.arange(starts[1], n)
    before = layer[reader] - 1
    edges = [np.column_stack((rng.integers(starts[before], starts[before + 1]), reader))]
    extra = rng.integers(0, max_indegree, reader.size)
    reader, before = np.repeat(reader, extra), np.repeat(before, extra)
    drawn = rng.integers(starts[np.maximum(before - 1, 0)], starts[before + 1])
    edges.append(np.column_stack((drawn, reader)))
    words = rng.integers(1, max_words + 1, n) if max_words > 1 else None
    dag = from_edges(n, np.concatenate(edges), words=words)
    return CDAG(
        dag.pred_indptr,
        dag.pred_indices,
        words=dag.words,
        work=1,
        family="random_layered",
        params={
            "n": n,
            "layers": layers,
            "max_indegree": max_indegree,
            "max_words": max_words,
            "seed": seed,
        },
    )


def random_tree(n: int, max_words: int = 1, seed: int = 0) -> CDAG:
    """A random in-tree: every value is read by one other, the last is the result.

    Vertex v < n - 1 is read by a vertex drawn uniformly from v + 1..n - 1, so that the tree read
    from its root is a random recursive tree: about ln n deep on average, half of the vertices
    inputs. n vertices, n - 1 edges.

    Parameters
    ----------
    n
        Number of vertices, from 2 on.
    max_words, seed
        As for `random_layered`.

    Source
    ------
    R. T. Smythe and H. M. Mahmoud, A survey of recursive trees, 1995. Trees with sizes are played
    by J. W. H. Liu with the least memory: An application of generalized tree pebbling to sparse
    matrix factorization, 1987.

    Examples
    --------
    >>> random_tree(50, seed=1).outputs.tolist()
    [49]
    """
    require_at_least(2, n=n)
    require_at_least(1, max_words=max_words)
    require_at_least(0, seed=seed)
    require_room(n, n - 1)
    _require_sizes(max_words)
    rng = np.random.default_rng(seed)
    reader = rng.integers(np.arange(1, n), n)
    indptr = np.zeros(n + 1, np.int64)
    np.cumsum(np.bincount(reader, minlength=n), out=indptr[1:])
    return CDAG(
        lock(indptr),
        lock(np.argsort(reader, kind="stable").astype(np.int32)),
        words=rng.integers(1, max_words + 1, n) if max_words > 1 else None,
        work=1,
        family="random_tree",
        params={"n": n, "max_words": max_words, "seed": seed},
    )


def _require_sizes(max_words: int) -> None:
    if max_words > MAX_WORDS:
        raise InvalidSpecError(f"max_words must be at most {MAX_WORDS}, not {max_words}")


def _trees(facts: Facts) -> Iterator[Arguments]:
    """Yield the seeds of a random tree, with sizes as large as its largest value."""
    n = facts.vertices
    if facts.sinks == 1 and facts.edges == n - 1 and 2 <= n <= MOST_VERTICES:
        yield from _drawn({"n": n}, facts)


def _layers(facts: Facts) -> Iterator[Arguments]:
    """Yield layers, operands and seeds of a layered DAG, with sizes as large as its largest."""
    n, layers = facts.vertices, facts.depth + 1
    if n <= MOST_VERTICES and facts.inputs == n // layers:
        usual = max(2, round(n**0.5)) == layers
        shape = {"n": n} | ({} if usual else {"layers": layers})
        for degree in (facts.widest, facts.widest + 1):
            yield from _drawn(shape | ({} if degree == 3 else {"max_indegree": degree}), facts)


def _drawn(shape: Arguments, facts: Facts) -> Iterator[Arguments]:
    """Yield arguments with sizes and each seed."""
    sizes = {} if facts.largest == 1 else {"max_words": facts.largest}
    for seed in SEEDS:
        yield shape | sizes | ({} if seed == 0 else {"seed": seed})


FAMILIES = {
    "random_tree": Family(random_tree, "n=60,max_words=3", "n=12,max_words=3", sought=_trees),
    "random_layered": Family(random_layered, "n=100,seed=1", "n=14,seed=1", sought=_layers),
}
