"""The lines of the checker that a certificate rests on are at least those that run."""

import sys
from pathlib import Path

import pytest

import proofs
from dags import load
from pebble import ONE_SHOT, RULES
from proofs import BOUNDS
from proofs.certificates import proven_io
from proofs.trusted import lines_behind, lines_of, places_behind, places_of_kind

ROOT = Path(proofs.__file__).parents[1]
RUNS = [
    ("polybench/gemm:NI=5,NJ=5,NK=5", "one-shot", 12, "affine"),
    ("polybench/gemm:NI=5,NJ=5,NK=5", "one-shot", 12, "nests"),
    ("polybench/lu:N=7", "one-shot", 8, "nests"),
    ("lu:n=7", "recompute", 8, "affine"),
    ("qr_givens:n=5", "recompute", 4, "projections"),
    ("attention:tokens=16,width=2", "one-shot", 32, "attention"),
    ("fft:n=16", "one-shot", 4, "decomposition"),
    ("fft:n=64", "one-shot", 6, "segments"),
    ("grid:shape=2x3x4", "one-shot", 5, "segments"),
    ("matmul:n=3,form=tree", "recompute", 4, "reuse"),
    ("fft:n=4", "one-shot", 4, "reuse"),
    ("odd_even_transposition_sort:n=4", "recompute", 4, "reload-windows"),
]


@pytest.mark.parametrize(("spec", "rules", "memory", "method"), RUNS)
def test_functions_that_run_are_among_the_lines(spec, rules, memory, method):
    rules = ONE_SHOT if rules == "one-shot" else RULES[rules]
    certificate = BOUNDS[method](load(spec), memory, rules=rules).certificate
    dag, run = load(spec), set()  # anew: what is kept of the first one is not looked at again

    def seen(frame, event, _):
        path = Path(frame.f_code.co_filename)
        if event == "call" and path.is_relative_to(ROOT / "proofs"):
            names = path.relative_to(ROOT).with_suffix("").parts
            name = frame.f_code.co_qualname.partition(".")[0]
            if not name.startswith("<"):
                run.add((".".join(names).removesuffix(".__init__"), name))

    sys.setprofile(seen)
    try:
        proven_io(dag, memory, rules, certificate)
    finally:
        sys.setprofile(None)
    assert len(run) >= 3
    assert run <= places_behind(certificate)


def test_lines_are_of_the_kind_and_of_no_other():
    dag = load("polybench/gemm:NI=5,NJ=5,NK=5")
    places = places_behind(BOUNDS["nests"](dag, 12).certificate)
    modules = {module for module, _ in places}
    assert "proofs.lemmas.loops.nest_updates" in modules
    assert "proofs.lemmas.loops.labelled" not in {
        module for module, name in places if name == "labelled_words"
    }
    assert not any(
        module.startswith("proofs.certificates.pieces")
        for module in modules - {"proofs.certificates.pieces.ledger"}
    )
    assert not any(module.startswith("proofs.bounds") for module in modules)


def test_rooms_add_up_to_all_lines():
    certificate = BOUNDS["decomposition"](load("fft:n=16"), 4).certificate
    rooms = lines_behind(certificate)
    assert sum(rooms.values()) == lines_of(places_behind(certificate))
    assert {"core", "certificates/pieces"} <= {*rooms}


def test_every_place_is_a_definition_of_its_module():
    certificate = BOUNDS["nests"](load("polybench/lu:N=7"), 8).certificate
    for module, name in places_behind(certificate):
        assert hasattr(sys.modules[module], name)


def test_a_kind_does_not_rest_on_another_kind():
    modules = {module for module, _ in places_of_kind("compulsory")}
    assert not any(
        module.startswith(("proofs.laws", "proofs.lemmas.families")) for module in modules
    )
    assert any(module.startswith("proofs.laws") for module, _ in places_of_kind("closed-form"))
