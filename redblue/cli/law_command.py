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
from redblue.show.answer import Answer, Facts
from redblue.show.rows import table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dags import Computation
    from pebble import Rules
    from redblue.answers.counted.dirac_law import DiracLaw, DiracLawPoint
    from redblue.laws.answer import FoundLaw


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
    from redblue.cli.program_laws import law_without_sizes
    from redblue.laws.finding import found_law, held_to_proofs

    if (general := law_without_sizes(computation.spec, memory, time_limit)) is not None:
        return general
    word, spec = computation.word_of(memory), computation.name
    memories = None if memory is None else parse_memories(memory, word)
    chosen = methods(schedulers, None, rules)
    require_limits(time_limit, None, kept=False)
    watch = Watch(time_limit)
    if spec.partition(":")[0] == "dirac" and schedulers is None:
        return dirac_answer(spec, memories, chosen.rules)
    with console.progress_bar("playing") as progress:

        def work() -> "tuple[Computation, FoundLaw]":
            watch.stage = f"loading {one_line(spec)}"
            loaded = computation.load()
            watch.stage = "playing"
            return loaded, found_law(
                loaded,
                memories,
                schedulers=chosen.schedulers,
                rules=chosen.rules,
                counted=counted,
                jobs=jobs,
                spec=spec,
                progress=progress,
                deadline=watch.deadline,
                effort=effort_of(effort),
            )

        loaded, answer = watch.must(work, "there is no schedule yet")
    say_notes(answer.curve)
    require_any([answer.curve], watch)
    warn_failed(answer.curve, None, limited=watch.limit is not None)
    if answer.published is None:
        return answer
    watch.stage = "proving"
    options: dict[str, Any] = {"rules": chosen.rules, "jobs": jobs, "spec": spec}
    held = watch.spare(partial(held_to_proofs, answer, loaded, **options))
    if held is None:
        console.say(f"note: {watch.why()}; the law was not compared with schedules and bounds")
    return held or answer


def dirac_answer(spec: str, memories: "Sequence[int] | None", rules: "Rules") -> Facts:
    """The words of theorem 1 for a Dirac operator beside counted plays and proved bounds."""
    from dags import Computation
    from redblue.answers.counted.dirac_law import dirac_law

    law = dirac_law(Computation(spec), memories, rules=rules)
    listed = table(
        "dirac", f"{law.curve.title}: words a site to and from the node's own memory",
        law.points, "M <- memory", ("s", lambda point: str(point.s or "-")),
        ("theorem 1", lambda point: _words(point.published)),
        ("counted", lambda point: _words(point.counted)),
        ("proved", lambda point: _words(point.proved)), ("counted / proved", _ratio),
    )  # fmt: skip
    return Facts(law.to_dict(), (listed, "\n".join(sentences(law))))


def _words(words: float | None) -> str:
    return "-" if words is None else f"{words:,.2f}"


def _ratio(point: "DiracLawPoint") -> str:
    return "-" if point.counted is None else f"{point.counted / point.proved:.3f}"


def sentences(law: "DiracLaw") -> list[str]:
    """The findings of a table of words a site, a line each."""
    shown = {name: "not seen" if p is None else f"M^-{p:.3f}" for name, p in law.exponents.items()}
    return [
        "Published (Bilardi et al., 2005, theorem 1): 120 + 66/s words a site, and 132 k^2, with "
        "M = 96 k^2 s + 288 k s for 1 <= s <= k; 120 with 96 k^3 + 432 k^2.",
        f"Beyond 120 words a site falls as {shown['published']} by the theorem, as "
        f"{shown['counted']} in schedules, and as {shown['proved']} in lower bounds: "
        "at least 36 (6/M)^(1/3) in the leading term, and 181/M^(1/3) in a lattice without end.",
        f"One application does {law.operations:,.0f} operations a site, "
        f"{law.operations / 120:.3g} a word at most, with any memory.",
    ]
