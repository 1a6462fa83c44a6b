"""Plays of one order for several memories are a play of the hierarchy, as the referee counts."""

import random

import pytest

pytest.importorskip("islpy", reason="islpy is not installed")

from dags.programs import instantiate
from dags.programs.box_reader import box_nest
from dags.programs.text import from_c
from pebble import Machine, judge_on, nested
from schedulers.tilings import hierarchies
from schedulers.tilings.hierarchies import hierarchy_plays
from schedulers.tilings.moves import moves
from schedulers.tilings.plan import Counts
from schedulers.tilings.search import best_tilings
from tests.nest_texts import CHAIN, PRODUCT, TEXTS, drawn_sizes


@pytest.fixture(autouse=True)
def little_time(monkeypatch):
    monkeypatch.setattr(hierarchies, "SECONDS", 0.2)


def judged(program, sizes, factors):
    """Plays for multiples of the least memory, which the referee has counted."""
    nest, dag = box_nest(program, sizes, as_written=True), instantiate(program, sizes)
    counts, least = Counts(nest), min(each.moved.words for each in best_tilings(nest, [10**6]))
    memories = [least * factor for factor in factors]
    found = best_tilings(nest, memories, seconds=0.3)
    plays = hierarchy_plays(nest, memories, found)
    joint = nested([moves(dag, counts, each.tiling) for each in plays])
    count = judge_on(dag, joint, Machine.levels(memories))
    assert count.words == tuple(each.io for each in plays), (sizes, plays)
    assert [each.loads for each in count.each] == [each.moved.loads for each in plays]
    return plays


@pytest.mark.parametrize("name", [name for name in TEXTS if name != "transposed"])  # none known
def test_they_move_what_is_counted(name):
    rng, program = random.Random(name), from_c(TEXTS[name][0])
    for factors in ((1, 2), (2, 5, 20)):
        assert len(judged(program, drawn_sizes(name, rng), factors)) == len(factors)


@pytest.mark.parametrize(("text", "sizes"), [(PRODUCT, (9, 8, 10)), (CHAIN, (6, 5, 7, 4))])
def test_larger_memories_are_used(text, sizes):
    program = from_c(text)
    names = "MNK" if text is PRODUCT else "MKLN"
    plays = judged(program, dict(zip(names, sizes, strict=True)), (2, 5, 20))
    assert plays[-1].io < plays[0].io


def test_tiles_are_cut_into_tiles(monkeypatch):
    monkeypatch.setattr(hierarchies, "SECONDS", 20.0)
    nest = box_nest(from_c(PRODUCT), {"M": 512, "N": 512, "K": 512})
    found = best_tilings(nest, [256, 16384])
    alone = [min(each.io for each in found if each.moved.words <= size) for size in (256, 16384)]
    plays = hierarchy_plays(nest, [256, 16384], found)
    assert sum(each.io for each in plays) < 1.5 * sum(alone)
    assert plays[1].io < plays[0].io / 4
