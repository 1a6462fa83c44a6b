"""The search for balances of values that prove much: `ascent` has it."""

from proofs.bounds.pieces.balances.ascent import Ascent, even_balances

__all__ = ["Ascent", "even_balances"]
