"""Each theorem has one number, one title and one proof; verdicts name no other."""

import re
from pathlib import Path

from dags import load
from pebble import ONE_SHOT, RULES, min_memory
from proofs import BOUNDS, NotApplicableError
from proofs.certificates import Certificate, maps, theorems_of
from proofs.certificates.pieces.ledger import PIECES
from proofs.laws.closed_forms import FORMS
from proofs.lemmas.loops import affine, nests, updates
from proofs.lemmas.loops.nests import Parts
from proofs.lemmas.theorems import THEOREMS, named

ROOT = Path(__file__).resolve().parents[3]
HEADING = re.compile(r"^## ([A-Z][0-9]+)\. (.+)$", re.MULTILINE)


def test_the_pages_prove_what_the_table_has():
    pages = sorted((ROOT / "docs" / "theory").glob("*.md"))
    results = [pair for page in pages for pair in HEADING.findall(page.read_text())]
    assert len(results) == len(dict(results))
    assert dict(results) == THEOREMS


def test_docstrings_point_at_pages_that_have_the_number():
    for path in (ROOT / "proofs").rglob("*.py"):
        for number, page in re.findall(
            r"proof is (\w+) in (docs/theory/\w+\.md)", path.read_text()
        ):
            assert f"## {number}. {THEOREMS[number]}\n" in (ROOT / page).read_text(), path


def test_verdicts_rest_on_known_theorems():
    assert set(affine.RESTS) == set(updates.GAINS)
    of_parts = [numbers for _, numbers in nests.PARTS.values()]
    of_nests = [
        nests.NESTS[kind].theorems(None) for kind in (nests.COMPULSORY, nests.MERGED, nests.MESH)
    ]
    named_there = {n for known in (*of_parts, *of_nests, *maps.THEOREMS.values()) for n in known}
    named_there |= {form.theorem for forms in FORMS.values() for form in forms}
    assert {"N18", "C1", "C2", "F1"} <= {*named_there, *nests.NESTS[nests.SUM].theorems(Parts())}
    assert named_there - THEOREMS.keys() == {"compulsory"}
    assert {n for entry in PIECES.values() for n in entry.theorems} <= THEOREMS.keys()
    specs = "fft:n=64", "grid:shape=8x8", "hypercube:d=6", "matmul:n=6", "stencil:shape=16,steps=8"
    names_found = set()
    for spec in (*specs, "attention:tokens=16,width=2", "polybench/jacobi-1d:TSTEPS=24,N=66"):
        dag = load(spec)
        for rules in (ONE_SHOT, RULES["recompute"]):
            for name in ("segments", "dominators", "projections", "attention", "uniform", "affine"):
                memory = min_memory(dag, rules=rules) + 2
                try:
                    bound = BOUNDS[name](dag, memory, rules=rules, time_limit=0.3)
                except NotApplicableError:
                    continue
                names_found |= set(theorems_of(bound.certificate))
    assert names_found - THEOREMS.keys() <= {"compulsory"}
    assert {"W1", "W2", "S8", "N1", "N2"} <= names_found
    assert named(("W3", "staged")) == ["W3 Windows that begin anywhere", "staged"]


def test_sums_of_parts_rest_on_what_their_parts_do():
    part = {"vertices": "all", "share": 1, "proof": "moment", "data": {}}
    results = [{**part, "proof": entry} for entry in ("moment", "exact", "order", "moment")]
    data = {"parts": results, "denominator": 1, "owners": [], "readers": []}
    inner = {"kind": "staged", "data": data, "kept": "all"}
    assert theorems_of(Certificate("thinned", inner)) == (
        "M2",
        "P1",
        "P2",
        "P5",
        "P3",
        "E1",
        "E2",
        "E3",
        "P6",
    )
    tree = load("tree:height=4")
    assert theorems_of(BOUNDS["forests"](tree, 4).certificate) == ("P7", "M5")
