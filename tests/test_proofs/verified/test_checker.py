"""The verified checker: its game is the referee's, its verdicts are those of the other checker."""

import random
import re
import shutil

import numpy as np
import pytest

from dags import CDAG, Computation, RedBlueError, binomial, bitonic_sort, fft, load, matmul
from pebble import ONE_SHOT, Rules
from proofs import BOUNDS, Bound, CertificateError, check, compulsory
from proofs.certificates import Certificate, proven_io
from proofs.verdict import searched_bound
from proofs.verified import (
    NotBuiltError,
    NotVerifiedError,
    build,
    checker,
    judged_by_definition,
    verify,
)
from tests.verified_checker import (
    by_referee,
    drawn_dag,
    drawn_games,
    golden_cases,
    mutated,
    product_cases,
)

DAGS, GAMES = 40, 12  # of each; `python -m tests.campaigns verified` plays more
CHANGES = 120


@pytest.fixture(scope="module", autouse=True)
def built():
    """Build the verified checker, or skip."""
    missing = [tool for tool in checker.TOOLS if shutil.which(tool) is None]
    if missing and not checker.program().exists():
        pytest.skip(f"{' and '.join(missing)} not installed: the verified checker is not built")
    return build()


def test_the_game_in_coq_is_the_referees():
    rng = random.Random(60)
    legal = set()
    for _ in range(DAGS):
        dag = drawn_dag(rng)
        games = list(drawn_games(dag, GAMES, rng))
        message = judged_by_definition(dag, [game[1:] for game in games])
        assert message == [by_referee(game) for game in games]
        legal |= {type(verdict) is int for verdict in message}
    assert legal == {True, False}


def test_golden_certificates_have_the_same_verdict():
    cases = golden_cases()
    kinds = {case.kind for case in cases}
    proved = 0
    for case in cases:
        words = case.python()
        if not isinstance(words, int):
            assert case.coq(0) is not None
            continue
        why = case.coq(words)
        if why is not None:
            assert why.startswith("NotVerifiedError: the verified checker does not know the ")
            continue
        proved += 1
        assert "io is another number" in (case.coq(words + 1) or "")
    assert kinds >= {"compulsory", "parts", "shares", "staged"}
    assert proved >= len(cases) / 3


def test_changed_certificates_have_the_same_verdict():
    rng = random.Random(61)
    known = [case for case in golden_cases() if case.kind != "compulsory"] + product_cases()
    known = [case for case in known if isinstance(case.python(), int)]
    known = [case for case in known if case.coq(int(case.python())) is None]
    for _ in range(CHANGES):
        origin = rng.choice(known)
        case = mutated(origin, rng)
        words = case.python()
        if isinstance(words, int):
            assert case.coq(words) is None, case
        else:
            assert case.coq(int(origin.python())) is not None, (words, case)


def test_each_theorem_is_listed_with_what_it_rests_on():
    sources = {name: (checker.SOURCES / name).read_text() for name in checker.coq_files()}
    stated = {
        name for text in sources.values() for name in re.findall(r"^Theorem (\w+)", text, re.M)
    }
    listed = set(re.findall(r"^Print Assumptions (\w+)\.", sources["Theorems.v"], re.M))
    assert stated == listed
    for text in sources.values():
        assert re.search(r"\b(Axiom|Admitted|Parameter|admit)\b", text) is None


def test_what_is_written_by_hand_is_short():
    assert len((checker.SOURCES / checker.READER).read_text().splitlines()) < 150


def test_a_bound_is_verified_and_a_higher_one_refused():
    dag = fft(16)
    bound = BOUNDS["decomposition"](dag, 4, time_limit=5)
    words = (
        f"proved: with 4 words of fast memory, every one-shot play moves at least {bound.io} words"
    )
    assert verify(dag, bound) == words
    higher = Bound(bound.method, 4, bound.io + 1, ONE_SHOT, bound.certificate)
    with pytest.raises(CertificateError, match="io is another number than the certificate proves"):
        verify(dag, higher)


def test_kinds_that_are_not_verified_are_named():
    dag = fft(16)
    with pytest.raises(NotVerifiedError, match="does not know the kind segments"):
        verify(dag, BOUNDS["segments"](dag, 4))
    nest = Computation("matmul:n=1000").nest
    bound = Bound("projections", 4, 1, ONE_SHOT, Certificate("nest", {}))
    with pytest.raises(NotVerifiedError, match="not nests that are not built"):
        verify(nest, bound)


def test_a_search_of_all_states_is_repeated():
    dag = bitonic_sort(4)
    minimum = compulsory(dag, 4).io
    assert "at least 14 words" in verify(dag, searched_bound(dag, 4, rules=ONE_SHOT, io=14))
    for io in range(minimum, 14):
        assert f"at least {io} words" in verify(
            dag, searched_bound(dag, 4, rules=ONE_SHOT, io=io, states=3)
        )
    with pytest.raises(CertificateError, match="a search finds a play"):
        verify(dag, searched_bound(dag, 4, rules=ONE_SHOT, io=15))


def test_a_search_where_values_are_computed_again_is_repeated():
    dag, rules = bitonic_sort(4), Rules(recompute=True)
    assert "every recompute play moves at least 14 words" in verify(
        dag, searched_bound(dag, 4, rules=rules, io=14, states=3)
    )
    with pytest.raises(CertificateError, match="a search finds a play"):
        verify(dag, searched_bound(dag, 4, rules=rules, io=15))


def test_searches_under_other_rules_are_not_refused_as_wrong():
    slid = binomial(4)
    bound = searched_bound(slid, 3, rules=Rules(sliding=True), io=10)
    with pytest.raises(NotVerifiedError, match="the proof exact where results slide"):
        verify(slid, bound)


def test_a_number_of_states_is_a_number():
    dag = bitonic_sort(4)
    part = {"vertices": "all", "proof": "exact", "data": {"excess": 6, "states": None}}
    bound = Bound("by-hand", 4, 14, ONE_SHOT, Certificate("parts", {"parts": [part]}))
    with pytest.raises(CertificateError, match="states is no integer"):
        verify(dag, bound)
    with pytest.raises(CertificateError, match="states: is None, not an integer"):
        check(dag, 4, bound)


@pytest.mark.parametrize(
    ("spec", "memory", "rules", "io"),
    [
        ("matmul:n=6", 12, ONE_SHOT, 145),
        ("matmul:n=6", 8, Rules(sliding=True), 170),
        ("matmul:m=3,n=5,k=7", 9, ONE_SHOT, 85),
    ],
)
def test_windows_of_products_are_verified(spec, memory, rules, io):
    dag = load(spec)
    bound = BOUNDS["projections"](dag, memory, rules=rules)
    assert bound.certificate.kind == "projections"
    assert f"moves at least {io} words" in verify(dag, bound)
    higher = Bound("projections", memory, io + 1, rules, bound.certificate)
    with pytest.raises(CertificateError, match="io is another number than the certificate proves"):
        verify(dag, higher)


@pytest.mark.parametrize("changed", range(3))
def test_windows_of_other_products_are_not_verified(changed):
    dag = load("matmul:n=3")
    bound = BOUNDS["projections"](dag, 5)
    indices = dag.pred_indices.copy()
    row = dag.pred_indptr[18 + 4] + changed  # the second update of the second chain
    indices[row] = (1, 9, 19)[changed]  # of the same layer; of another one; of another chain
    words = None if changed else [2] * dag.n
    second = CDAG(dag.pred_indptr, indices, words=words, outputs=dag.outputs)
    with pytest.raises(NotVerifiedError, match="other DAGs than products of values of one word"):
        verify(second, Bound("projections", 5, bound.io, ONE_SHOT, bound.certificate))
    windows = [{**bound.certificate.data["windows"][0], "count": 1}]
    fewer = Certificate("projections", {**bound.certificate.data, "windows": windows})
    with pytest.raises(CertificateError, match="windows have not all updates"):
        verify(dag, Bound("projections", 5, bound.io, ONE_SHOT, fewer))


@pytest.mark.parametrize(
    ("sizes", "memory", "rules", "windows", "io"),
    [
        ((6, 6, 6), 12, ONE_SHOT, 5, 158),
        ((6, 6, 6), 8, Rules(sliding=True), 9, 164),
        ((3, 5, 7), 9, ONE_SHOT, 4, 83),
    ],
)
def test_open_sums_of_products_are_verified(sizes, memory, rules, windows, io):
    m, n, k = sizes
    dag = matmul(m=m, n=n, k=k)
    data = dict(zip("mnk", sizes, strict=True)) | {"windows": windows}
    certificate = Certificate("open-chains", data)
    bound = Bound("reuse", memory, io, rules, certificate)
    check(dag, memory, bound)
    assert f"moves at least {io} words" in verify(dag, bound)
    with pytest.raises(CertificateError, match="io is another number than the certificate proves"):
        verify(dag, Bound("reuse", memory, io + 1, rules, certificate))


def test_open_sums_of_other_products_are_refused():
    """Chains that branch, two words, an output that is read, and an operand more."""
    dag = matmul(3)
    data = {"m": 3, "n": 3, "k": 3, "windows": 3}
    io = proven_io(dag, 5, ONE_SHOT, Certificate("open-chains", data))
    chain = 18 + 3  # the first update of the second chain
    indices = dag.pred_indices.copy()
    row = slice(dag.pred_indptr[chain + 2], dag.pred_indptr[chain + 3])
    indices[row] = [chain if v == chain + 1 else v for v in indices[row]]
    branched = CDAG(dag.pred_indptr, indices, outputs=dag.outputs)
    double = CDAG(dag.pred_indptr, dag.pred_indices, words=[2] * dag.n, outputs=dag.outputs)
    exposed = CDAG(dag.pred_indptr, dag.pred_indices, outputs=[*dag.outputs, chain])
    starts = dag.pred_indptr.copy()
    starts[chain + 3 :] += 1
    read = CDAG(starts, np.insert(dag.pred_indices, dag.pred_indptr[chain + 3] - 1, chain))
    bound = Bound("reuse", 5, io, ONE_SHOT, Certificate("open-chains", data))
    verify(dag, bound)
    for second in (branched, double, exposed, read):
        with pytest.raises(CertificateError, match="m, n and k are not those of this DAG"):
            verify(second, bound)
        with pytest.raises(CertificateError):
            check(second, 5, bound)
    again = Bound("reuse", 5, io, Rules(recompute=True), Certificate("open-chains", data))
    with pytest.raises(NotVerifiedError, match="open-chains where values may be computed again"):
        verify(dag, again)


@pytest.mark.parametrize(
    ("change", "memory", "reason"),
    [
        ({"windows": 28}, 5, "too many entries or windows"),
        ({"windows": 0}, 5, "windows is less than 1"),
        ({"k": 4}, 5, "are not those of this DAG"),
        ({}, 3, "so little memory"),
        ({"m": 2048, "n": 2}, 5, "too many entries or windows"),
    ],
)
def test_forged_open_sums_are_refused(change, memory, reason):
    dag = matmul(3)
    data = {"m": 3, "n": 3, "k": 3, "windows": 3} | change
    with pytest.raises(CertificateError, match=reason):
        verify(dag, Bound("reuse", memory, 9, ONE_SHOT, Certificate("open-chains", data)))
    with pytest.raises(CertificateError):
        proven_io(dag, memory, ONE_SHOT, Certificate("open-chains", data))


def test_without_coq_a_sentence_says_so(monkeypatch, tmp_path):
    dag = fft(8)
    monkeypatch.setattr(checker, "program", lambda: tmp_path / "none")
    with pytest.raises(NotBuiltError, match="'redblue compile --verified' builds it"):
        verify(dag, compulsory(dag, 4))
    monkeypatch.setattr(shutil, "which", lambda _: None)
    with pytest.raises(NotBuiltError, match="coqc and ocamlopt cannot be found"):
        build()
    assert issubclass(NotBuiltError, RedBlueError)


def test_an_axiom_is_not_accepted(monkeypatch, tmp_path):
    for name in ("_CoqProject", checker.READER):
        (tmp_path / name).write_text("-Q . RedBlue\nTheorems.v\n")
    (tmp_path / "Theorems.v").write_text("Axiom wrong : False.\nPrint Assumptions wrong.\n")
    monkeypatch.setattr(checker, "SOURCES", tmp_path)
    with pytest.raises(NotBuiltError, match="a theorem rests on more than Coq"):
        build()
