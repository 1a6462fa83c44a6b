"""The queue of a sweep, which hands out tasks that share what a worker already has."""

from collections import deque
from collections.abc import Iterable

from redblue.sweeps.task import Task


class Queue:
    """Tasks that wait, in groups that share a DAG and an order.

    A worker goes on with the group of its last task, begins the next group otherwise, and helps
    with the longest one when all are begun.
    """

    def __init__(self, tasks: Iterable[Task]) -> None:
        self._groups: dict[str, deque[Task]] = {}
        for task in tasks:
            self._groups.setdefault(task.affinity, deque()).append(task)
        self._begun: set[str] = set()

    def __len__(self) -> int:
        return sum(map(len, self._groups.values()))

    def __bool__(self) -> bool:
        return bool(self._groups)

    def take(self, affinity: str | None) -> Task | None:
        """Return the next task for a worker, None if there is none."""
        if not self._groups:
            return None
        name = affinity if affinity in self._groups else self._next()
        assert name is not None
        self._begun.add(name)
        task = self._groups[name].popleft()
        if not self._groups[name]:
            del self._groups[name]
        return task

    def _next(self) -> str:
        fresh = (name for name in self._groups if name not in self._begun)
        return next(fresh, None) or max(self._groups, key=lambda name: len(self._groups[name]))
