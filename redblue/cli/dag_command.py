"""``redblue dag``: sizes of a DAG, the parts of a program, and conversion between formats."""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from redblue.cli import console
from redblue.cli.computation import Asked, recognition
from redblue.show.answer import Facts
from redblue.show.rows import table

if TYPE_CHECKING:
    from dags import CDAG


def dag(
    computation: Asked, out: Annotated[Path | None, "FILE"] = None, explain: bool = False
) -> Facts:
    """Show the size, the degrees and the smallest legal memory of a DAG, or convert it.

    Parameters
    ----------
    out
        Write the DAG to this file, in the format of its suffix.
    explain
        Show the loops and statements of a program, or the operators of a model.
    """
    from dags import formats, save
    from redblue.answers.words import WORD_BYTES

    spec = computation.name
    if explain:
        return explained(spec)
    graph = computation.load(tell=False).dag
    if out is not None:
        lost = formats.lost(graph, out)
        save(graph, out)
        if lost:
            console.say(f"note: {out.suffix} files do not store {', '.join(lost)}")
        if graph.word_bytes not in (None, WORD_BYTES):
            bytes_of_word = f"word={graph.word_bytes}"
            console.say(
                f"note: the file does not store the bytes of a word: load {out}:{bytes_of_word}"
            )
        console.say(f"wrote {out}")
    facts, known = measure(graph, spec), graph.recognised
    table_rows = [
        (key.replace("_", " "), value)
        for key, value in facts.items()
        if key not in ("spec", "recognised")
    ]
    title = spec if known is None else f"{spec}\n{recognition(known)}"
    return Facts({"dag": facts}, (table("sizes", title, table_rows, "", ""),))


def measure(graph: "CDAG", spec: str) -> dict[str, Any]:
    """The facts about a DAG that the command prints."""
    from pebble import Rules, min_memory
    from proofs import compulsory
    from redblue.answers.results import describe

    facts = describe(graph, spec)
    return {
        **facts,
        "used_inputs": graph.used_inputs.size,
        "levels": int(graph.level.max()) + 1,
        "max_indegree": int(graph.indegree.max()),
        "max_outdegree": int(graph.outdegree.max()),
        "words": int(graph.sizes.sum()),
        "largest_value": int(graph.sizes.max()),
        "min_memory_sliding": min_memory(graph, rules=Rules(sliding=True)),
        "compulsory_io": compulsory(graph, facts["min_memory"]).io,
    }


def explained(spec: str) -> Facts:
    """The statements, arrays and sizes of a program, or the operators of a graph.

    Raises
    ------
    InvalidSpecError
        If `spec` names none.
    """
    from dags import InvalidSpecError
    from dags.spec import leaves

    if leaves.is_of("NumPy code", spec):
        raise InvalidSpecError(f"{spec} runs a function, whose loops are not read: leave out numpy")
    if leaves.is_of("graphs", spec):
        return explained_graph(spec)
    if not leaves.is_of("programs", spec):
        raise InvalidSpecError(f"{spec} is no program: C or Python text, or polybench/NAME")
    known = leaves.reader("programs").program_spec(spec)
    program = known.program
    shown = leaves.reader("programs", "describe")
    statements, arrays = shown.statements_of(program), shown.arrays_of(program)
    facts = {"spec": spec, "name": program.name, "sizes": [*program.sizes]}
    parts = {"statements": [*map(asdict, statements)], "arrays": [*map(asdict, arrays)]}
    steps = () if known.leaves_sizes else known.steps()
    parts["canonical"] = [*steps]
    defaults = program.defaults
    wanted = ",".join(f"{name}={defaults.get(name, '...')}" for name in program.sizes)
    shown = (
        table(
            "statements",
            f"{program.name}, a program with the sizes {', '.join(program.sizes)}",
            [
                (statement.name, statement.line, ", ".join(statement.loops), statement.text)
                for statement in statements
            ],
            *("statement", "line", "loops", "text"),
        ),
        table(
            "arrays",
            "",
            [(array.name, array.dimensions, array.role, "live" * array.live) for array in arrays],
            *("array", "indices", "is", ""),
        ),
        *steps,
        f"to build its DAG: redblue dag {spec.partition(':')[0]}:{wanted}",
    )
    return Facts({"program": facts | parts}, shown)


def explained_graph(spec: str) -> Facts:
    """The operators, shapes and inputs of a graph of another tool."""
    from dags.spec import leaves

    graph = leaves.reader("graphs").import_spec(spec).graph()
    inputs = [{"name": name, "shape": graph.shapes[name]} for name in graph.inputs]
    operators = [
        {
            "name": operator.name or operator.results[0],
            "kind": operator.kind,
            "operands": [*operator.operands],
            "results": [{"name": name, "shape": graph.shapes[name]} for name in operator.results],
            "work": operator.work,
            "cut": operator.reads is not None,
        }
        for operator in graph.operators
    ]

    def operands(row: dict[str, Any]) -> str:
        """The operands of an operator, each with its sides."""
        return ", ".join(f"{name} {_sides(graph.shapes.get(name, ()))}" for name in row["operands"])

    parts = (
        table(
            "inputs",
            f"{graph.name}, a graph of {len(operators)} operators",
            [(name, _sides(graph.shapes[name])) for name in graph.inputs],
            *("input", "shape"),
        ),
        table(
            "operators",
            "",
            operators,
            *("operator <- name", "is <- kind", ("reads", operands)),
            (
                "result",
                lambda row: ", ".join(_sides(shape_of["shape"]) for shape_of in row["results"]),
            ),
            "work <- work",
            ("", lambda row: "" if row["cut"] else "not cut"),
        ),
    )
    facts = {"spec": spec, "name": graph.name, "inputs": inputs, "operators": operators}
    return Facts({"graph": facts}, parts)


def _sides(shape: Sequence[int]) -> str:
    return "x".join(map(str, shape)) or "1"
