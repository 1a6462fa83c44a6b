"""The cells of a sweep, one computation each, their outcomes, and the keys of both."""

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal

from dags import CDAG, Computation, InvalidSpecError
from pebble import ONE_SHOT, Rules
from redblue.answers.building import is_known_by_formulas
from redblue.version import __version__

Status = Literal["done", "not-applicable", "failed", "timed-out", "out-of-memory"]
FAILURES: tuple[Status, ...] = ("failed", "timed-out", "out-of-memory")


@dataclass(frozen=True)
class Cell:
    """One computation, described so that any machine can do it.

    Parameters
    ----------
    kind
        The kind of computation: a name in `redblue.sweeps.KINDS` ("upper", "lower", "solve"), or
        "package.module:function" for a function like them.
    dag
        A specification, or a name under which `sweep` is given the computation itself; empty for a
        kind that needs none.
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
        Bytes that the computation may take beyond those of its process, on Linux.
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
        """The parts of a key besides the DAG and the versions, as JSON values."""
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
    work
        Nanoseconds of the reference machine that its searches have worked; not kept in a store.
    """

    status: Status
    result: Any = None
    error: str | None = None
    seconds: float = 0.0
    finished: str = ""
    artefact: Artefact | None = None
    work: int = field(default=0, compare=False)


# Packages whose code decides what a schedule moves or a bound proves.
DECIDING = ("dags", "pebble", "schedulers", "proofs")
LIBRARIES = ("numba", "numpy", "ortools", "scipy")


def canonical(value: Any) -> str:
    """The one JSON text of `value`: sorted keys, no spaces, no NaN.

    Raises
    ------
    InvalidSpecError
        If JSON does not have it.

    Examples
    --------
    >>> canonical({"b": [1, 2.5], "a": None})
    '{"a":null,"b":[1,2.5]}'
    """
    try:
        return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False)
    except (TypeError, ValueError) as error:
        raise InvalidSpecError(f"JSON does not have this: {error}") from None


def digest_of(value: Any) -> str:
    """SHA-256 of the canonical text of `value`."""
    return hashlib.sha256(canonical(value).encode()).hexdigest()


@cache
def versions() -> Mapping[str, str]:
    """The version of this program, and those of the libraries that compute for it."""
    return {"redblue": f"{__version__}+{_sources()}"} | {
        name: _installed(name) for name in LIBRARIES
    }


def identity(source: Computation | CDAG) -> str:
    """SHA-256 of all that methods see of a computation.

    Of a DAG that is its content, its family, and its program: a structured schedule knows a
    generated DAG by its family, a tiled one that of a program by its loops; a file of the same DAG
    may have neither, or one that was recognised. A computation that formulas describe at its size
    is its family and parameters, or its text and sizes.
    """
    if isinstance(source, Computation):
        return _known(source) if is_known_by_formulas(source) else identity(source.dag)
    dag = source
    params = {key: repr(value) for key, value in dag.params.items()}
    known: list[Any] = [dag.digest, dag.family, params]
    if dag.recognised is not None:
        known.append(dag.recognised.spec)
    if dag.origin is not None:
        known += [dag.origin.digest, dict(dag.origin.sizes)]
    return digest_of(known)


def _known(computation: Computation) -> str:
    """The digest of a computation whose DAG is not built."""
    member = computation.member
    assert member is not None
    params = {key: repr(value) for key, value in member.params.items()}
    nest = member.boxes
    text = None if nest is None else [nest.name, nest.digest, nest.any_order]
    return digest_of(["formulas", member.family, params, text, repr(member.sizes)])


def _installed(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:  # an extra that is not there
        return "none"


def _sources() -> str:
    """A digest of the source, which tells apart two states of one version."""
    root = Path(__file__).resolve().parents[3]
    state = hashlib.sha256()
    for path in sorted(file for name in DECIDING for file in (root / name).rglob("*.py")):
        state.update(f"{path.relative_to(root).as_posix()}:".encode() + path.read_bytes())
    return state.hexdigest()[:8]
