"""The literature that reports cite: authors, titles, where it appeared, identifiers.

- `listing` has that of the methods, for a report on one's own DAG, and makes lines of a list of
  references; the papers bring that of their claims (`redblue.leaves`).
"""

from redblue.show.literature.listing import ENTRIES, reference, references

__all__ = ["ENTRIES", "reference", "references"]
