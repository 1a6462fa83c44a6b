"""The scheduler that knows the family of a DAG."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from dags import CDAG
from dags.arrays import Int32Array
from pebble import ONE_SHOT, Rules, Schedule, require_memory
from schedulers.accesses import Accesses, accesses
from schedulers.eviction import Policy, belady_clean, belady_cost, blocks, schedule
from schedulers.orders import ORDERS

FamilyOrders = Callable[[CDAG, int], Iterator[Int32Array]]
POLICIES: tuple[Policy, ...] = (belady_clean, belady_cost)
SMALL = 1 << 20  # vertices up to which the generic orders are tried too


@dataclass(frozen=True)
class Structured:
    """Plays a DAG by the orders that the literature knows for its family.

    It counts what each candidate moves with the memory at hand, with both store-aware evictions,
    and plays the best. The generic orders are candidates too where nothing else is known, and up
    to a million vertices: at the edges of small DAGs they sometimes win. Every value is computed
    once and nothing slides, which is legal under all rules.

    Parameters
    ----------
    families
        The orders to try for each family, given the memory; the first is what the literature
        would play.
    """

    families: Mapping[str, FamilyOrders]

    def plan(self, dag: CDAG, memory: int) -> tuple[Accesses, Policy]:
        """Return the order, laid out, and the policy that move least.

        Raises
        ------
        MemoryTooSmallError
            If some vertex and its operands do not fit into `memory`.
        """
        require_memory(dag, memory)
        best: tuple[int, Accesses, Policy] | None = None
        for order in self._candidates(dag, memory):
            layout = accesses(dag, order)
            for policy in POLICIES:
                io = policy(layout, memory).io
                if best is None or io < best[0]:
                    best = io, layout, policy
        assert best is not None  # there is always a candidate
        return best[1:]

    def _candidates(self, dag: CDAG, memory: int) -> Iterator[Int32Array]:
        """Yield the family's orders, and the generic ones where they may win."""
        alone = True
        for order in self.families.get(dag.family or "", _none)(dag, memory):
            alone = False
            yield order
        if alone or dag.n <= SMALL:
            for generic in ORDERS.values():
                yield generic(dag)

    def blocks(self, dag: CDAG, memory: int) -> Iterator[Schedule]:
        """Yield the schedule a block of moves at a time; raises as `plan`."""
        layout, policy = self.plan(dag, memory)
        return blocks(layout, memory, policy)

    def __call__(
        self,
        dag: CDAG,
        memory: int,
        *,
        rules: Rules = ONE_SHOT,
        seed: int = 0,
        time_limit: float | None = None,
    ) -> Schedule:
        """Return the schedule; raises as `plan`."""
        layout, policy = self.plan(dag, memory)
        return schedule(layout, memory, policy)


def _none(dag: CDAG, memory: int) -> Iterator[Int32Array]:
    """Yield no order: what is known for a DAG of no family."""
    del dag, memory
    return iter(())
