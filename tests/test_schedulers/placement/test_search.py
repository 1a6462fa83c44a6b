"""The search for placements against exhaustive search, and its kernel against a twin."""

import csv
from dataclasses import replace

import numpy as np
import pytest

from pebble.placement import Buffer, judge_placement, live_load
from schedulers.placement import _kernels, least_memory, place
from schedulers.placement.search import _Orders, _Run


def drawn(rng, most=6, fixed=0.15):
    """A few buffers of small sizes, some aligned, some with a fixed address."""
    count = int(rng.integers(1, most + 1))
    buffers = []
    for name in range(count):
        lower = int(rng.integers(0, 6))
        alignment = int(rng.choice([1, 1, 1, 2, 3]))
        address = alignment * int(rng.integers(0, 4)) if rng.random() < fixed else None
        upper = lower + int(rng.integers(1, 5))
        buffers.append(Buffer(str(name), lower, upper, int(rng.integers(1, 5)), alignment, address))
    return buffers


def placements(buffers, capacity, offsets=()):
    """All placements, by trying every address of each buffer."""
    if len(offsets) == len(buffers):
        yield offsets
        return
    new = buffers[len(offsets)]
    for address in range(0, capacity - new.size + 1, new.alignment):
        if new.offset not in (None, address):
            continue
        if all(
            new.upper <= old.lower
            or old.upper <= new.lower
            or address + new.size <= offset
            or offset + old.size <= address
            for old, offset in zip(buffers, offsets, strict=False)
        ):
            yield from placements(buffers, capacity, (*offsets, address))


def exists(buffers, capacity):
    return next(placements(buffers, capacity), None) is not None


@pytest.mark.parametrize("seed", range(20))
def test_the_search_decides_what_exhaustive_search_decides(seed):
    rng = np.random.default_rng(seed)
    outcomes = set()
    for _ in range(100):
        buffers = drawn(rng)
        capacity = max(live_load(buffers) - 1 + int(rng.integers(0, 4)), 1)
        placed = place(buffers, capacity)
        assert placed.status == ("placed" if exists(buffers, capacity) else "impossible")
        if placed.status == "placed":
            assert judge_placement(buffers, placed.offsets, capacity) == placed.height
            assert not exists(buffers, placed.bound - 1)
        else:
            assert placed.bound > capacity or any(b.offset is not None for b in buffers)
            assert not exists(buffers, placed.bound - 1)
        outcomes.add((placed.status, placed.bound_by))
    assert len(outcomes) >= 3


@pytest.mark.parametrize("unit", [2, 3])
def test_one_alignment_of_all_is_decided_as_exhaustive_search_does(unit):
    rng = np.random.default_rng(unit)
    statuses = set()
    for _ in range(150):
        buffers = [replace(b, alignment=unit, offset=None) for b in drawn(rng)]
        capacity = live_load(buffers) + int(rng.integers(0, 5))
        placed = place(buffers, capacity)
        assert placed.status == ("placed" if exists(buffers, capacity) else "impossible")
        assert not exists(buffers, placed.bound - 1)
        if placed.status == "placed":
            assert judge_placement(buffers, placed.offsets, capacity) == placed.height
        statuses.add((placed.status, capacity % unit == 0))
        minimum = least_memory(buffers)
        assert minimum.least
        assert not exists(buffers, minimum.height - 1)
    assert len(statuses) >= 3


@pytest.mark.parametrize("seed", range(5))
def test_the_least_memory_is_the_least(seed):
    rng = np.random.default_rng(100 + seed)
    for _ in range(40):
        buffers = drawn(rng, most=5, fixed=0.1)
        result = least_memory(buffers)
        if result.status == "impossible":
            assert not exists(buffers, 40)
            continue
        assert result.least
        assert result.height == judge_placement(buffers, result.offsets)
        assert exists(buffers, result.height)
        assert not exists(buffers, result.height - 1)


def test_a_complete_search_proves_more_than_the_load():
    buffers = [Buffer("a", 0, 2, 1, 2), Buffer("b", 1, 3, 1, 2), Buffer("c", 1, 4, 1, 3)]
    result = least_memory(buffers)
    assert live_load(buffers) == 3
    assert (result.height, result.bound, result.bound_by) == (4, 4, "complete search")
    assert not exists(buffers, 3)


def test_what_is_not_decided_is_said_to_be_so():
    rng = np.random.default_rng(3)
    buffers = [
        Buffer(str(k), a, a + int(rng.integers(1, 9)), int(rng.integers(1, 9)))
        for k, a in enumerate(rng.integers(0, 20, 40).tolist())
    ]
    placed = place(buffers, live_load(buffers), work=5)
    assert (placed.status, placed.offsets) == ("not proved", None)


class Twin:
    """The search as plain recursion, without inference by sections: it finds the same placement."""

    def __init__(self, run):
        self.b = run.buffers
        n = self.b.size.size
        self.low = [max(0, int(f)) for f in self.b.fixed]
        self.rank = list(range(n))
        self.address = {}
        self.nodes = 0

    def solve(self, part, last=0, last_rank=-1):
        b, low = self.b, self.low
        end = min(
            (
                -(-max(low[i], last) // int(b.align[i])) * int(b.align[i]) + int(b.size[i])
                for i in part
            ),
            default=0,
        )
        choices = sorted(
            (low[i], self.rank[i], i)
            for i in part
            if low[i] < end and (low[i], self.rank[i]) > (last, last_rank)
        )
        for address, rank, i in choices:
            kept = dict(enumerate(low)), list(self.rank), dict(self.address)
            if self.put(i, address, part) and self.parts(part - {i}, part, address, rank):
                return True
            self.low[:] = kept[0].values()
            self.rank, self.address = kept[1], kept[2]
        return not part

    def put(self, i, address, part):
        b, end = self.b, address + int(self.b.size[i])
        if end > b.capacity:
            return False
        self.address[i] = address
        for j in part - {i}:
            if b.first[j] < b.last[i] and b.first[i] < b.last[j] and self.low[j] < end:
                self.low[j] = -(-end // int(b.align[j])) * int(b.align[j])
                if 0 <= b.fixed[j] < self.low[j]:
                    return False
        return True

    def parts(self, remaining, part, address, rank):
        b, groups, reach = self.b, [], -1
        for i in sorted(remaining, key=lambda i: (b.first[i], i)):
            if b.first[i] >= reach:
                groups.append(set())
            groups[-1].add(i)
            reach = max(reach, b.last[i])
        if len(groups) == 1 and part:
            return self.solve(groups[0], address, rank)
        return all(self.fresh(group) for group in groups)

    def fresh(self, group):
        b = self.b
        if b.by_load:
            sections = range(int(b.first.min()), int(b.last.max()))
            left = {
                s: sum(int(b.size[i]) for i in group if b.first[i] <= s < b.last[i])
                for s in sections
            }
            loads = {i: max(left[s] for s in range(b.first[i], b.last[i])) for i in group}
            for place, i in enumerate(sorted(group, key=lambda i: (-loads[i], i))):
                self.rank[i] = place
        return self.solve(group)


@pytest.mark.parametrize("seed", range(4))
def test_the_kernel_finds_what_its_twin_finds(seed):
    rng = np.random.default_rng(200 + seed)
    statuses = set()
    for _ in range(60):
        buffers = drawn(rng, most=8)
        ends = [b.offset + b.size for b in buffers if b.offset is not None]
        capacity = max(live_load(buffers) + int(rng.integers(0, 3)), *ends, 1)
        orders = _Orders(buffers)
        orders.too_large()
        for order, by_load in orders.orders:
            run = _Run(orders, order, capacity, by_load)
            status = run.go_on(10_000_000)
            twin = Twin(run)
            solved = twin.parts(set(range(len(buffers))), set(), 0, -1)
            assert status == (_kernels.PLACED if solved else _kernels.IMPOSSIBLE)
            statuses.add(status)
            if solved:
                assert run.state.address.tolist() == [twin.address[i] for i in range(len(buffers))]
    assert len(statuses) == 2


def test_a_search_that_is_left_goes_on_where_it_stopped():
    rng = np.random.default_rng(3)
    buffers = [
        Buffer(str(k), a, a + int(rng.integers(1, 9)), int(rng.integers(1, 9)))
        for k, a in enumerate(rng.integers(0, 20, 40).tolist())
    ]
    orders = _Orders(buffers)
    orders.too_large()
    order, by_load = orders.orders[0]
    capacity = live_load(buffers)
    full, pieces = (_Run(orders, order, capacity, by_load) for _ in range(2))
    ends = full.go_on(50_000_000)
    status = _kernels.UNDECIDED
    turns = 0
    while status == _kernels.UNDECIDED:
        status = pieces.go_on(1)
        turns += 1
    assert turns > 20
    assert (status, pieces.offsets()) == (ends, full.offsets())
    assert pieces.state.head.tolist() == full.state.head.tolist()


@pytest.mark.slow
@pytest.mark.parametrize("name", "ABCDEFGHIJK")
def test_the_instances_of_minimalloc_are_placed(shared, name):
    path = shared / "data" / "minimalloc" / f"{name}.1048576.csv"
    with path.open() as lines:
        buffers = [
            Buffer(row["id"], int(row["lower"]), int(row["upper"]), int(row["size"]))
            for row in csv.DictReader(lines)
        ]
    placed = place(buffers, 1_048_576)
    assert placed.status == "placed"
    assert judge_placement(buffers, placed.offsets, 1_048_576) <= 1_048_576
