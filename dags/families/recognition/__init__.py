"""Families of DAGs that come from files, programs and other tools.

- `recognise` finds the generator whose DAG a given one is, up to the numbering; `recognise_as`
  verifies a claim. Either returns the DAG with a `Recognised`.
- Parameters that counts of vertices and edges allow are the inverse of the sizes of families
  (`dags.families`); colours, which no renumbering changes, lead to the renumbering, which is
  verified edge by edge.
"""

from dags.families.recognition.recogniser import recognise, recognise_as

__all__ = ["recognise", "recognise_as"]
