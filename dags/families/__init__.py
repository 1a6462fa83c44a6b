"""Families of DAGs, a module a subject: generators, and facts about all their members.

`FAMILIES` is the one table of them; generators, examples, sizes of members that are not laid out,
and the recognition of DAGs of any origin are read from it.
"""

from math import isqrt

from dags.families import (
    drawn,
    factorizations,
    fast_matmul,
    lattice_qcd,
    linear_algebra,
    neural,
    random_dags,
    sorting,
    sparse,
    stencils,
    transforms,
    trees,
)
from dags.families.family import Family
from dags.families.sources import divisors, divisors_of, exactly, fact, shapes

# In the order in which names are preferred: a DAG that is of two families is called by the first.
FAMILIES: dict[str, Family] = {
    "chain": Family(trees.chain, "n=10", "n=5", trees.chain_sizes, {"n": fact("vertices")}),
    "tree": Family(
        trees.tree,
        "height=4",
        "height=3",
        trees.tree_sizes,
        {"height": fact("depth"), "arity": fact("widest")},
    ),
    "pyramid": Family(
        trees.pyramid, "height=5", "height=4", trees.pyramid_sizes, {"height": fact("depth")}
    ),
    "binomial": Family(
        stencils.binomial, "n=8", "n=4", stencils.binomial_sizes, {"n": fact("depth")}
    ),
    "grid": Family(
        stencils.grid,
        "shape=5x5",
        "shape=3x4",
        stencils.grid_sizes,
        {"shape": shapes(lambda facts: facts.vertices if facts.inputs == facts.sinks == 1 else 0)},
    ),
    "diamond": Family(stencils.diamond, "n=6", "n=3"),
    "hypercube": Family(
        stencils.hypercube, "d=6", "d=3", stencils.hypercube_sizes, {"d": fact("depth")}
    ),
    "matvec": Family(
        linear_algebra.matvec,
        "n=16",
        "n=2",
        linear_algebra.matvec_sizes,
        {"n": fact("sinks"), "m": fact("depth")},
    ),
    "matmul": Family(
        linear_algebra.matmul,
        "m=8,n=16,k=4",
        "m=2,n=2,k=2",
        linear_algebra.matmul_sizes,
        {
            "k": lambda facts, given: [
                terms
                for each in exactly(facts.computed, facts.sinks)
                for terms in (each, each // 2 + 1)
            ],
            "m": lambda facts, given: [m for m in divisors(facts.sinks) if m * m <= facts.sinks],
            "n": lambda facts, given: (facts.sinks // given["m"],),
        },
        points=linear_algebra.matmul_points,
    ),
    "syrk": Family(
        linear_algebra.syrk,
        "n=16,k=8",
        "n=3,k=2",
        linear_algebra.syrk_sizes,
        {"k": fact("depth")},
        points=linear_algebra.syrk_points,
    ),
    "strassen": Family(
        fast_matmul.strassen,
        "n=8",
        "n=2",
        fast_matmul.strassen_sizes,
        {
            "n": lambda facts, given: (isqrt(facts.inputs // 2),),
            "levels": lambda facts, given: range(given["n"].bit_length() - 1, -1, -1),
        },
    ),
    "triangular_solve": Family(
        linear_algebra.triangular_solve,
        "n=16,k=4",
        "n=2,k=2",
        linear_algebra.triangular_solve_sizes,
        {"n": lambda facts, given: (facts.depth // 2 + 1,)},
        points=linear_algebra.triangular_solve_points,
    ),
    "attention": Family(
        neural.attention,
        "tokens=16,width=4",
        "tokens=2,width=1",
        neural.attention_sizes,
        {"tokens": divisors_of("inputs")},
    ),
    "convolution": Family(
        neural.convolution,
        "height=12,width=12,channels=2,filters=2",
        "height=3,width=3,channels=1,filters=1",
        neural.convolution_sizes,
        neural.CONVOLUTION,
    ),
    "lu": Family(
        factorizations.lu,
        "n=16",
        "n=3",
        factorizations.lu_sizes,
        {},
        points=factorizations.lu_points,
    ),
    "cholesky": Family(
        factorizations.cholesky,
        "n=16",
        "n=3",
        factorizations.cholesky_sizes,
        {},
        points=factorizations.cholesky_points,
    ),
    "qr_givens": Family(
        factorizations.qr_givens,
        "n=12",
        "n=2",
        factorizations.qr_givens_sizes,
        {"n": divisors_of("inputs")},
    ),
    "fft": Family(
        transforms.fft,
        "n=64",
        "n=4",
        transforms.fft_sizes,
        {"n": fact("inputs"), "radix": fact("widest")},
    ),
    "prefix_scan": Family(
        transforms.prefix_scan, "n=32", "n=6", transforms.prefix_scan_sizes, {"n": fact("inputs")}
    ),
    "bitonic_sort": Family(
        sorting.bitonic_sort, "n=16", "n=4", sorting.bitonic_sort_sizes, {"n": fact("inputs")}
    ),
    "odd_even_merge_sort": Family(
        sorting.odd_even_merge_sort,
        "n=16",
        "n=4",
        sorting.odd_even_merge_sort_sizes,
        {"n": fact("inputs")},
    ),
    "odd_even_transposition_sort": Family(
        sorting.odd_even_transposition_sort,
        "n=10",
        "n=4",
        sorting.odd_even_transposition_sort_sizes,
        {"n": fact("inputs")},
    ),
    "sweep": Family(
        stencils.sweep,
        "shape=16x16",
        "shape=3x3",
        stencils.sweep_sizes,
        {"shape": shapes(lambda facts: facts.inputs if facts.depth == 1 else 0)},
    ),
    "stencil": Family(
        stencils.stencil,
        "shape=16x16,steps=8",
        "shape=4,steps=2",
        stencils.stencil_sizes,
        {
            "steps": fact("depth"),
            "shape": shapes(
                lambda facts: facts.inputs if facts.computed == facts.inputs * facts.depth else 0
            ),
        },
    ),
    "spmv": Family(
        sparse.spmv,
        "shape=8x8",
        "shape=2",
        sparse.spmv_sizes,
        {
            "shape": shapes(
                lambda facts: (
                    facts.sinks if facts.vertices == 3 * (facts.inputs - facts.sinks) else 0
                )
            )
        },
        turned=True,
    ),
    "conjugate_gradient": Family(
        sparse.conjugate_gradient,
        "shape=6x6,steps=3",
        "shape=2,steps=1",
        sparse.conjugate_gradient_sizes,
        {
            # Every operation has two operands, but for the squares of each step.
            "steps": lambda facts, given: exactly(2 * facts.computed - facts.edges, facts.sinks),
            "shape": shapes(lambda facts: facts.sinks),
        },
        turned=True,
    ),
    "dirac": Family(
        lattice_qcd.dirac,
        "k=2,n4=4",
        "k=1,n4=2,wrap=false",
        lattice_qcd.dirac_sizes,
        lattice_qcd.dirac_of,
    ),
    "dirac_steps": Family(
        lattice_qcd.dirac_steps,
        "shape=4x4,steps=4",
        "shape=3,steps=2",
        lattice_qcd.dirac_steps_sizes,
        {
            "steps": fact("depth"),
            "shape": shapes(
                lambda facts: facts.sinks if facts.computed == facts.sinks * facts.depth else 0
            ),
        },
    ),
    "merge_sort": Family(sorting.merge_sort, "n=64,ways=4", "n=4,ways=2", sought=drawn.merge_sort),
    "random_tree": Family(
        random_dags.random_tree, "n=60,max_words=3", "n=12,max_words=3", sought=drawn.random_tree
    ),
    "random_layered": Family(
        random_dags.random_layered, "n=100,seed=1", "n=14,seed=1", sought=drawn.random_layered
    ),
    "random_spmv": Family(
        sparse.random_spmv,
        "n=20,density=0.2,seed=1",
        "n=3,density=0.5,seed=1",
        sought=drawn.random_spmv,
    ),
}
