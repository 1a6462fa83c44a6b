"""A certificate that violates one premise of its theorem is refused, for the reason of the premise.

docs/theory/premises.md lists the premises; each of a theorem about nests is broken here.
"""

from collections.abc import Callable
from functools import cache

import pytest

pytest.importorskip("islpy", reason="islpy is not installed")

from dags.programs.box_nests import BoxNest
from dags.programs.box_reader import box_nest
from dags.programs.text import from_c
from pebble import ONE_SHOT, PARTIAL, RULES, Rules
from proofs import CertificateError
from proofs.certificates import proven_io
from proofs.core.records import Certificate
from proofs.lemmas.loops.nests import LABELLED, SUM, WINDOWS, proven
from tests.chain_texts import CHAINS
from tests.nest_texts import MTTKRP, NORM, PRODUCT, SWEEPS, UPPER
from tests.test_proofs.lemmas.test_premises import PAGE, rows

AGAIN = RULES["recompute"]
ABOUT_NESTS = {"N3", "N8", "N9", "N10", "N17", "N18", "N19", "N20", "N21"}
Case = tuple[BoxNest, str, dict[str, object], Rules]


@cache
def nest(name: str, *, any_order: bool = False) -> BoxNest:
    """Nests at small sizes."""
    text, sizes = {
        "product": (PRODUCT, {"M": 4, "N": 4, "K": 4}),
        "mttkrp": (MTTKRP, {"I": 3, "R": 3, "J": 3, "L": 3}),
        "upper": (UPPER, {"N": 5}),
        "norm": (NORM, {"N": 3, "C": 20}),
        "sweeps": (SWEEPS, {"T": 4, "N": 24}),
        "mixed": (MIXED, {"N": 4}),
        "turned": (TURNED, {"N": 4}),
        "twice": (TWICE, {"N": 4}),
        "triangle": (TRIANGLE, {"N": 4}),
        "padded": (INSIDE, {"N": 6, "R": 3}),
        "two": (CHAINS["two products"][0], dict.fromkeys("MKLN", 4)),
    }[name]
    return box_nest(from_c(text), sizes, any_order=any_order)


MIXED = """void f(int N, double a[N][N][2*N], double b[N][N], double y[N][N]) {
  for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) { y[i][j] = 0;
    for (int k = 0; k < N; k++) y[i][j] += a[i][k][i+k] * b[k][j]; } }"""
TURNED = """void f(int N, double a[N][N], double r[N], double y[N][N]) {
  for (int i = 0; i < N; i++) { r[i] = 0;
    for (int j = 0; j < N; j++) r[i] += a[i][j]; }
  for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) y[i][j] = a[i][j] * r[N-1-i]; }"""
TWICE = """void f(int N, double a[N][N], double b[N][N], double c[N][N], double d[N][N]) {
  for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) { c[i][j] = 0;
    for (int k = 0; k < N; k++) c[i][j] += a[i][k] * b[k][j]; }
  for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) { d[i][j] = 0;
    for (int k = 0; k < N; k++) d[i][j] += a[i][k] * b[k][j]; } }"""
TRIANGLE = "void f(int N, double a[N][N], double b[N][N], double c[N][N]"
TRIANGLE += ", double d[N][N], double e[N][N], double f[N][N]) {\n"
for made, left, right in ("dab", "ebc", "fca"):
    TRIANGLE += f"""for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) {{ {made}[i][j] = 0;
    for (int k = 0; k < N; k++) {made}[i][j] += {left}[i][k] * {right}[k][j]; }}
  """
TRIANGLE += "}"
INSIDE = """void f(int N, int R, double x[N+R], double w[R], double y[N]) {
  for (int i = 0; i < N; i++) { y[i] = 0;
    for (int r = 0; r < R; r++) y[i] += x[i + r] * w[r]; } }"""
HALF = dict.fromkeys(("A_a", "A_b", "S1"), "1/2")


def windows(**change: object) -> dict[str, object]:
    """Windows of a product's updates (N8)."""
    cut = [{"size": 32, "count": 2, "exponents": HALF}]
    full = {"assignment": "S1", "arrays": ["A_a", "A_b", "S1"], "order": [0, 1, 2], "windows": cut}
    return {**full, **change}


def two_parts() -> list[dict[str, object]]:
    """Windows by either operand of a product alone."""
    parts = []
    for array in ("A_a", "A_b"):
        cut = [{"size": 64, "count": 1, "exponents": {array: "1"}}]
        parts.append(windows(arrays=[array], windows=cut))
    return parts


def ordered(**change: object) -> dict[str, object]:
    """Sums of a product of a tensor, in the order of the text (N8)."""
    arrays = ["A_x", "A_b", "A_c", "S1"]
    cut = [{"size": 81, "count": 1, "exponents": dict.fromkeys(arrays, "1/2")}]
    full = {"assignment": "S1", "arrays": arrays, "order": [0, 1, 2, 3], "windows": cut}
    return {**full, "ordered": ["A_x", "A_c"], **change}


def everywhere(**change: object) -> dict[str, object]:
    """Windows that begin anywhere (N20)."""
    full = {"assignment": "S1", "arrays": ["A_a", "A_b", "S1"], "order": [0, 1, 2]}
    return {**full, "size": 8, "exponents": HALF, **change}


def joint(names: list[str], private: list[str], size: int) -> dict[str, object]:
    """Windows of several products (N9)."""
    return {"assignments": names, "private": private, "windows": [{"size": size, "count": 1}]}


def slot(role: list[int], array: str, **change: object) -> dict[str, object]:
    """Labels that an array's indices say (N19)."""
    values = [{"array": array, "places": [0, 1], "shifts": [0, 0]}]
    return {"roles": [role], "values": values, **change}


def labelled(**change: object) -> dict[str, object]:
    """Windows of a product whose items are told by labels (N19)."""
    slots = [slot([0, 2], "A_a"), slot([2, 1], "A_b"), slot([0, 1], "S1")]
    cut = [{"size": 32, "count": 2, "exponents": dict.fromkeys("012", "1/2")}]
    members = [{"assignment": "S1", "loops": [0, 1, 2]}]
    return {"members": members, "slots": slots, "windows": cut, **change}


def of_all(**change: object) -> dict[str, object]:
    """Windows of several processors (N8, M3)."""
    return {**everywhere(), "processors": 2, **change}


def case(name: str, kind: str, data: dict[str, object], **extra: object) -> Case:
    """A certificate of a nest, by the end of its kind's name."""
    rules = extra.pop("rules", ONE_SHOT)
    assert isinstance(rules, Rules)
    return nest(name, **extra), f"nest-{kind}", data, rules  # type: ignore[arg-type]


def of(array: str, *sweeps: str) -> dict[str, object]:
    """Sweeps over an array (N17)."""
    return {"arrays": [{"array": array, "sweeps": [*sweeps]}]}


HONEST: list[Case] = [
    case("product", "windows", windows()),
    case("mttkrp", "windows", ordered()),
    case("product", "windows", windows(), rules=PARTIAL),
    case("product", "sum", {"windows": two_parts()}),
    case("product", "windows-everywhere", everywhere()),
    case("product", "labelled-windows", labelled()),
    case("product", "processors", of_all()),
    case("two", "joint-windows", joint(["S1", "S3"], ["A_A", "A_C"], 128)),
    case("product", "cut", {"assignment": "S1"}),
    case("norm", "waits", of("A_x", "S1", "S3")),
    case("sweeps", "mesh", {"family": "star", "members": ["S0", "S1"]}),
]
ONE = [{"size": 64, "count": 1, "exponents": dict.fromkeys("012", "1/2")}]
Broken = dict[str, tuple[str, Callable[[], Case]]]
BROKEN: Broken = {
    "N8: the assignment is in the nest": (
        "none of this nest",
        lambda: case("product", "windows", windows(assignment="S7")),
    ),
    "N8: arrays are different": (
        "different names",
        lambda: case("product", "windows", windows(arrays=["A_a", "A_b", "A_b"])),
    ),
    "N8: every update has an item of each array": (
        "not every update reads",
        lambda: case("product", "windows", windows(arrays=["A_a", "A_c", "S1"])),
    ),
    "N8: items of its own are sums": (
        "summed up in no items",
        lambda: case("norm", "windows", windows(assignment="S3", arrays=["S3"], order=[0, 1])),
    ),
    "N8: the order has each loop once": (
        "not of all loops",
        lambda: case("product", "windows", windows(order=[0, 1, 1])),
    ),
    "N8: windows hold all updates": (
        "do not hold the 64",
        lambda: case(
            "product",
            "windows",
            windows(windows=[{"size": 32, "count": 3, "exponents": HALF}]),
        ),
    ),
    "N8: exponents are those of the arrays": (
        "does not belong here",
        lambda: case(
            "product",
            "windows",
            windows(windows=[{"size": 64, "count": 1, "exponents": {**HALF, "A_c": "1"}}]),
        ),
    ),
    "N8: exponents are fractions from 0 to 4": (
        "no fraction",
        lambda: case(
            "product",
            "windows",
            windows(windows=[{"size": 64, "count": 1, "exponents": {**HALF, "S1": "-1/2"}}]),
        ),
    ),
    "N8: powers are limited": (
        "ask for powers",
        lambda: case(
            "product",
            "windows",
            windows(
                windows=[{"size": 64, "count": 1, "exponents": dict.fromkeys(HALF, "20159/5040")}]
            ),
        ),
    ),
    "N8: a part of the updates is a box among them": (
        "no part of the assignment's",
        lambda: case("product", "windows", windows(box=[[0, 4], [0, 5], [0, 4]])),
    ),
    "N8: a part has whole sums": (
        "has parts of sums",
        lambda: case("product", "windows", windows(box=[[0, 4], [0, 4], [0, 3]])),
    ),
    "N8: a part is of updates on a whole box": (
        "some of their iterations",
        lambda: case("upper", "windows", windows(box=[[0, 5], [0, 5], [0, 5]])),
    ),
    "N3: windows of nests are of one assignment, or of labels": (
        "computed in part",
        lambda: case("product", "cut", {"assignment": "S1"}, rules=PARTIAL),
    ),
    "N3: sums of nests are in order": (
        "computed in part",
        lambda: case("product", "windows", windows(), rules=PARTIAL, any_order=True),
    ),
    "N3: windows go by sums that are not ordered": (
        "any order",
        lambda: case("mttkrp", "windows", ordered(), rules=PARTIAL),
    ),
    "N3: what is computed in part is counted once": (
        "twice",
        lambda: case("product", "sum", {"windows": two_parts()}, rules=PARTIAL),
    ),
    "N8: sums are in the order of the text": (
        "any order",
        lambda: case("mttkrp", "windows", ordered(), any_order=True),
    ),
    "N8: ordered sums go along several loops": (
        "along several loops",
        lambda: case("product", "windows", windows(ordered=["A_a", "A_b"])),
    ),
    "N8: ordered arrays are two that are counted": (
        "no two arrays",
        lambda: case("mttkrp", "windows", ordered(ordered=["A_x", "A_x"])),
    ),
    "N8: the second array goes along the last loop alone": (
        "along the last loop alone",
        lambda: case("mttkrp", "windows", ordered(ordered=["A_x", "A_b"])),
    ),
    "N8: both arrays tell an update": (
        "do not tell an update",
        lambda: case("mttkrp", "windows", ordered(ordered=["A_b", "A_c"])),
    ),
    "N8: exponents of several processors add up to 1": (
        "add up to less than 1",
        lambda: case("product", "processors", of_all(exponents=dict.fromkeys(HALF, "1/4"))),
    ),
    "N8: sums of several processors are in order": (
        "shared by processors",
        lambda: case("product", "processors", of_all(), any_order=True),
    ),
    "N8: several processors compute each value once": (
        "computed again",
        lambda: case("product", "processors", of_all(), rules=AGAIN),
    ),
    "N9: assignments are several, each once": (
        "not several",
        lambda: case("two", "joint-windows", joint(["S1", "S1"], ["A_A", "A_A"], 128)),
    ),
    "N9: assignments are in the nest": (
        "none of this nest",
        lambda: case("two", "joint-windows", joint(["S1", "S9"], ["A_A", "A_C"], 128)),
    ),
    "N9: each is a product of three arrays": (
        "is no product",
        lambda: case("norm", "joint-windows", joint(["S1", "S3"], ["A_x", "A_x"], 128)),
    ),
    "N9: each loop is kept by two arrays": (
        "loop of one array",
        lambda: case("padded", "cut", {"assignment": "S1"}),
    ),
    "N9: a private array is of one product": (
        "another product touches",
        lambda: case("two", "joint-windows", joint(["S1", "S3"], ["S1", "A_C"], 128)),
    ),
    "N9: no two products are on the same arrays": (
        "on the same arrays",
        lambda: case("twice", "joint-windows", joint(["S1", "S3"], ["S1", "S3"], 128)),
    ),
    "N9: windows hold all updates": (
        "do not hold the 128",
        lambda: case("two", "joint-windows", joint(["S1", "S3"], ["A_A", "A_C"], 129)),
    ),
    "N9: no three products make a triangle": (
        "in a triangle",
        lambda: case(
            "triangle", "joint-windows", joint(["S1", "S3", "S5"], ["S1", "S3", "S5"], 192)
        ),
    ),
    "N10: the assignment is in the nest": (
        "none of this nest",
        lambda: case("product", "cut", {"assignment": "S9"}),
    ),
    "N10: it is a product": (
        "no product",
        lambda: case("norm", "cut", {"assignment": "S1"}),
    ),
    "N10: it is run on a whole box": (
        "no whole box",
        lambda: case("upper", "cut", {"assignment": "S1"}),
    ),
    "N10: its indices are of one loop each": (
        "index of several loops",
        lambda: case("mixed", "cut", {"assignment": "S1"}),
    ),
    "N17: sweeps are several assignments, each once": (
        "not several",
        lambda: case("norm", "waits", of("A_x", "S1", "S1")),
    ),
    "N17: each reads the array everywhere": (
        "everywhere",
        lambda: case("norm", "waits", of("A_y", "S1", "S3")),
    ),
    "N17: each but the last sums up": (
        "sums up nothing",
        lambda: case("norm", "waits", of("A_x", "S3", "S1")),
    ),
    "N17: each waits for the sum of the one before": (
        "does not wait",
        lambda: case("turned", "waits", of("A_a", "S1", "S2")),
    ),
    "N17: values are computed once": (
        "computed again",
        lambda: case("norm", "waits", of("A_x", "S1", "S3"), rules=AGAIN),
    ),
    "N18: no kind of value is counted twice": (
        "twice",
        lambda: case("product", "sum", {"windows": [windows()], "cuts": [{"assignment": "S1"}]}),
    ),
    "N18: where values are computed again, arrays that are read are inputs": (
        "computed again",
        lambda: case("two", "cut", {"assignment": "S3"}, rules=AGAIN),
    ),
    "N18: where values are computed again, sums are in order": (
        "computed again",
        lambda: case("product", "cut", {"assignment": "S1"}, rules=AGAIN, any_order=True),
    ),
    "N19: members are in the nest, with all their loops": (
        "have other loops",
        lambda: case(
            "product",
            "labelled-windows",
            labelled(members=[{"assignment": "S1", "loops": [0, 1, 1]}]),
        ),
    ),
    "N19: coordinates are moved by a constant each, or none is": (
        "are not one for each coordinate",
        lambda: case(
            "product",
            "labelled-windows",
            labelled(members=[{"assignment": "S1", "loops": [0, 1, 2], "shifts": [1]}]),
        ),
    ),
    "N19: updates stand at different points": (
        "two updates at one point",
        lambda: case(
            "product",
            "labelled-windows",
            labelled(members=[{"assignment": "S1", "loops": [0, 1, 2]}] * 2),
        ),
    ),
    "N19: a role is some coordinates, each once": (
        "as many coordinates",
        lambda: case(
            "product",
            "labelled-windows",
            labelled(slots=[slot([0, 2], "A_a", roles=[[0, 2], [1, 1]])]),
        ),
    ),
    "N19: a role leaves a coordinate": (
        "or all of them",
        lambda: case("product", "labelled-windows", labelled(slots=[slot([0, 1, 2], "A_a")])),
    ),
    "N19: an array has one label in a slot": (
        "an array twice",
        lambda: case(
            "product",
            "labelled-windows",
            labelled(slots=[slot([0, 2], "A_a", values=slot([0, 2], "A_a")["values"] * 2)]),  # type: ignore[operator]
        ),
    ),
    "N19: changed coordinates are two": (
        "not two coordinates",
        lambda: case("product", "labelled-windows", labelled(falling=[0, 0])),
    ),
    "N19: changed coordinates are those of no sum": (
        "summed up",
        lambda: case("product", "labelled-windows", labelled(falling=[0, 2])),
    ),
    "N19: slots mirror changed coordinates": (
        "does not mirror",
        lambda: case("product", "labelled-windows", labelled(falling=[0, 1])),
    ),
    "N19: windows hold all updates": (
        "do not hold the 64",
        lambda: case("product", "labelled-windows", labelled(windows=[{**ONE[0], "size": 65}])),
    ),
    "N20: a window is no longer than all updates": (
        "more than the 64 updates",
        lambda: case("product", "windows-everywhere", everywhere(size=65)),
    ),
    "N20: a window has two updates": (
        "less than 2",
        lambda: case("product", "windows-everywhere", everywhere(size=1)),
    ),
    "N20: every update has an item of each array": (
        "not every update reads",
        lambda: case("product", "windows-everywhere", everywhere(arrays=["A_a", "A_c", "S1"])),
    ),
    "N20: arrays are different": (
        "different names",
        lambda: case("product", "windows-everywhere", everywhere(arrays=["A_a", "A_a", "S1"])),
    ),
    "N20: exponents are those of the arrays": (
        "is missing",
        lambda: case("product", "windows-everywhere", everywhere(exponents={"A_a": "1"})),
    ),
    "N21: members are in the nest, each once": (
        "there twice",
        lambda: case("sweeps", "mesh", {"family": "star", "members": ["S0", "S0"]}),
    ),
    "N21: members are run on whole boxes and sum up nothing": (
        "are sums",
        lambda: case("product", "mesh", {"family": "star", "members": ["S1"]}),
    ),
    "N21: members are run on one box": (
        "not run on one box",
        lambda: case("norm", "mesh", {"family": "star", "members": ["S2", "S3"]}),
    ),
    "N21: members read all neighbours one step before": (
        "do not read all neighbours",
        lambda: case("sweeps", "mesh", {"family": "star", "members": ["S1", "S0"]}),
    ),
    "N21: a grid reads the points before along all axes": (
        "points before along all axes",
        lambda: case("sweeps", "mesh", {"family": "grid", "members": ["S0"]}),
    ),
    "N21: values are computed once, in order": (
        "computed again",
        lambda: case("sweeps", "mesh", {"family": "star", "members": ["S0", "S1"]}, rules=AGAIN),
    ),
}


def test_each_premise_of_the_page_is_broken():
    messages = [(number, premise) for number, premise, *_ in rows() if number in ABOUT_NESTS]
    named = {f"{number}: {premise}" for number, premise in messages}
    assert BROKEN.keys() <= named
    counted = named - BROKEN.keys()
    page = PAGE.read_text().partition("## Nests, what is counted")
    assert all(f"| {entry.partition(': ')[2]} |" in page[2] for entry in counted)
    assert all(f"| {entry.partition(': ')[2]} |" in page[0] for entry in BROKEN)


@pytest.mark.parametrize("honest", HONEST, ids=lambda entry: entry[1])
def test_certificates_hold_before_they_are_broken(honest):
    result, kind, data, rules = honest
    assert proven(result, 4, rules, Certificate(kind, data)) > 0


OF_ONE_SHOT = [entry for entry in HONEST if entry[1] not in (WINDOWS, LABELLED, SUM)]


@pytest.mark.parametrize("honest", OF_ONE_SHOT, ids=lambda entry: entry[1])
def test_other_parts_of_nests_prove_nothing_of_partial_computation(honest):
    result, kind, data, _ = honest
    with pytest.raises(CertificateError, match="nothing of partial computation"):
        proven_io(result, 4, PARTIAL, Certificate(kind, data))
    with pytest.raises(CertificateError, match=r"in part|computed again"):
        proven(result, 4, PARTIAL, Certificate(kind, data))


@pytest.mark.parametrize("premise", BROKEN)
def test_a_broken_premise_is_refused(premise):
    message, build = BROKEN[premise]
    result, kind, data, rules = build()
    with pytest.raises(CertificateError, match=message):
        proven(result, 4, rules, Certificate(kind, data))
