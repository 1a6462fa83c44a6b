"""Charges on values that are away, by shortest paths over all ideals of a small piece.

`charges` has the theorem, and checks certificates; `lattice` lists the ideals.
"""

from proofs.certificates.pieces.ideals.charges import checked_lattice, proven
from proofs.certificates.pieces.ideals.lattice import Lattice, lattice_of, new_desk

__all__ = ["Lattice", "checked_lattice", "lattice_of", "new_desk", "proven"]
