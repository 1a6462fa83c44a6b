"""Balances of the values alive at each ideal of a small piece, and what they prove.

`accounts` has the theorem, and checks certificates; `ways` lays out the ideals, and numbers the
accounts.
"""

from proofs.certificates.pieces.balances.accounts import proven
from proofs.certificates.pieces.balances.ways import KEYS, Laid, laid, new_desk

__all__ = ["KEYS", "Laid", "laid", "new_desk", "proven"]
