"""Least values that a set of vertices exchanges with the rest, family by family.

`Count` says it for the sets of each size. `TWO_SIDED` counts values that a set reads from outside
and those needed outside of it, for one-shot plays; `DOMINATED` counts values that a set can be
computed from, for any play. The proofs stand where the functions are: `butterflies`, `layers` (with
`neighbourhoods`), `corner_layers`, `cubes`. `proofs.lemmas.sets` adds them up over the sets of a
play.
"""

from collections.abc import Callable

from proofs.core.windows import Count
from proofs.lemmas.isoperimetry import butterflies, cubes, meshes

Alternatives = list[list[Count]]  # each has the boundaries of pieces that are disjoint
Families = dict[str, Callable[..., Alternatives]]  # by a generator's name; take its parameters

TWO_SIDED: Families = {
    "binomial": meshes.binomial_two_sided,
    "bitonic_sort": butterflies.bitonic_two_sided,
    "fft": butterflies.fft_two_sided,
    "grid": meshes.grid_two_sided,
    "hypercube": cubes.hypercube_two_sided,
    "odd_even_merge_sort": butterflies.odd_even_two_sided,
    "prefix_scan": butterflies.prefix_two_sided,
    "pyramid": meshes.pyramid_two_sided,
    "stencil": meshes.stencil_two_sided,
}
# One piece each: where values may be computed again, pieces do not add up.
DOMINATED: Families = {
    "fft": butterflies.fft_dominated,
    "prefix_scan": butterflies.prefix_dominated,
    "pyramid": meshes.pyramid_dominated,
    "stencil": meshes.stencil_dominated,
    "sweep": meshes.sweep_dominated,
}

__all__ = ["DOMINATED", "TWO_SIDED", "Alternatives", "Count", "Families"]
