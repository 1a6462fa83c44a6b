"""Layouts of orders, shared by the cells of a process that play in the same order."""

from collections.abc import Container, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import takewhile
from threading import Condition, Lock

from dags import CDAG
from redblue.answers.counts import Counts
from redblue.answers.plays import lay_out
from schedulers import Accesses, Order

# Edges from which an order is laid out only when no other is in use: one takes half a gigabyte.
LAYOUTS_SIDE_BY_SIDE = 1 << 25

Key = tuple[str, Order]  # identity of a DAG, and an order


@dataclass(frozen=True)
class Layout:
    """The accesses of an order, and the counts of its plays."""

    accesses: Accesses
    counts: Counts


@dataclass
class _Entry:
    """A layout, once it is made, and the number of cells that use it."""

    users: int = 0
    layout: Layout | None = None
    making: Lock = field(default_factory=Lock)


class Layouts:
    """Layouts that are in use or announced, and the last one that was.

    An order is laid out by the first cell that needs it, while the others of that order wait.
    """

    def __init__(self) -> None:
        self._entries: dict[Key, _Entry] = {}
        self._announced: dict[Key, int] = {}  # cells that are begun, of the first orders first
        self._changed = Condition()

    def __len__(self) -> int:
        return len(self._entries)

    @contextmanager
    def borrowed(
        self, dag: CDAG, identity: str, order: Order | None, plays: int
    ) -> Iterator[Layout | None]:
        """Yield the layout of `order`, None where there is no order.

        Parameters
        ----------
        dag, identity
            The DAG, and its name among those of the process.
        order
            Order to lay out. Without one, a large DAG still waits until no layout is in use.
        plays
            Number of plays that share the layout.
        """
        key = None if order is None else (identity, order)
        large = dag.m > LAYOUTS_SIDE_BY_SIDE
        with self._changed:
            if large:
                self._changed.wait_for(lambda: not any(self._in_the_way(key)))
            if key not in self._entries and (key is not None or large):
                self._drop_unused({} if large else self._announced)
            entry = _Entry() if key is None else self._entries.setdefault(key, _Entry())
            entry.users += 1
        try:
            with entry.making:
                if entry.layout is None and order is not None:
                    laid_out = lay_out(dag, order, plays)
                    entry.layout = Layout(laid_out, Counts(laid_out, plays))
            yield entry.layout
        finally:
            with self._changed:
                entry.users -= 1
                self._changed.notify_all()

    def announce(self, identity: str, order: Order) -> None:
        """Keep the layout of an order until a cell that has begun, on any thread, has had it.

        Between its beginning and its use of the layout another order could otherwise drop it.
        """
        with self._changed:
            self._announced[identity, order] = self._announced.get((identity, order), 0) + 1

    def leave(self, identity: str, order: Order) -> None:
        """Take back the announcement of a cell."""
        with self._changed:
            self._announced[identity, order] -= 1
            if not self._announced[identity, order]:
                del self._announced[identity, order]
            self._changed.notify_all()

    def clear(self) -> None:
        """Drop the layouts that no cell uses."""
        with self._changed:
            self._drop_unused({})

    def _in_the_way(self, key: Key | None) -> Iterator[bool]:
        """Yield, for other orders, whether a cell must wait for them: it is never for each other.

        Of the orders that are announced the first one waits for none but those in use.
        """
        yield from (entry.users > 0 for peer, entry in self._entries.items() if peer != key)
        yield any(True for _ in takewhile(lambda peer: peer != key, self._announced))

    def _drop_unused(self, kept: Container[Key]) -> None:
        self._entries = {
            key: entry for key, entry in self._entries.items() if entry.users or key in kept
        }


LAYOUTS = Layouts()  # one for the process: its threads share it
