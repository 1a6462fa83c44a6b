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
    counts, minimum = (
        Counts(nest),
        min(best_tiling.moved.words for best_tiling in best_tilings(nest, [10**6])),
    )
    memories = [minimum * factor for factor in factors]
    tilings = best_tilings(nest, memories, seconds=0.3)
    plays = hierarchy_plays(nest, memories, tilings)
    joint = nested([moves(dag, counts, play.tiling) for play in plays])
    count = judge_on(dag, joint, Machine.levels(memories))
    assert count.words == tuple(play.io for play in plays), (sizes, plays)
    assert [entry.loads for entry in count.each] == [play.moved.loads for play in plays]
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
    tilings = best_tilings(nest, [256, 16384])
    single = [
        min(entry.io for entry in tilings if entry.moved.words <= size) for size in (256, 16384)
    ]
    plays = hierarchy_plays(nest, [256, 16384], tilings)
    assert sum(play.io for play in plays) < 1.5 * sum(single)
    assert plays[1].io < plays[0].io / 4
