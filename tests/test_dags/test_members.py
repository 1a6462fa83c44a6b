"""Members known by formulas: their counts are those of the DAGs that the generators make."""

import pytest

from dags import Computation, InvalidSpecError, UnknownNameError, load
from dags.families import FAMILIES
from dags.programs import instantiate as program_dag
from dags.programs.box_reader import box_nest
from dags.programs.instances import NotReadError
from dags.programs.members import sizes_of
from dags.programs.text.library import KERNELS, polybench
from pebble import Rules, min_memory
from redblue.answers.balance.balance import work_of

SPECS = {
    "adjoint": ["steps=1", "steps=2", "steps=7,snapshots=3"],
    "attention": ["tokens=1,width=1", "tokens=1,width=3", "tokens=4,width=1", "tokens=3,width=5"],
    "binomial": ["n=1", "n=2", "n=6"],
    "chain": ["n=2", "n=9"],
    "conjugate_gradient": [
        "shape=1,steps=1",
        "shape=1x2,steps=2",
        "shape=5,steps=3",
        "shape=3x4,steps=2,periodic=true",
        "shape=2x3x2,steps=4,neighbourhood=box",
    ],
    "convolution": [
        "height=1,width=1,kernel=1",
        "height=4,width=6",
        "height=7,width=9,channels=2,filters=3,kernel=2,stride=3",
        "height=8,width=5,channels=3,filters=2,kernel=3,stride=2",
    ],
    "hypercube": ["d=1", "d=5"],
    "odd_even_merge_sort": ["n=2", "n=16"],
    "odd_even_transposition_sort": ["n=2", "n=3", "n=8"],
    "prefix_scan": [
        "n=2",
        "n=13",
        "n=13,network=brent-kung",
        "n=2,network=brent-kung",
        "n=13,network=sklansky",
    ],
    "pyramid": ["height=1", "height=6"],
    "spmv": ["shape=1", "shape=4x3", "shape=2x5x1,neighbourhood=box", "shape=3x4,periodic=true"],
    "strassen": ["n=1", "n=8", "n=6", "n=12,levels=1", "n=3,levels=0"],
    "sweep": ["shape=1", "shape=4x3,neighbourhood=box", "shape=3x3,periodic=true"],
    "tree": ["height=1", "height=4", "height=3,arity=5"],
    "bitonic_sort": ["n=2", "n=16"],
    "cholesky": ["n=1", "n=2", "n=3", "n=7"],
    "dirac": [
        "k=2,n4=4",
        "k=2,n4=3,wrap=false",
        "k=1,n4=3",
        "k=3,n4=4,slab=1,strip=2,sweep=x2",
        "k=3,n4=4,panel=2",
        "k=2,n4=3,copies=true",
    ],
    "dirac_steps": [
        "shape=4,steps=1",
        "shape=2x1x3,steps=3",
        "shape=3x4,steps=2,periodic=true",
        "shape=2x3x2x3,steps=2",
    ],
    "fft": ["n=2", "n=16", "n=27,radix=3"],
    "grid": ["shape=5", "shape=1x4", "shape=4x3x5"],
    "lu": ["n=2", "n=7"],
    "matmul": [
        "n=1",
        "n=3,m=2,k=1",
        "n=7,m=3,k=4",
        "n=4,k=3,form=multiply-add",
        "n=4,k=5,form=tree",
    ],
    "matvec": ["n=5,m=1", "n=4"],
    "qr_givens": ["n=1,m=2", "n=2", "n=4,m=9"],
    "stencil": [
        "shape=9,steps=5",
        "shape=2,steps=1",
        "shape=5x1x3,steps=3",
        "shape=5x4,steps=2,neighbourhood=box",
        "shape=3x4x3,steps=2,neighbourhood=box,periodic=true",
        "shape=3x3,steps=2,periodic=true",
    ],
    "syrk": ["n=1,k=1", "n=1,k=3", "n=2,k=1", "n=5,k=3"],
    "triangular_solve": ["n=1,k=3", "n=2", "n=6,k=4"],
}
CASES = [f"{family}:{text}" for family, texts in SPECS.items() for text in texts]


def test_all_families_with_formulas_are_tested():
    assert {name for name in FAMILIES if FAMILIES[name].sizes is not None} == SPECS.keys()


@pytest.mark.parametrize("spec", CASES)
def test_counts_are_those_of_the_dag(spec):
    dag, known = load(spec, recognise=False), Computation(spec)
    assert (known.family, dict(known.params)) == (dag.family, dict(dag.params))
    counts = (dag.n, dag.m, dag.inputs.size, dag.outputs.size, work_of(dag))
    assert known.sizes[:5] == counts
    assert known.compulsory == dag.words_of(dag.used_inputs) + dag.words_of(dag.outputs)
    for sliding in (False, True):
        assert known.min_memory(sliding=sliding) == min_memory(dag, rules=Rules(sliding=sliding))
    of_dag = Computation.of(dag).member
    assert (of_dag.family, of_dag.params, of_dag.sizes) == (known.family, known.params, known.sizes)


def test_sizes_beyond_64_bits():
    assert Computation("fft:n=2^100").sizes.vertices == 101 << 100
    assert Computation("matmul:n=100000").sizes.vertices == 10**15 + 2 * 10**10
    assert Computation("prefix_scan:n=2^99,network=sklansky").sizes.edges == 99 << 99
    assert Computation("strassen:n=2^60").sizes.work == 7**61 - 6 * 4**60


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("fft:n=12", "fft: n must be a power of two, not 12"),
        ("fft:n=10,radix=3", "fft: n must be a power of the radix 3, not 10"),
        ("matmul:n=4,form=fam", "matmul: form must be 'fma', 'multiply-add' or 'tree', not 'fam'"),
        ("stencil:shape=2x3,steps=1,periodic=true", "stencil: a periodic side must be at least 3"),
        (
            "grid:shape=1",
            "grid:shape=1: there is nothing to compute, for none of its 1 vertices has an",
        ),
        ("dirac:k=2,n4=2", "dirac: n4 must be at least 3, not 2"),
        ("dirac:k=2,n4=4,slab=3", "dirac: a tile of 3 x 4 does not fit into 2 x 4"),
        ("dirac:k=2,n4=4,sweep=x5", "dirac: sweep must be x1, x2, x3 or x4, not 'x5'"),
        ("stencil:shape=4,steps=1,neighbourhood=bx", "stencil: neighbourhood must be 'star' or"),
        ("lu:n=1", "lu: n must be at least 2, not 1"),
        ("fft:n=2^9999", "fft: numbers of up to 2^1000 are shown, and its are larger"),
        ("fft:n=2^12345678901", "fft: n must be a whole number, not '2^12345678901'"),
    ],
)
def test_parameters_of_no_member(spec, message):
    with pytest.raises(InvalidSpecError) as caught:
        Computation(spec)
    assert str(caught.value).startswith(message)


def test_families_without_formulas_are_known_by_their_dags():
    known = Computation("random_layered:n=10")
    assert known.member is None
    assert isinstance(known.unread, UnknownNameError)
    assert known.sizes.vertices == known.dag.n == 10


def test_powers_in_specifications():
    assert load("fft:n=2^4").n == 80
    assert load("grid:shape=2^2x3").params["shape"] == (4, 3)


@pytest.mark.parametrize("size", [5, 8])
@pytest.mark.parametrize("kernel", KERNELS)
def test_sizes_of_a_nest_are_those_of_its_dag(kernel, size):
    """Accesses that no instance has together, or that are to one item, are not counted twice."""
    program = polybench(kernel)
    sizes = {name: size + place % 3 for place, name in enumerate(program.sizes)}
    try:
        counts = sizes_of(box_nest(program, sizes))
    except NotReadError:
        pytest.skip("is not run on boxes")
    dag = program_dag(program, sizes)
    assert counts.operands + counts.result == min_memory(dag)
    assert (counts.vertices, counts.edges) == (dag.n, dag.m)
    assert (counts.inputs, counts.outputs) == (dag.inputs.size, dag.outputs.size)
