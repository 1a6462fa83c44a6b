"""``redblue emit``: a loop nest as C that moves few words."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from redblue.cli import console
from redblue.cli.computation import Reading
from redblue.cli.files import require_file
from redblue.cli.options import Memory, Spec
from redblue.show.answer import Facts, Part
from redblue.show.rows import table

if TYPE_CHECKING:
    from redblue.emission.checks import Row
    from redblue.emission.emission import Emission


def emit(
    spec: Spec,
    memory: Memory,
    policy: str = "scratchpad",
    tiles: Annotated[str | None, "SIDES"] = None,
    fix: Annotated[str | None, "SIZES"] = None,
    line_bytes: int | None = None,
    ways: int = 0,
    registers: int = 0,
    time_limit: float = 20.0,
    compare: float = 5.0,
    out: Annotated[Path | None, "FILE"] = None,
    straight: bool = False,
    check: bool = False,
    measure: str | None = None,
    cache: Annotated[str | None, "CACHES"] = None,
) -> Facts:
    """Print C99 of a loop nest, tiled for a fast memory of M words, with the words that it moves.

    The file has one function of the same arrays and sizes. Its words are those of this code, whose
    buffers are filled and flushed tile by tile; the best play of the DAG and the bound stand beside
    them. Exit code 4 if a check fails, 3 if there is no C compiler.

    Parameters
    ----------
    policy
        scratchpad: buffers hold words that are read again; or cache: a cache of LRU does.
    tiles
        Sides of tiles, by loops, the outermost first: j=6,i=8,k=1; others are chosen.
    fix
        Sizes that are numbers in the code: R=3.
    line_bytes, ways
        Bytes of a line of the cache, by default a word, and lines of a set; 0 where a line may be
        anywhere.
    registers
        Sums that stay in registers, in tiles of constant size: 128 with AVX-512, 32 with AVX2.
    time_limit
        Seconds of the processor, after which no more tiles are looked at.
    compare
        Seconds to look for the best play and a bound; 0 for neither.
    out
        Write the code there.
    straight
        Any small DAG instead: its best schedule as straight-line C, a variable for each word.
    check
        Compile it and the text, a C function as it is; compare bits, counters and the referee's
        words at these and five drawn sizes.
    measure
        valgrind: count misses of the text and of this code, of M words and in two caches.
    cache
        Caches of data for --measure instead, a size and its ways each: 48KiB:12,2MiB:16.
    """
    from dags import InvalidSpecError, UnknownNameError
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
    if straight:
        return in_lines(spec, words, max(compare, 1.0), out)
    found = made(
        spec,
        words,
        policy=policy,
        line=max(line_bytes // word, 1),
        ways=ways,
        tiles=numbered(tiles),
        fix=numbered(fix),
        registers=registers,
        time_limit=time_limit,
        compare=compare,
    )
    if out is not None:
        out.write_text(found.source, encoding="ascii")
        console.say(f"wrote {out}")
    record, parts = found.to_dict() | reading.record, told(found, with_source=out is None)
    code, problem = 0, ""
    if check:
        try:
            rows = checked(found)
        except NoCompilerError as error:
            return Facts(record | {"checked": None}, parts, 3, str(error))
        record["checked"] = [row.to_dict() for row in rows]
        anew = "printed anew, for it is no single function of C that compiles"
        how = "as it is" if rows[0].as_it_is else anew
        parts = (*parts, shown(rows), f"compared with the text {how}")
        if not all(row.holds for row in rows):
            code, problem = 4, "what is claimed of the code does not hold"
    if measure is not None:
        try:
            misses = measured(found, caches)
        except (NoCompilerError, NoValgrindError) as error:
            return Facts(record | {"misses": None}, parts, 3, str(error))
        record["misses"] = [vars(each) for each in misses]
        columns = "cache", "misses of the text", "of this code", "text / code"
        ratios = ((*vars(each).values(), each.ratio) for each in misses)
        lines = table("misses", "", ratios, *columns)
        parts = (*parts, lines, "\n".join(each.sentence for each in misses))
    return Facts(record, parts, code, problem)


def in_lines(spec: str, memory: int, seconds: float, out: Path | None) -> Facts:
    """Return the best schedule of a DAG that is found in some seconds, as straight-line C."""
    from dags import load
    from redblue.emission.straight import straight_line
    from redblue.racing.solving import solve

    dag = load(spec)
    found = solve(dag, memory, effort=seconds, spec=spec)
    source = straight_line(dag, found.schedule, memory)
    if out is not None:
        out.write_text(source, encoding="ascii")
        console.say(f"wrote {out}")
    told = f"moves {found.count.io:,} words; no play moves less than {found.lower_bound:,}"
    count = {"loads": found.count.loads, "stores": found.count.stores, "io": found.count.io}
    record = {"memory": memory, **count, "bound": found.lower_bound, "source": source}
    return Facts(record, (told,) if out is not None else (source, told))


def numbered(text: str | None) -> dict[str, int]:
    """Return the numbers of "j=6,i=8" by their names.

    Raises
    ------
    InvalidSpecError
        If it is no such list.
    """
    from dags import InvalidSpecError

    found: dict[str, int] = {}
    for part in filter(None, (text or "").split(",")):
        name, _, value = (each.strip() for each in part.partition("="))
        if not value.isdecimal() or len(value) > 9 or int(value) < 1 or name in found:
            raise InvalidSpecError(f"{part[:40]!a} is no name with a number, like j=6")
        found[name] = int(value)
    return found


def told(found: "Emission", *, with_source: bool) -> tuple[Part, ...]:
    """Return emitted code, if it is wanted, and the sentences on it."""
    return (*([found.source] if with_source else []), *found.shown())


def shown(rows: "list[Row]") -> Part:
    """Return the table of a check."""
    lines = [
        (
            ", ".join(f"{name}={value}" for name, value in row.sizes.items()),
            "equal" if row.bits else "differ",
            *(_words(each) for each in (row.claimed, row.counted, row.judged)),
            "holds" if row.holds else "fails",
        )
        for row in rows
    ]
    return table("checks", "", lines, "sizes", "bits", "claimed", "counted", "judged", "all")


def _words(some: tuple[int, int] | None) -> str:
    return "-" if some is None else f"{some[0]:,} + {some[1]:,}"
