"""Certificates in files that nobody vouches for: one JSON object, sealed."""

import hashlib
import json
import re
from pathlib import Path
from typing import Any

import numpy as np

from dags import CDAG, FormatError
from dags.cdag.files import writing
from dags.families.common.members import Member
from dags.programs.box_nests import BoxNest
from pebble import PARTIAL, RULES
from proofs.base import Bound
from proofs.certificates import OF_NESTS, Certificate, CertificateError
from proofs.core.records import LARGEST, integer, only, shown, text

LEVELS = 32  # of lists and objects: no certificate has more than a dozen
DIGITS = len(str(LARGEST)) + 1  # of an integer, its sign included
FORMAT = "redblue certificate 1"
METHOD = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.:-]{0,79}")  # what is printed of a file is no sentence
MOST_BYTES = 2**26  # of a file, and for each vertex and each edge of the DAG besides:
BYTES_EACH = 2**10
FIELDS = ("format", "dag", "method", "memory", "rules", "io", "kind", "data", "seal")


def fingerprint(dag: CDAG | BoxNest | Member) -> str:
    """SHA-256 of all that a bound can see: edges, sizes and outputs.

    Of a nest it is of its boxes, of a family's member of its parameters.
    """
    state = hashlib.sha256()
    if isinstance(dag, Member):
        return dag.digest
    if isinstance(dag, BoxNest):
        state.update(repr((dag.digest, dag.assignments, dag.any_order)).encode())
        return state.hexdigest()
    for array in (dag.pred_indptr, dag.pred_indices, dag.words, dag.outputs):
        state.update(f"{0 if array is None else array.size}:".encode())
        if array is not None:
            state.update(array.data)
    return state.hexdigest()


def save_bound(bound: Bound, dag: CDAG | BoxNest | Member, path: str | Path) -> None:
    """Write `bound` and its certificate to a file, whole or not at all.

    Parameters
    ----------
    bound
        The bound to keep.
    dag
        The computation that it is for, or a nest or a member whose DAG is not built; the file has
        its fingerprint.
    path
        The file to write, as JSON; one that is there is replaced.

    Raises
    ------
    FormatError
        If it has more words than are read again.
    """
    if bound.io > LARGEST:
        raise FormatError(path, f"a certificate has at most {LARGEST:,} words, not {bound.io:,}")
    with writing(Path(path)) as new:
        new.write_text(bound_text(bound, dag) + "\n")


def bound_text(bound: Bound, dag: CDAG | BoxNest | Member) -> str:
    """The object that `save_bound` writes."""
    record = {
        "format": FORMAT,
        "dag": fingerprint(dag),
        "method": bound.method,
        "memory": bound.memory,
        "rules": bound.rules.name,
        "io": bound.io,
        "kind": bound.certificate.kind,
        "data": _plain(bound.certificate.data),
    }
    return json.dumps({**record, "seal": _seal(record)})


def is_of_nest(bound: Bound | str | Path) -> bool:
    """Whether a bound, or the file with one, has the certificate of a loop nest.

    Raises
    ------
    FormatError
        If it holds no certificate.
    """
    return kind_of(bound) in OF_NESTS


def kind_of(bound: Bound | str | Path) -> object:
    """The kind of the certificate of a bound, or of the file with one.

    Raises
    ------
    FormatError
        If it holds no certificate.
    """
    if isinstance(bound, Bound):
        return bound.certificate.kind
    return read_object(bound, MOST_BYTES).get("kind")


def load_bound(path: str | Path, dag: CDAG | BoxNest | Member) -> Bound:
    """The bound in `path`, which must be one for `dag`; `check` verifies it.

    Raises
    ------
    FormatError
        If the file holds no certificate, or is longer than any certificate for such a DAG.
    CertificateError
        If it has been changed, or is for another DAG.
    """
    more = BYTES_EACH * (dag.n + dag.pred_indices.size) if isinstance(dag, CDAG) else 0
    return bound_in(read_object(path, MOST_BYTES + more), dag, path)


def bound_in(record: dict[str, Any], dag: CDAG | BoxNest | Member, path: str | Path) -> Bound:
    """The bound in an object that `read_object` read, which must be one for `dag`.

    Parameters
    ----------
    record
        The object, as `bound_text` writes it.
    dag
        The computation.
    path
        The file, for messages.

    Raises
    ------
    FormatError, CertificateError
        As of `load_bound`.
    """
    if record.get("format") != FORMAT:
        raise FormatError(path, f"is no certificate: it has no format {FORMAT!r}")
    only(record, FIELDS)
    record, seal = dict(record), record["seal"]
    del record["seal"]
    if seal != _seal(record):
        raise CertificateError("seal", "does not fit: the file has been changed")
    if record["dag"] != fingerprint(dag):
        raise CertificateError("dag", "the certificate is for another DAG")
    if not isinstance(record["data"], dict):
        raise CertificateError("data", "is no object")
    method, rules = text(record, "method"), text(record, "rules")
    if METHOD.fullmatch(method) is None:
        raise CertificateError("method", f"is {shown(method)}, no name of a method")
    known = {**RULES, PARTIAL.name: PARTIAL}
    if rules not in known:
        raise CertificateError("rules", f"are {shown(rules)}, not one of {', '.join(known)}")
    return Bound(
        method=method,
        memory=integer(record, "memory", minimum=0),
        io=integer(record, "io", minimum=0),
        rules=known[rules],
        certificate=Certificate(text(record, "kind"), record["data"]),
    )


def _seal(record: dict[str, Any]) -> str:
    """SHA-256 of the record, which guards against accidents, not against malice."""
    return hashlib.sha256(json.dumps(record, sort_keys=True).encode()).hexdigest()


def _plain(value: Any) -> Any:
    """`value` with arrays as lists."""
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, np.integer):
        return int(value)
    if isinstance(value, list | tuple):
        return [_plain(entry) for entry in value]
    if isinstance(value, dict):
        return {key: _plain(entry) for key, entry in value.items()}
    return value


def read_object(path: str | Path, most_bytes: int, *, fractions: bool = False) -> dict[str, Any]:
    """The object in a JSON file of at most `most_bytes` bytes.

    No two keys of an object are the same.

    Parameters
    ----------
    path
        The file.
    most_bytes
        Its largest length.
    fractions
        Whether numbers may have fractions; else all are integers.

    Raises
    ------
    FormatError
        If there is no such file, it is longer, or holds anything else.
    """
    try:
        with Path(path).open("rb") as file:
            content = file.read(most_bytes + 1)
    except OSError as error:
        raise FormatError(path, f"cannot be read: {error.strerror or error}") from error
    if len(content) > most_bytes:
        raise FormatError(path, f"has more than {most_bytes} bytes")
    try:
        record = json.loads(
            content.decode(),
            parse_float=float if fractions else _no_number,
            parse_constant=_no_number,
            parse_int=_integer,
            object_pairs_hook=_object,
        )
    except ValueError as error:
        raise FormatError(path, f"is no JSON: {error}") from None
    except RecursionError:
        raise FormatError(path, "is no JSON: it has too many levels") from None
    if not isinstance(record, dict):
        raise FormatError(path, "is no certificate: it is no JSON object")
    if not _is_shallow(record):
        raise FormatError(path, f"has more than {LEVELS} levels")
    return record


def _is_shallow(record: dict[str, Any]) -> bool:
    """Whether lists and objects are nested in at most `LEVELS` levels."""
    level: list[Any] = [record]
    for _ in range(LEVELS):
        entries = (each.values() if isinstance(each, dict) else each for each in level)
        level = [entry for each in entries for entry in each if isinstance(entry, dict | list)]
        if not level:
            return True
    return False


def _no_number(written: str) -> Any:
    raise ValueError(f"{shown(written)} is no integer")


def _integer(written: str) -> int:
    if len(written) > DIGITS or abs(int(written)) > LARGEST:
        raise ValueError(f"{shown(written)} is beyond {LARGEST}")
    return int(written)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    record: dict[str, Any] = {}
    for key, value in pairs:
        if key in record:
            raise ValueError(f"the key {shown(key)} is there twice")
        record[key] = value
    return record
