"""Searches the game with recomputation."""

from proofs.certificates.pieces.piece import Piece
from proofs.certificates.recompute import _kernels as k
from proofs.certificates.recompute.board import board
from proofs.certificates.recompute.loads import new_room
from proofs.certificates.search import Game, Search

STEPS = 20  # between two looks at the clock: what follows a state may be much


def again(game: Game, piece: Piece) -> Search:
    """Return the search of a game in which values may be computed again."""
    fixed = board(game, piece)
    return Search(lambda: fixed._replace(room=new_room()), k.begin, k.search, STEPS)
