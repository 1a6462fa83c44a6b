"""Formulas of members of families as certificates."""

from dataclasses import replace

import pytest

import redblue as rb
from dags import Computation, load
from dags.families import FAMILIES
from dags.families.common.members import member_of
from pebble import ONE_SHOT, PARTIAL, Rules, min_memory
from proofs import BOUNDS, Certificate, CertificateError, check, load_bound, save_bound
from proofs.bounds.families.closed_forms import form_bound, form_bound_of_nest
from proofs.certificates import proven_io, theorems_of
from proofs.certificates.closed_forms import CLOSED, HOPS
from proofs.certificates.maps import MEMBER
from proofs.laws.closed_forms import FORMS, largest_form
from proofs.lemmas.theorems import THEOREMS
from proofs.verified import NotVerifiedError, verify
from tests.family_texts import TEXTS

AGAIN = Rules(recompute=True)
LARGE = {  # of each family with several forms: specification, memory
    "attention": ("attention:tokens=4096,width=64", 100_000),
    "bitonic_sort": ("bitonic_sort:n=1048576", 1000),
    "cholesky": ("cholesky:n=20000", 1000),
    "dirac": ("dirac:k=64,n4=64", 5000),
    "dirac_steps": ("dirac_steps:shape=64x64x64,steps=20", 5000),
    "fft": ("fft:n=1048576", 1000),
    "lu": ("lu:n=20000", 1000),
    "matmul": ("matmul:n=100000", 1000),
    "stencil": ("stencil:shape=10000x10000,steps=100", 1000),
}


@pytest.mark.parametrize("family", LARGE)
def test_a_member_has_a_certificate(family, tmp_path):
    spec, memory = LARGE[family]
    member, file = member_of(spec), tmp_path / "bound.json"
    bound = form_bound(member, memory, ONE_SHOT)
    assert bound.certificate.kind == CLOSED
    assert bound.io > Computation(spec).compulsory
    assert {*theorems_of(bound.certificate)} <= THEOREMS.keys()
    save_bound(bound, member, file)
    assert load_bound(file, member) == bound
    check(member, memory, bound)
    check(member, memory - 1, bound)
    for forged in (replace(bound, io=bound.io + 1), replace(bound, memory=memory + 1000)):
        with pytest.raises(CertificateError, match="io"):
            check(member, memory, forged)
    with pytest.raises(CertificateError, match="memory"):
        check(member, memory + 1, bound)
    with pytest.raises(NotVerifiedError, match="members"):
        verify(member, bound)


@pytest.mark.parametrize("family", [*FORMS, "dirac"])
def test_checkers_of_a_small_member_and_of_its_dag_agree(family):
    """That no schedule beats a form is tested beside the forms."""
    spec = "dirac:k=2,n4=3" if family == "dirac" else f"{family}:{FAMILIES[family].small}"
    dag, member = load(spec), member_of(spec)
    for rules in (ONE_SHOT, AGAIN, Rules(sliding=True)):
        smallest = min_memory(dag, rules=rules)
        for memory in (smallest, smallest + 1):
            bound = form_bound(member, memory, rules)
            check(member, memory, bound)
            if family != "dirac":
                assert bound.io == largest_form(family, dag.params, memory, rules)
            elif rules == ONE_SHOT:
                assert bound.io == BOUNDS["dirac"](dag, memory).io


def forged(bound, **changed):
    data = {**bound.certificate.data, **changed}
    return replace(bound, certificate=Certificate(bound.certificate.kind, data))


@pytest.mark.parametrize(
    "change",
    [
        {"member": "attention:tokens=4097,width=64"},
        {"member": "lu:n=4096"},
        {"member": "no such"},
        {"member": "conv.c:N=4"},
        {"form": "4 N d + 1"},
        {"form": FORMS["lu"][1].formula},
        {"windows": 3},
        {"windows": None},
        {"form": 4},
        {"more": 1},
    ],
    ids=str,
)
def test_forged_certificates_are_refused(change):
    member = member_of(LARGE["attention"][0])
    bound = form_bound(member, 100_000, ONE_SHOT)
    with pytest.raises(CertificateError):
        check(member, 100_000, forged(bound, **change))


def test_a_certificate_of_another_member_is_refused(tmp_path):
    member, second = member_of("lu:n=20000"), member_of("lu:n=20001")
    bound = form_bound(member, 1000, ONE_SHOT)
    with pytest.raises(CertificateError, match="member"):
        check(second, 1000, bound)
    save_bound(bound, member, tmp_path / "bound.json")
    with pytest.raises(CertificateError, match="another DAG"):
        load_bound(tmp_path / "bound.json", second)
    assert member.digest == member_of("lu:n= 20000").digest != second.digest


def test_a_formula_holds_only_under_its_rules_and_sizes():
    member = member_of(LARGE["attention"][0])
    once = form_bound(member, 100_000, ONE_SHOT)
    repeated = form_bound(member, 100_000, AGAIN)
    assert repeated.io < once.io
    check(member, 100_000, repeated)
    with pytest.raises(CertificateError, match="holds for"):
        check(member, 100_000, replace(once, rules=AGAIN))
    for memory in (100, 10**9):  # less than 8 d^2, and no window
        with pytest.raises(CertificateError, match="holds for"):
            check(member, memory, replace(once, memory=memory))
    with pytest.raises(CertificateError, match="partial"):
        proven_io(member, 100_000, PARTIAL, once.certificate)
    for family in ("fft", "dirac_steps"):
        spec, memory = LARGE[family]
        strict = form_bound(member_of(spec), memory, ONE_SHOT)
        with pytest.raises(CertificateError, match="holds for"):
            check(member_of(spec), memory, replace(strict, rules=AGAIN))


def test_windows_of_hops_are_as_many_as_may_be():
    member = member_of(LARGE["dirac"][0])
    bound = form_bound(member, 5000, ONE_SHOT)
    assert bound.certificate.data["form"] == HOPS
    for change in ({"windows": 0}, {"windows": 10**12}, {"windows": None}, {"form": "hops"}):
        with pytest.raises(CertificateError):
            check(member, 5000, forged(bound, **change))
    sample = forged(bound, windows=2)
    with pytest.raises(CertificateError, match="io"):
        check(member, 5000, sample)


def test_other_kinds_say_nothing_of_a_member_nor_this_one_of_dags():
    member = member_of("lu:n=20")
    bound = form_bound(member, 10, ONE_SHOT)
    nothing = replace(bound, certificate=Certificate("compulsory", {}))
    with pytest.raises(CertificateError, match="none of a family's member"):
        check(member, 10, nothing)
    for game in (load("lu:n=20"), Computation("lu:n=20").nest):
        with pytest.raises(CertificateError, match="kind"):
            check(game, 10, bound)


@pytest.fixture
def text(tmp_path):
    """Specification of LU from the last row and column, other than its family's text."""
    file = tmp_path / "factors.c"
    file.write_text(TEXTS["lu from the last row and column"][1])
    return f"{file}:n="


def test_a_text_has_the_formula_of_the_member_that_it_is(text):
    nest = Computation(f"{text}600").nest
    bound = form_bound_of_nest(nest, 40, ONE_SHOT)
    check(nest, 40, bound)
    assert bound.certificate.kind == MEMBER
    assert theorems_of(bound.certificate) == ("T2", "C2")
    assert bound.io == form_bound(member_of("lu:n=600"), 40, ONE_SHOT).io
    inner = bound.certificate.data["data"]
    for change in (
        {"member": "lu:n=601"},
        {"data": {**inner, "member": "lu:n=601"}},
        {"data": {**inner, "form": FORMS["matmul"][1].formula}},
    ):
        with pytest.raises(CertificateError):
            check(nest, 40, forged(bound, **change))
    with pytest.raises(CertificateError):
        check(nest, 40, replace(bound, io=bound.io + 1))
    with pytest.raises(CertificateError):
        check(Computation(f"{text}601").nest, 40, bound)


@pytest.mark.parametrize("family", LARGE)
def test_a_bound_is_what_a_curve_proves(family):
    spec, memory = LARGE[family]
    if family == "fft":
        spec = "fft:n=1099511627776"
    bound = rb.bound(spec, memory, counted=True)
    rb.check(spec, bound)
    curve = rb.curve(spec, [memory], counted=True)
    assert bound.io == dict(curve.envelope("lower"))[memory]
