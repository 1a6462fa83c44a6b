"""Answers of commands about members of families that are not laid out."""

from contextlib import nullcontext
from math import prod
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from redblue.cli import console
from redblue.show.answer import Facts
from redblue.show.proofs_in_words import proved

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from dags import Member
    from pebble import Rules
    from redblue.answers.counted.plans import CountedNeed, CountedPlan
    from redblue.answers.hierarchies.crossing import MachineLevels
    from redblue.answers.hierarchies.results import Levels
    from redblue.answers.results import IOCurve, Row
    from redblue.cli.watch import Watch

T = TypeVar("T")
Counted = Annotated[
    bool,
    typer.Option(
        "--counted",
        help="Answer from formulas, without laying out the DAG, also where it would fit.",
    ),
]
RANGE = "100:1e8"  # words, where no sizes are asked for
LARGE_NEST = 1 << 16  # vertices of a program beyond which formulas answer sooner
UNANSWERED = "nothing is played or proved yet"
FEW = 1000  # product of a program's sizes up to which it is not told why no formula counts it
# Vertices and edges from which a DAG is not laid out where its counted play moves at most so many
# times what is proved: minutes of plays gain little, and less is asked of a quick one.
MANY, AS_GOOD, QUICK = 1 << 22, 1.05, 1.25


def in_time(watch: "Watch", work: "Callable[[], T]", missing: str = UNANSWERED) -> T:
    """Return the result of work on members that are not laid out, or end the command at its limit.

    Isl cannot be interrupted in the midst of a function: its operations are limited by the time.

    Parameters
    ----------
    watch
        The limit.
    work
        Called on a thread of its own where there is one.
    missing
        The missing answer, for the sentence that ends the command.
    """
    from dags.programs.integer_sets import A_SECOND, bounded_isl, isl

    if watch.left is None:
        return work()
    operations, answers = int(A_SECOND * (watch.left + 1)), list[T]()

    def limited() -> bool:
        with nullcontext() if isl is None else bounded_isl(operations):
            answers.append(work())
        return True

    watch.stage = "answering by formulas"
    watch.must(limited, missing)
    return answers[0]


def counted_member(spec: str, wanted: bool, **given: object) -> "Member | None":
    """Return the member that is not laid out: it does not fit into this machine, or is `wanted` so.

    Parameters
    ----------
    spec
        The specification.
    wanted
        Whether that is asked for, whatever its size.
    given
        Options that take a DAG, by name; None and False for those that were not given.

    Raises
    ------
    InvalidSpecError
        If one of them was given all the same.
    """
    from dags import InvalidSpecError, member
    from dags.cdag.border import require_room
    from dags.families import FAMILIES
    from dags.programs.instances import NotReadError
    from dags.programs.members import NestMember
    from dags.spec import leaves
    from schedulers import COUNTED_PLAYS

    taken = [name for name, value in given.items() if value is not None and value is not False]
    program = leaves.is_of("programs", spec) and not leaves.is_of("NumPy code", spec)
    texts = {name for name, each in FAMILIES.items() if each.nest is not None}
    if not wanted and not program and spec.partition(":")[0] not in COUNTED_PLAYS.keys() | texts:
        return None
    try:
        known = member(spec)
    except NotReadError as error:
        if wanted:
            raise
        if program and prod(leaves.reader("programs").program_spec(spec).sizes.values()) > FEW:
            console.say(f"note: {error}: no formula counts that; the DAG is laid out if it fits")
        return None
    try:
        require_room(known.sizes.vertices, known.sizes.edges)
        large = program and known.sizes.vertices > LARGE_NEST and not taken
        if not (wanted or large or (isinstance(known, NestMember) and known.nest.any_order)):
            return None
        why = "--counted"
    except InvalidSpecError as error:
        why = str(error)
    if taken:
        options = ", ".join(f"--{each.replace('_', '-')}" for each in taken)
        raise InvalidSpecError(f"{spec} is not laid out ({why}), and {options} would take its DAG")
    return known


def counted_as_good(
    spec: str, memories: "Sequence[int] | None", rules: "Rules", effort: str, **given: object
) -> "IOCurve | None":
    """Return the counted curve of a large member, if it is as good as one that takes long.

    Parameters
    ----------
    spec
        The specification.
    memories, rules
        Words of fast memory, None where no sizes are asked for, and the rules.
    effort
        How hard to search.
    given
        Options that take a DAG, by name; None for those that were not given.
    """
    from dags import member
    from redblue.answers.counted import counted_curve
    from schedulers import COUNTED_PLAYS

    takes_a_dag = any(value is not None and value is not False for value in given.values())
    if takes_a_dag or memories is None or rules.partial:
        return None
    if spec.partition(":")[0] not in COUNTED_PLAYS:
        return None
    known = member(spec)
    if known.sizes.vertices + known.sizes.edges <= MANY or memories[0] < known.min_memory():
        return None
    found = counted_curve(known, memories, rules=rules)
    proved, played = (dict(found.envelope(kind)) for kind in ("lower", "upper"))
    if not all(played.get(size, 0) and proved.get(size) for size in memories):
        return None
    most = max(played[size] / proved[size] for size in memories)
    if most > (QUICK if effort == "quick" else AS_GOOD):
        return None
    tell(known)
    console.say(
        f"note: they move at most {most:.3f} times what is proved, and answer at once; "
        "--schedulers NAMES lays the DAG out"
    )
    return found


def levels_as_good(spec: str, levels: "MachineLevels") -> "Levels | None":
    """Return the counted levels of a large member of a family, if they are about as good.

    Parameters
    ----------
    spec
        The specification.
    levels
        The levels, and their memories.
    """
    from dags import member
    from redblue.answers.counted.levels import counted_levels
    from schedulers import COUNTED_PLAYS

    if spec.partition(":")[0] not in COUNTED_PLAYS:
        return None
    known = member(spec)
    large = known.sizes.vertices + known.sizes.edges > MANY
    if not large or levels.memories[0] < known.min_memory():
        return None
    found = counted_levels(known, levels)
    if len(found.bounds) < len(levels.memories):
        return None
    pairs = zip(found.best.words, found.lower, strict=True)
    if any(played > QUICK * proved for played, proved in pairs):
        return None
    tell(known)
    console.say("note: --out DIR lays the DAG out, which takes minutes")
    return found


def curve_of(
    known: "Member", memories: "Sequence[int] | None", rules: "Rules", *, plays: bool = True
) -> "IOCurve":
    """Return the counted curve at some sizes of memory, None for `RANGE`; or its bounds alone."""
    from redblue.answers.counted import counted_curve
    from redblue.answers.memories import parse_memories

    least = known.min_memory(sliding=rules.sliding)
    sizes = memories or [size for size in parse_memories(RANGE) if size >= least] or [least]
    found = counted_curve(known, sizes, rules=rules, plays=plays)
    tell(known)
    if plays and not any(row.kind == "upper" for row in found.rows):
        console.say("note: no order of its loops is known to be legal here, so no play is counted")
    return found


def tell(known: "Member") -> None:
    """Say that a member is not laid out, and what its numbers are."""
    console.say(
        f"note: {known.sizes.vertices:,} vertices are not laid out: plays are counted by "
        f"formulas, and bounds are {known.bounds_are}"
    )
    for sentence in getattr(known, "apart", ()):
        console.say(f"note: {sentence}")


def save_counted(known: "Member", memory: int, rules: "Rules", path: "Path") -> None:
    """Write the certificate of a program that is not laid out.

    Raises
    ------
    InvalidSpecError
        If it is a member of a family: closed forms have no certificates.
    """
    from dags import InvalidSpecError
    from dags.programs.members import NestMember
    from proofs import save_bound
    from proofs.bounds.loops.nests import nest_bound

    if not isinstance(known, NestMember):
        raise InvalidSpecError(
            f"{known.spec} is not laid out, and --certificate would take its DAG: closed forms "
            "have none"
        )
    save_bound(nest_bound(known.nest, memory, rules=rules), known.nest, path)


def planned(known: "Member", io_at_most: int | None, memory: int | None, rules: "Rules") -> Facts:
    """Return how much memory a member needs for how much I/O."""
    from redblue.answers.counted.plans import counted_plan
    from redblue.answers.planning.least import NoMemoryIsEnoughError

    try:
        found = counted_plan(known, io_at_most=io_at_most, memory=memory, rules=rules)
    except NoMemoryIsEnoughError as error:
        console.fail(str(error), code=3)
    tell(known)
    return Facts(found.to_dict(), ("\n".join(plan_sentences(found)),))


def plan_sentences(found: "CountedPlan") -> list[str]:
    """Return a plan of counted plays, a line each."""
    title = f"{found.dag['spec']}, {found.rules.name}"
    lines = [f"{title}: {found.dag['min_memory']:,} words of memory are the least", ""]
    if found.need is not None:
        lines.append(need_sentence(found.need))
    if found.play is not None:
        io, by = found.play.io or 0, found.bound
        least = "" if by is None else f". {proved(io, by.io or 0, by.method)}"
        lines.append(f"M = {found.play.memory:,}: {cost_of(found.play)}{least}")
        lines += _beside(found)
        lines += [f"- {each.io:,} words: {each.tiling}" for each in found.groups]
        lines += [f"- {io:,} words of {name}, which stays" for name, io in found.stays.items()]
    if found.knee is not None:
        lines.append(f"The knee is at M = {found.knee.memory:,}: {cost_of(found.knee)}")
    lines.append(need_sentence(found.end))
    return lines


def need_sentence(found: "CountedNeed") -> str:
    """Return how much memory is needed for so much I/O."""
    most = f" and {found.play.memory:,}" * (found.at_least < found.play.memory)
    return (
        f"To move at most {found.io_at_most:,} words you need {'between ' * bool(most)}"
        f"{found.at_least:,} words of memory{most}: {cost_of(found.play)}"
    )


def cost_of(row: "Row") -> str:
    """Return what a counted play moves."""
    return f"{row.io:,} words of I/O ({row.loads:,} loaded, {row.stores:,} stored), counted"


def known_sentence(known: "Member", memory: int, rules: "Rules") -> str:
    """Return what is known of a member of which no schedule can be written."""
    from redblue.answers.counted import counted_curve

    rows = counted_curve(known, [memory], rules=rules).rows
    best = {row.kind: row.io for row in rows if row.method == "best"}
    played = f"a counted play moves {best['upper']:,} words" if "upper" in best else ""
    proved = f"{best['lower']:,} are proved to be needed" if "lower" in best else ""
    what = " and ".join(part for part in (played, proved) if part)
    return (
        f"{known.spec} has {known.sizes.vertices:,} vertices, of which no schedule is laid out; "
        f"with M = {memory:,} {what} (redblue plan, curve, bound and law answer by formulas)"
    )


def _beside(found: "CountedPlan") -> list[str]:
    """Return the sentence on the play in which tensors are held whole, beside the fused one."""
    whole, play = found.whole, found.play
    if whole is None or play is None or play.io is None:
        return []
    if whole.io is None:
        return [
            f"With tensors held whole, each operator by itself, no play takes less than "
            f"{whole.least:,} words of memory."
        ]
    fewer = "; `plan` without --counted tells it" if whole.io < play.io else ""
    return [
        f"With tensors held whole, each operator by itself: {whole.io:,} words, "
        f"{whole.io / play.io:.2f} times as many, by {whole.method}{fewer}."
    ]
