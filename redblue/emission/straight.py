"""A schedule of a small DAG as straight-line C: M words with names, and one line a move.

A DAG does not tell the operation of a vertex: it is a macro, which the file defines as a sum unless
whoever compiles it says otherwise. Slow memory is an array with a word for each vertex: inputs are
there at the beginning, and outputs at the end.
"""

from dags import CDAG, InvalidSpecError
from pebble import Move, Schedule, play
from redblue.version import __version__

MOST = 20_000  # moves of a file


def straight_line(dag: CDAG, schedule: Schedule, memory: int) -> str:
    """C of a schedule.

    Parameters
    ----------
    dag
        The computation; its values are of one word each.
    schedule
        Its moves; no value is computed in parts.
    memory
        Words of fast memory, each a variable of the function.

    Raises
    ------
    InvalidSpecError
        If values are of several words, or there are too many moves.
    IllegalMoveError
        If it is no legal schedule.
    """
    if dag.words is not None and dag.sizes.max(initial=1) > 1:
        raise InvalidSpecError("straight-line code is of values of one word")
    if len(schedule) > MOST:
        raise InvalidSpecError(
            f"straight-line code has up to {MOST:,} moves, not {len(schedule):,}"
        )
    count = play(dag, schedule, memory)
    free = [f"w{number}" for number in range(min(memory, count.peak))][::-1]
    names, place, lines = tuple(reversed(free)), {}, []
    operands = [
        dag.pred_indices[a:b].tolist()
        for a, b in zip(dag.pred_indptr, dag.pred_indptr[1:], strict=False)
    ]
    for move, vertex in schedule:
        if move == Move.LOAD:
            place[vertex] = free.pop()
            lines.append(f"{place[vertex]} = LOAD(slow[{vertex}]);")
        elif move == Move.STORE:
            lines.append(f"STORE(slow[{vertex}], {place[vertex]});")
        elif move == Move.COMPUTE:
            place[vertex] = free.pop()
            total = " + ".join(place[operand] for operand in operands[vertex])
            lines.append(f"{place[vertex]} = VALUE({vertex}, {total});")
        else:
            free.append(place.pop(vertex))
    variables = ", ".join(names) or "w0"
    return "\n".join(
        [
            f"/* A schedule in straight lines, M = {memory} words. redblue emit {__version__}.",
            f" * {count.loads} loads + {count.stores} stores; {dag.n} words of slow memory. */",
            "#ifdef COUNT",
            "long loads, stores;",
            "#define LOAD(x) (loads++, (x))",
            "#define STORE(x, v) (stores++, (void)((x) = (v)))",
            "#else",
            "#define LOAD(x) (x)",
            "#define STORE(x, v) ((void)((x) = (v)))",
            "#endif",
            "#ifndef VALUE",
            "#define VALUE(vertex, sum) (sum) /* of the operands */",
            "#endif",
            "",
            f"void computation(double slow[{dag.n}]) {{",
            f"  double {variables};",
            *(f"  {line}" for line in lines),
            "}",
            "",
        ]
    )
