"""``redblue law``: the law that a computation follows, and the memory that it asks for."""

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

from redblue.cli import console
from redblue.cli.computation import Computation
from redblue.cli.counted_answers import Counted, counted_member, tell
from redblue.cli.options import CORES, EffortName, Jobs, RulesName, TimeLimit, effort_of, methods
from redblue.cli.watch import Watch
from redblue.show.answer import Facts, Part
from redblue.show.rows import table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dags import CDAG, Member
    from pebble import Rules
    from proofs.laws import Law
    from redblue.answers.results import IOCurve
    from redblue.counted.laws import Sides
    from redblue.laws.fit import Fit
    from redblue.laws.sandwich import Finding

ALPHA = 2.0  # growth of the arithmetic that the memory is asked for


def law(
    computation: Computation,
    memory: str | None = None,
    schedulers: Annotated[str | None, "NAMES"] = None,
    rules: RulesName = "one-shot",
    jobs: Jobs = CORES,
    effort: EffortName = "quick",
    time_limit: TimeLimit = None,
    counted: Counted = False,
) -> Facts:
    """Find the law that a computation follows, and the memory that it asks for.

    Operations per word grow with the memory M as a power, as log M, or not at all. A program
    without sizes (cholesky.c), or with some of them (conv.c:R=3), and an einsum string (ij,jk->ik)
    have a law for all sizes.

    Parameters
    ----------
    memory
        Words of fast memory: 8,16,32, or 8:512, or 8:512:10. By default sizes at which the
        family's schedule is tuned, or a grid from twice the smallest size on.
    schedulers
        Schedulers, with commas; the best one counts. By default structured where the family is
        known, else four orders with evictions.
    """
    from dags.errors import one_line
    from proofs.laws import published_law
    from redblue.answers.memories import parse_memories
    from redblue.cli.curve_command import require_any, require_limits, warn_failed
    from redblue.cli.program_laws import law_without_sizes
    from redblue.laws.fit import fit_dag
    from redblue.laws.sandwich import candidate, demands_of, enclosed, held_against

    if (general := law_without_sizes(computation.spec, memory, time_limit)) is not None:
        return general
    word, spec = computation.word_of(memory), computation.name
    memories = None if memory is None else parse_memories(memory, word)
    chosen = methods(schedulers, None, rules)
    taken = {"schedulers": schedulers, **computation.taken}
    member = counted_member(spec, counted, **taken)
    if member is not None and member.family != "dirac":
        return _counted(member, memories, chosen.rules)
    if spec.partition(":")[0] == "dirac" and schedulers is None:
        from redblue.cli.dirac_law_table import dirac_answer

        return dirac_answer(spec, memories, chosen.rules)
    require_limits(time_limit, None, kept=False)
    watch = Watch(time_limit)
    with console.progress_bar("playing") as progress:

        def work() -> "tuple[CDAG, Fit, IOCurve]":
            watch.stage = f"loading {one_line(spec)}"
            graph = computation.load()
            watch.stage = "playing"
            return graph, *fit_dag(
                graph,
                memories,
                schedulers=chosen.schedulers,
                rules=chosen.rules,
                jobs=jobs,
                spec=spec,
                progress=progress,
                deadline=watch.deadline,
                effort=effort_of(effort),
            )

        graph, found, curve = watch.must(work, "nothing is played yet")
    require_any([curve], watch)
    warn_failed(curve, None, limited=watch.limit is not None)
    published = published_law(graph)
    held = None
    if published is not None:
        watch.stage = "proving"
        how: dict[str, Any] = {"rules": chosen.rules, "jobs": jobs, "spec": spec}
        both = watch.spare(partial(enclosed, graph, found, curve, **how))
        if both is None:
            console.say(f"note: {watch.why()}; without a verdict of schedules and bounds together")
        else:
            corridor, curve = both
            held = held_against(corridor, candidate(published), demands_of(graph.family))
    record = {**curve.to_dict(), "law": to_dict(found, published, held)}
    return Facts(record, tuple(parts(found, published, held, curve)))


def _counted(known: "Member", memories: "Sequence[int] | None", rules: "Rules") -> Facts:
    """Return the law that counted plays of a member follow, and the exponents of both sides."""
    from proofs.laws import law_of
    from redblue.counted.finite_sizes import halving_bias
    from redblue.counted.laws import counted_law
    from redblue.laws.sandwich import candidate, corridor_of_curve, demands_of, held_against

    found, curve, sides = counted_law(known, memories, rules=rules)
    tell(known)
    published = law_of(known.family, known.params)
    held = bias = None
    if published is not None:
        corridor = corridor_of_curve(curve, found.points.overhead)
        held = held_against(corridor, candidate(published), demands_of(known.family))
        bias = halving_bias(known, corridor, rules=rules)
    both = None if sides is None else sides._asdict()
    told = {**to_dict(found, published, held), "sides": both, "finite_size": bias}
    more = [] if sides is None else [_both_sides(sides)]
    more += [] if bias is None else [_finite_size(*bias)]
    said = tuple(parts(found, published, held, curve, more))
    return Facts({**curve.to_dict(), "law": told}, said)


def _both_sides(sides: "Sides") -> str:
    """Return the exponents of both sides over the whole range, which local ones do not tell."""
    return (
        f"From M = {sides.first:,} to {sides.last:,} as a whole, less what moves once: exponent "
        f"{sides.played:.4f} counted, {sides.proved:.4f} proved."
    )


def _finite_size(played: float, proved: float) -> str:
    """Return how far exponents may be from those of a member without end."""
    return (
        f"A member of half the size has local exponents up to {played:.3f} from these as counted, "
        f"up to {proved:.3f} as proved."
    )


def to_dict(found: "Fit", published: "Law | None", held: "Finding | None" = None) -> dict[str, Any]:
    """Return the fit for `--json`; numbers that are infinite or unknown are null."""
    from dataclasses import asdict

    from redblue.laws.fit import against
    from redblue.laws.sandwich import finding_record

    told = found.law
    needed = needed_memory(found)
    return {
        "name": None if told is None else told.name,
        "kind": None if told is None else told.kind,
        "exponent": None if told is None else told.exponent,
        "coefficient": None if told is None else told.coefficient,
        "interval": None if found.interval is None else [number(end) for end in found.interval],
        "slope": found.slope,
        "reason": found.reason,
        "published": None if published is None else published.name,
        "verdict": against(found, published),
        "sandwich": None if held is None else finding_record(held),
        "alpha": ALPHA,
        "memory": None if needed is None else needed[0],
        "rebalanced": None if needed is None else number(needed[1]),
        "exponents": dict(found.exponents),
        "models": [
            {key: number(value) for key, value in asdict(model).items()}
            for model in found.models.values()
        ],
        "growths": [asdict(growth) for growth in found.growths],
        "points": [int(memory) for memory in found.points.memories],
    }


def number(value: float | str) -> float | str | None:
    """Return `value`, or None for an infinity, which JSON does not have."""
    return None if value in (float("inf"), float("-inf")) else value


def needed_memory(found: "Fit") -> tuple[int, float] | None:
    """Return the largest size that shows the law, and the memory for `ALPHA` times the work."""
    if found.law is None:
        return None
    memory = int(found.points.memories[-1])
    return memory, found.law.rebalance(ALPHA, memory)


def parts(
    found: "Fit",
    published: "Law | None",
    held: "Finding | None",
    curve: "IOCurve",
    more: "Sequence[str]" = (),
) -> Iterator[Part]:
    """Yield the table and the sentences, with some more at their end."""
    from redblue.answers.references import problem_sentences

    floor = dict(curve.envelope("lower")) if held is not None else {}
    telling = {int(memory) for memory in found.points.memories}
    yield table(
        "law", f"{curve.title}: {found.points.work:,} operations", curve.envelope("upper"), "M",
        "I/O", ("at least", lambda point: floor.get(point[0])),
        ("R = operations/word", lambda point: _ratio(found.points.work, point[1])),
        ("counts", lambda point: "yes" if point[0] in telling else ""),
    )  # fmt: skip
    problem = problem_sentences(curve.references, curve.envelope("upper"))
    yield "\n".join([*sentences(found, published, held), *problem, *more])


def _ratio(work: int, io: int) -> str:
    return f"{work / io:.4g}" if io else "-"


def sentences(found: "Fit", published: "Law | None", held: "Finding | None") -> list[str]:
    """Return the sentences on the fit, a line each."""
    from redblue.laws.fit.verdict import law_sentence, verdict_sentence
    from redblue.laws.sandwich import finding_sentences

    return [
        law_sentence(found),
        *evidence_sentences(found),
        verdict_sentence(found, published),
        *(() if held is None else finding_sentences(held)),
        *memory_sentences(found),
    ]


def evidence_sentences(found: "Fit") -> list[str]:
    """Return the sentences on the exponents, and on the growth of R by the law from end to end."""
    lines = []
    if found.exponents:
        read = ", ".join(f"{value:.3f} ({name})" for name, value in found.exponents.items())
        lines.append(f"Exponents of a power through these points: {read}.")
    if found.models:
        shares = ", ".join(f"{model.kind} {model.r_squared:.4f}" for model in found.models.values())
        lines.append(f"R^2 of log R: {shares}.")
    return [
        *lines,
        *(
            f"Four times the memory from M = {growth.memory:,.0f} on: R times "
            f"{growth.counted:.3f}, by the law {growth.by_law:.3f}."
            for growth in found.growths
        ),
    ]


def memory_sentences(found: "Fit") -> list[str]:
    """Return the sentence on the memory of a machine that computes faster."""
    needed = needed_memory(found)
    if found.law is None or needed is None:
        return []
    memory, words = needed
    start = f"{ALPHA:g} times the arithmetic per word of I/O needs"
    if words == float("inf"):
        return [f"{start} a faster link: no memory is enough."]
    return [f"{start} M = {words:,.0f} words instead of {memory:,}{growth_range(found)}."]


def growth_range(found: "Fit") -> str:
    """Return the growth of a power's memory over the interval of its exponent, as text."""
    if found.law is None or found.law.kind != "power" or found.interval is None:
        return ""
    low, high = found.interval
    most = f"to {ALPHA ** (1 / low):.3g}" if low > 0.05 else "or more"
    return f", {ALPHA ** (1 / high):.3g} {most} times as much"
