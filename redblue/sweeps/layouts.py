"""Layouts of orders, shared by the cells of a process that play in the same order."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Condition, Lock

from dags import CDAG
from redblue.counts import Counts
from redblue.plays import lay_out
from schedulers import Accesses, Order

# Edges from which an order is laid out only when no other is in use: one takes half a gigabyte.
LAYOUTS_SIDE_BY_SIDE = 1 << 25


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
    """Layouts that are in use, and the last one that was.

    An order is laid out by the first cell that needs it, while the others of that order wait.
    """

    def __init__(self) -> None:
        self._entries: dict[tuple[str, Order], _Entry] = {}
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
            The DAG, and what names it among those of the process.
        order
            Order to lay out. Without one, a large DAG still waits until no layout is in use.
        plays
            Number of plays that share the layout.
        """
        key = None if order is None else (identity, order)
        with self._changed:
            if dag.m > LAYOUTS_SIDE_BY_SIDE:
                self._changed.wait_for(lambda: not any(self._others_in_use(key)))
            if key not in self._entries and (key is not None or dag.m > LAYOUTS_SIDE_BY_SIDE):
                self._drop_unused()
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

    def clear(self) -> None:
        """Drop the layouts that no cell uses."""
        with self._changed:
            self._drop_unused()

    def _others_in_use(self, key: tuple[str, Order] | None) -> Iterator[bool]:
        return (entry.users > 0 for other, entry in self._entries.items() if other != key)

    def _drop_unused(self) -> None:
        self._entries = {key: entry for key, entry in self._entries.items() if entry.users}


LAYOUTS = Layouts()  # one for the process: its threads share it
