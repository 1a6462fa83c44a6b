"""Einsum strings as loop nests: "ij,jk->ik", with the sizes of its indices."""

import re
from typing import Final

from dags.programs.affine import number, variable
from dags.programs.nest import (
    Assign,
    Constant,
    Expression,
    Loop,
    Operation,
    Program,
    ProgramError,
    Reference,
    Statement,
)

PATTERN: Final = re.compile(r"[A-Za-z]*(?:,[A-Za-z]*)*->[A-Za-z]*")
OPERANDS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
RESULT: Final = "result"


def is_einsum(text: str) -> bool:
    """Whether a text is an einsum string with its result, "ij,jk->ik"."""
    return PATTERN.fullmatch(text) is not None


def from_einsum(text: str) -> Program:
    """The loops of an einsum string: one for each index, sums innermost.

    Arrays are called A, B, C, ... and `result`; the size of an index has its letter.

    Parameters
    ----------
    text
        Operands and result, "bqd,bkd->bqk"; an index that the result has not is summed over.

    Raises
    ------
    ProgramError
        If an index of the result is in no operand, or twice in it, or there are too many operands.

    Examples
    --------
    >>> from_einsum("ij,jk->ik").sizes
    ('i', 'j', 'k')
    """
    operands, _, result = text.partition("->")
    parts = operands.split(",")
    if len(parts) > len(OPERANDS):
        raise ProgramError(f"an einsum string has up to {len(OPERANDS)} operands, not {len(parts)}")
    known = dict.fromkeys("".join(parts))
    if wrong := [index for index in result if index not in known]:
        raise ProgramError(f"index {wrong[0]} of the result is in no operand")
    if len(set(result)) < len(result):
        raise ProgramError(f"the result {result} has an index twice")
    names = tuple(OPERANDS[: len(parts)])
    pairs = list(zip(names, parts, strict=True))
    cells = [Reference(name, tuple(map(variable, part))) for name, part in pairs]
    target = Reference(RESULT, tuple(map(variable, result)))
    product: Expression = cells[0]
    for cell in cells[1:]:
        product = Operation("Mult", (product, cell))
    summed = [index for index in known if index not in result]
    body: tuple[Statement, ...] = (Assign(target, product, 1),)
    if summed:
        body = (Assign(target, Operation("Add", (target, product)), 1),)
        for index in reversed(summed):
            body = (_loop(index, body),)
        body = (Assign(target, Constant(0), 1), *body)
    for index in reversed(result):
        body = (_loop(index, body),)
    extents = {name: tuple(map(variable, part)) for name, part in pairs}
    extents[RESULT] = tuple(map(variable, result))
    parameters = (*names, RESULT)
    return Program(text, body, extents, parameters=parameters, source=text, live=(RESULT,))


def _loop(index: str, body: tuple[Statement, ...]) -> Loop:
    return Loop(index, (number(0),), (variable(index),), 1, body, 1)
