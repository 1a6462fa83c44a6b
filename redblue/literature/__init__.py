"""The literature that reports cite: authors, titles, where it appeared, identifiers.

- `methods` has that of the methods, for a report on one's own DAG; the papers bring that of their
  claims (`redblue.leaves`).
- `listing` makes lines of a list of references of them.
"""

from redblue.literature.listing import reference, references
from redblue.literature.methods import METHODS

__all__ = ["METHODS", "reference", "references"]
