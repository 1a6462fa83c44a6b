"""Programs of which some sizes have values."""

from collections.abc import Mapping
from dataclasses import replace

from dags.errors import UnknownNameError
from dags.programs.affine import Affine, number
from dags.programs.nest import (
    Assign,
    Clear,
    Constant,
    Expression,
    If,
    Loop,
    Operation,
    Program,
    Reference,
    Statement,
)

Forms = Mapping[str, Affine]


def with_sizes(program: Program, sizes: Mapping[str, int]) -> Program:
    """The program with numbers in the place of some of its sizes.

    Parameters
    ----------
    program
        A loop nest.
    sizes
        Values of some of its sizes.

    Raises
    ------
    UnknownNameError
        If it has no such size.
    """
    if not sizes:
        return program
    for name in sizes:
        if name not in program.sizes:
            raise UnknownNameError("size", name, program.sizes)
    forms = {name: number(value) for name, value in sizes.items()}
    extents = {name: _replaced(extent, forms) for name, extent in program.extents.items()}
    defaults = {name: value for name, value in program.defaults.items() if name not in sizes}
    body = tuple(with_names(inner, forms) for inner in program.body)
    return replace(program, body=body, extents=extents, defaults=defaults)


def _replaced(affine_forms: tuple[Affine, ...], forms: Forms) -> tuple[Affine, ...]:
    return tuple(form.replaced(forms) for form in affine_forms)


def with_names(statement: Statement, forms: Forms) -> Statement:
    """A statement with forms in the place of names.

    In a loop over a variable of such a name, as in an einsum, the name is that of the variable.
    """
    if isinstance(statement, Clear):
        return statement
    if isinstance(statement, Assign):
        target = _cell(statement.target, forms)
        return replace(statement, target=target, expression=_read(statement.expression, forms))
    if isinstance(statement, Loop):
        start, stop = _replaced(statement.start, forms), _replaced(statement.stop, forms)
        inside = {name: form for name, form in forms.items() if name != statement.variable}
        body = tuple(with_names(part, inside) for part in statement.body)
        return replace(statement, start=start, stop=stop, body=body)
    body = tuple(with_names(part, forms) for part in statement.body)
    cases = tuple(
        tuple(replace(condition, form=condition.form.replaced(forms)) for condition in case)
        for case in statement.cases
    )
    otherwise = tuple(with_names(inner, forms) for inner in statement.otherwise)
    return If(cases, body, otherwise, statement.line)


def _cell(cell: Reference, forms: Forms) -> Reference:
    return Reference(cell.array, _replaced(cell.indices, forms))


def _read(expression: Expression, forms: Forms) -> Expression:
    """An expression with numbers in the place of names."""
    if isinstance(expression, Reference):
        return _cell(expression, forms)
    if isinstance(expression, Operation):
        return _operation(expression, forms)
    if isinstance(expression.value, Affine):
        return Constant(expression.value.replaced(forms))
    if isinstance(expression.value, Operation):
        return Constant(_operation(expression.value, forms))
    return expression


def _operation(operation: Operation, forms: Forms) -> Operation:
    meaning = None if operation.meaning is None else _read(operation.meaning, forms)
    return replace(
        operation, operands=tuple(_read(e, forms) for e in operation.operands), meaning=meaning
    )
