"""The product of the registries: every generator, bound, scheduler and set of rules."""

from functools import cache, partial
from itertools import product

import pytest

from dags import EXAMPLES, load
from pebble import RULES, judge, min_memory, play
from proofs import BOUNDS, NotApplicableError, check
from schedulers import SCHEDULERS
from tests.registries import SMALL_EXAMPLES, SMALL_PROGRAMS

# A scheduler that searches and a bound that searches get a moment: what they say must be true
# whenever they stop.
SHORT = 0.02
BRIEF = 0.1
SHORTLY_SEARCHED = 20  # vertices
loaded = cache(load)  # what is found of a DAG is kept as long as the DAG is
PLAYERS = SCHEDULERS | {"search": partial(SCHEDULERS["search"], time_limit=SHORT)}


def test_every_generator_has_a_small_example():
    assert set(SMALL_EXAMPLES) == set(EXAMPLES)
    for name, spec in SMALL_EXAMPLES.items():
        assert load(spec).family == load(EXAMPLES[name]).family


def bounds_on(dag, memory, rules, methods=BOUNDS):
    """What every method that applies proves; each bound has passed its checker."""
    for name, method in methods.items():
        brief = name in ("exact-pieces", "ideals") and dag.n > SHORTLY_SEARCHED
        try:
            bound = method(dag, memory, rules=rules, **({"time_limit": BRIEF} if brief else {}))
        except NotApplicableError:
            continue
        assert (bound.method, bound.memory, bound.rules) == (name, memory, rules)
        check(dag, memory, bound)
        yield bound


def costs_on(dag, memory, rules):
    """What every scheduler moves; referee and engine agree about each."""
    for name, player in PLAYERS.items():
        made = player(dag, memory, rules=rules)
        count = judge(dag, made, memory, rules=rules)
        assert count == play(dag, made, memory, rules=rules), name
        yield count.io


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("name", [*EXAMPLES, *SMALL_PROGRAMS])
def test_bounds_stand_and_schedules_are_legal_and_no_bound_exceeds_any(name, rules):
    dag = loaded({**SMALL_PROGRAMS, **SMALL_EXAMPLES}[name])
    least = min_memory(dag)
    for memory in (least, 2 * least):
        cheapest = min(costs_on(dag, memory, RULES[rules]))
        for bound in bounds_on(dag, memory, RULES[rules]):
            assert bound.io <= cheapest, bound


def test_every_bound_applies_to_some_example():
    unmet, specs = dict(BOUNDS), (*SMALL_EXAMPLES.values(), *SMALL_PROGRAMS.values())
    for rules, dag in product(("one-shot", "recompute"), map(loaded, specs)):
        for bound in [*bounds_on(dag, 2 * min_memory(dag), RULES[rules], unmet)]:
            del unmet[bound.method]
    assert not unmet
