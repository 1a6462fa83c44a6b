"""The product of the registries: every generator, bound, scheduler and set of rules."""

from functools import cache, partial
from itertools import product

import pytest

from dags import EXAMPLES, load
from pebble import RULES, judge, min_memory, play
from proofs import BOUNDS
from schedulers import SCHEDULERS
from tests.registries import SMALL_EXAMPLES, SMALL_PROGRAMS, bounds_on

SHORT = 0.02  # seconds of a scheduler that searches: what it says must be true whenever it stops
loaded = cache(load)  # what is found of a DAG is kept as long as the DAG is
PLAYERS = SCHEDULERS | {"search": partial(SCHEDULERS["search"], time_limit=SHORT)}


def test_every_generator_has_a_small_example():
    assert set(SMALL_EXAMPLES) == set(EXAMPLES)
    for name, spec in SMALL_EXAMPLES.items():
        assert load(spec).family == load(EXAMPLES[name]).family


def costs_on(dag, memory, rules):
    """What every scheduler moves; referee and engine agree about each."""
    for name, player in PLAYERS.items():
        page = player(dag, memory, rules=rules)
        count = judge(dag, page, memory, rules=rules)
        assert count == play(dag, page, memory, rules=rules), name
        yield count.io


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("name", [*EXAMPLES, *SMALL_PROGRAMS])
def test_bounds_stand_and_schedules_are_legal_and_no_bound_exceeds_any(name, rules):
    dag = loaded({**SMALL_PROGRAMS, **SMALL_EXAMPLES}[name])
    smallest = min_memory(dag)
    for memory in (smallest, 2 * smallest):
        cheapest = min(costs_on(dag, memory, RULES[rules]))
        for bound in bounds_on(dag, memory, RULES[rules]):
            assert bound.io <= cheapest, bound


def test_every_bound_applies_to_some_example():
    unmet, specs = dict(BOUNDS), (*SMALL_EXAMPLES.values(), *SMALL_PROGRAMS.values())
    for rules, dag in product(("one-shot", "recompute"), map(loaded, specs)):
        for bound in [*bounds_on(dag, 2 * min_memory(dag), RULES[rules], unmet)]:
            del unmet[bound.method]
    assert not unmet
