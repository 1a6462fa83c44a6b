"""The map from a DAG to the loop nest that it is the instance of (M7)."""

from dataclasses import replace

import numpy as np
import pytest

from dags import CDAG, Computation, load, renumber
from dags.families import FAMILIES
from dags.programs.members import nest_in
from pebble import PARTIAL, Rules, compulsory_words, min_memory
from proofs import BOUNDS, Certificate, CertificateError, NotApplicableError, check
from proofs.bounds.loops.nests import MOST_RENUMBERED, _placed, nest_bound
from proofs.certificates import theorems_of
from proofs.certificates.maps import MEMBER, same_game
from schedulers.exact import exact
from tests.family_texts import TEXTS

TEXT = """void f(int n, double A[n][n], double x[n], double y[n])
{ for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) y[i] += A[i][j] * x[j]; }
"""
NESTS = sorted(name for name, known in FAMILIES.items() if known.nest is not None)


@pytest.fixture
def product(tmp_path):
    file = tmp_path / "f.c"
    file.write_text(TEXT)
    return load(f"{file}:n=4")


def test_the_bound_of_a_text_is_one_of_its_dag(product):
    bound = BOUNDS["nests"](product, 5)
    check(product, 5, bound)
    assert bound.certificate.kind == "program"
    assert bound.io == 28
    with pytest.raises(CertificateError, match="the certificate proves 28"):
        check(product, 5, replace(bound, io=29))


def test_another_dag_is_refused(product):
    bound = BOUNDS["nests"](product, 5)
    order = np.arange(product.n, dtype=np.int32)
    order[[0, 1]] = order[[1, 0]]
    second = renumber(product, order)
    bare = CDAG(product.pred_indptr, product.pred_indices, outputs=product.outputs)
    words = np.ones(product.n, np.int64)
    words[product.computed[0]] = 2
    sized = CDAG(product.pred_indptr, product.pred_indices, words=words, origin=product.origin)
    for dag, why in ((bare, "comes from no text"), (sized, "gives another DAG")):
        with pytest.raises(CertificateError, match=why):
            check(dag, 5, bound)
    with pytest.raises(CertificateError):
        check(second, 5, bound)


@pytest.mark.parametrize("family", NESTS)
def test_members_of_families(family):
    dag = load(f"{family}:{FAMILIES[family].example}")
    memory = 2 * min_memory(dag)
    bound = BOUNDS["nests"](dag, memory)
    check(dag, memory, bound)
    inner = bound.certificate.data
    while "member" not in inner:
        inner = inner["data"]
    assert inner["member"].startswith(family)
    larger = replace(bound.certificate, data={**bound.certificate.data, "vertex": dag.computed})
    with pytest.raises(CertificateError):
        check(dag, memory, replace(bound, certificate=larger))


@pytest.mark.parametrize("family", NESTS)
def test_small_members_against_exhaustive_search(family):
    dag = load(f"{family}:{FAMILIES[family].small}")
    for rules in (Rules(), Rules(sliding=True)):
        smallest = min_memory(dag, rules=rules)
        for memory in (smallest, smallest + 1):
            best = exact(dag, memory, rules=rules)
            assert best.io is not None
            assert BOUNDS["nests"](dag, memory, rules=rules).io <= best.io


@pytest.mark.parametrize("family", NESTS)
def test_of_large_members_the_checker_looks_for_the_numbers(family, monkeypatch):
    dag = load(f"{family}:{FAMILIES[family].small}")
    memory = 2 * min_memory(dag)
    listed = BOUNDS["nests"](dag, memory)
    _placed.pop(dag)
    monkeypatch.setattr("proofs.bounds.loops.nests.MOST_RENUMBERED", 0)
    bound = BOUNDS["nests"](dag, memory)
    assert (bound.io, bound.certificate.kind) == (listed.io, "program")
    assert bound.certificate.data["member"].startswith(family)
    check(dag, memory, bound)
    rows, last = dag.pred_indices.copy(), dag.predecessors(dag.n - 1)
    operand = next(vertex for vertex in range(dag.n - 1) if vertex not in last)
    rows[-last.size :] = sorted([operand, *last[1:]])
    other_edges = CDAG(dag.pred_indptr, rows, words=dag.words, outputs=dag.outputs)
    own_outputs = CDAG(dag.pred_indptr, dag.pred_indices, outputs=dag.computed)
    for changed in (other_edges, own_outputs):
        if not same_game(changed, dag):
            with pytest.raises(CertificateError, match="its text gives another DAG"):
                check(changed, memory, bound)


def test_a_large_member_has_the_bound_of_its_nest_on_its_dag():
    dag, computation = load("matmul:n=41", recognise=False), Computation("matmul:n=41")
    assert dag.n > MOST_RENUMBERED
    bound = BOUNDS["nests"](dag, 700)
    assert bound.io == nest_bound(computation.nest, 700).io > BOUNDS["projections"](dag, 700).io
    check(dag, 700, bound)
    claimed = CDAG(dag.pred_indptr, dag.pred_indices, family="matmul", params={"n": 40})
    with pytest.raises(NotApplicableError):
        BOUNDS["nests"](claimed, 700)


def test_it_does_not_apply_elsewhere():
    with pytest.raises(NotApplicableError, match="DAGs of loop nests"):
        BOUNDS["nests"](load("fft:n=8"), 4)


def test_a_nest_is_the_instance_under_partial_computation_too():
    """The map of the text proves what the nest does: its windows count values in part."""
    dag, memory = load("matmul:n=14"), 8
    nest = Computation("matmul:n=14").nest
    bound = nest_bound(nest, memory, rules=PARTIAL)
    data = {"member": "matmul:n=14", "kind": bound.certificate.kind, "data": bound.certificate.data}
    mapped = replace(bound, method="nests", certificate=Certificate("program", data))
    check(dag, memory, mapped)
    assert compulsory_words(dag) < bound.io <= BOUNDS["nests"](dag, memory, rules=PARTIAL).io
    assert "N3" in theorems_of(mapped.certificate, PARTIAL)


def test_a_member_of_other_sizes_is_refused():
    dag = load("matmul:n=3")
    inner = nest_bound(Computation("matmul:n=4").nest, 5)
    data = {"member": "matmul:n=4", "kind": inner.certificate.kind, "data": inner.certificate.data}
    bound = replace(BOUNDS["compulsory"](dag, 5), certificate=Certificate("program", data))
    with pytest.raises(CertificateError, match="other vertices"):
        check(dag, 5, bound)
    unknown = Certificate("program", {**data, "member": "fft:n=8"})
    with pytest.raises(CertificateError, match="comes from no text"):
        check(dag, 5, replace(bound, certificate=unknown))


UPWARDS = TEXTS["lu from the last row and column"][1]


@pytest.fixture
def upwards(tmp_path):
    """Specification of LU from the last row and column, of which windows alone prove less."""
    file = tmp_path / "upwards.c"
    file.write_text(UPWARDS)
    return f"{file}:n="


def test_a_nest_has_the_bound_of_the_member_that_it_is(upwards):
    nest = Computation(f"{upwards}600").nest
    bound = nest_bound(nest, 40)
    assert check(nest, 40, bound) is None
    assert bound.certificate.kind == MEMBER
    assert theorems_of(bound.certificate)[0] == "T2"
    assert bound.io == nest_bound(Computation("lu:n=600").nest, 40).io
    with pytest.raises(CertificateError):
        check(nest, 40, replace(bound, io=bound.io + 1))


def test_a_dag_has_the_bound_of_the_member_that_its_nest_is(upwards):
    dag = load(f"{upwards}12", recognise=False)
    bound = BOUNDS["nests"](dag, 8)
    check(dag, 8, bound)
    assert bound.certificate.data["kind"] == MEMBER
    assert bound.io == nest_bound(Computation("lu:n=12").nest, 8).io


def test_another_member_is_refused(upwards, product):
    nest = Computation(f"{upwards}600").nest
    bound = nest_bound(nest, 40)

    def forged(**changed):
        data = {**bound.certificate.data, **changed}
        return replace(bound, certificate=Certificate(MEMBER, data))

    inside = {"kind": MEMBER, "data": bound.certificate.data}
    for change in (
        {"member": "lu:n=601"},
        {"member": "cholesky:n=600"},
        {"member": "no such"},
        {"member": "fft:n=64"},
        inside,
    ):
        with pytest.raises(CertificateError):
            check(nest, 40, forged(**change))
    for second in (Computation(f"{upwards}601").nest, nest_in(product)):
        with pytest.raises(CertificateError, match="member"):
            check(second, 40, bound)
