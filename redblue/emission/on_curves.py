"""Code of a loop nest at the memory sizes of a curve: its words, and its files."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from time import perf_counter
from typing import Final

from dags.programs.nest import Program
from redblue.answers.envelope import with_best
from redblue.answers.results import BEST, IOCurve, Row
from redblue.emission.buffers import NoBufferError
from redblue.emission.emission import Emission, emit
from redblue.emission.obstacles import method_of, without_code
from schedulers.tilings.shown import ShownTiling

SECONDS: Final = 3.0  # for the search of tiles at a size of memory


def emissions(
    spec: str | Program, memories: Iterable[int], seconds: float = SECONDS
) -> tuple[dict[int, Emission], dict[int, float]]:
    """Code at sizes of memory, the best that is emitted for each or a smaller one.

    Parameters
    ----------
    spec
        The loop nest, as `emit` takes it.
    memories
        Words of fast memory; one for which no code is found has none.
    seconds
        For the search of tiles at each.

    Returns
    -------
    code, taken
        The code at each size, and the seconds that it took.
    """
    code: dict[int, Emission] = {}
    used: dict[int, float] = {}
    last: Emission | None = None
    for memory in sorted(set(memories)):
        began = perf_counter()
        try:
            emission = emit(spec, memory, work=seconds, effort=0)
        except NoBufferError:
            continue
        if last is None or emission.io < last.io:
            last = emission
        last = replace(last, obstacle=emission.obstacle)
        code[memory], used[memory] = last, perf_counter() - began
    return code, used


def with_code(
    curve: IOCurve, code: Mapping[int, Emission], seconds: Mapping[int, float]
) -> IOCurve:
    """A curve with the words of code, whose runs are plays and may be the best ones.

    Parameters
    ----------
    curve
        Plays and bounds of a DAG.
    code, taken
        Its code at sizes of memory, and the seconds that it took (`emissions`).
    """
    rows = tuple(
        Row(
            "upper", "code", memory, emission.io, emission.loads, emission.stores, "counted",
            seconds[memory], ShownTiling(emission.tiling),
        )
        for memory, emission in code.items()
    )  # fmt: skip
    plain = [row for row in curve.rows if row.method != BEST]
    counting = [row for row in curve.rows if row.method == BEST]
    counting += [replace(row, tiling=None) for row in rows]
    price = curve.price_of_work
    best = with_best(plain, curve.memories, searched=counting, price_of_work=price)
    schedules = dict(curve.envelope("upper"))
    apart = (
        without_code(memory, words, method_of(curve.rows, words), emission.io, emission.obstacle)
        for memory, emission in code.items()
        if (words := schedules.get(memory)) is not None
    )
    return replace(curve, code=rows, rows=best, without_code=tuple(filter(None, apart)))


def files_of(code: Mapping[int, Emission]) -> dict[str, str]:
    """The files of code by their names, "gemm_4096.c" for 4096 words."""
    return {
        f"{emission.interface.function}_{memory}.c": emission.source
        for memory, emission in code.items()
    }
