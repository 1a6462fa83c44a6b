"""The law of a DAG: plays at sizes that fit its tiles, up to where larger ones add nothing."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from math import ceil
from typing import Any

from dags import CDAG
from dags.arguments import checked
from pebble import ONE_SHOT, Budget, Rules, compulsory_words, min_memory
from redblue.answers.balance.refine import merged
from redblue.answers.curves.curve import io_curve
from redblue.answers.refining import refined
from redblue.answers.results import BEST, IOCurve
from redblue.answers.sources import (
    Memories,
    RulesLike,
    Source,
    label_of,
    load,
    rules_of,
)
from redblue.answers.words import memories_of
from redblue.laws.fit.choice import FLAT, FLAT_OCTAVES, SOON, Fit, fit
from redblue.laws.fit.points import (
    CLEAR_OF_COMPULSORY,
    OVERHEAD,
    depth_of,
    largest_of,
    points_of,
    widest_network_pass,
)
from redblue.limits.progress import Progress
from schedulers import FAMILIES, GENERIC_SCHEDULERS, Scheduler

BATCH = 4  # sizes that are played before it is asked whether more are worth while


@checked
def fit_dag(
    dag: Source,
    memories: Memories | None = None,
    *,
    schedulers: Iterable[str | Scheduler] | None = None,
    rules: RulesLike = ONE_SHOT,
    jobs: int = 1,
    spec: str = "",
    progress: Progress | None = None,
    deadline: Budget | None = None,
    effort: str = "quick",
) -> tuple[Fit, IOCurve]:
    """The law that schedules of `dag` follow, and the curve that shows it.

    A DAG of no known family is one size, and tells no law: what fits its schedules is a trend.

    Parameters
    ----------
    dag
        The computation.
    memories
        Words of fast memory; by default `tuned_memories`, up to where so little moves that
        larger ones add nothing.
    schedulers
        Names or functions; by default the structured one where the family is known, else four
        generic ones. At each size the best one counts.
    rules, jobs, spec, progress
        As for `io_curve`; progress begins again with each batch of sizes.
    deadline
        As for `io_curve`; the law is then that of the sizes that were played.
    effort
        How hard to search at these sizes, as for `io_curve`.

    Examples
    --------
    >>> from dags import matvec
    >>> found, curve = fit_dag(matvec(64))
    >>> found.law.kind
    'constant'
    """
    graph, game = load(dag).dag, rules_of(rules)
    known = graph.as_generated
    methods = list(schedulers or default_players(known))

    def play(sizes: Sequence[int]) -> IOCurve:
        return io_curve(
            graph,
            sizes,
            schedulers=methods,
            bounds=("compulsory",),
            rules=game,
            jobs=jobs,
            spec=label_of(dag, spec),
            progress=progress,
            deadline=deadline,
        )

    if memories is None:
        curve = as_far_as_it_tells(known, play, rules=game, deadline=deadline)
    else:
        curve = play(memories_of(memories, dag))
    if effort != "quick":
        rows = [row for row in curve.rows if row.method != BEST]
        options: dict[str, Any] = {"jobs": jobs, "progress": progress, "deadline": deadline}
        cell = {"rules": game, "seed": 0}
        best, spent = refined(graph, rows, curve.memories, cell, name=effort, **options)
        curve = replace(curve, rows=best, effort=spent)
    points = points_of(known, curve.envelope("upper"), rules=game)
    fitted = fit(points)
    return (fitted if known.family else fitted.of_one_size), curve


def default_players(dag: CDAG) -> tuple[str, ...]:
    """The schedulers whose best play is fitted: where the family is known, its own."""
    return ("structured",) if dag.family in FAMILIES else GENERIC_SCHEDULERS


def as_far_as_it_tells(
    dag: CDAG,
    play: Callable[[Sequence[int]], IOCurve],
    *,
    rules: Rules = ONE_SHOT,
    deadline: Budget | None = None,
) -> IOCurve:
    """The curve at tuned sizes of memory, up to where larger ones no longer show a law.

    Parameters
    ----------
    dag
        The computation.
    play
        Returns the curve of `dag` at given sizes of memory, in words.
    rules
        The rules of the game.
    deadline
        When to play no further sizes; None for never.
    """
    sizes = tuned_memories(dag, rules=rules)
    soon = SOON * min_memory(dag, rules=rules)
    curve = play(sizes[:BATCH])
    for start in range(BATCH, len(sizes), BATCH):
        late = deadline is not None and not deadline.left
        if late or _told(dag, curve.envelope("upper"), soon):
            break
        curve = merged(curve, play(sizes[start : start + BATCH]))
    return curve


def _told(dag: CDAG, points: Sequence[tuple[int, int]], soon: int) -> bool:
    """Whether larger sizes add nothing, neither to a growing law nor to a constant one."""
    if not points or not ends(dag, points[-1][1]):
        return False
    memory, io = points[-1]
    early = [io for memory, io in points if memory <= soon]
    constant_yet = not early or early[-1] <= FLAT * io
    return not constant_yet or memory >= 2**FLAT_OCTAVES * soon


PER_OCTAVE = 2  # sizes in a grid for DAGs that are not known
FIRST = 2  # such a grid begins at this multiple of the smallest memory
FEWEST = 3  # a law needs at least so many sizes

Tuned = Callable[[Mapping[str, Any]], list[int]]


def tuned_memories(dag: CDAG, *, rules: Rules = ONE_SHOT) -> list[int]:
    """Words of fast memory, rising, at which to play `dag` to find its law.

    For families that are known, sizes that their tiles fill and at which these are small against
    the DAG; otherwise a geometric grid from two smallest memories to all words of the DAG.

    - *Butterflies, merges*: 2^e and the overhead for e levels a pass that divide the levels; if
      these are fewer than three, the smallest e for each number of passes.
    - *Sorting networks*: all e up to `largest_of`.
    - *Products*: b^2 + b + 2 for b x b blocks that cut the matrix into equal parts, four or more.
    - *Grids and stencils*: a geometric grid up to `largest_of`.

    Examples
    --------
    >>> from dags import fft, matmul
    >>> tuned_memories(fft(4096))
    [10, 18, 66]
    >>> tuned_memories(matmul(24))
    [14, 22, 32, 44]
    """
    smallest = min_memory(dag, rules=rules)
    if dag.family in TUNED:
        sizes = [size for size in TUNED[dag.family](dag.params) if size >= smallest]
        if sizes:
            return sizes
    return geometric(max(FIRST * smallest, 1), int(min(dag.sizes.sum(), largest_of(dag))))


def ends(dag: CDAG, io: int) -> bool:
    """Whether so few words are moved that larger memories do not show a growing law."""
    compulsory = compulsory_words(dag)
    return io <= CLEAR_OF_COMPULSORY * compulsory


def geometric(first: int, last: int) -> list[int]:
    """A grid from `first` with two sizes an octave, not beyond `last`."""
    sizes, step = [first], 0
    while sizes[-1] < last:
        step += 1
        sizes.append(min(round(first * 2 ** (step / PER_OCTAVE)), last))
    return sizes


def _passes(depth: int, base: int, overhead: int) -> list[int]:
    """Sizes for passes of e of `depth` levels; single tricks win where e is only 2."""
    dividing = [e for e in range(2, depth) if depth % e == 0]
    choices = [e for e in dividing if e > 2], dividing, _changing(depth)
    chosen = next((choice for choice in choices if len(choice) >= FEWEST), choices[-1])
    return [base**e + overhead for e in chosen]


def _changing(depth: int) -> list[int]:
    """Return from 2 on the fewest levels a pass for each number of passes but one."""
    return sorted({ceil(depth / passes) for passes in range(2, depth)} - {1})


def _fft(params: Mapping[str, Any]) -> list[int]:
    radix = int(params["radix"])
    return _passes(depth_of(params["n"], radix), radix, radix)


def _merges(params: Mapping[str, Any]) -> list[int]:
    return _passes(depth_of(params["n"]), 2, 1)


def _scan(params: Mapping[str, Any]) -> list[int]:
    return _merges(params) if params["network"] == "kogge-stone" else []


def _network(params: Mapping[str, Any]) -> list[int]:
    return [2**e + OVERHEAD for e in range(2, widest_network_pass(params["n"]) + 1)]


def _product(params: Mapping[str, Any]) -> list[int]:
    side = min(params["m"], params["n"])
    blocks = sorted({ceil(side / parts) for parts in range(4, side + 1)})
    return [b * b + b + 2 for b in blocks if b >= 3 and side > 12]


TUNED: dict[str, Tuned] = {
    "bitonic_sort": _network,
    "fft": _fft,
    "matmul": _product,
    "merge_sort": _merges,
    "odd_even_merge_sort": _network,
    "prefix_scan": _scan,
}
