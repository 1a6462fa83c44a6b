"""Tables of the statements, arrays and sizes of a program."""

from collections.abc import Sequence
from dataclasses import asdict

from redblue.cli import console


def explain_program(spec: str, json: bool) -> None:
    """Print the statements, arrays and sizes of the program that `spec` names.

    Raises
    ------
    InvalidSpecError
        If it names no program.
    """
    from dags import InvalidSpecError
    from dags.programs.describe import arrays_of, statements_of
    from dags.programs.spec import is_program, program_spec
    from dags.tracing.spec import is_traced

    if is_traced(spec):
        raise InvalidSpecError(f"{spec} runs a function, whose loops are not read: leave out numpy")
    if not is_program(spec):
        raise InvalidSpecError(f"{spec} is no program: C or Python text, or polybench/NAME")
    program = program_spec(spec).program
    statements, arrays = statements_of(program), arrays_of(program)
    if json:
        facts = {"spec": spec, "name": program.name, "sizes": [*program.sizes]}
        parts = {"statements": [*map(asdict, statements)], "arrays": [*map(asdict, arrays)]}
        console.emit_json({"program": facts | parts})
        return
    console.emit_text(f"{program.name}, a program of the sizes {', '.join(program.sizes)}\n")
    rows = [(each.name, str(each.line), ", ".join(each.loops), each.text) for each in statements]
    _emit(("statement", "line", "loops", "text"), rows)
    marks = [(each.name, str(each.dimensions), each.role, "live" * each.live) for each in arrays]
    _emit(("array", "indices", "is", ""), marks)
    wanted = ",".join(f"{name}=..." for name in program.sizes)
    console.emit_text(f"lay out its DAG: redblue dag {spec.partition(':')[0]}:{wanted}\n")


def _emit(headings: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> None:
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False)
    for heading in headings:
        table.add_column(heading, overflow="fold")
    for row in rows:
        table.add_row(*map(Text, row))  # brackets are indices here, not markup
    console.emit_table(table)
