"""``redblue emit``: a loop nest as C that moves few words."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from redblue.cli import console
from redblue.cli.computation import Reading
from redblue.cli.files import require_file
from redblue.cli.options import Memory, Spec, TimeLimit
from redblue.cli.value_options import Within
from redblue.cli.watch import Watch
from redblue.show.answer import Facts, Part
from redblue.show.rows import table

if TYPE_CHECKING:
    from redblue.emission.checks import Row
    from redblue.emission.emission import Emission

EFFORT = "5"  # seconds of work for the comparison


def emit(
    spec: Spec,
    memory: Memory,
    policy: str = "scratchpad",
    tiles: Annotated[str | None, "SIDES"] = None,
    fix: Annotated[str | None, "SIZES"] = None,
    line_bytes: Annotated[int | None, Within("policy", "line")] = None,
    ways: Annotated[int, Within("policy", "ways")] = 0,
    registers: int = 0,
    effort: Annotated[str, "NAME"] = EFFORT,
    time_limit: TimeLimit = None,
    compare: Annotated[float | None, typer.Option(hidden=True)] = None,
    out: Annotated[Path | None, "FILE"] = None,
    straight: bool = False,
    check: bool = False,
    measure: str | None = None,
    cache: Annotated[str | None, "CACHES"] = None,
) -> Facts:
    """Print C99 code of a loop nest, tiled for a fast memory of M words, and the I/O of this code.

    The file has one function with the arrays and sizes of the program. The I/O counts the words
    that the code copies to and from its buffers. The best schedule and the lower bound are printed
    for comparison. Exit code 4 if a check fails, 3 if there is no C compiler.

    Parameters
    ----------
    policy
        Where reused words are kept: scratchpad (the code copies them to buffers) or cache (an LRU
        cache). With cache:line=64,ways=8 a cache line has 64 bytes, by default a word, and the
        cache is 8-way, by default fully associative.
    tiles
        Sides of tiles by loop, the outermost first: j=6,i=8,k=1. By default they are searched.
    fix
        Sizes that become constants in the code: R=3.
    registers
        Number of sums that stay in registers: 32 with AVX2, 128 with AVX-512. By default none.
    effort
        How hard to search for the best schedule and lower bound, for comparison: quick, normal,
        high, or seconds of work on a reference machine. 0 and quick make no comparison.
    out
        Write the code to this file.
    straight
        Print straight-line C of the best schedule of any small DAG instead: a variable a word.
    check
        Compile the code and the program, and compare their results bit by bit. The I/O is counted
        by the code and by the referee. Sizes are those given, and five random ones.
    measure
        valgrind: count the cache misses of the program and of this code, in a cache of M words and
        in two common caches.
    cache
        Caches for --measure, each with its size and associativity: 48KiB:12,2MiB:16.
    """
    from dags import InvalidSpecError, UnknownNameError
    from redblue.answers.efforts import most_seconds
    from redblue.answers.memories import parse_memory
    from redblue.answers.words import one_word
    from redblue.emission.checks import check as checked
    from redblue.emission.emission import emit as made
    from redblue.emission.measures import USUAL, NoValgrindError, caches_of
    from redblue.emission.measures import measure as measured
    from redblue.emission.runs import NoCompilerError

    if measure not in (None, "valgrind"):
        raise UnknownNameError("way to measure", measure, ["valgrind"])
    if cache is not None and measure is None:
        raise InvalidSpecError("caches are for --measure valgrind")
    caches = USUAL if cache is None else caches_of(cache)
    require_file(out)
    reading = Reading()
    words = parse_memory(memory, reading.word([spec], memory))
    word = one_word([spec]).bytes
    line_bytes = word if line_bytes is None else line_bytes
    if line_bytes < word or line_bytes % word or ways < 0:
        raise InvalidSpecError(f"a line has a multiple of {word} bytes, and ways are not negative")
    if compare is not None:
        console.say(f"note: '--compare' is '--effort {compare:g}' now; the old name will go")
        effort = str(compare)
    beside = most_seconds(effort)
    watch = Watch(time_limit)
    watch.stage = "searching for tiles"
    if straight:
        straight_code = partial(in_lines, spec, words, max(beside, 1.0), out)
        return watch.must(straight_code, "no code is printed yet")
    work = partial(
        made,
        spec,
        words,
        policy=policy,
        line=max(line_bytes // word, 1),
        ways=ways,
        tiles=numbered(tiles),
        fix=numbered(fix),
        registers=registers,
        effort=beside,
        time_limit=time_limit,
    )
    emission = watch.must(work, "no code is printed yet")
    if out is not None:
        out.write_text(emission.source, encoding="ascii")
        console.say(f"wrote {out}")
    record, parts = emission.to_dict() | reading.record, told(emission, with_source=out is None)
    code, problem = 0, ""
    if check:
        try:
            rows = checked(emission)
        except NoCompilerError as error:
            return Facts(record | {"checked": None}, parts, 3, str(error))
        record["checked"] = [row.to_dict() for row in rows]
        anew = "printed by redblue, because it is no single C function that compiles"
        origin = "as it is" if rows[0].as_it_is else anew
        parts = (*parts, shown(rows), f"compared with the program {origin}")
        if not all(row.holds for row in rows):
            code, problem = 4, "the code does not do what is claimed"
    if measure is not None:
        try:
            misses = measured(emission, caches)
        except (NoCompilerError, NoValgrindError) as error:
            return Facts(record | {"misses": None}, parts, 3, str(error))
        record["misses"] = [vars(miss) for miss in misses]
        columns = "cache", "misses of the program", "of this code", "program / code"
        ratios = ((*vars(miss).values(), miss.ratio) for miss in misses)
        lines = table("misses", "", ratios, *columns)
        parts = (*parts, lines, "\n".join(miss.sentence for miss in misses))
    return Facts(record, parts, code, problem)


def in_lines(spec: str, memory: int, seconds: float, out: Path | None) -> Facts:
    """The best schedule of a DAG that is found in some seconds, as straight-line C."""
    from dags import load
    from redblue.emission.straight import straight_line
    from redblue.racing.solving import solve

    dag = load(spec)
    solution = solve(dag, memory, effort=seconds, spec=spec)
    source = straight_line(dag, solution.schedule, memory)
    if out is not None:
        out.write_text(source, encoding="ascii")
        console.say(f"wrote {out}")
    sentence = (
        f"moves {solution.count.io:,} words; every schedule moves at least {solution.lower_bound:,}"
    )
    count = {
        "loads": solution.count.loads,
        "stores": solution.count.stores,
        "io": solution.count.io,
    }
    record = {"memory": memory, **count, "bound": solution.lower_bound, "source": source}
    return Facts(record, (sentence,) if out is not None else (source, sentence))


def numbered(text: str | None) -> dict[str, int]:
    """The numbers of "j=6,i=8" by their names.

    Raises
    ------
    InvalidSpecError
        If it is no such list.
    """
    from dags import InvalidSpecError

    numbers_by_name: dict[str, int] = {}
    for part in filter(None, (text or "").split(",")):
        name, _, value = (text_part.strip() for text_part in part.partition("="))
        if not value.isdecimal() or len(value) > 9 or int(value) < 1 or name in numbers_by_name:
            raise InvalidSpecError(f"{part[:40]!a} is no name with a number, like j=6")
        numbers_by_name[name] = int(value)
    return numbers_by_name


def told(emission: "Emission", *, with_source: bool) -> tuple[Part, ...]:
    """Emitted code, if it is wanted, and the sentences on it."""
    return (*([emission.source] if with_source else []), *emission.shown())


def shown(rows: "list[Row]") -> Part:
    """The table of a check."""
    lines = [
        (
            ", ".join(f"{name}={value}" for name, value in row.sizes.items()),
            "equal" if row.bits else "differ",
            *(_words(pair) for pair in (row.claimed, row.counted, row.judged)),
            "holds" if row.holds else "fails",
        )
        for row in rows
    ]
    return table("checks", "", lines, "sizes", "bits", "claimed", "counted", "judged", "all")


def _words(range_: tuple[int, int] | None) -> str:
    return "-" if range_ is None else f"{range_[0]:,} + {range_[1]:,}"
