"""Parameters that a DAG may have in each family, from its counts.

`FAMILIES` lists for each generator what it makes and the function that yields its arguments, in the
order in which names are preferred: a DAG that is of two families is called by the first.
"""

from collections.abc import Callable
from typing import NamedTuple

from dags.cdag import CDAG
from dags.conjugate_gradients import conjugate_gradient
from dags.factorizations import cholesky, lu, qr_givens
from dags.fast_matmul import strassen
from dags.lattice_qcd import dirac
from dags.lattice_steps import dirac_steps
from dags.lattices import binomial, hypercube
from dags.linear_algebra import matmul, matvec, syrk, triangular_solve
from dags.neural import attention, convolution
from dags.random_dags import random_layered, random_tree
from dags.recognition.facts import Candidates
from dags.recognition.families import (
    drawn,
    eliminations,
    hops,
    images,
    networks,
    orders,
    points,
    products,
)
from dags.sorting import (
    bitonic_sort,
    merge_sort,
    odd_even_merge_sort,
    odd_even_transposition_sort,
)
from dags.sparse import random_spmv, spmv
from dags.stencils import grid, stencil, sweep
from dags.transforms import fft, prefix_scan
from dags.trees import chain, pyramid, tree


class Family(NamedTuple):
    """A generator, and what yields the arguments that it may have been called with."""

    generator: Callable[..., CDAG]
    candidates: Candidates


FAMILIES: dict[str, Family] = {
    "chain": Family(chain, orders.chain),
    "tree": Family(tree, orders.tree),
    "pyramid": Family(pyramid, orders.pyramid),
    "binomial": Family(binomial, orders.binomial),
    "grid": Family(grid, orders.grid),
    "hypercube": Family(hypercube, orders.hypercube),
    "matvec": Family(matvec, products.matvec),
    "matmul": Family(matmul, products.matmul),
    "syrk": Family(syrk, products.syrk),
    "strassen": Family(strassen, products.strassen),
    "triangular_solve": Family(triangular_solve, products.triangular_solve),
    "attention": Family(attention, images.attention),
    "convolution": Family(convolution, images.convolution),
    "lu": Family(lu, eliminations.lu),
    "cholesky": Family(cholesky, eliminations.cholesky),
    "qr_givens": Family(qr_givens, eliminations.qr_givens),
    "fft": Family(fft, networks.fft),
    "prefix_scan": Family(prefix_scan, networks.prefix_scan),
    "bitonic_sort": Family(bitonic_sort, networks.bitonic_sort),
    "odd_even_merge_sort": Family(odd_even_merge_sort, networks.odd_even_merge_sort),
    "odd_even_transposition_sort": Family(
        odd_even_transposition_sort, networks.odd_even_transposition_sort
    ),
    "sweep": Family(sweep, points.sweep),
    "stencil": Family(stencil, points.stencil),
    "spmv": Family(spmv, points.spmv),
    "conjugate_gradient": Family(conjugate_gradient, points.conjugate_gradient),
    "dirac": Family(dirac, hops.dirac),
    "dirac_steps": Family(dirac_steps, points.dirac_steps),
    "merge_sort": Family(merge_sort, networks.merge_sort),
    "random_tree": Family(random_tree, drawn.random_tree),
    "random_layered": Family(random_layered, drawn.random_layered),
    "random_spmv": Family(random_spmv, drawn.random_spmv),
}
