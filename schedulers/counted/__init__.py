"""Plays that are counted by formulas: for DAGs of any size, none of which is laid out.

`COUNTED_PLAYS` lists them by family; `laid_out` makes the moves of one where the DAG is small
enough, for the engine to count the same; `laid_out_in_parts` makes them part by part.
"""

from dags.families.common.dirac_numbers import SPINOR
from schedulers.counted import dirac_steps, networks, products, stencils
from schedulers.counted.tiles import (
    CountedPlay,
    Moved,
    Params,
    Tiles,
    laid_out,
    laid_out_in_parts,
)

COUNTED_PLAYS: dict[str, CountedPlay] = {
    "bitonic_sort": CountedPlay(networks.bitonic_sort, networks.bitonic_sort_tiles),
    "cholesky": CountedPlay(products.cholesky, products.cholesky_tiles),
    "dirac": CountedPlay(dirac_steps.dirac, None, slides=SPINOR),
    "dirac_steps": CountedPlay(dirac_steps.dirac_steps, dirac_steps.dirac_steps_tiles),
    "fft": CountedPlay(networks.fft, networks.fft_tiles, levels=networks.fft_levels),
    "grid": CountedPlay(stencils.grid, stencils.grid_tiles),
    "lu": CountedPlay(products.lu, products.lu_tiles),
    "matmul": CountedPlay(products.matmul, products.matmul_tiles),
    "matvec": CountedPlay(products.matvec, products.matvec_tiles),
    "qr_givens": CountedPlay(products.qr_givens, products.qr_givens_tiles),
    "stencil": CountedPlay(stencils.stencil, stencils.stencil_tiles),
    "syrk": CountedPlay(products.syrk, products.syrk_tiles),
    "triangular_solve": CountedPlay(products.triangular_solve, products.triangular_solve_tiles),
}

__all__ = [
    "COUNTED_PLAYS",
    "CountedPlay",
    "Moved",
    "Params",
    "Tiles",
    "laid_out",
    "laid_out_in_parts",
]
