"""Minimum cuts between the past and the future of a vertex.

- `Wavefronts` finds the greatest flow around a vertex of a piece, the widest of many, and the
  values that wait while the first of a set is computed.
- `first_of_each_class` finds vertices that look alike, so that one of each is tried first.
- `VertexNetwork` sends flows between any vertices of a piece.
- `widest_scores` has the widest of all; `best_excess` and `wavefront_excess` their bounds.
"""

from proofs.bounds.pieces.cuts.classes import first_of_each_class
from proofs.bounds.pieces.cuts.vertex_network import VertexNetwork
from proofs.bounds.pieces.cuts.wavefronts import Wavefronts
from proofs.bounds.pieces.cuts.widest import Score, best_excess, wavefront_excess, widest_scores

__all__ = [
    "Score",
    "VertexNetwork",
    "Wavefronts",
    "best_excess",
    "first_of_each_class",
    "wavefront_excess",
    "widest_scores",
]
