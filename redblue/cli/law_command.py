"""``redblue law``: the law that a computation follows, and the memory that it asks for."""

from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

from redblue.cli import console
from redblue.cli.computation import Computation
from redblue.cli.counted_answers import Counted, counted_member, tell
from redblue.cli.options import CORES, EffortName, Jobs, RulesName, TimeLimit, effort_of, methods
from redblue.cli.watch import Watch
from redblue.show.answer import Answer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dags import CDAG, Member
    from pebble import Rules
    from redblue.answers.results import IOCurve
    from redblue.laws.answer import FoundLaw
    from redblue.laws.fit import Fit


def law(
    computation: Computation,
    memory: str | None = None,
    schedulers: Annotated[str | None, "NAMES"] = None,
    rules: RulesName = "one-shot",
    jobs: Jobs = CORES,
    effort: EffortName = "quick",
    time_limit: TimeLimit = None,
    counted: Counted = False,
) -> Answer:
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
    from redblue.laws.answer import FoundLaw
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
    return FoundLaw(curve, found, published, held)


def _counted(known: "Member", memories: "Sequence[int] | None", rules: "Rules") -> "FoundLaw":
    """Return the law that counted plays of a member follow, and the exponents of both sides."""
    from proofs.laws import law_of
    from redblue.answers.counted.finite_sizes import halving_bias
    from redblue.answers.counted.laws import counted_law, regimes
    from redblue.laws.answer import FoundLaw, Over
    from redblue.laws.sandwich import candidate, corridor_of_curve, demands_of, held_against

    found, curve, sides = counted_law(known, memories, rules=rules)
    tell(known)
    published = law_of(known.family, known.params)
    held = bias = None
    if published is not None:
        corridor = corridor_of_curve(curve, found.points.overhead)
        held = held_against(corridor, candidate(published), demands_of(known.family))
        bias = halving_bias(known, corridor, rules=rules)
    ranges = tuple(regimes(curve, known.compulsory))
    over = Over(sides, bias, known.compulsory, ranges)
    return FoundLaw(curve, found, published, held, over)
