"""Least values that a set of vertices exchanges with the rest, family by family.

`Count` says it for the sets of each size. `TWO_SIDED` counts what a set reads from outside and
what is needed outside of it, for one-shot plays; `DOMINATED` counts what a set can be computed
from, for any play. The proofs stand where the functions are: `butterflies`, `layers` (and what it
asks of `neighbourhoods`), `spaces` (large sets), `corner_layers`, `cubes`, `linked_halves`,
`prefixes`. `set_sums` adds them up over the sets of a play.
"""

from proofs.core.windows import Count
from proofs.lemmas.isoperimetry.families import (
    DOMINATED,
    TWO_SIDED,
    Alternatives,
    Families,
)

__all__ = ["DOMINATED", "TWO_SIDED", "Alternatives", "Count", "Families"]
