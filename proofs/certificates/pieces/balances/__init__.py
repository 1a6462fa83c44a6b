"""Balances of the values alive at each ideal of a small piece, and their bound.

`accounts` lists the ideals, numbers the accounts of values, and checks certificates.
"""

from proofs.certificates.pieces.balances.accounts import (
    BALANCES,
    KEYS,
    LIMIT,
    Laid,
    laid,
    lattice_of,
    new_desk,
)

__all__ = ["BALANCES", "KEYS", "LIMIT", "Laid", "laid", "lattice_of", "new_desk"]
