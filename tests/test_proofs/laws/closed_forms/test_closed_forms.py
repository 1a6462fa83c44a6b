"""Closed forms: formulas that methods with searched constants reach, and no play beats."""

from contextlib import suppress

import pytest

from dags import GENERATORS, load
from pebble import ONE_SHOT, Budget, min_memory
from pebble.rules import RULES
from proofs import BOUNDS, NotApplicableError
from proofs.bounds.loops.space_search import named_dag, verified_spaces
from proofs.laws.closed_forms import FORMS, form_words, largest_form
from proofs.lemmas.loops.projections import ARGUMENTS, SEGMENTS, premises
from schedulers import structured
from tests.oracles import optimum

# Each family at a size at which its forms say more than the compulsory words, for some memory.
SPECS = {
    "attention": ("attention:tokens=40,width=1", "attention:tokens=12,width=3"),
    "binomial": ("binomial:n=40",),
    "bitonic_sort": ("bitonic_sort:n=64",),
    "chain": ("chain:n=7",),
    "cholesky": ("cholesky:n=20",),
    "convolution": (
        "convolution:height=9,width=8,channels=2,filters=4",
        "convolution:height=9,width=9,channels=3,filters=4,kernel=2,stride=3",
    ),
    "dirac_steps": ("dirac_steps:shape=2x2,steps=1",),  # more is said of it in `test_spinors`
    "fft": ("fft:n=256", "fft:n=243,radix=3"),
    "grid": ("grid:shape=30x20", "grid:shape=4x5x6", "grid:shape=9"),
    "lu": ("lu:n=14",),
    "matmul": ("matmul:m=9,n=7,k=8", "matmul:m=6,n=8,k=9,form=tree", "matmul:m=5,n=4,k=1"),
    "matvec": ("matvec:n=20,m=15",),
    "odd_even_merge_sort": ("odd_even_merge_sort:n=128",),
    "pyramid": ("pyramid:height=40",),
    "qr_givens": ("qr_givens:n=12", "qr_givens:n=6,m=20"),
    "stencil": (
        "stencil:shape=40,steps=30",
        "stencil:shape=40,steps=30,periodic=true",
        "stencil:shape=3x1,steps=60",
        "stencil:shape=5x4,steps=3",
    ),
    "syrk": ("syrk:n=12,k=9",),
    "tree": ("tree:height=3,arity=3",),
    "triangular_solve": ("triangular_solve:n=12,k=9",),
}
CASES = [(family, spec) for family, specs in SPECS.items() for spec in specs]
TINY = (
    "dirac_steps:shape=2x2,steps=1",
    "dirac_steps:shape=3,steps=2",
    "binomial:n=3",
    "fft:n=4",
    "fft:n=3,radix=3",
    "grid:shape=4x3",
    "lu:n=2",
    "matmul:m=2,n=2,k=1",
    "matvec:n=2,m=2",
    "pyramid:height=3",
    "stencil:shape=3,steps=3",
    "stencil:shape=4,steps=2,periodic=true",
    "syrk:n=2,k=2",
    "tree:height=2",
    "triangular_solve:n=2,k=1",
)


def searched(dag, memory, rules):
    """Yield what methods prove which choose their windows for the DAG, one after another."""
    names = "affine", "projections", "segments", "dominators", "attention", "dirac", "butterflies"
    for name in ("compulsory", *names):
        with suppress(NotApplicableError):
            yield BOUNDS[name](dag, memory, rules=rules, time_limit=None).io


def large_image():
    sides = {"height": 500, "width": 500, "channels": 64, "filters": 64}
    return {**sides, "kernel": 3, "stride": 1}


def test_every_family_with_a_form_is_tried():
    assert set(SPECS) == set(FORMS) <= set(GENERATORS)


@pytest.mark.parametrize(("family", "spec"), CASES)
def test_never_above_what_searched_windows_prove(family, spec):
    dag = load(spec)
    for rules in RULES.values():
        smallest = min_memory(dag, rules=rules)
        for memory in (smallest, smallest + 1, smallest + 4):
            words = largest_form(family, dag.params, memory, rules)
            assert any(words <= io for io in searched(dag, memory, rules))
            if rules == ONE_SHOT:
                assert words <= structured.plan(dag, memory).io


@pytest.mark.parametrize("spec", TINY)
def test_never_above_the_optimum(spec):
    dag = load(spec)
    for rules in RULES.values():
        smallest = min_memory(dag, rules=rules)
        for memory in (smallest, smallest + 1):
            words = largest_form(dag.family, dag.params, memory, rules)
            assert words <= optimum(dag, memory, rules)


@pytest.mark.parametrize("family", [family for family in FORMS if len(FORMS[family]) > 1])
def test_each_form_says_something(family):
    """Beyond the compulsory words, with some memory, at sizes that are not searched."""
    large = {
        "attention": {"tokens": 10**4, "width": 4},
        "fft": {"n": 2**20, "radix": 2},
        "bitonic_sort": {"n": 2**20},
        "odd_even_merge_sort": {"n": 2**20},
        "grid": {"shape": (10**4, 10**4)},
        "pyramid": {"height": 10**4},
        "matvec": {"n": 10**4, "m": 10**4},
        "convolution": large_image(),
        "dirac_steps": {"shape": (10**3,) * 4, "steps": 10**3, "periodic": False},
    }
    params = large.get(family, {"n": 10**4, "m": 10**4, "k": 10**4})
    shapes = [{**params, "shape": (10**4,), "steps": 10**4, "periodic": ring} for ring in (0, 1)]
    chosen = shapes if family == "stencil" else [params]
    first, *remaining = FORMS[family]
    for form in remaining:
        extra = [
            (form_words(form, entry, memory, ONE_SHOT) or 0) - first.words(entry, memory)
            for entry in chosen
            for memory in (20, 100, 400, 3000)
        ]
        assert max(extra) > 0


def counted_on(dag):
    """The numbers of updates and gains of each argument, verified on the DAG."""
    if dag.family in SEGMENTS:
        for name, known in ARGUMENTS.items():
            if dag.family in known and name != "aggregations":  # those of partial computation
                yield [premises(dag, name, dag.family, dag.params)[1:]]
        return
    named = named_dag(dag)
    if named is None:
        return
    arguments = {"segments": ONE_SHOT}
    if dag.family != "syrk":  # of which computing again never helps
        arguments["dominators"] = RULES["recompute"]
    for argument, rules in arguments.items():
        yield [
            (space.updates, space.gain)
            for space in verified_spaces(named.dag, rules, Budget())
            if space.argument == argument
        ]


@pytest.mark.parametrize(
    ("family", "spec"), [case for case in CASES if any(counted_on(load(case[1])))]
)
def test_gains_are_those_counted_on_the_dag(family, spec):
    """2 K W + K + g with the number of updates and the gain that is verified on the DAG."""
    dag = load(spec)
    counted = [*counted_on(dag)]
    cubes = [form for form in FORMS[family] if form.formula.startswith("2 K W + K")]
    assert len(cubes) == (0 if family == "matvec" else len(counted))
    for form, ways in zip(cubes, counted, strict=False):
        words = form.words(dag.params, 1)
        assert any(
            words <= 2 * updates + 1 + gain and words % 2 == (1 + gain) % 2
            for updates, gain in ways
        )
    if family in ("matmul", "lu", "triangular_solve", "attention"):  # c = 1
        assert cubes[0].words(dag.params, 1) in [
            2 * updates + 1 + gain for updates, gain in counted[0]
        ]


def test_far_beyond_what_could_be_built():
    params = {"m": 10**6, "n": 10**6, "k": 10**6}
    words = largest_form("matmul", params, 10**8 + 1, ONE_SHOT)
    assert words == 2 * 10**8 * (10**18 // 10**12) + 10**8
