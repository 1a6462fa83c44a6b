"""The cells of a sweep, one computation each, and their outcomes."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Literal

from pebble import ONE_SHOT, Rules

Status = Literal["done", "not-applicable", "failed", "timed-out", "out-of-memory"]
FAILURES: tuple[Status, ...] = ("failed", "timed-out", "out-of-memory")


@dataclass(frozen=True)
class Cell:
    """One computation, described so that any machine can do it.

    Parameters
    ----------
    kind
        What is computed: a name in `redblue.sweeps.KINDS` ("upper", "lower", "solve"), or
        "package.module:function" for a function like them.
    dag
        A DAG specification, or a name under which `sweep` is given the DAG itself; empty for a
        kind that needs no DAG.
    method
        The scheduler or bound, where the kind has several.
    memory
        Words of fast memory.
    rules, seed
        The game, and the seed of methods that draw at random.
    parameters
        Further arguments of the kind: values that JSON has.
    time_limit
        Seconds that the method is given; one that ignores it is ended some time later.
    memory_limit
        Bytes that the computation may take beyond what its process holds, on Linux.
    """

    kind: str
    dag: str
    method: str = ""
    memory: int = 0
    rules: Rules = ONE_SHOT
    seed: int = 0
    parameters: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}), hash=False)
    time_limit: float | None = None
    memory_limit: int | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        fields = (self.kind, self.dag, self.method, self.memory, self.rules, self.seed)
        return Cell, (*fields, dict(self.parameters), self.time_limit, self.memory_limit)

    def configuration(self) -> dict[str, Any]:
        """Return what decides the result besides the DAG and the versions, as JSON values."""
        return {
            "kind": self.kind,
            "method": self.method,
            "memory": self.memory,
            "rules": self.rules.name,
            "seed": self.seed,
            "parameters": dict(self.parameters),
            "time_limit": self.time_limit,
            "memory_limit": self.memory_limit,
        }


# What the name of an artefact's file may end with: never a part of a path.
ARTEFACT_SUFFIX = re.compile(r"\.[a-z0-9]{1,8}")


@dataclass(frozen=True)
class Artefact:
    """The schedule or certificate behind a result, as the contents of a file.

    Parameters
    ----------
    suffix
        ".npz" for a schedule, ".json" for a certificate.
    data
        The bytes of the file.
    """

    suffix: str
    data: bytes


@dataclass(frozen=True)
class Outcome:
    """Outcome of a cell: its result, or the reason why there is none.

    Parameters
    ----------
    status
        "done"; "not-applicable": the method says nothing of such a DAG; "failed": it raised, or
        its process died; "timed-out", "out-of-memory": it went beyond its limit.
    result
        The kind's result, of JSON values; None unless done. Nothing in it depends on speed.
    error
        Text of the exception, or how the cell ended; None if done.
    seconds
        Time that it took. A kind that returns 0 leaves the measuring to the worker.
    finished
        When, in UTC, as ISO 8601 has it.
    artefact
        The schedule or certificate, where it was asked for.
    """

    status: Status
    result: Any = None
    error: str | None = None
    seconds: float = 0.0
    finished: str = ""
    artefact: Artefact | None = None
