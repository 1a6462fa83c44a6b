"""The report of one operator at its size: both sides of its curve, and a machine's memories.

No DAG is laid out. A memory that all of a machine shares is taken for a fast memory. Of p memories
of M words, each a processor's own, bounds are those of p processors (M3), whose windows begin with
M words each; plays are those of one processor with M words, for all may share its tiles or not.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from shlex import quote

from dags import Computation
from pebble import ONE_SHOT, Rules
from proofs.base import Bound
from proofs.bounds.loops.nests import bound_of_processors
from proofs.files import bound_text
from redblue.answers.counted.curves import closed_bound, counted_curve
from redblue.answers.hardware import Machine
from redblue.answers.memories import grid
from redblue.answers.results import IOCurve
from redblue.answers.tilings import tile_passages
from redblue.show.against_memory import memory_figure
from redblue.show.model import Claim, Experiment, Figure, Passage, Table
from redblue.show.rows import table
from schedulers.tilings.shown import ShownTiling

SIZES = 12  # of memory, where none are asked for
RATIOS = "operations per word moved"


@dataclass(frozen=True)
class Point:
    """Words of both sides with so many words of memory.

    Parameters
    ----------
    memory
        Words of fast memory.
    played, proved
        Words that a counted play moves, None where none is known; words that every play moves.
    tiling
        The loops of that play, and the values that each keeps in fast memory.
    """

    memory: int
    played: int | None
    proved: int
    tiling: ShownTiling | None = None


@dataclass(frozen=True)
class Boundary:
    """A memory of a machine, and words into and out of it.

    Parameters
    ----------
    name, link
        Of the memory, and of the link that feeds it; None where the catalogue has no rate of that.
    rate
        Words a second that the link brings.
    point
        The plays and bounds with a fast memory of its size.
    processors
        How many have one of this size each.
    bound
        The bound, with its certificate.
    """

    name: str
    link: str | None
    rate: float | None
    point: Point
    processors: int = 1
    bound: Bound | None = None

    def seconds(self, words: int | None) -> float | None:
        """The seconds that some words take; None where that is not known."""
        return None if words is None or self.rate is None else words / self.rate


@dataclass(frozen=True)
class Operator:
    """Both sides of an operator at its size.

    Parameters
    ----------
    known
        The operator, which is not laid out.
    rules
        The rules of the game.
    points
        By rising memory.
    machine, word
        A machine of the catalogue, and the bytes of a word; None without one.
    boundaries
        Of the machine.
    """

    known: Computation
    rules: Rules
    points: tuple[Point, ...]
    machine: Machine | None
    word: float
    boundaries: tuple[Boundary, ...]

    @property
    def arithmetic(self) -> float | None:
        """Seconds that the machine takes for all operations."""
        return None if self.machine is None else self.known.sizes.work / self.machine.rate()

    def quoted(self, point: Point, processors: int = 1) -> str:
        """The sentence on a size of memory that an outsider may quote."""
        order = ""
        if self.known.is_program and self.known.nest is not None:
            order = "in any order" if self.known.nest.any_order else "in program order"
        sums = f", its sums {order}," if order else ""
        values, once = ("the values", "") if self.rules.recompute else ("each value", " once")
        size, moved = f"{self.word * point.memory:,.0f}", f"{self.word * point.proved:,.0f}"
        where = f"a fast memory of {size} bytes"
        if processors > 1:
            where = f"the {processors} fast memories of {size} bytes each of as many processors"
        start = (
            f"No kernel that computes {values} of {self.known.spec}{once}{sums} moves fewer than"
        )
        words = f"({point.proved:,} words of {self.word:g} bytes), proved"
        if processors == 1 and point.proved <= self.known.compulsory:
            return (
                f"{start} {moved} bytes {words}: those of its inputs and outputs, which no fast "
                "memory saves."
            )
        return f"{start} {moved} bytes into and out of {where} {words}."

    @property
    def telling(self) -> Point:
        """The size of memory that says most without a machine: amid those where memory counts."""
        counts = [each for each in self.points if each.proved > self.known.compulsory]
        return counts[len(counts) // 2] if counts else self.points[-1]


def operator(
    known: Computation,
    memories: Sequence[int] | None = None,
    *,
    machine: Machine | None = None,
    word_bytes: float | None = None,
    rules: Rules = ONE_SHOT,
) -> Operator:
    """Plays and bounds of an operator that is not laid out.

    Parameters
    ----------
    known
        The operator.
    memories
        Words of fast memory; None for some, from the least to where compulsory words are enough.
    machine, word_bytes
        A machine of the catalogue, and bytes of a word, by default of the machine's, or 8.
    rules
        The rules of the game.
    """
    least = known.min_memory(sliding=rules.sliding)
    default = 8.0 if machine is None else machine.word_bytes
    word = default if word_bytes is None else word_bytes
    levels = {} if machine is None else machine.memory
    own = {name: int(each.base / word) // each.parts for name, each in levels.items()}
    asked = grid(least, max(least, known.compulsory), SIZES) if memories is None else memories
    sizes = sorted({*asked, *(size for size in own.values() if size >= least)})
    found = _points(counted_curve(known, sizes, rules=rules))
    boundaries = []
    for name, level in levels.items():
        if own[name] in found and machine is not None:
            feed = level.fed_by
            rate = None if feed is None else machine.number("bandwidth", feed).base / word
            proved = _proved(known, own[name], level.parts, rules)
            point = found[own[name]]
            point = replace(point, proved=proved.io)
            boundaries.append(Boundary(name, feed, rate, point, level.parts, proved))
    points = tuple(found[size] for size in sizes if size in {*asked, *own.values()})
    return Operator(known, rules, points, machine, word, tuple(boundaries))


def _proved(known: Computation, memory: int, processors: int, rules: Rules) -> Bound:
    """The bound with so much memory of each of several processors.

    Whatever one processor with the memory of all of them has to move, they move together.
    """
    bound = closed_bound(known, processors * memory, rules)
    if known.nest is None or processors == 1 or rules != ONE_SHOT:
        return bound
    shared = bound_of_processors(known.nest, memory, processors)
    return max(bound, shared, key=lambda proof: proof.io)


def _points(curve: IOCurve) -> dict[int, Point]:
    """The best of both sides at each size."""
    played, proved = (dict(curve.envelope(kind)) for kind in ("upper", "lower"))
    tilings: dict[int, ShownTiling] = {}
    for row in curve.rows:
        if row.kind == "upper" and row.tiling is not None and row.io == played.get(row.memory):
            tilings[row.memory] = row.tiling
    return {
        size: Point(size, played.get(size), io, tilings.get(size)) for size, io in proved.items()
    }


def operator_experiment(found: Operator, name: str) -> Experiment:
    """A page's part on an operator.

    Parameters
    ----------
    found
        The plays and bounds.
    name
        In headings.
    """
    claims = tuple(
        Claim(
            found.quoted(each.point, each.processors),
            "the certificate below" if found.known.is_program else "closed forms",
            f"at least {each.point.proved:,} words",
            "no schedule is known" if each.point.played is None else f"{each.point.played:,} moved",
            "proved",
            f"{each.name} of {found.machine.title}" if found.machine is not None else "",
            "proof",
        )
        for each in found.boundaries
    )
    machine = "" if found.machine is None else f" --machine {found.machine.name}"
    sizes = ",".join(str(each.memory) for each in found.points)
    tilings = [(point.memory, point.played, point.tiling) for point in found.points]
    return Experiment(
        name=name,
        title=f"{name}, {found.rules.name}",
        summary=" ".join(sentences(found) or [found.quoted(found.telling)]),
        claims=claims,
        tables=(*machine_tables(found), curve_table(found)),
        figures=figures(found),
        passages=(*tile_passages(tilings), *certificates(found)),
        command=f"redblue report {quote(found.known.spec)} --memory {sizes}{machine}",
    )


def sentences(found: Operator) -> list[str]:
    """The sentences on the memories of the machine: the words of each, and their seconds.

    Memories with the same words, as L1 and registers of one size, share their sentence.
    """
    quoted: dict[str, list[Boundary]] = {}
    for each in found.boundaries:
        quoted.setdefault(found.quoted(each.point, each.processors), []).append(each)
    lines = []
    for quote_, boundaries in quoted.items():
        lines.append(f"{' and '.join(each.name for each in boundaries)}: {quote_}")
        lines += [line for each in boundaries if (line := _time(found, each))]
    return lines


def _time(found: Operator, boundary: Boundary) -> str:
    """How long the words of a boundary take, in a sentence; "" where no rate is known."""
    least, most = (boundary.seconds(boundary.point.proved), boundary.seconds(boundary.point.played))
    if least is None or found.arithmetic is None:
        return ""
    waits = "no side is ruled out"
    if least > found.arithmetic:
        waits = "every kernel waits for words"
    elif most is not None and most <= found.arithmetic:
        waits = "the arithmetic is what takes longest"
    played = ""
    if most is not None and boundary.point.played is not None:
        moved = found.word * boundary.point.played
        played = f", and the {moved:,.0f} bytes of the play that is known {most:.3g} s"
    return (
        f"Through {boundary.link} into {boundary.name} these "
        f"{found.word * boundary.point.proved:,.0f} bytes take {least:.3g} s at least{played}; "
        f"the operations, one a value, take {found.arithmetic:.3g} s: {waits}."
    )


def machine_tables(found: Operator) -> tuple[Table, ...]:
    """The table of a machine's memories; none without a machine."""
    if found.machine is None:
        return ()
    return (
        table(
            "boundaries",
            f"What crosses into and out of the memories of {found.machine.title}.",
            found.boundaries,
            ("memory", lambda each: each.name),
            ("size [words]", lambda each: each.point.memory),
            ("of them", lambda each: each.processors),
            ("link", lambda each: each.link),
            ("played [bytes]", lambda each: _times(each.point.played, found.word)),
            ("proved [bytes]", lambda each: _times(each.point.proved, found.word)),
            ("played [s]", lambda each: each.seconds(each.point.played)),
            ("at least [s]", lambda each: each.seconds(each.point.proved)),
        ),
    )


def _times(words: int | None, word: float) -> float | None:
    return None if words is None else words * word


def curve_table(found: Operator) -> Table:
    """The table of both sides against the memory, with the loops of each play."""
    work = found.known.sizes.work
    return table(
        "curve",
        "Words of the best known schedule, words that every schedule moves, operations per word.",
        found.points,
        ("M [words]", lambda each: each.memory),
        ("played [words]", lambda each: each.played),
        ("proved [words]", lambda each: each.proved),
        ("played / proved", lambda each: each.played and round(each.played / each.proved, 3)),
        ("operations per word", lambda each: each.played and round(work / each.played, 3)),
        ("at most", lambda each: each.proved and round(work / each.proved, 3)),
        keys=1,
    )


def figures(found: Operator) -> tuple[Figure, ...]:
    """Words against memory, and operations per word against memory, on both sides."""
    played = [(each.memory, each.played) for each in found.points if each.played]
    proved = [(each.memory, each.proved) for each in found.points if each.proved]
    work = found.known.sizes.work
    io = memory_figure("io", [("best schedule", played, "upper"), ("best bound", proved, "lower")])
    mesa = memory_figure(
        "mesa",
        [
            ("proved: at most", [(at, work / io) for at, io in proved], "theorem"),
            ("best schedule", [(memory, work / io) for memory, io in played], "upper"),
        ],
        RATIOS,
    )
    below = "Words moved against fast memory M: no schedule is below the dashed line."
    above = "Operations per word moved against fast memory M: no schedule is above the dotted line."
    return replace(io, caption=below), replace(mesa, caption=above)


def certificates(found: Operator) -> tuple[Passage, ...]:
    """The certificates of a nest's bounds at the memories of the machine, or the last."""
    nest = found.known.nest
    if nest is None or not found.known.is_program:
        return ()
    bounds = [each.bound for each in found.boundaries if each.bound is not None]
    last = found.points[-1].memory
    named: dict[str, Bound] = {}
    for proof in bounds or [closed_bound(found.known, last, found.rules)]:
        processors = proof.certificate.data.get("processors", 1)
        size = f"{proof.memory:,}" + f" for each of {processors} processors" * (processors > 1)
        named.setdefault(size, proof)
    return tuple(
        Passage(
            f"Certificate with M = {size}",
            "Written to a file, `redblue check` verifies it from the text and its sizes alone.",
            (bound_text(each, nest),),
            f"certificate-{each.memory}.json",
        )
        for size, each in named.items()
    )
