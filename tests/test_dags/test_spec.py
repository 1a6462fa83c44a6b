import pytest

import dags
from dags import FormatError, InvalidDAGError, InvalidSpecError, RedBlueError, UnknownNameError
from dags.families.adjoint import adjoint

HUGE = "9" * 4000

EXAMPLES = {
    "matmul:n=3": dags.matmul(3),
    "matmul:m=1,n=2,k=3": dags.matmul(2, m=1, k=3),
    "matmul:n=2,form=multiply-add": dags.matmul(2, form="multiply-add"),
    "matmul:n=2,form=tree": dags.matmul(2, form="tree"),
    "matvec:n=3,m=2": dags.matvec(3, 2),
    "triangular_solve:n=3,k=2": dags.triangular_solve(3, 2),
    "syrk:n=3,k=2": dags.syrk(3, 2),
    "lu:n=4": dags.lu(4),
    "cholesky:n=4": dags.cholesky(4),
    "diamond:n=4": dags.diamond(4),
    "qr_givens:n=3,m=4": dags.qr_givens(3, 4),
    "strassen:n=4,levels=1": dags.strassen(4, levels=1),
    "adjoint:steps=4": adjoint(4),
    "attention:tokens=3,width=2": dags.attention(3, 2),
    "convolution:height=4,width=5,stride=2": dags.convolution(4, 5, stride=2),
    "dirac:k=2,n4=3": dags.dirac(2, 3),
    "dirac:k=2,n4=4,wrap=0,sweep=x3,strip=2": dags.dirac(2, 4, False, "x3", strip=2),
    "dirac_steps:shape=2x3,steps=2": dags.dirac_steps((2, 3), 2),
    "fft:n=8": dags.fft(8),
    "stencil:shape=3x4,steps=2": dags.stencil((3, 4), 2),
    "stencil:shape=5,steps=2,neighbourhood=box,periodic=true": dags.stencil((5,), 2, "box", True),
    "stencil:shape=5,steps=2,periodic=0": dags.stencil((5,), 2),
    "grid:shape=5x5": dags.grid((5, 5)),
    "chain:n=9": dags.chain(9),
    "tree:height=4": dags.tree(4),
    "tree:height=2,arity=3": dags.tree(2, 3),
    "pyramid:height=5": dags.pyramid(5),
    "random_layered:n=50,seed=3": dags.random_layered(50, seed=3),
    "random_layered:n=50,layers=4": dags.random_layered(50, layers=4),
    "fft:n=9,radix=3": dags.fft(9, radix=3),
    "prefix_scan:n=9": dags.prefix_scan(9),
    "prefix_scan:n=9,network=brent-kung": dags.prefix_scan(9, "brent-kung"),
    "bitonic_sort:n=8": dags.bitonic_sort(8),
    "odd_even_merge_sort:n=8": dags.odd_even_merge_sort(8),
    "odd_even_transposition_sort:n=5": dags.odd_even_transposition_sort(5),
    "merge_sort:n=30": dags.merge_sort(30),
    "merge_sort:n=30,ways=3,run=5,seed=7": dags.merge_sort(30, 3, 5, 7),
    "sweep:shape=4x5,neighbourhood=box": dags.sweep((4, 5), "box"),
    "binomial:n=5": dags.binomial(5),
    "hypercube:d=4": dags.hypercube(4),
    "spmv:shape=4x5": dags.spmv((4, 5)),
    "random_spmv:n=9": dags.random_spmv(9),
    "random_spmv:n=9,density=0.25,seed=2": dags.random_spmv(9, 0.25, 2),
    "random_spmv:n=9,density=1": dags.random_spmv(9, 1.0),
    "conjugate_gradient:shape=3x4,steps=2": dags.conjugate_gradient((3, 4), 2),
    "random_tree:n=20,max_words=3,seed=4": dags.random_tree(20, 3, 4),
}


@pytest.mark.parametrize("spec", EXAMPLES)
def test_a_spec_is_a_call(spec):
    dag = dags.load(spec)
    assert dag == EXAMPLES[spec]
    assert (dag.family, dag.params) == (EXAMPLES[spec].family, EXAMPLES[spec].params)


def test_every_generator_has_an_example():
    assert {spec.partition(":")[0] for spec in EXAMPLES} == set(dags.GENERATORS)


def test_a_path_is_read(tmp_path):
    path = tmp_path / "a.hdag"
    dags.save(dags.fft(4), path)
    assert dags.load(str(path)) == dags.fft(4)


@pytest.mark.parametrize(
    ("spec", "error", "message"),
    [
        ("nothing", UnknownNameError, "is called 'nothing'; known: adjoint, attention, "),
        ("fttt:n=4", UnknownNameError, "called 'fttt'"),
        ("missing.hdag", FormatError, "missing.hdag: cannot be read: No such file"),
        ("missing.HDAG", FormatError, "cannot be read: No such file"),
        ("fft", InvalidSpecError, "n is missing; fft takes n"),
        ("fft:", InvalidSpecError, "n is missing"),
        ("fft:8", InvalidSpecError, "'8' is no parameter"),
        ("fft:m=8", InvalidSpecError, "'m=8' is no parameter; fft takes n"),
        ("fft:n=8,n=8", InvalidSpecError, "n is given twice"),
        ("fft:n=eight", InvalidSpecError, "n must be a whole number, not 'eight'"),
        ("fft:n=", InvalidSpecError, "n must be a whole number, not ''"),
        ("fft:n=12", InvalidSpecError, "fft: n must be a power of two, not 12"),
        ("fft:n=1", InvalidSpecError, "n must be at least 2, not 1"),
        ("random_spmv:n=8,density=thin", InvalidSpecError, "density must be a number, not 'thin'"),
        ("random_spmv:n=8,density=nan", InvalidSpecError, r"density must be in 0\.\.1, not nan"),
        ("grid:shape=5xx5", InvalidSpecError, "shape must be like 64x64"),
        ("stencil:shape=5,steps=1,periodic=maybe", InvalidSpecError, "must be true or false"),
        ("matmul:n=2,form=row", InvalidSpecError, "form must be 'fma', 'multiply-add' or 'tree'"),
        ("chain:n=1", InvalidSpecError, "there is nothing to compute"),
        (f"matmul:n={HUGE}", InvalidSpecError, "has at most 2147483647 vertices"),
        (f"fft:n={2**9000}", InvalidSpecError, "has at most 2147483647 vertices"),
        (f"random_layered:n={HUGE}", InvalidSpecError, "at most 2147483647 vertices"),
        (f"random_layered:n=9,max_indegree={HUGE}", InvalidSpecError, "at most"),
        (f"random_layered:n=9,max_words={HUGE}", InvalidSpecError, "max_words must be at most"),
        ("tree:height=20000", InvalidSpecError, "height must be below 31, not 20000"),
        ("chain:n=2000000000000", InvalidSpecError, "at most 2147483647 vertices"),
        ("x" * 5000, UnknownNameError, "no generator or file"),
        ("a\0b", UnknownNameError, "no generator or file"),
    ],
)
def test_a_bad_spec_says_what_is_wrong(spec, error, message):
    with pytest.raises(error, match=message) as caught:
        dags.load(spec)
    assert isinstance(caught.value, RedBlueError)


def test_a_file_with_nothing_to_compute_is_refused(tmp_path):
    path = tmp_path / "alone.edges"
    path.write_text("a\nb\n")
    with pytest.raises(InvalidSpecError, match="none of its 2 vertices has an operand"):
        dags.load(str(path))


def test_a_cyclic_file_is_refused_with_its_name(tmp_path):
    path = tmp_path / "ring.edges"
    path.write_text("a b\nb a\n")
    with pytest.raises(InvalidDAGError, match=r"ring\.edges: the graph has a cycle of 2"):
        dags.load(str(path))
