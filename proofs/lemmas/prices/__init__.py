"""Boundaries of sets of vertices in grids and stencils, with prices for points at borders.

`PRICED` has the functions, family by family, and `LAYERED` those of families whose layers may have
prices besides; `priced_contacts` checks bounds that use them.
"""

from collections.abc import Callable

from proofs.lemmas.prices.grids import grid_contacts
from proofs.lemmas.prices.prices import Priced
from proofs.lemmas.prices.stencils import stencil_contacts, stencil_layers

# By a generator's name, with how many prices there are: the functions take the vertices of the
# largest set, prices, parts of a move, and the parameters of the generator.
PRICED: dict[str, tuple[int, Callable[..., Priced]]] = {
    "grid": (2, grid_contacts),
    "stencil": (1, stencil_contacts),
}

# The same with prices of layers, behind the others.
LAYERED: dict[str, Callable[..., Priced]] = {"stencil": stencil_layers}

__all__ = ["LAYERED", "PRICED", "Priced"]
