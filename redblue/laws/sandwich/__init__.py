"""Recovered laws: over decades of memory, played and proved words that follow the same law.

- `corridor` has the words of both sides, from any source, and their local exponents; and those of
  a DAG, at the memories that tell of its law.
- `definition` has the laws: powers of the memory, its logarithm, powers of that. It says when one
  is recovered, and when only consistent, undecided or another one; which law plays alone show; and
  both in sentences.
"""

from redblue.laws.sandwich.corridor import (
    Corridor,
    Locals,
    corridor_of,
    corridor_of_curve,
    enclosed,
    local_exponents,
)
from redblue.laws.sandwich.definition import (
    Candidate,
    Demands,
    Finding,
    Seen,
    Status,
    candidate,
    demands_of,
    exponent_range,
    finding_record,
    finding_sentences,
    held_against,
    rivals,
    seen_law,
)

__all__ = [
    "Candidate",
    "Corridor",
    "Demands",
    "Finding",
    "Locals",
    "Seen",
    "Status",
    "candidate",
    "corridor_of",
    "corridor_of_curve",
    "demands_of",
    "enclosed",
    "exponent_range",
    "finding_record",
    "finding_sentences",
    "held_against",
    "local_exponents",
    "rivals",
    "seen_law",
]
