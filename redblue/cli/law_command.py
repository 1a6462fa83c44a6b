"""``redblue law``: the law that a computation follows, and the memory that it asks for."""

from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

from redblue.cli import console
from redblue.cli.computation import Asked, say_notes
from redblue.cli.options import (
    CORES,
    Counted,
    EffortName,
    Jobs,
    RulesName,
    TimeLimit,
    effort_of,
    methods,
)
from redblue.cli.watch import Watch
from redblue.show.answer import Answer

if TYPE_CHECKING:
    from dags import Computation
    from redblue.laws.finding import AnyLaw


def law(
    computation: Asked,
    memory: str | None = None,
    schedulers: Annotated[str | None, "NAMES"] = None,
    rules: RulesName = "one-shot",
    jobs: Jobs = CORES,
    effort: EffortName = "quick",
    time_limit: TimeLimit = None,
    counted: Counted = False,
) -> Answer:
    """Find how the operations per word of I/O grow with fast memory, and the memory needed.

    They grow as a power of the memory M, as log M, or not at all. For a program without sizes
    (cholesky.c), with some sizes (conv.c:R=3), or an einsum string (ij,jk->ik), the law holds for
    all sizes.

    Parameters
    ----------
    memory
        Fast memory in words: a list 8,16,32, a range 8:512, or 8:512:10 for 10 sizes. By default
        sizes that suit the family-specific schedule, or a range from twice the smallest memory.
    schedulers
        Schedulers, separated by commas; the best one counts. By default structured if the family
        is known, else four of ORDER+EVICTION.
    """
    from dags.errors import one_line
    from redblue.answers.memories import parse_memories
    from redblue.cli.curve_command import require_any, require_limits, warn_failed
    from redblue.laws.finding import held_to_proofs, law_of_source

    word, spec = computation.word_of(memory), computation.name
    memories = None if memory is None else parse_memories(memory, word)
    chosen = methods(schedulers, None, rules)
    require_limits(time_limit, None, kept=False)
    watch = Watch(time_limit)
    limits: dict[str, Any] = (
        {} if watch.left is None else dict.fromkeys(("seconds", "clock"), time_limit)
    )
    with console.progress_bar("playing") as progress:

        def reading() -> "Computation":
            watch.stage = f"loading {one_line(spec)}"
            computation_read = computation.load()
            watch.stage = "playing"
            return computation_read

        def work() -> "AnyLaw":
            return law_of_source(
                spec,
                memories,
                schedulers=chosen.schedulers,
                rules=chosen.rules,
                counted=counted,
                jobs=jobs,
                reading=reading,
                **limits,
                progress=progress,
                deadline=watch.deadline,
                effort=effort_of(effort),
            )

        answer = watch.must(work, "there is no schedule yet")
    for curve in answer.curves:
        say_notes(curve)
        require_any([curve], watch)
        warn_failed(curve, None, limited=watch.limit is not None)
    watch.stage = "proving"
    options: dict[str, Any] = {"rules": chosen.rules, "jobs": jobs, "spec": spec}
    held = watch.spare(partial(held_to_proofs, answer, **options))
    if held is None:
        console.say(f"note: {watch.why()}; the law was not compared with schedules and bounds")
    return held or answer
