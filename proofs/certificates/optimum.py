"""Checks an optimum: a lower bound, and a play that moves no more.

`data` has the "kind" and the "data" of the bound's own certificate, and the play as the lists "op"
and "vertex" of its moves, and "operand" where partial computation has some.
"""

from collections.abc import Callable, Mapping
from typing import Any

from dags import CDAG
from pebble import IllegalMoveError, InvalidScheduleError, Rules, Schedule, play
from proofs.core.certificate import Certificate, CertificateError
from proofs.core.fields import integers, only, text

KIND = "optimum"


def proven(
    dag: CDAG,
    memory: int,
    rules: Rules,
    data: Mapping[str, Any],
    bound: Callable[[CDAG, int, Rules, Certificate], int],
) -> int:
    """Return the words that the certificate proves, which the play in it moves.

    Parameters
    ----------
    dag, memory, rules, data
        As for every checker.
    bound
        Returns the words that the certificate of a bound proves.
    """
    with_operands = ("operand",) if "operand" in data else ()
    only(data, ("kind", "data", "op", "vertex", *with_operands))
    kind = text(data, "kind")
    if kind == KIND:
        raise CertificateError("kind", "is that of an optimum, not of a bound")
    if not isinstance(data["data"], Mapping):
        raise CertificateError("data", "is no object")
    words = bound(dag, memory, rules, Certificate(kind, data["data"]))
    moved = _moved(dag, memory, rules, data)
    if moved != words:
        raise CertificateError("play", f"moves {moved} words, but {words} are proved to be needed")
    return words


def _moved(dag: CDAG, memory: int, rules: Rules, data: Mapping[str, Any]) -> int:
    """Return the words that the play moves."""
    op, vertex = integers(data, "op"), integers(data, "vertex")
    operand = integers(data, "operand") if "operand" in data else None
    try:
        return play(dag, Schedule(op, vertex, operand), memory, rules=rules).io
    except (IllegalMoveError, InvalidScheduleError) as error:
        raise CertificateError("play", f"is illegal: {error}") from None
