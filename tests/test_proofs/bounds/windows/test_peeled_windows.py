"""Windows whose sets are peeled: against all subsets, optima, and what is visited otherwise."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dags import CDAG
from dags.arrays import lock
from pebble import ONE_SHOT, RULES, min_memory
from proofs import Certificate, CertificateError, check, reuse
from proofs.certificates import proven_io
from proofs.certificates.windows.reuse import Savings, Sharing, savings
from proofs.certificates.windows.reuse._kernels import peels
from tests.oracles import optimum
from tests.strategies import dags, memories
from tests.test_proofs.bounds.windows.test_short_windows import sets_of

ONCE = [rules for rules in RULES.values() if not rules.recompute]


def readers_at_random(n, degree, seed):
    """Every vertex but the first ones reads so many before it."""
    rng = np.random.default_rng(seed)
    rows = [np.sort(rng.choice(v, min(v, degree), replace=False)) for v in range(n)]
    return CDAG(np.cumsum([0, *map(len, rows)]), np.concatenate(rows).astype(np.int32))


def missing(worth, length):
    """What each set of steps, connected or not, pays less than it saves, by all subsets."""
    dag = worth.sharing.dag
    place = {v: x for x, v in enumerate(dag.computed.tolist())}
    for members, touched in sets_of(dag, length):
        counts = {u: sum(u in touched[x] for x in members) for x in members for u in touched[x]}
        saved = sum(int(worth.weight[u]) * (count - 1) for u, count in counts.items())
        yield [place[x] for x in members], saved


@pytest.mark.parametrize("length", range(2, 65))
def test_what_values_count_falls_no_faster_than_what_sets_pay(length):
    """The premises of peeling: the average over steps that are left out, and what sets save."""

    def counts(t, size):
        return Fraction(int(peels.counted.py_func(t, size, length)), length * (length - 1))

    for size in range(2, length + 1):
        share = Fraction(size - 1, length - 1)
        assert all(counts(t, size) >= share * (t - 1) for t in range(1, size + 1))
    for size in range(3, length + 1):
        for t in range(size + 1):
            left = Fraction(t, size) * counts(t - 1, size - 1)
            if t < size:
                left += Fraction(size - t, size) * counts(t, size - 1)
            assert left >= Fraction(size - 2, size) * counts(t, size)


@given(dags(max_vertices=9), st.integers(2, 6), st.integers(-2, 1), st.data())
@settings(max_examples=200)
def test_a_set_that_pays_too_little_is_met_if_there_is_one(dag, length, beyond, data):
    """Charges are such that the worst set pays nearly enough."""
    sharing = Sharing(dag, min_memory(dag) + 1, ONE_SHOT)
    worth = Savings(sharing, length, 60, data.draw(st.integers(1, 60)))
    chosen = st.lists(st.integers(0, 60), min_size=sharing.size, max_size=sharing.size)
    charge = np.array(data.draw(chosen), np.int64)
    sets = list(missing(worth, length))
    while any(saved > charge[members].sum() for members, saved in sets):
        members, saved = max(sets, key=lambda first: first[1] - charge[first[0]].sum())
        charge[members[0]] += saved - charge[members].sum()
    if sharing.size:
        charge[data.draw(st.integers(0, sharing.size - 1))] += beyond
    charge = np.maximum(charge, 0)
    short = np.full((1, length), -1, np.int64)
    looked, result = worth.peeled(lock(charge), 0, sharing.size, 10**6, short)
    assert bool(result) == any(saved > charge[members].sum() for members, saved in sets)
    assert looked >= result
    if looked > 1:
        assert worth.peeled(lock(charge), 0, sharing.size, looked - 1, short)[0] in (-1, looked - 1)


@given(st.data())
@settings(max_examples=200)
def test_any_charges_that_are_accepted_prove_what_is_true(data):
    dag = data.draw(dags(max_vertices=8))
    rules = data.draw(st.sampled_from(ONCE))
    memory = data.draw(memories(dag, rules))
    steps, parts = dag.computed.size, data.draw(st.integers(1, 12))
    charges = data.draw(st.lists(st.integers(0, 2 * parts), min_size=steps, max_size=steps))
    fields = {
        "length": data.draw(st.integers(2, 9)),
        "denominator": parts,
        "price": data.draw(st.integers(0, 2 * parts)),
        "charges": charges,
        "peeled": 1,
        **({"twins": 1} if data.draw(st.booleans()) else {}),
    }
    try:
        words = proven_io(dag, memory, rules, Certificate("reuse", fields))
    except CertificateError:
        return
    assert words <= optimum(dag, memory, rules)


def test_no_cliff_where_memory_holds_more_than_a_step():
    """With twice the least memory sets of four steps are too many to be visited."""
    dag = readers_at_random(220, 8, seed=4)
    smallest = min_memory(dag)
    bounds = [reuse(dag, memory, time_limit=6) for memory in (smallest + 4, 2 * smallest)]
    for bound, beyond in zip(bounds, (400, 100), strict=True):
        check(dag, bound.memory, bound)
        assert bound.certificate.data["peeled"] == 1
        assert bound.io > dag.used_inputs.size + dag.outputs.size + beyond


def test_forged_certificates(monkeypatch):
    dag = readers_at_random(220, 8, seed=4)
    bound = reuse(dag, min_memory(dag) + 4, time_limit=6)
    data = bound.certificate.data
    assert data["peeled"] == 1
    minimum = np.flatnonzero(data["charges"] == data["charges"].max())[0]
    fewer = data["charges"].copy()
    fewer[minimum] = 0
    for changed, message in (
        ({"charges": fewer}, "too small"),
        ({"length": 65}, "more than 64"),
        ({"length": 1}, "length"),
    ):
        with pytest.raises(CertificateError, match=message):
            proven_io(dag, 13, ONE_SHOT, Certificate("reuse", {**data, **changed}))
    monkeypatch.setattr(savings, "MOST_PEELED", 60)
    with pytest.raises(CertificateError, match="sets to look at"):
        proven_io(dag, 13, ONE_SHOT, bound.certificate)


def test_few_sets_are_looked_at_where_many_steps_touch_a_value():
    """All read two values: any steps share them, and no three of them save what they pay."""
    n, length = 60, 12
    rows = [np.zeros(0, np.int32)] * 2 + [np.arange(2, dtype=np.int32)] * (n - 2)
    dag = CDAG(np.cumsum([0, *map(len, rows)]), np.concatenate(rows))
    sharing = Sharing(dag, 4, ONE_SHOT)
    worth = Savings(sharing, length, 60, 60)
    charge = np.full(sharing.size, 2 * int(worth.weight.max()), np.int64)
    short = np.full((1, length), -1, np.int64)
    looked, result = worth.peeled(lock(charge), 0, sharing.size, 10**6, short)
    assert (looked >= 0, result) == (True, 0)
