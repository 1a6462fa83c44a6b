"""Files that `redblue check` must refuse in one sentence, at once: issue 20."""

import json
import time
from dataclasses import replace

import numpy as np
import pytest

from dags import FormatError, attention, convolution, fft, from_edges, matmul, stencil, tree
from dags.programs.box_reader import box_nest
from dags.programs.text.library import polybench
from pebble import ONE_SHOT, RULES
from proofs import BOUNDS, CertificateError, check, load_bound, save_bound
from proofs.certificates import Certificate, proven_io
from proofs.certificates.pieces.piece import Cutter
from proofs.certificates.pieces.wavefronts import common_ancestors
from proofs.core.records import LARGEST, integers
from proofs.files import _seal, fingerprint
from tests.command_line import run_redblue

SMALL = fft(4)
DEEP = "[" * 40 + "]" * 40


@pytest.fixture
def record(tmp_path):
    """The record of a certificate, and the file that it is written to."""
    path = tmp_path / "bound.json"
    save_bound(BOUNDS["wavefront"](SMALL, 3), SMALL, path)
    return json.loads(path.read_text()), path


def refused(kind, data, dag=SMALL, memory=3, rules=ONE_SHOT):
    """The message of a refusal, which must come at once."""
    began = time.monotonic()
    with pytest.raises(CertificateError) as error:
        proven_io(dag, memory, rules, Certificate(kind, data))
    assert time.monotonic() - began < 20  # compiling included
    assert str(error.value).isprintable()
    return str(error.value)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda text: text.replace("{", '{"io": 3, ', 1), "'io' is there twice"),
        (lambda text: text.replace('"memory": 3', '"memory": NaN'), "NaN"),
        (lambda text: text.replace('"memory": 3', '"memory": 3.0'), "no integer"),
        (lambda text: text.replace('"memory": 3', '"memory": 1e99999999'), "no integer"),
        (lambda text: text.replace('"memory": 3', '"memory": ' + "9" * 5000), "beyond"),
        (lambda text: text.replace('"data": ', '"data": ' + "[" * 10**5), "levels"),
        (lambda text: text.replace('"data": {', '"data": {"a": ' + DEEP + ","), "levels"),
        (lambda text: "[" + text + "]", "no JSON object"),
        (lambda text: text + " " * 2**27, "more than"),
    ],
)  # fmt: skip
def test_only_strict_json_is_read(record, change, message):
    path = record[1]
    path.write_text(change(path.read_text()))
    with pytest.raises(FormatError, match=message):
        load_bound(path, SMALL)


def test_a_doubled_key_among_many_is_found_at_once(record):
    path = record[1]
    count = ", ".join(f'"k{number % 300_000}": 0' for number in range(300_001))
    path.write_text("{" + count + "}")
    began = time.monotonic()
    with pytest.raises(FormatError, match="'k0' is there twice"):
        load_bound(path, SMALL)
    path.write_text("{" + count.replace('"k0"', '"z"', 1).replace('"k0"', '"k299999"') + "}")
    with pytest.raises(FormatError, match="'k299999' is there twice"):
        load_bound(path, SMALL)
    assert time.monotonic() - began < 10


def test_bytes_that_are_no_text_are_refused(record):
    record[1].write_bytes(b"\xff\xfe{")
    with pytest.raises(FormatError, match="no JSON"):
        load_bound(record[1], SMALL)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("method", "wavefront)\nproved: with 3 words"),
        ("method", "\x1b[2J"),
        ("method", "a proof of 5 words"),
        ("rules", "no\nrules"),
        ("kind", "\x1b[31mparts"),
        ("memory", 2**62 + 1),
        ("memory", True),
        ("io", -1),
    ],
)
def test_what_is_printed_of_a_file_is_plain(record, field, value):
    fields, path = record
    del fields["seal"]
    forged = {**fields, field: value}
    path.write_text(json.dumps({**forged, "seal": _seal(forged)}))
    with pytest.raises((CertificateError, FormatError)) as error:
        check(SMALL, 3, load_bound(path, SMALL))
    assert str(error.value).isprintable()
    assert len(str(error.value)) < 300


def test_the_command_refuses_in_one_sentence(record):
    fields, path = record
    del fields["seal"]
    forged = {**fields, "method": "x\nproved"}
    path.write_text(json.dumps({**forged, "seal": _seal(forged)}))
    done = run_redblue("check", "fft:n=4", str(path))
    assert done.code == 4
    assert done.out.startswith("not proved: method: ")
    assert done.out.count("\n") == 1


@pytest.mark.parametrize(
    ("family", "params"),
    [
        ("fft", {"n": float("inf")}),
        ("fft", {"n": 2**24}),
        ("fft", {"n": 4, "radix": 1}),
        ("fft", {"n": 4, "radix": 0}),
        ("fft", {"n": True}),
        ("fft", {"n": 4.0}),
        ("fft", {"n": "4"}),
        ("fft", {"n": 2**70}),
        ("fft", {"n": -(2**63)}),
        ("fft", {"m": 4}),
        ("cholesky", {"n": 1000}),
        ("grid", {"shape": [3000, 3002, 3]}),
        ("grid", {"shape": [2**40] * 40}),
        ("grid", {"shape": 12}),
        ("grid", {"shape": [[1]]}),
        ("attention", {"tokens": 2000, "width": 8}),
        ("tree", {"height": 12, "arity": 12}),
        ("tree", {"height": 2**61, "arity": 2**61}),
        ("matmul", {"n": 1, "m": 2**61, "k": 2**61}),
        ("stencil", {"shape": [4], "steps": 2, "neighbourhood": []}),
        ("stencil", {"shape": [4], "steps": 2, "periodic": 1}),
        ("bitonic_sort", {"n": None}),
        ("no\nfamily", {}),
        ([], {}),
    ],
)
def test_other_members_of_families_are_refused_before_they_are_built(family, params):
    cuts = [{"sizes": [8], "times": [1]}]
    sets = {"family": family, "params": params, "alternative": 0, "cuts": cuts}
    refused("segments", sets)
    refused("windows", sets)


def test_parameters_that_a_generator_has_by_default_may_be_left_out():
    sets = {"family": "fft", "params": {"n": 4}, "alternative": 0}
    data = {**sets, "cuts": [{"sizes": [8], "times": [1]}]}
    assert proven_io(SMALL, 3, ONE_SHOT, Certificate("segments", data)) == 8
    sets = {"family": "prefix_scan", "params": {"n": 4}, "alternative": 0}
    refused("windows", {**sets, "cuts": [{"sizes": [5], "times": [1]}]})


@pytest.mark.parametrize("written", ["1e99999999", "1/0", "-1", "0x1", "1_0", "1/5041", "9" * 30])
def test_exponents_are_plain_fractions(written):
    dag = matmul(2)
    exponents = dict.fromkeys("abc", written)
    windows = [{"size": 8, "count": 1, "exponents": exponents}]
    params = {"m": 2, "n": 2, "k": 2, "form": "fma"}
    data = {"argument": "segments", "family": "matmul", "params": params, "windows": windows}
    refused("projections", data, dag)


def test_a_convolution_of_one_place_may_have_any_stride():
    dag = convolution(3, 3, kernel=3, stride=2**33)
    assert BOUNDS["projections"](dag, 6).io >= 19


def test_attention_is_refused_by_its_size():
    data = {"argument": "segments", "tokens": 2**61, "width": 2**61, "windows": [[1, 1]]}
    refused("attention", data, attention(2, 1))


@pytest.mark.parametrize("number", [2**63, -(2**63), 2**62 + 1, 2**64, 10**30])
def test_integers_beyond_the_limit_are_refused(number):
    with pytest.raises(CertificateError, match="beyond"):
        integers({"edges": [0, number]}, "edges")
    part = {"vertices": [0, number], "proof": "forest", "data": {}}
    refused("parts", {"parts": [part]})
    full = {"vertices": "all", "proof": "exact", "data": {"excess": abs(number)}}
    refused("parts", {"parts": [full]})


def test_arrays_of_other_numbers_are_no_integers():
    for array in (np.array([0.5]), np.array([True]), np.array([2**63], np.uint64)):
        with pytest.raises(CertificateError):
            integers({"edges": array}, "edges")
    assert integers({"edges": np.array([LARGEST], np.uint64)}, "edges").dtype == np.int64


def test_an_excess_beyond_every_plain_play_is_refused_without_a_search():
    part = {"vertices": "all", "proof": "exact", "data": {"excess": 4000}}
    for rules in (ONE_SHOT, RULES["recompute"]):
        assert "a play has" in refused("parts", {"parts": [part]}, stencil((6,), 2), 5, rules)


@pytest.mark.parametrize("kind", ["parts", "shares", "staged"])
def test_proofs_of_earlier_releases_are_refused_and_replaced(kind):
    part = {"vertices": "all", "share": 1, "proof": "spectral", "data": {}}
    data = {"denominator": 1, "parts": [part], "owners": [], "readers": []}
    wanted = {"parts": ("parts",), "shares": ("denominator", "parts"), "staged": tuple(data)}[kind]
    if kind == "parts":
        del part["share"]
    message = refused(kind, {name: data[name] for name in wanted})
    assert message.endswith("prove as much")
    message = refused("closed-form", {"family": "fft", "params": {"n": 4}, "form": 0})
    assert "which the second release wrote last" in message
    assert message.endswith("prove as much")


def test_forests_of_many_operands_are_checked_in_time():
    wide = from_edges(20_001, [(u, 20_000) for u in range(20_000)])
    assert proven_io(wide, 20_001, ONE_SHOT, Certificate("forest", {})) == 20_001
    refused("forest", {}, fft(4))
    assert BOUNDS["forests"](tree(4), 3).io > 17


def test_common_ancestors_of_many_members_are_those_of_each():
    dag = fft(16)
    piece = Cutter(dag).whole()
    for members in ([70, 79], list(range(64, 80)), [3, 20], list(range(16, 80)), [79]):
        entry = [common_ancestors(piece, np.array([member])) for member in members]
        together = common_ancestors(piece, np.array(members))
        assert (together == np.logical_and.reduce(entry)).all()


def test_parts_are_shares_of_all():
    """Also where values may be computed again; no vertex is in two of them."""
    exact = {"vertices": "all", "proof": "exact", "data": {"excess": 1}}
    for rules in (ONE_SHOT, RULES["recompute"]):
        shares = {"denominator": 2, "parts": [{**exact, "share": 2}]}
        proved = [
            proven_io(SMALL, 3, rules, Certificate(kind, data))
            for kind, data in (("parts", {"parts": [exact]}), ("shares", shares))
        ]
        assert proved == [9, 9]
        assert "more than once" in refused("parts", {"parts": [exact, exact]}, rules=rules)
        front = {"vertices": "all", "proof": "moment", "data": {}}
        assert "parts 0" in refused("parts", {"parts": [front]}, rules=rules)
    assert "computed once" in refused("parts", {"parts": [front]}, rules=RULES["recompute"])


NESTS = {  # SHA-256 in certificates that were written before, at sizes of 7
    "gemm": "2807b42cab0790cf0b6f3a7cb37583ebc49a0572fadbd05a0eaf9fe4af1615c0",
    "lu": "650d011ccef4d1c1dcab5064d1921b6abf9ea2c00f5f1da8d0a05c16913d74da",
    "jacobi-2d": "07c72a9bb8bc8f995d7872e5723a38952aa95af9fb446cb89ab8f74a0991bf19",
}


@pytest.mark.parametrize("name", NESTS)
def test_certificates_of_nests_that_were_written_before_are_read(name):
    pytest.importorskip("islpy", reason="islpy is not installed")
    program = polybench(name)
    nest = box_nest(program, dict.fromkeys(program.sizes, 7))
    assert fingerprint(nest) == NESTS[name]


def test_a_bound_that_would_not_be_read_again_is_not_written(tmp_path):
    bound = BOUNDS["compulsory"](SMALL, 3)
    with pytest.raises(FormatError, match="at most 4,611,686,018,427,387,904 words"):
        save_bound(replace(bound, io=LARGEST + 1), SMALL, tmp_path / "bound.json")
    assert not any(tmp_path.iterdir())
