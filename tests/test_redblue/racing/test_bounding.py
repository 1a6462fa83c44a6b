"""Bounds of several memories that race: what one proves counts for the others."""

from benchmarks.drawn_dags import fixed_indegree
from dags import Computation
from pebble import ONE_SHOT, compulsory_words
from proofs import check, decomposition
from redblue.answers.efforts import effort_for
from redblue.answers.refining import refine
from redblue.racing import bounding
from redblue.racing.bounding import prove_by_race
from redblue.racing.race import Race
from redblue.sweeps.store.cells import Cell
from redblue.sweeps.task import Task


def test_what_is_proved_with_one_memory_counts_for_all_others(monkeypatch):
    dag = fixed_indegree(80, 3, 1)
    bound = decomposition(dag, 6, time_limit=2.0)

    def one_is_proved(race, *arguments, **options):
        if race.memory == 6:
            race.prove(bound)

    monkeypatch.setattr(bounding, "quickly", one_is_proved)
    monkeypatch.setattr(bounding, "run", lambda *arguments, **options: None)
    races = [Race(dag, memory, ONE_SHOT) for memory in (5, 6, 7, 8)]
    for race in races:
        race.found = object(), 1000, "a play"
    prove_by_race(races, effort_for(None, 1.0))
    smaller, current, *extra = (race.bound for race in races)
    assert smaller.io > current.io == bound.io > extra[0].io > extra[1].io > compulsory_words(dag)
    for race in races:
        check(dag, race.memory, race.bound)


def test_a_cell_of_a_curve_says_what_its_certificate_proves_with_other_memories():
    dag = fixed_indegree(120, 3, 1)
    arguments = {"seconds": 2.0, "iterations": None, "states_bytes": 0, "price_of_work": 0.0}
    cell = Cell("refine", "drawn", memory=6, parameters={**arguments, "others": [5, 7, 8]})
    _, current, *remaining = refine(Computation.of(dag), Task(cell, "drawn")).result
    assert [row["memory"] for row in remaining] == [5, 7, 8]
    smaller, extra, _ = (row["io"] for row in remaining)
    assert smaller > current["io"] > extra > compulsory_words(dag)
