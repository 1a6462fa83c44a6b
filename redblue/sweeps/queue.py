"""Which job next: one that shares what the worker has at hand."""

from collections import deque
from collections.abc import Iterable

from redblue.sweeps.task import Job


class Queue:
    """Jobs that wait, in groups that share a DAG and an order.

    A worker goes on with the group of its last job, begins the next group otherwise, and helps
    with the longest one when all are begun.
    """

    def __init__(self, jobs: Iterable[Job]) -> None:
        self._groups: dict[str, deque[Job]] = {}
        for job in jobs:
            self._groups.setdefault(job.affinity, deque()).append(job)
        self._begun: set[str] = set()

    def __bool__(self) -> bool:
        return bool(self._groups)

    def take(self, affinity: str | None) -> Job | None:
        """Return the next job for a worker, None if there is none."""
        if not self._groups:
            return None
        name = affinity if affinity in self._groups else self._next()
        assert name is not None
        self._begun.add(name)
        job = self._groups[name].popleft()
        if not self._groups[name]:
            del self._groups[name]
        return job

    def _next(self) -> str:
        fresh = (name for name in self._groups if name not in self._begun)
        return next(fresh, None) or max(self._groups, key=lambda name: len(self._groups[name]))
