"""Plays on lattices of processors: what neighbours pass on, exactly."""

import numpy as np
import pytest

import dags
from pebble import Links, Machine, MemoryTooSmallError, judge_on, parse_links, play_on
from schedulers.parallel import Placement, staged
from schedulers.parallel.grids import block_owners
from schedulers.parallel.stages import distance, previous_hop


def both(dag, placement, machine):
    schedule = staged(dag, placement, machine)
    count = play_on(dag, schedule, machine)
    assert judge_on(dag, schedule, machine) == count
    return count


@pytest.mark.parametrize("wrapped", [False, True])
@pytest.mark.parametrize(
    ("shape", "grid"), [((9,), (3,)), ((12, 9), (4, 3)), ((6, 6, 6), (3, 3, 3))]
)
def test_halos_are_exact_on_every_link(shape, grid, wrapped):
    steps = 3
    sides = "x".join(map(str, shape))
    dag = dags.load(f"stencil:shape={sides},steps={steps},periodic={wrapped}")
    links = Links(grid, wrapped)
    owner = np.tile(block_owners(shape, grid), steps + 1)
    machine = Machine.parallel(links.processors, 200, links, "own")
    count = both(dag, Placement(owner, dag.level.astype(np.int64)), machine)
    block = np.array(shape) // np.array(grid)
    places = np.stack(np.unravel_index(np.arange(links.processors), grid))
    assert len(count.links) == sum(len(row) for row in links.neighbours)
    for (a, b), words in count.links.items():
        axis = int((places[:, a] != places[:, b]).argmax())
        assert words == steps * block.prod() // block[axis]  # a face, once in each step
    for memory_ in count.each:
        assert (memory_.loads, memory_.stores) == (block.prod(), block.prod())
    assert count.computes == dag.computed.size


@pytest.mark.parametrize("spec", ["fft:n=16", "random_layered:n=40,max_words=3,seed=2", "lu:n=4"])
@pytest.mark.parametrize("links", ["line:4", "ring:4", "mesh:2x2", "torus:2x2"])
def test_values_travel_hop_by_hop_to_wherever_they_are_read(spec, links):
    dag = dags.load(spec)
    owner = np.random.default_rng(5).integers(0, 4, dag.n)
    sink = np.zeros(dag.n, np.int64)
    machine = Machine.parallel(4, 10_000, parse_links(links), ports=None)
    count = both(dag, Placement(owner, dag.level.astype(np.int64), sink), machine)
    assert count.stores == dag.words_of(dag.outputs) == count.each[0].stores
    assert count.loads == dag.words_of(dag.used_inputs)


def test_routes_are_the_shortest():
    for text in ("line:5", "ring:5", "mesh:3x4", "torus:3x4", "torus:2x2x3"):
        links = parse_links(text)
        everyone = np.arange(links.processors)
        for root in everyone:
            roots = np.full(links.processors, root)
            hops, place = distance(links, everyone, roots), everyone
            for _ in range(hops.max()):
                before = previous_hop(links, place, roots)
                assert all(
                    b == a or b in links.neighbours[a] for a, b in zip(place, before, strict=True)
                )
                assert (
                    distance(links, before, roots)
                    == np.maximum(distance(links, place, roots) - 1, 0)
                ).all()
                place = before
            assert (place == root).all()


def test_what_must_be_held_must_fit():
    dag = dags.load("stencil:shape=8,steps=2")
    owner = np.tile(block_owners((8,), (2,)), 3)
    placement = Placement(owner, dag.level.astype(np.int64))
    with pytest.raises(MemoryTooSmallError) as caught:
        staged(dag, placement, Machine.parallel(2, 4, parse_links("line:2"), "own"))
    enough = caught.value.minimum
    staged(dag, placement, Machine.parallel(2, enough, parse_links("line:2"), "own"))
    with pytest.raises(dags.InvalidSpecError, match="without links"):
        staged(dag, placement, Machine.parallel(2, 40))
