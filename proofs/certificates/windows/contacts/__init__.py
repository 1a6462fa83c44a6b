"""Boundaries of sets of vertices in grids and stencils, with prices for points at borders.

`PRICED` has the functions, family by family; `priced_contacts` checks bounds that use them.
"""

from collections.abc import Callable

from proofs.certificates.windows.contacts.grids import grid_contacts
from proofs.certificates.windows.contacts.prices import Priced
from proofs.certificates.windows.contacts.stencils import stencil_contacts

# By a generator's name, with how many prices there are: the functions take the vertices of the
# largest set, prices, parts of a move, and the parameters of the generator.
PRICED: dict[str, tuple[int, Callable[..., Priced]]] = {
    "grid": (2, grid_contacts),
    "stencil": (1, stencil_contacts),
}

__all__ = ["PRICED", "Priced"]
