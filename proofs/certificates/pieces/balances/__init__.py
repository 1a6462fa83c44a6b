"""Balances of the values alive at each ideal of a small piece, and what they prove.

`accounts` has the theorem, and checks certificates; `ways` lists the ideals and lays them
out, and numbers the accounts.
"""

from proofs.certificates.pieces.balances.accounts import BALANCES, LIMIT
from proofs.certificates.pieces.balances.ways import KEYS, Laid, Lattice, laid, lattice_of, new_desk

__all__ = ["BALANCES", "KEYS", "LIMIT", "Laid", "Lattice", "laid", "lattice_of", "new_desk"]
