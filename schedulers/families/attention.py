"""Attention: rows of Q and of the result stay while K and V stream by, or blocks of scores."""

from collections.abc import Iterator
from math import ceil

import numpy as np

from dags import CDAG
from dags.arrays import Int32Array
from schedulers.families.matmul import block_shapes
from schedulers.families.tiles import sorted_by

# What a vertex is, in the order of their numbers within a query.
SCORE, EXPONENTIAL, SUM, RESULT = range(4)


def orders(dag: CDAG, memory: int) -> Iterator[Int32Array]:
    """Yield orders of attention for N tokens and width d, those for much memory first.

    - *Rows stay.* b queries' rows of Q and of the result, b sums and b scores are kept, and one
      entry of K or of V at a time passes: 2Nd + 2Nd ceil(N/b) words with b (2d + 2) + 2 <= M,
      about 4 N^2 d^2 / M.
    - *Results stay.* Only the rows of the result and the sums are kept, beside an a x b block of
      scores for which Q and K stream by as in a matrix product: about N^2 d (2/a + 1/b) words with
      a (b + d + 2) + 2 <= M.
    - *Scores are stored.* Two matrix products, one after the other, for little memory: N^2 d (1/a +
      1/b) words with ab + a + 2 <= M each and N^2 for storing the exponentials, about 4 N^2 d /
      sqrt(M).

    Source
    ------
    T. Dao et al., FlashAttention, NeurIPS 2022, algorithm 1, for the rows; B. Saha and C. Ye, The
    I/O complexity of attention, ICML 2024, for both laws.
    """
    keys, width = dag.params["tokens"], dag.params["width"]
    places = _Places(keys, width)
    rows = resident_rows(keys, width, memory)
    if rows:
        yield places.rows_stay(rows)
    for a, b in resting_shapes(keys, width, memory):
        yield places.results_stay(a, b)
    scores = block_shapes(keys, keys, width, memory - 2)
    results = block_shapes(keys, width + 1, keys, memory - 2)
    yield places.scores_stored(scores[0], results[0])


def resident_rows(keys: int, width: int, memory: int) -> int:
    """How many queries' rows stay at a time, or 0 if not even one fits."""
    limit = (memory - 2) // (2 * width + 2)
    return ceil(keys / ceil(keys / limit)) if limit else 0


def resting_shapes(keys: int, width: int, memory: int) -> list[tuple[int, int]]:
    """The best shape of a block of scores beside results that stay, if one fits."""
    shapes = []
    for b in range(1, keys + 1):
        a = min((memory - 2) // (b + width + 2), keys)
        if a:
            shapes.append((ceil(keys / ceil(keys / a)), ceil(keys / ceil(keys / b))))
    return sorted(shapes, key=lambda shape: 2 * ceil(keys / shape[0]) + ceil(keys / shape[1]))[:1]


class _Places:
    """Kind, query, key and column of each computed vertex, in their numbering."""

    def __init__(self, keys: int, width: int) -> None:
        """Divisions are results at key N; sums are column -1."""
        of_one_query = keys * (2 * width + 2) + width - 1
        self.vertex = 3 * keys * width + np.arange(keys * of_one_query, dtype=np.int32)
        self.query = np.repeat(np.arange(keys), of_one_query)
        counts = (keys * width, keys, keys - 1, width * (keys + 1))
        self.kind = np.tile(np.repeat(np.arange(4), counts), keys)
        key = (
            np.repeat(np.arange(keys), width),
            np.arange(keys),
            np.arange(1, keys),
            np.tile(np.arange(keys + 1), width),
        )
        self.key = np.tile(np.concatenate(key), keys)
        column = (
            np.tile(np.arange(width), keys),
            np.zeros(keys, np.int64),
            np.full(keys - 1, -1),
            np.repeat(np.arange(width), keys + 1),
        )
        self.column = np.tile(np.concatenate(column), keys)

    def rows_stay(self, rows: int) -> Int32Array:
        """The order that finishes with one key before it takes the next."""
        return sorted_by(
            self.vertex, self.query // rows, self.key, self.kind, self.column, self.query
        )

    def results_stay(self, a: int, b: int) -> Int32Array:
        """The order by a x b blocks of scores, each used up at once."""
        score = self.kind == SCORE
        return sorted_by(
            self.vertex,
            self.query // a,
            self.key // b,
            ~score,
            np.where(score, self.column, self.key),
            np.where(score, self.key, self.kind),
            self.column,
            self.query,
        )

    def scores_stored(self, scores: tuple[int, int], results: tuple[int, int]) -> Int32Array:
        """The order of two products: all exponentials, then sums and results."""
        first = self.kind <= EXPONENTIAL
        a, b = (np.where(first, *pair) for pair in zip(scores, results, strict=True))
        exponential = self.kind == EXPONENTIAL
        return sorted_by(
            self.vertex,
            ~first,
            self.query // a,
            np.where(first, self.key, self.column + 1) // b,
            exponential,
            np.where(first, self.column, self.key),
            np.where(first, self.key, self.column),
            self.query,
        )
