"""The literature that reports cite: authors, titles, where it appeared, identifiers.

- `methods` has that of the methods, for a report on one's own DAG; `papers` that of the claims.
- `listing` makes lines of a list of references of them.
"""

from redblue.literature.listing import ENTRIES, reference, references
from redblue.literature.methods import METHODS
from redblue.literature.papers import PAPERS

__all__ = ["ENTRIES", "METHODS", "PAPERS", "reference", "references"]
