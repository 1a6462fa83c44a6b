"""Keys of results: SHA-256 of all that decides them."""

import hashlib
import json
from collections.abc import Mapping
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from dags import CDAG, InvalidSpecError
from redblue.version import __version__

# Packages whose code decides what a schedule moves or a bound proves.
DECIDING = ("dags", "pebble", "schedulers", "proofs")
LIBRARIES = ("numba", "numpy", "ortools", "scipy")


def canonical(value: Any) -> str:
    """Return the one JSON text of `value`: sorted keys, no spaces, no NaN.

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
    """Return SHA-256 of the canonical text of `value`."""
    return hashlib.sha256(canonical(value).encode()).hexdigest()


@cache
def versions() -> Mapping[str, str]:
    """Return the version of this program, and those of the libraries that compute for it."""
    return {"redblue": f"{__version__}+{_sources()}"} | {
        name: _installed(name) for name in LIBRARIES
    }


def identity(dag: CDAG) -> str:
    """Return SHA-256 of all that methods see of `dag`: its content, its family, its program.

    A structured schedule knows a generated DAG by its family, a tiled one that of a program by its
    loops; a file of the same DAG may have neither, or one that was recognised.
    """
    params = {key: repr(value) for key, value in dag.params.items()}
    known: list[Any] = [dag.digest, dag.family, params]
    if dag.recognised is not None:
        known.append(dag.recognised.spec)
    if dag.origin is not None:
        known += [dag.origin.digest, dict(dag.origin.sizes)]
    return digest_of(known)


def _installed(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:  # an extra that is not there
        return "none"


def _sources() -> str:
    """Return a digest of the source, which tells apart two states of one version."""
    root = Path(__file__).resolve().parents[2]
    state = hashlib.sha256()
    for path in sorted(file for name in DECIDING for file in (root / name).rglob("*.py")):
        state.update(f"{path.relative_to(root).as_posix()}:".encode() + path.read_bytes())
    return state.hexdigest()[:8]
