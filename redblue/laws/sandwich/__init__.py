"""Recovered laws: over decades of memory, played and proved words that follow the same law.

- `corridor` has the words of both sides, from any source, and their local exponents.
- `candidates` has the laws: powers of the memory, its logarithm, powers of that.
- `definition` says when a law is recovered, and when only consistent, undecided or another one.
- `blind` says which law plays alone show.
- `plays` has the corridor of a DAG, at the memories that tell of its law.
- `sentences` says it in words.
"""

from redblue.laws.sandwich.blind import Seen, seen_law
from redblue.laws.sandwich.candidates import Candidate, candidate, rivals
from redblue.laws.sandwich.corridor import (
    Corridor,
    Locals,
    corridor_of,
    corridor_of_curve,
    local_exponents,
)
from redblue.laws.sandwich.definition import (
    STANDARD,
    Demands,
    Finding,
    Status,
    demands_of,
    held_against,
)
from redblue.laws.sandwich.plays import enclosed
from redblue.laws.sandwich.sentences import (
    evidence_sentence,
    exponent_range,
    finding_record,
    finding_sentences,
    verdict_sentence,
)

__all__ = [
    "STANDARD",
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
    "evidence_sentence",
    "exponent_range",
    "finding_record",
    "finding_sentences",
    "held_against",
    "local_exponents",
    "rivals",
    "seen_law",
    "verdict_sentence",
]
