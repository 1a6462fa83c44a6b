"""Families of DAGs, a module a subject: generators, and what is known of all their members.

`FAMILIES` is the one table of them; generators, examples, sizes of members that are not laid out,
and the recognition of DAGs of any origin are read from it.
"""

from math import isqrt

from dags.families import drawn
from dags.families.conjugate_gradients import conjugate_gradient, conjugate_gradient_sizes
from dags.families.factorizations import (
    cholesky,
    cholesky_sizes,
    lu,
    lu_sizes,
    qr_givens,
    qr_givens_sizes,
)
from dags.families.family import Family
from dags.families.fast_matmul import strassen, strassen_sizes
from dags.families.integers import divisors, exactly
from dags.families.inverse import turned
from dags.families.lattice_qcd import dirac, dirac_of, dirac_sizes
from dags.families.lattice_steps import dirac_steps, dirac_steps_sizes
from dags.families.lattices import (
    binomial,
    binomial_sizes,
    diamond,
    hypercube,
    hypercube_sizes,
)
from dags.families.linear_algebra import (
    matmul,
    matmul_sizes,
    matvec,
    matvec_sizes,
    syrk,
    syrk_sizes,
    triangular_solve,
    triangular_solve_sizes,
)
from dags.families.neural import (
    CONVOLUTION,
    attention,
    attention_sizes,
    convolution,
    convolution_sizes,
)
from dags.families.random_dags import random_layered, random_tree
from dags.families.sorting import (
    bitonic_sort,
    bitonic_sort_sizes,
    merge_sort,
    odd_even_merge_sort,
    odd_even_merge_sort_sizes,
    odd_even_transposition_sort,
    odd_even_transposition_sort_sizes,
)
from dags.families.sources import divisors_of, fact, shapes
from dags.families.sparse import random_spmv, spmv, spmv_sizes
from dags.families.stencils import (
    grid,
    grid_sizes,
    stencil,
    stencil_sizes,
    sweep,
    sweep_sizes,
)
from dags.families.transforms import fft, fft_sizes, prefix_scan, prefix_scan_sizes
from dags.families.trees import chain, chain_sizes, pyramid, pyramid_sizes, tree, tree_sizes

# In the order in which names are preferred: a DAG that is of two families is called by the first.
FAMILIES: dict[str, Family] = {
    "chain": Family(chain, "n=10", "n=5", chain_sizes, {"n": fact("vertices")}),
    "tree": Family(
        tree, "height=4", "height=3", tree_sizes, {"height": fact("depth"), "arity": fact("widest")}
    ),
    "pyramid": Family(pyramid, "height=5", "height=4", pyramid_sizes, {"height": fact("depth")}),
    "binomial": Family(binomial, "n=8", "n=4", binomial_sizes, {"n": fact("depth")}),
    "grid": Family(
        grid,
        "shape=5x5",
        "shape=3x4",
        grid_sizes,
        {"shape": shapes(lambda facts: facts.vertices if facts.inputs == facts.sinks == 1 else 0)},
    ),
    "diamond": Family(diamond, "n=6", "n=3"),
    "hypercube": Family(hypercube, "d=6", "d=3", hypercube_sizes, {"d": fact("depth")}),
    "matvec": Family(matvec, "n=16", "n=2", matvec_sizes, {"n": fact("sinks"), "m": fact("depth")}),
    "matmul": Family(
        matmul,
        "m=8,n=16,k=4",
        "m=2,n=2,k=2",
        matmul_sizes,
        {
            "k": lambda facts, given: [
                terms
                for each in exactly(facts.computed, facts.sinks)
                for terms in (each, each // 2 + 1)
            ],
            "m": lambda facts, given: [m for m in divisors(facts.sinks) if m * m <= facts.sinks],
            "n": lambda facts, given: (facts.sinks // given["m"],),
        },
    ),
    "syrk": Family(syrk, "n=16,k=8", "n=3,k=2", syrk_sizes, {"k": fact("depth")}),
    "strassen": Family(
        strassen,
        "n=8",
        "n=2",
        strassen_sizes,
        {
            "n": lambda facts, given: (isqrt(facts.inputs // 2),),
            "levels": lambda facts, given: range(given["n"].bit_length() - 1, -1, -1),
        },
    ),
    "triangular_solve": Family(
        triangular_solve,
        "n=16,k=4",
        "n=2,k=2",
        triangular_solve_sizes,
        {"n": lambda facts, given: (facts.depth // 2 + 1,)},
    ),
    "attention": Family(
        attention,
        "tokens=16,width=4",
        "tokens=2,width=1",
        attention_sizes,
        {"tokens": divisors_of("inputs")},
    ),
    "convolution": Family(
        convolution,
        "height=12,width=12,channels=2,filters=2",
        "height=3,width=3,channels=1,filters=1",
        convolution_sizes,
        CONVOLUTION,
    ),
    "lu": Family(lu, "n=16", "n=3", lu_sizes, {}),
    "cholesky": Family(cholesky, "n=16", "n=3", cholesky_sizes, {}),
    "qr_givens": Family(qr_givens, "n=12", "n=2", qr_givens_sizes, {"n": divisors_of("inputs")}),
    "fft": Family(fft, "n=64", "n=4", fft_sizes, {"n": fact("inputs"), "radix": fact("widest")}),
    "prefix_scan": Family(prefix_scan, "n=32", "n=6", prefix_scan_sizes, {"n": fact("inputs")}),
    "bitonic_sort": Family(bitonic_sort, "n=16", "n=4", bitonic_sort_sizes, {"n": fact("inputs")}),
    "odd_even_merge_sort": Family(
        odd_even_merge_sort, "n=16", "n=4", odd_even_merge_sort_sizes, {"n": fact("inputs")}
    ),
    "odd_even_transposition_sort": Family(
        odd_even_transposition_sort,
        "n=10",
        "n=4",
        odd_even_transposition_sort_sizes,
        {"n": fact("inputs")},
    ),
    "sweep": Family(
        sweep,
        "shape=16x16",
        "shape=3x3",
        sweep_sizes,
        {"shape": shapes(lambda facts: facts.inputs if facts.depth == 1 else 0)},
    ),
    "stencil": Family(
        stencil,
        "shape=16x16,steps=8",
        "shape=4,steps=2",
        stencil_sizes,
        {
            "steps": fact("depth"),
            "shape": shapes(
                lambda facts: facts.inputs if facts.computed == facts.inputs * facts.depth else 0
            ),
        },
    ),
    "spmv": Family(
        spmv,
        "shape=8x8",
        "shape=2",
        spmv_sizes,
        turned(
            spmv,
            spmv_sizes,
            {
                "shape": shapes(
                    lambda facts: (
                        facts.sinks if facts.vertices == 3 * (facts.inputs - facts.sinks) else 0
                    )
                )
            },
        ),
    ),
    "conjugate_gradient": Family(
        conjugate_gradient,
        "shape=6x6,steps=3",
        "shape=2,steps=1",
        conjugate_gradient_sizes,
        turned(
            conjugate_gradient,
            conjugate_gradient_sizes,
            {
                # Every operation has two operands, but for the squares of each step.
                "steps": lambda facts, given: exactly(
                    2 * facts.computed - facts.edges, facts.sinks
                ),
                "shape": shapes(lambda facts: facts.sinks),
            },
        ),
    ),
    "dirac": Family(dirac, "k=2,n4=4", "k=1,n4=2,wrap=false", dirac_sizes, dirac_of),
    "dirac_steps": Family(
        dirac_steps,
        "shape=4x4,steps=4",
        "shape=3,steps=2",
        dirac_steps_sizes,
        {
            "steps": fact("depth"),
            "shape": shapes(
                lambda facts: facts.sinks if facts.computed == facts.sinks * facts.depth else 0
            ),
        },
    ),
    "merge_sort": Family(merge_sort, "n=64,ways=4", "n=4,ways=2", sought=drawn.merge_sort),
    "random_tree": Family(
        random_tree, "n=60,max_words=3", "n=12,max_words=3", sought=drawn.random_tree
    ),
    "random_layered": Family(
        random_layered, "n=100,seed=1", "n=14,seed=1", sought=drawn.random_layered
    ),
    "random_spmv": Family(
        random_spmv, "n=20,density=0.2,seed=1", "n=3,density=0.5,seed=1", sought=drawn.random_spmv
    ),
}
