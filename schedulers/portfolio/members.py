"""Portfolio: the plays of all generic orders and evictions, and those of the DAG's family."""

from collections.abc import Iterator
from math import inf
from time import monotonic

from dags import CDAG
from pebble import ONE_SHOT, Rules
from schedulers.eviction.policies import joined
from schedulers.families import FAMILIES, structured
from schedulers.partial.schedules import rooms
from schedulers.search import Candidate, candidates_in, generic_plays
from schedulers.search.sequences import first_computes
from schedulers.tilings.scheduler import tiled_orders

# Shares of the time for tiles, of a program and of a family that has plays of its own, and the most
# vertices of a family's member; without a limit of time there are those of programs alone.
PROGRAM, FAMILY, LARGEST = 0.5, 0.25, 1 << 20


def portfolio(dag: CDAG, memory: int, *, rules: Rules = ONE_SHOT) -> list[Candidate]:
    """Return the plays of all orders and evictions, of family and program, the best first.

    Parameters
    ----------
    dag, memory, rules
        The game; every vertex must fit.
    """
    return sorted(counted_plays(dag, memory, rules=rules), key=lambda member: member.io)


def counted_plays(
    dag: CDAG, memory: int, *, rules: Rules = ONE_SHOT, end: float = inf
) -> Iterator[Candidate]:
    """Yield the plays of a portfolio as they are counted, those of family and program first.

    Parameters
    ----------
    dag, memory, rules
        The game; every vertex must fit.
    end
        When the tuning of tiles is to be done, on the clock `time.monotonic`.
    """
    yield from _family(dag, memory, rules, end)
    left = None if end == inf else max(end - monotonic(), 0.0)
    if dag.origin is not None or (left is not None and dag.n <= LARGEST):
        share = None if left is None else (PROGRAM if dag.origin is not None else FAMILY) * left
        orders = tiled_orders(dag, memory, rules=rules, time_limit=share)
        yield from candidates_in("tiled", orders, dag, memory, rules)
    yield from generic_plays(dag, memory, rules=rules)


def _family(dag: CDAG, memory: int, rules: Rules, end: float) -> Iterator[Candidate]:
    """Yield the structured play, where the family has one."""
    family = dag.as_generated.family
    if rules.partial:
        orders = (
            play.order for room in rooms(dag, memory) for play in _family(dag, room, ONE_SHOT, end)
        )
        yield from candidates_in("structured", orders, dag, memory, rules)
        return
    if family in FAMILIES or family in structured.plays:
        play = structured.plan(dag, memory, rules=rules, end=end)
        made = joined(play.blocks())
        yield Candidate("structured", play.io, first_computes(dag, made), lambda: made)
