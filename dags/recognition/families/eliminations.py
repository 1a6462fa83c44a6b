"""Arguments of dense factorizations."""

from collections.abc import Iterator

from dags.recognition.facts import Arguments, Facts
from dags.recognition.integers import divisors, inverse


def lu(facts: Facts) -> Iterator[Arguments]:
    """Yield the order of a matrix that is eliminated."""
    n = inverse(lambda order: order * order, facts.inputs)
    if n is not None and facts.counts == (
        n * n + (n**3 - n) // 3,
        n * (n - 1) * (2 * n + 1) // 2,
        n * n,
    ):
        yield {"n": n}


def cholesky(facts: Facts) -> Iterator[Arguments]:
    """Yield the order of a symmetric matrix."""
    n = inverse(lambda order: order * (order + 1) // 2, facts.inputs)
    if n is not None and facts.counts == (
        n * (n + 1) * (n + 5) // 6,
        n * n * (n + 1) // 2,
        n * (n + 1) // 2,
    ):
        yield {"n": n}


def qr_givens(facts: Facts) -> Iterator[Arguments]:
    """Yield columns and rows of a matrix that is rotated into a triangle."""
    for n in divisors(facts.inputs):
        m = facts.inputs // n
        if m < n:
            return
        made = n * (n + 1) * (3 * m - n - 2) // 3
        edges = 3 * made - n * (2 * m - n - 1) // 2
        if (facts.computed, facts.edges) == (made, edges):
            yield {"n": n} | ({} if m == n else {"m": m})
