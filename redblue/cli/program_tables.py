"""Tables of the statements, arrays and sizes of a program."""

from collections.abc import Sequence
from dataclasses import asdict

from redblue.cli import console


def explain_program(spec: str, json: bool) -> None:
    """Print the statements, arrays and sizes of a program, or the operators of a graph.

    Raises
    ------
    InvalidSpecError
        If `spec` names none.
    """
    from dags import InvalidSpecError
    from dags.importers.spec import is_imported
    from dags.programs.describe import arrays_of, statements_of
    from dags.programs.spec import is_program, program_spec
    from dags.tracing.spec import is_traced

    if is_traced(spec):
        raise InvalidSpecError(f"{spec} runs a function, whose loops are not read: leave out numpy")
    if is_imported(spec):
        explain_graph(spec, json)
        return
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


def explain_graph(spec: str, json: bool) -> None:
    """Print the operators, shapes and inputs of a graph of another tool."""
    from dags.importers.spec import import_spec

    graph = import_spec(spec).graph()
    inputs = [{"name": name, "shape": graph.shapes[name]} for name in graph.inputs]
    operators = [
        {
            "name": each.name or each.results[0],
            "kind": each.kind,
            "operands": [*each.operands],
            "results": [{"name": name, "shape": graph.shapes[name]} for name in each.results],
            "work": each.work,
            "cut": each.reads is not None,
        }
        for each in graph.operators
    ]
    if json:
        facts = {"spec": spec, "name": graph.name, "inputs": inputs, "operators": operators}
        console.emit_json({"graph": facts})
        return
    console.emit_text(f"{graph.name}, a graph of {len(operators)} operators\n")
    _emit(("input", "shape"), [(name, _sides(graph.shapes[name])) for name in graph.inputs])
    rows = [
        (
            each.name or each.results[0],
            each.kind,
            ", ".join(f"{name} {_sides(graph.shapes.get(name, ()))}" for name in each.operands),
            ", ".join(_sides(graph.shapes[name]) for name in each.results),
            "" if each.work is None else f"{each.work:,}",
            "" if each.reads is not None else "is not cut",
        )
        for each in graph.operators
    ]
    _emit(("operator", "is", "reads", "result", "work", ""), rows)


def _sides(shape: Sequence[int]) -> str:
    return "x".join(map(str, shape)) or "1"


def _emit(headings: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> None:
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for heading in headings:
        table.add_column(heading, overflow="fold")
    for row in rows:
        table.add_row(*row)
    console.emit_table(table)
