"""Portfolio: the plays of all generic orders and evictions, and those of the DAG's family."""

from collections.abc import Iterator

from dags import CDAG
from pebble import ONE_SHOT, UNLIMITED, Budget, Rules
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
    dag: CDAG, memory: int, *, rules: Rules = ONE_SHOT, budget: Budget = UNLIMITED
) -> Iterator[Candidate]:
    """Yield the plays of a portfolio as they are counted, those of family and program first.

    Parameters
    ----------
    dag, memory, rules
        The game; every vertex must fit.
    budget
        Of the tuning of tiles.
    """
    yield from _family(dag, memory, rules, budget)
    if dag.origin is not None or (budget.seconds is not None and dag.n <= LARGEST):
        share = budget.share(FAMILY if dag.origin is None else PROGRAM)
        orders = tiled_orders(dag, memory, rules=rules, budget=share)
        yield from candidates_in("tiled", orders, dag, memory, rules)
    yield from generic_plays(dag, memory, rules=rules)


def _family(dag: CDAG, memory: int, rules: Rules, budget: Budget) -> Iterator[Candidate]:
    """Yield the structured play, where the family has one."""
    family = dag.as_generated.family
    if rules.partial:
        orders = (
            play.order
            for room in rooms(dag, memory)
            for play in _family(dag, room, ONE_SHOT, budget)
        )
        yield from candidates_in("structured", orders, dag, memory, rules)
        return
    if family in FAMILIES or family in structured.plays:
        play = structured.plan(dag, memory, rules=rules, budget=budget)
        made = joined(play.blocks())
        yield Candidate("structured", play.io, first_computes(dag, made), lambda: made)
