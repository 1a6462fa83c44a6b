"""Arguments of products of matrices and vectors, and of triangular solves."""

from collections.abc import Iterator

from dags.recognition.facts import Arguments, Facts
from dags.recognition.integers import divisors, inverse, pair_with


def matvec(facts: Facts) -> Iterator[Arguments]:
    """Yield the sides of a matrix that is multiplied with a vector."""
    n, m = facts.sinks, facts.depth
    if facts.counts == (2 * n * m + m, n * (3 * m - 1), n * m + m):
        yield {"n": n} | ({} if n == m else {"m": m})


def matmul(facts: Facts) -> Iterator[Arguments]:
    """Yield sides and form of a product of two matrices, the one of fewer rows first."""
    each, rest = divmod(facts.computed, max(facts.sinks, 1))
    forms = [(each, "fma", 3 * each - 1)]
    if each % 2 and each > 1:
        k = each // 2 + 1
        forms += [(k, form, 4 * k - 2) for form in ("multiply-add", "tree")[: max(k - 1, 1)]]
    for k, form, edges in forms:
        sides = pair_with(facts.inputs // k, facts.sinks) if k and facts.inputs % k == 0 else None
        if rest == 0 and sides is not None and facts.edges == facts.sinks * edges:
            m, n = sides
            others = {"m": m, "k": k} if not m == n == k else {}
            yield {"n": n, **others} | ({} if form == "fma" else {"form": form})


def syrk(facts: Facts) -> Iterator[Arguments]:
    """Yield the sides of a matrix that is multiplied with its transpose."""
    k = facts.depth
    n = facts.inputs // k
    edges = n * (n - 1) // 2 * (3 * k - 1) + n * (2 * k - 1)
    if facts.counts == (k * n * (n + 3) // 2, edges, n * k):
        yield {"n": n, "k": k}


def strassen(facts: Facts) -> Iterator[Arguments]:
    """Yield the side, and the levels, of Strassen's product."""
    n = inverse(lambda side: 2 * side * side, facts.inputs)
    if n is None or facts.edges != 2 * facts.computed:
        return
    deepest = (n & -n).bit_length() - 1
    for levels in range(deepest, -1, -1):
        bottom = n >> levels
        if facts.computed == bottom**2 * ((2 * bottom + 5) * 7**levels - 6 * 4**levels):
            yield {"n": n} | ({} if levels == deepest else {"levels": levels})


def triangular_solve(facts: Facts) -> Iterator[Arguments]:
    """Yield rows and right-hand sides of a forward substitution."""
    for n in divisors(2 * facts.computed):
        triangle = n * (n + 1) // 2
        k = (facts.inputs - triangle) // n
        if k < 1:
            return
        inputs = triangle + n * k
        if facts.counts == (inputs + k * triangle, k * n * (3 * n + 1) // 2, inputs):
            yield {"n": n} | ({} if k == 1 else {"k": k})
