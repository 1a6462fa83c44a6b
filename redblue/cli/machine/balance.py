"""``redblue machine balance``: Kung's balance, of laws, of arrays, and of a DAG on a machine."""

from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from redblue.cli import console
from redblue.cli.computation import loaded, say_notes
from redblue.cli.files import require_folder, write_all
from redblue.cli.machine import balance_tables
from redblue.cli.machine.arguments import finite, law_named
from redblue.cli.machine.element import Sought, whole
from redblue.cli.options import (
    CORES,
    BoundNames,
    Jobs,
    Methods,
    RulesName,
    SchedulerNames,
    methods,
)
from redblue.show.answer import Facts
from redblue.show.rows import table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from dags import Computation
    from proofs.laws import Law
    from redblue.answers.balance.balance import Balance, BalancePoint
    from redblue.answers.hardware import ProcessingElement
    from redblue.answers.results import IOCurve
    from redblue.show.model import Table


MANY_OCTAVES = 8  # of memory sizes, from which on there are two sizes an octave


@dataclass(frozen=True)
class Played:
    """Options of the computation and of its plays; None for those not given."""

    spec: str
    memory: str | None
    alpha: float
    law: str | None
    methods: Methods
    jobs: int

    @property
    def word(self) -> int | None:
        """Bytes of a word of the computation; None where it does not say."""
        from redblue.answers.words import own_word

        return own_word(self.spec)


def balance(
    sought: Sought,
    dag: Annotated[str | None, "SPEC"] = None,
    memory: str | None = None,
    alpha: tuple[float, ...] = (2, 3, 4),
    side: int = 10,
    law: str | None = None,
    schedulers: SchedulerNames = None,
    bounds: BoundNames = None,
    rules: RulesName = "one-shot",
    out: Annotated[Path | None, "DIR"] = None,
    jobs: Jobs = CORES,
) -> Facts:
    """Decide whether a computation is I/O-bound on a machine, and the memory that balances it.

    Without --dag it prints Kung's tables: the memory needed when the ratio C / IO of arithmetic to
    bandwidth grows, and arrays of processors that stay balanced.

    Parameters
    ----------
    dag
        The computation: a generator (fft:n=64) or a file.
    memory
        Fast memory in words, with --dag: a list 8,16,32 or a range 8:512, by default up to where
        all values fit. Without it: the memory that grows, by default 1024 or the machine's.
    alpha
        Factors by which C / IO grows; --dag takes the first.
    side
        Side p of Kung's arrays of p^j processors.
    law
        How operations per word grow with memory: "M^1/2", "log M" or "constant". By default that of
        the computation.
    out
        Write roofline.png, .svg and .pdf into this folder.
    """
    if dag is None:
        return balance_tables.answer(sought, memory, alpha, side, law)
    chosen = methods(schedulers, bounds, rules)
    return on_machine(Played(dag, memory, alpha[0], law, chosen, jobs), sought, out)


def on_machine(played: Played, sought: Sought, out: Path | None) -> Facts:
    """Play the DAG, return the verdict, and draw the roofline to the folder `out`."""
    from pebble import MOST_WORDS
    from redblue.answers.balance.balance import balance_of
    from redblue.answers.balance.roofline import roofline_figure
    from redblue.answers.hardware.validation import require_positive
    from redblue.answers.memories import parse_memories

    require_folder(out)
    require_positive(alpha=played.alpha)
    if sought.word_bytes is None and (word := played.word) is not None:
        sought = replace(sought, word_bytes=word)
    if played.memory is not None:  # in words of the machine from here on
        sizes = parse_memories(played.memory, whole(sought.word))
        played = replace(played, memory=",".join(map(str, sizes)))
    element = sought.element(MOST_WORDS)
    asked = loaded(played.spec)
    curve = curve_of(asked, played, element)
    say_notes(curve)
    work, law = asked.sizes.work, law_of(asked, curve, played.law)
    verdict = balance_of(curve, work, element, alpha=played.alpha, law=law)
    title = f"{curve.title} on {sought.title}"
    if out is not None:
        write_all(out, {}, {"roofline": roofline_figure(verdict, title)})
    facts = {"machine": sought.title, "word_bytes": sought.word, **sought.used}
    texts = [sought.sentence(element), *sentences(verdict)]
    record = {**curve.to_dict(), "balance": facts | to_dict(verdict)}
    return Facts(record, (points_table(verdict, title), "\n".join(texts)))


def law_of(asked: "Computation", curve: "IOCurve", text: str | None) -> "Law | None":
    """The law that the options name, else that of the family, else that of the curve.

    Parameters
    ----------
    asked, curve
        The computation, and its curve: a law is fitted to one that was played.
    text
        The law that the options name; None for none.
    """
    from proofs.laws import law_of as published
    from redblue.laws.fit import fit, points_of

    if text is not None:
        return law_named(text)
    known = None if asked.family is None else published(asked.family, asked.params)
    if known is not None or curve.is_counted:
        return known
    return fit(points_of(asked.dag, curve.envelope("upper"), rules=curve.rules)).law


def curve_of(asked: "Computation", played: Played, element: "ProcessingElement") -> "IOCurve":
    """The I/O curve of a computation at the asked sizes and at the machine's own.

    Where no sizes are asked for, more are played where the machine begins to be balanced, with
    its arithmetic and with `alpha` times that; of a curve that is counted two an octave are.
    """
    from redblue.answers.balance.refine import refined
    from redblue.answers.hardware import ProcessingElement

    play = player_of(asked, played)
    curve = play(sizes_of(asked, played, element))
    if played.memory is not None or curve.is_counted:
        return curve
    for growth in (1.0, played.alpha):
        compute = growth * element.compute
        grown = ProcessingElement(compute, element.bandwidth, element.memory)
        curve = refined(curve, play, asked.sizes.work, grown)
    return curve


def sizes_of(asked: "Computation", played: Played, element: "ProcessingElement") -> list[int]:
    """The sizes to play: those asked for, or up to where all fits, and the machine's."""
    from pebble import MOST_WORDS
    from redblue.answers.memories import grid, parse_memories
    from redblue.answers.vocabulary import min_memory

    smallest, own_memory = min_memory(asked, rules=played.methods.rules), int(element.memory)
    own_size = {own_memory} if smallest <= own_memory < MOST_WORDS else set()
    if played.memory is not None:
        return sorted({*parse_memories(played.memory), *own_size})
    all_words = int(asked.dag.sizes.sum()) if asked.is_built else asked.sizes.vertices
    largest = min(max(smallest, all_words), MOST_WORDS)
    octaves = (largest // smallest).bit_length()
    return sorted(
        {*grid(smallest, largest, 2 * octaves if octaves > MANY_OCTAVES else None), *own_size}
    )


def player_of(asked: "Computation", played: Played) -> "Callable[[Iterable[int]], IOCurve]":
    """A function that plays a computation at given sizes by the methods of the options."""
    from redblue.answers.curves.curve import io_curve

    def play(sizes: "Iterable[int]") -> "IOCurve":
        with console.progress_bar("playing") as progress:
            return io_curve(
                asked,
                sizes,
                schedulers=played.methods.schedulers,
                bounds=played.methods.bounds,
                rules=played.methods.rules,
                jobs=played.jobs,
                spec=played.spec,
                progress=progress,
            )

    return play


def to_dict(verdict: "Balance") -> dict[str, Any]:
    """The verdict for `--json`; words, operations, operations per second."""
    element, own_point, law = verdict.element, verdict.own, verdict.law
    grown = verdict.grown_by_law
    return {
        "compute": element.compute,
        "bandwidth": element.bandwidth,
        "machine_balance": element.balance,
        "machine_memory": element.memory,
        "work": verdict.work,
        "verdict": None if own_point is None else own_point.bound,
        "balanced_at": verdict.balanced_at,
        "not_below": verdict.not_below,
        "alpha": verdict.alpha,
        "law": None if law is None else law.name,
        "grown_at": verdict.grown_at,
        "grown_by_law": None if grown is None else finite(grown),
        "points": [
            {**vars(point), "ratio": finite(point.ratio), "most_ratio": finite(point.most_ratio)}
            for point in verdict.points
        ],
    }


def points_table(verdict: "Balance", title: str) -> "Table":
    """A line for each memory size; sizes at which all is alike share one."""
    compute, rows = verdict.element.compute, []
    for cells, alike in groupby(verdict.points, lambda point: _cells(point, compute)):
        sizes = [f"{point.memory:,}" for point in alike]
        rows.append((":".join(dict.fromkeys((sizes[0], sizes[-1]))), *cells))
    columns = ("M", "I/O", "flop/word", "at most", "of peak", "bound by")
    return table("balance", f"{title}: {verdict.work:,} operations", rows, *columns)


def _cells(point: "BalancePoint", compute: float) -> tuple[str, ...]:
    ratios = f"{point.ratio:.4g}", f"{point.most_ratio:.4g}"
    return f"{point.io:,}", *ratios, f"{point.rate / compute:.1%}", point.bound


def sentences(verdict: "Balance") -> list[str]:
    """The sentences of the verdict, a line each."""
    element, own_point = verdict.element, verdict.own
    lines = [f"The machine does {element.balance:.4g} flop in the time of a word."]
    if own_point is not None:
        lines.append(
            f"With its own memory (M = {own_point.memory:,} in the table): {own_words(verdict)}."
        )
    if verdict.balanced_at is None:
        lines.append("No memory size in the table balances it.")
    else:
        lines.append(f"It balances from M = {verdict.balanced_at:,} words on.")
    if verdict.not_below is None:
        lines.append("Proved: it is I/O-bound at every memory size in the table.")
    elif verdict.points and verdict.not_below > verdict.points[0].memory:
        lines.append(f"Proved: it is I/O-bound below M = {verdict.not_below:,}.")
    return [*lines, *growth_sentences(verdict)]


def own_words(verdict: "Balance") -> str:
    """The verdict at the machine's own memory, in words."""
    own_point = verdict.own
    if own_point is None or own_point.bound == "compute":
        return "compute-bound"
    share = f"{own_point.rate / verdict.element.compute:.1%} of its arithmetic is used"
    if own_point.bound == "I/O":
        return f"I/O-bound with every schedule ({share} by the best one found)"
    return f"I/O-bound with the best schedule found ({share}), not proved for every schedule"


def growth_sentences(verdict: "Balance") -> list[str]:
    """The sentence on the memory for `alpha` times the arithmetic, by curve and by law."""
    times = f"{verdict.alpha:g} times the arithmetic"
    if verdict.balanced_at is None:
        return []
    played = (
        f"{times} balances from M = {verdict.grown_at:,} words on"
        if verdict.grown_at is not None
        else f"{times} is balanced by no memory size in the table"
    )
    if verdict.law is None or verdict.grown_by_law is None:
        return [f"{played}; no law is known for this DAG (--law)."]
    needed = finite(verdict.grown_by_law)
    by_law = "no memory is enough" if needed is None else f"M = {needed:,.0f} words"
    return [f"{played}; by the law {verdict.law.name}, for large sizes: {by_law}."]
