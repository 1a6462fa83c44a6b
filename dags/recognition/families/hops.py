"""Arguments of the Dirac operator."""

from collections.abc import Iterator
from itertools import product

from dags.dirac_numbers import DiracNumbers
from dags.recognition.facts import Arguments, Facts

SWEEPS = ("x4", "x1", "x2", "x3")


def dirac(facts: Facts) -> Iterator[Arguments]:
    """Yield the lattices of a Dirac operator, and the orders in which hops may be added."""
    k = 1
    while 10 * k**3 <= facts.vertices:
        for wrap in (True, False):
            outer = 0 if wrap else 3 * k**3
            for copies in (False, True):
                messages = 15 if copies else 12
                n4, rest = divmod(facts.vertices + outer, 14 * k**3 + messages * k**2)
                numbers = DiracNumbers(k, n4, wrap, copies)
                if rest == 0 and (numbers.edges, numbers.inputs) == (facts.edges, facts.inputs):
                    unusual = {"wrap": False} if not wrap else {}
                    unusual |= {"copies": True} if copies else {}
                    yield from _orders({"k": k, "n4": n4} | unusual)
        k += 1


def _orders(lattice: Arguments) -> Iterator[Arguments]:
    """Yield orders of hops on a lattice, the usual one first.

    Tiles that are cut along x2 are those of `schedulers.families.dirac_plans` alone.
    """
    k, n4 = lattice["k"], lattice["n4"]
    seams = (False, True) if "wrap" not in lattice else (False,)
    for seam, slab, strip, sweep in product(seams, range(k, 0, -1), range(n4, 0, -1), SWEEPS):
        given = {"sweep": sweep, "slab": slab, "strip": strip, "seam": seam}
        usual = {"sweep": "x4", "slab": k, "strip": n4, "seam": False}
        yield lattice | {name: value for name, value in given.items() if value != usual[name]}
    for seam, slab, strip in product(seams, range(k, 0, -1), range(n4, 0, -1)):
        given = {"sweep": "x1", "slab": slab, "strip": strip, "seam": seam}
        usual = {"slab": k, "strip": n4, "seam": False}
        order = lattice | {name: v for name, v in given.items() if v != usual.get(name)}
        yield from (order | {"panel": panel} for panel in range(min(slab, k - 1), 0, -1))
