"""Search of all states of the one-shot game on a small piece, for `exhaustive`.

- `game` has the piece as sets of bits, `swaps` its symmetries, `fronts` what is still to be paid.
- `states` runs the search.
"""

from proofs.certificates.search.game import BITS, Game, game
from proofs.certificates.search.states import Found, Search, one_shot

__all__ = ["BITS", "Found", "Game", "Search", "game", "one_shot"]
