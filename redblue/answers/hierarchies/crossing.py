"""Words across each boundary of a hierarchy: nested plays, and a bound for each boundary.

**Upper.** LRU and furthest next use hold with more memory all that they hold with less, so that one
order gives a play of the whole hierarchy which moves across each boundary the words of the
two-level play with the memory of the level below (`pebble.engine.nesting` has the lemma). One pass
counts all sizes.

**Lower.** Let S be the words of all levels below a boundary together. The words across the boundary
in a play of the hierarchy are at least those of a two-level play with S words: let red be the
values at any of these levels, so that no more than S words are red. A value that comes across when
it is red already need not be loaded; one that goes across when it is blue already need not be
stored. So every two-level bound for S words is one for the boundary, and costs of boundaries may be
added: a play costs at least the sum over boundaries of the price of a word times the bound there.

Source
------
J. E. Savage, Models of computation, section 11.3, for the bound by S; R. L. Mattson et al.,
Evaluation techniques for storage hierarchies, IBM Systems Journal 9, 1970, for the inclusion.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import accumulate

from dags import CDAG, Computation, InvalidSpecError
from dags.arguments import checked
from dags.arrays import Int32Array, lock
from pebble import ONE_SHOT, Budget, IllegalMoveError, Machine, Schedule, nested, play_on
from pebble.budget import running_clock, under
from pebble.small.levels import require_levels
from proofs import Bound
from redblue.answers.counted.levels import closed_levels
from redblue.answers.counts import CURVES
from redblue.answers.efforts import Effort, effort_named
from redblue.answers.hardware import MACHINES, InvalidMachineError, machine_named
from redblue.answers.hierarchies.results import (
    Crossing,
    Levels,
    MachineLevels,
    prices_of,
    require_rising,
)
from redblue.answers.memories import memory_size
from redblue.answers.results import describe
from redblue.answers.sources import Memories, Source, label_of, load
from redblue.answers.words import one_word
from redblue.racing.at_once import quick_bound
from redblue.racing.bounding import prove_by_race
from redblue.racing.race import Race
from schedulers import EVICTIONS, FAMILIES, ORDERS, Accesses, accesses, schedule, structured
from schedulers.tilings.scheduler import tiled_orders, tiling_of


def levels_of(machine: str, word_bytes: float) -> MachineLevels:
    """The memories of a machine as levels.

    Sizes are those of the whole machine: of caches that each core has, the sum. The largest memory
    is the level that has room for everything.

    Parameters
    ----------
    machine
        A name in `MACHINES`.
    word_bytes
        Bytes of a word of the computation.

    Raises
    ------
    UnknownNameError
        If there is no such machine.
    InvalidMachineError
        If the catalogue has fewer than two memories of it.
    """
    known = machine_named(machine)
    if len(known.memory) < 2:
        able = ", ".join(name for name, one in MACHINES.items() if len(one.memory) > 1)
        raise InvalidMachineError(
            f"the catalogue has {len(known.memory)} memories of {machine}, and a hierarchy takes "
            f"two: {able} have as many"
        )
    sizes = sorted(known.memory.items(), key=lambda item: item[1].base)
    below = sizes[:-1]
    feeds = [number.fed_by for _, number in below]
    return MachineLevels(
        machine,
        tuple(name for name, _ in sizes),
        tuple(int(number.base // word_bytes) for _, number in below),
        tuple(None if one is None else known.bandwidth[one].base / word_bytes for one in feeds),
        tuple(f"{number.source.title} ({number.source.date})" for _, number in below),
    )


POLICIES = ("lru", "belady")
MANY = 1 << 21  # edges from which only the natural order and those of family or program are tried
SHOWN = ("natural+lru", "natural+belady")


@checked
def levels(
    source: Source,
    memories: Memories | None = None,
    *,
    machine: str | None = None,
    word_bytes: int | None = None,
    effort: str | float = "quick",
    time_limit: float | None = None,
    spec: str = "",
    counted: bool = False,
    building: Callable[[Computation], object] = bool,
    prices: str | Iterable[int | float | Fraction] | None = None,
    moves: bool = False,
) -> Levels:
    """The words across each boundary of a memory hierarchy, with lower bounds.

    Parameters
    ----------
    source
        The computation.
    memories
        Words of each level but the last, rising: numbers, or a text like "1K,32K,1M".
    machine
        A machine of the catalogue whose memories are the levels, instead.
    word_bytes
        Bytes of a word, where sizes are in bytes; None for those of the computation.
    effort
        How hard to prove the bound of each boundary: "quick" takes those that are proved at once;
        "normal", "high" or seconds of work also search, as `bound` does.
    time_limit
        Seconds for all of it, of which each bound has an equal share; None for their own limits.
    spec
        Label of the DAG in results.
    counted
        Whether closed formulas answer alone, and no DAG is built if it is large.
    building
        Called with the computation before its DAG is built and played.
    prices
        Price of a word across each boundary, numbers or a text like "1,5,60": the best schedule
        costs least; None where each costs 1.
    moves
        Whether the DAG is built for its schedule, where it fits, though formulas answer sooner.

    Raises
    ------
    InvalidSpecError
        If there are not either memories or a machine, memories do not rise, or there is not a
        price for each boundary.
    MemoryTooSmallError
        If some vertex cannot be computed at level 1.

    Examples
    --------
    >>> found = levels("fft:n=64", "8,32")
    >>> found.best.words, found.lower
    ((302, 206), (228, 153))
    """
    word = one_word([source]).bytes if word_bytes is None else word_bytes
    known, computation = known_levels(memories, machine, word), load(source)
    require_rising(known.memories)
    priced = prices_of(prices, len(known.memories))
    hardness, budget = effort_named(str(effort)), Budget.within(time_limit)
    closed = closed_levels(computation, known, priced, counted=counted, moves=moves)
    if closed is not None:
        return closed
    building(computation)
    dag = computation.dag
    require_levels(dag, known.memories)
    with under(budget.clock or running_clock()):
        plays = list(_plays(dag, known.memories))
        best = min(plays, key=lambda play: (play.cost(priced), play.method))
        shown = [play for play in plays if play.method in SHOWN and play is not best]
        bounds = tuple(_bounds(dag, known.memories, hardness, budget))
    return Levels(
        dag=describe(dag, label_of(source, spec)),
        memories=known.memories,
        names=known.names,
        bounds=bounds,
        plays=(*shown, best),
        alone=tuple(_alone(dag, known.memories, plays)),
        rates=known.rates,
        prices=priced,
    )


def known_levels(memories: Memories | None, machine: str | None, word_bytes: int) -> MachineLevels:
    """The levels that arguments name."""
    if (memories is None) == (machine is None):
        raise InvalidSpecError("a hierarchy is given by its memories, or by a machine")
    if machine is not None:
        return levels_of(machine, word_bytes)
    assert memories is not None
    given = memories.split(",") if isinstance(memories, str) else memories
    levels = given if isinstance(given, Iterable) else (given,)
    sizes = tuple(memory_size(level, word_bytes) for level in levels)
    if not sizes:
        raise InvalidSpecError("a hierarchy has at least one memory, not none")
    names = tuple(f"level {place}" for place in range(1, len(sizes) + 2))
    return MachineLevels("", names, sizes, (None,) * len(sizes), ())


def orders_of(dag: CDAG, memories: Sequence[int]) -> Iterator[tuple[str, Int32Array]]:
    """Yield the orders that are tried, by name, each made when it is its turn.

    Those of family and program are for one of the memories each.
    """
    for name, order in ORDERS.items():
        if name == "natural" or dag.m < MANY:
            yield name, order(dag)
    known = dag.as_generated
    for words in memories if known.family in FAMILIES else ():
        for made in FAMILIES[str(known.family)](known, words):
            own = made if dag.recognised is None else lock(dag.recognised.vertex[made])
            yield "structured", own
    for words in memories if dag.origin is not None else ():
        for made in tiled_orders(dag, words):
            yield "tiled", made


def _plays(dag: CDAG, memories: Sequence[int]) -> Iterator[Crossing]:
    """Yield plays of all orders, by LRU and furthest next use, that are legal on the hierarchy."""
    for name, order in orders_of(dag, memories):
        layout = accesses(dag, order)
        for policy in POLICIES:
            made = _counted(layout, policy, memories) if dag.words is None else None
            made = made or _played(layout, policy, memories)
            yield replace(
                made,
                method=f"{name}+{policy}{made.method}",
                order=order,
                policy=policy,
                tiling=tiling_of(dag, order),
            )


def _counted(layout: Accesses, policy: str, memories: Sequence[int]) -> Crossing:
    """The words across each boundary, of one pass over an order for all sizes."""
    curve = CURVES[EVICTIONS[policy]](layout)
    moved = [(curve.loads_at(words), curve.stores_at(words)) for words in memories]
    loads, stores = zip(*moved, strict=True)
    return Crossing("", loads, stores, curve=(curve.minimum, tuple(curve.io.tolist())))


def _played(layout: Accesses, policy: str, memories: Sequence[int]) -> Crossing:
    """The words of a play where values differ in size: larger memories need not nest.

    Where they do not, all levels are used as if they were as small as the first.
    """
    sizes, remark = list(memories), ""
    made = nested_play(layout, policy, sizes)
    try:
        count = play_on(layout.dag, made, Machine.levels(memories))
    except IllegalMoveError:
        sizes, remark = [memories[0]] * len(memories), ", no level used beyond the first"
        made = nested_play(layout, policy, sizes)
        count = play_on(layout.dag, made, Machine.levels(memories))
    return Crossing(
        remark, tuple(one.loads for one in count.each), tuple(one.stores for one in count.each)
    )


def nested_play(layout: Accesses, policy: str, memories: Sequence[int]) -> Schedule:
    """The play of a hierarchy of an order and a policy.

    Parameters
    ----------
    layout
        Accesses of the order.
    policy
        "lru" or "belady".
    memories
        (L - 1,) words that are used of each level but the last.
    """
    return nested([schedule(layout, words, EVICTIONS[policy]) for words in memories])


def _bounds(dag: CDAG, memories: Sequence[int], effort: Effort, budget: Budget) -> Iterator[Bound]:
    """Yield the best bound for each boundary: for all the memory below it."""
    sizes = list(accumulate(memories))
    if effort.seconds:
        races = [Race(dag, words, ONE_SHOT, budget, compilation_counts=False) for words in sizes]
        prove_by_race(races, effort.within(budget.seconds and budget.left))
        yield from (race.bound for race in races)
        return
    for place, words in enumerate(sizes):
        yield quick_bound(dag, words, time_limit=budget.share(1 / (len(sizes) - place)).seconds)


def _alone(
    dag: CDAG, memories: Sequence[int], plays: Sequence[Crossing]
) -> Iterator[tuple[str, int]]:
    """Yield the best play of each boundary by itself, with its words."""
    for place, words in enumerate(memories):
        best = min(plays, key=lambda play: play.words[place])
        io, method = best.words[place], best.method
        if dag.as_generated.family in FAMILIES and dag.words is None:
            alone = structured.plan(dag, words).io
            method, io = ("structured", alone) if alone < io else (method, io)
        yield method, io
