"""Finds shares of proofs: inequalities on the excess of values, and how much to take of each.

- `Inequality` is one proof, and its use of each value.
- `Moments` finds the wavefronts that are worth most at given prices of values.
- `piece_inequalities` asks bounds on whole pieces.
- `ShareProgram` is the linear program that weighs inequalities, and has the worth of values.
- `Packing` plays the two against each other, `pack` once; `exact_shares` rounds the result.
"""

from proofs.bounds.pieces.packing.accounts import Inequality, StagedAccounts
from proofs.bounds.pieces.packing.linear_program import (
    ExactShares,
    Packed,
    ShareProgram,
    exact_shares,
)
from proofs.bounds.pieces.packing.moments import Moments
from proofs.bounds.pieces.packing.pieces import PieceBound, form, piece_inequalities
from proofs.bounds.pieces.packing.selection import Packing, pack, reach_of

__all__ = [
    "ExactShares",
    "Inequality",
    "Moments",
    "Packed",
    "Packing",
    "PieceBound",
    "ShareProgram",
    "StagedAccounts",
    "exact_shares",
    "form",
    "pack",
    "piece_inequalities",
    "reach_of",
]
