"""The scheduler that tiles a loop nest.

Trees of loops in chunks, with assignments fused or apart, come from the search by formulas
(`search`); tilings of points, which may lean over, from trials on the DAG (`trials`).
"""

from collections.abc import Callable, Iterator
from functools import partial
from weakref import WeakKeyDictionary

from dags import CDAG, points_of
from dags.arrays import Int32Array
from dags.cdag.origin import Origin
from dags.programs.box_nests import Assignment
from dags.programs.members import nest_in
from dags.work import Kept, charge
from pebble import ONE_SHOT, UNLIMITED, Budget, Rules, Schedule, placing_memory, require_memory
from schedulers.eviction.policies import joined
from schedulers.families.plays import digest_of, plays_in_orders
from schedulers.orders import ORDERS
from schedulers.partial import aggregating
from schedulers.tilings.moves import Laid
from schedulers.tilings.plan import Counts
from schedulers.tilings.points import PointTiling, coordinates, tiled_order
from schedulers.tilings.search import best_tilings
from schedulers.tilings.shown import ShownTiling
from schedulers.tilings.trials import TilingSearch
from schedulers.tilings.words import shown_tiling, tiles_records, tiles_text

PLAYED = 3  # tilings of points, and trees, of which plays are counted under the rules in force
TREES, FUSED = 0.35, 0.6  # shares of the time for trees: of one assignment, and of several
MOST_TOGETHER = 2  # assignments of which trees are looked for where there is no limit of time
Shown = Callable[[], ShownTiling]
Made = tuple[Int32Array, Shown]  # an order, and its loops to be read
# What searches found that were not cut short: several schedulers ask, and several sets of rules.
_known: WeakKeyDictionary[CDAG, Kept] = WeakKeyDictionary()
# The loops of the orders that were handed out, by their digests.
_shown: WeakKeyDictionary[CDAG, dict[tuple[Origin, bytes], Shown]] = WeakKeyDictionary()


@aggregating
def tiled_schedule(
    dag: CDAG,
    memory: int,
    *,
    rules: Rules = ONE_SHOT,
    seed: int = 0,
    time_limit: float | None = None,
) -> Schedule:
    """A schedule that computes the points of a loop nest in tiles.

    Shapes, order and slant of the tiles are searched for. Whatever they are, the order respects
    the dependences of the DAG: a vertex waits for the last tile of its operands. A DAG that comes
    from no program, nor is a member of a family of loops, has no points to tile; of it the best
    generic order is played.

    Parameters
    ----------
    dag, memory, rules
        The game.
    seed
        Decides which tilings are tried.
    time_limit
        Seconds for trying; None for as many tilings as the size of the DAG allows.

    Raises
    ------
    MemoryTooSmallError
        If some vertex cannot be computed with `memory` words.
    """
    require_memory(dag, memory, rules=rules)
    orders = tiled_orders(dag, memory, rules=rules, budget=Budget(time_limit, seed=seed))
    if points_of(dag) is None:
        orders = (order(dag) for order in ORDERS.values())
    plays = plays_in_orders(dag, orders, memory, rules)
    return joined(min(plays, key=lambda play: play.io).blocks())


def tiled_orders(
    dag: CDAG, memory: int, *, rules: Rules = ONE_SHOT, budget: Budget = UNLIMITED
) -> Iterator[Int32Array]:
    """Yield the best orders of tiles that are found, none for a DAG without points.

    Parameters
    ----------
    dag, memory, rules
        The game.
    budget
        Of trying; its seed decides which tilings are tried.
    """
    origin = points_of(dag)
    if origin is None:
        return
    question = origin, placing_memory(dag, memory, rules=rules), budget.seed

    def find() -> list[Made]:
        return [*_trees(dag, question[1], budget), *_points(dag, *question[:2], budget)]

    known = _known.setdefault(dag, Kept())
    made = known.get((question, budget.left), find, budget.left, lambda: budget.left > 0)
    known_loops = _shown.setdefault(dag, {})
    for order, shown in made:
        known_loops.setdefault((origin, digest_of(order)), shown)
        yield order


def _trees(dag: CDAG, memory: int, budget: Budget) -> Iterator[Made]:
    """Yield the orders of the best trees of loops, where the program is run on boxes."""
    nest = nest_in(dag, as_written=True)
    if nest is None or any(_reads_around(each) for each in nest.assignments):
        return
    if budget.seconds is None and len(nest.assignments) > MOST_TOGETHER:
        return
    counts = Counts(nest)
    left = (TREES if len(nest.assignments) == 1 else FUSED) * budget.left
    found = best_tilings(nest, [memory], seed=budget.seed, seconds=left)
    for each in [each for each in found if each.moved.words <= memory][-PLAYED:]:
        charge("point", dag.n + dag.m)
        yield Laid(dag, counts, each.tiling).order(), partial(shown_tiling, nest, each.tiling)


def _reads_around(assignment: Assignment) -> bool:
    """Whether several items of one array are read at a point, as stencils do."""
    arrays = [access.array for access in assignment.reads]
    return len(set(arrays)) < len(arrays)


def _points(dag: CDAG, origin: Origin, memory: int, budget: Budget) -> Iterator[Made]:
    """Yield the orders of the best tilings of points."""
    where = coordinates(origin)
    for tiling in TilingSearch(dag, where, memory, budget).best(PLAYED):
        yield tiled_order(dag, where, tiling), partial(_shown_points, tiling, origin)


def _shown_points(tiling: PointTiling, origin: Origin) -> ShownTiling:
    """The loops of a tiling of points, to be read."""
    return ShownTiling(tiles_text(tiling, origin), partial(tiles_records, tiling, origin))


def is_tiled(dag: CDAG) -> bool:
    """Whether orders of tiles of a DAG have been handed out."""
    return dag in _shown


def tiling_of(dag: CDAG, order: Int32Array) -> ShownTiling | None:
    """The loops of an order that `tiled_orders` yielded; None of others.

    Parameters
    ----------
    dag
        The DAG.
    order
        (N,) the computed vertices.
    """
    origin = points_of(dag) if is_tiled(dag) else None
    shown = None if origin is None else _shown[dag].get((origin, digest_of(order)))
    return None if shown is None else shown()
