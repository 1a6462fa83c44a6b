"""Plans: how much memory for how much I/O, where more memory pays, and where it ends to."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from dags import InvalidSpecError
from dags.arguments import checked
from dags.cdag.tables import COMPUTED, INPUT, Tabular, own_axes
from pebble import ONE_SHOT, Budget, Rules, Schedule, compulsory_words, require_memory
from proofs import Bound
from redblue.answers.building import is_closed
from redblue.answers.efforts import effort_named
from redblue.answers.memories import grid
from redblue.answers.planning.evidence import Choice, Evidence, words
from redblue.answers.planning.knees import knee_of
from redblue.answers.planning.least import Requirement, least_memory, requirement_of
from redblue.answers.planning.ranges import memory_range
from redblue.answers.prices import require_price
from redblue.answers.results import describe
from redblue.answers.sources import (
    Memory,
    RulesLike,
    Source,
    label_of,
    load,
    rules_of,
)
from redblue.answers.words import words_of
from redblue.limits.progress import Message, silent
from redblue.show.model import Table
from redblue.show.printed import Printed
from redblue.show.proofs_in_words import proved
from redblue.show.rows import table
from schedulers import default_schedulers

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

    from redblue.answers.counted.plans import CountedPlan

AnyPlan: TypeAlias = "Plan | CountedPlan"
SEARCHED = 0.5  # share of a limit's seconds that is searched; plays take some of it too
END = 0.3  # share of the seconds for where only compulsory I/O is left


@dataclass(frozen=True, repr=False)
class Plan(Printed, Tabular):
    """The fast memory that a computation needs for a given I/O.

    Parameters
    ----------
    dag
        The DAG's sizes.
    rules, price_of_work
        The game, and the words that an operation counts as which is done again.
    points
        (memory, cost) of schedules that were found, by rising memory, from the least that can play.
    knee
        Where further memory begins to bring less; None where the curve has no knee.
    end
        The least memory with compulsory I/O alone.
    requirement
        The least memory for the I/O that was asked for; None if none was.
    choice, bound
        Schedule and bound for the memory that was asked for; None if none was.
    """

    dag: dict[str, Any]
    rules: Rules
    price_of_work: float
    points: tuple[tuple[int, float], ...]
    knee: Choice | None
    end: Requirement
    requirement: Requirement | None = None
    choice: Choice | None = None
    bound: Bound | None = None

    def __repr__(self) -> str:
        knee = "" if self.knee is None else f"knee at M = {self.knee.memory}, "
        ends = f"M = {self.dag['min_memory']} to {self.end.choice.memory}"
        return f"<Plan of {Path(self.dag['spec']).name}, {self.rules.name}: {knee}{ends}>"

    @property
    def schedule(self) -> Schedule:
        """The schedule of what was asked for, or of the end."""
        if self.requirement is not None:
            return self.requirement.choice.schedule
        return (self.choice or self.end.choice).schedule

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences on how it was found: none, for its DAG was played."""
        return ()

    def to_frame(self) -> "pd.DataFrame":
        """A table of the points: memory, and the least cost that was found for it."""
        import pandas as pd

        return pd.DataFrame(list(self.points), columns=["memory", "cost"])

    def plot(self, ax: "Axes | None" = None) -> "Axes":
        """Draw the cost against the memory, with the knee; return the axes."""
        axes = own_axes(ax)
        axes.step(*zip(*self.points, strict=True), where="post", color=COMPUTED)
        if self.knee is not None:
            axes.plot([self.knee.memory], [self.knee.cost], "o", color=INPUT, label="knee")
            axes.legend(frameon=False)
        axes.set(xscale="log", yscale="log", title=repr(self).strip("<>"))
        axes.set_xlabel("fast memory M (words)")
        axes.set_ylabel("I/O: loads + stores (words)")
        return axes

    def to_dict(self) -> dict[str, Any]:
        """The object of `--json`."""
        return {
            "dag": self.dag,
            "rules": self.rules.name,
            "price_of_work": self.price_of_work,
            "answer": self._answer(),
            "knee": None if self.knee is None else _choice_data(self.knee),
            "end": _requirement_data(self.end),
            "points": [{"memory": memory, "cost": words(cost)} for memory, cost in self.points],
        }

    def shown(self) -> tuple[str, str]:
        """The least memory, and the plan, a line each."""
        title = f"{Path(self.dag['spec']).name}, {self.rules.name}"
        price = f", {self.price_of_work:g} words an operation" * bool(self.price_of_work)
        lines = []
        if self.requirement is not None:
            what = f"move at most {words(self.requirement.cost):,} words"
            lines.append(self.requirement.sentence(what))
        if self.choice is not None and self.bound is not None:
            least = proved(self.choice.count.io, self.bound.io, self.bound.method)
            lines.append(f"M = {self.choice.memory:,}: {self.choice}. {least}")
            lines += self.choice.loops()
        elif self.requirement is not None:
            lines += self.requirement.choice.loops()
        if self.knee is not None:
            lines.append(f"The knee is at M = {self.knee.memory:,}: {self.knee}")
        lines.append(self.end.sentence("move only compulsory words"))
        least_memory = f"{self.dag['min_memory']:,} words are the smallest legal memory"
        return f"{title}{price}: {least_memory}", "\n".join(lines)

    def overview(self) -> tuple[Table]:
        """A line for each size of memory."""
        return (table("plan", f"{self.dag['spec']}, {self.rules.name}", self.points, "M", "words"),)

    def _answer(self) -> dict[str, Any] | None:
        if self.requirement is not None:
            return _requirement_data(self.requirement)
        if self.choice is None or self.bound is None:
            return None
        lower = {"at_least": self.bound.io, "proved_by": self.bound.method}
        return {**_choice_data(self.choice), **lower}


@checked
def plan(
    source: Source,
    memory: Memory | None = None,
    *,
    io_at_most: float | None = None,
    rules: RulesLike = ONE_SHOT,
    price_of_work: float = 0.0,
    effort: str | float = "normal",
    seed: int = 0,
    spec: str = "",
    progress: Message | None = None,
    deadline: Budget | None = None,
    counted: bool = False,
    moves: bool = False,
) -> "AnyPlan":
    """The fast memory that a computation needs for a given I/O, or the reverse.

    Parameters
    ----------
    source
        The computation.
    memory
        Words of fast memory, or a text like "64KB"; the answer is the least I/O with it.
    io_at_most
        The I/O allowed, in words; the answer is the least fast memory for it. Give at most one of
        the two.
    rules
        The rules of the game, or their name.
    price_of_work
        Words that a recomputed operation costs, under rules that allow it.
    effort
        One of `redblue.answers.efforts.EFFORTS`: how long to search where schedule and bound have
        not met.
    seed
        Seed of the searches.
    spec
        Label of the DAG in results.
    progress
        Called with the work at hand, in a few words.
    deadline
        The end of the searches, however much of the effort is left; None for none.
    counted
        Whether closed formulas answer alone, and no DAG is built if it is large.
    moves
        Whether a schedule is wanted (`Plan.schedule`), for which the DAG is built.

    Raises
    ------
    InvalidSpecError
        If both are given, a price under rules that allow no recomputation, or moves of a DAG that
        is too large or not to be built.
    NoMemoryIsEnoughError
        If every schedule moves more than that.

    Examples
    --------
    >>> found = plan("fft:n=8", io_at_most=20, effort="quick")
    >>> found.requirement.choice.memory, found.end.choice.memory
    (8, 10)
    """
    game, asked = rules_of(rules), None if memory is None else words_of(memory, source)
    _require_one_question(io_at_most, asked, game, price_of_work)
    computation, tell = load(source), progress or silent
    if is_closed(computation, counted=counted, price_of_work=price_of_work or None, out=moves):
        from redblue.answers.counted.plans import counted_plan

        if io_at_most is not None:
            io_at_most = int(io_at_most)
        return counted_plan(computation, io_at_most=io_at_most, memory=asked, rules=game)
    dag = computation.dag
    if asked is not None:
        require_memory(dag, asked, rules=game)
    evidence = Evidence(dag, game, price_of_work, seed)
    seconds = effort_named(str(effort)).seconds if evidence.small else 0.0
    if deadline is not None:
        seconds = min(seconds, SEARCHED * deadline.left)
    tell("finding the memory with only compulsory I/O")
    least, most = memory_range(dag, default_schedulers(dag), rules=game)
    early, late = _late(deadline, 2), _late(deadline, 1)
    end_io = compulsory_words(dag)
    end = least_memory(evidence, end_io, least, most, END * seconds, early).choice.memory
    tell("answering")
    if io_at_most is not None:
        least_memory(evidence, io_at_most, least, end, (1 - END) * seconds, late)
    if asked is not None:
        evidence.choice(asked)
        if seconds:
            evidence.search(asked, (1 - END) * seconds)
    points = _points(evidence, least, end, late)
    place = knee_of(points)
    # What was found last counts in every line.
    answer = None if asked is None else (evidence.choice(asked), evidence.bound(asked))
    return Plan(
        describe(dag, label_of(source, spec), rules=game),
        game,
        price_of_work,
        points,
        None if place is None else evidence.choice(place),
        requirement_of(evidence, end_io, least, end),
        None if io_at_most is None else requirement_of(evidence, io_at_most, least, end),
        *(answer or (None, None)),
    )


def _require_one_question(
    io_at_most: float | None, memory: int | None, rules: Rules, price_of_work: float
) -> None:
    """Raise InvalidSpecError for questions that have no answer."""
    if io_at_most is not None and memory is not None:
        raise InvalidSpecError("give the memory or the I/O, not both")
    if io_at_most is not None and io_at_most < 0:
        raise InvalidSpecError(f"the I/O is at least 0 words, not {io_at_most:,g}")
    require_price(price_of_work, rules)


def _late(deadline: Budget | None, parts: int) -> Callable[[], bool]:
    """A function that says whether the first of so many parts of the time is over."""
    if deadline is None:
        return bool
    part = deadline.turn(1 / parts)
    return lambda: not part.left


def _points(
    evidence: Evidence, least: int, most: int, late: Callable[[], bool]
) -> tuple[tuple[int, float], ...]:
    """(memory, cost) on a grid over the range, and at every size that was looked at.

    Parameters
    ----------
    evidence
        The DAG of the plays.
    least, most
        Ends of the range.
    late
        Says whether to play at no further sizes.
    """
    sizes = {size for size in evidence.sizes if least <= size <= most}
    for size in grid(least, most):
        if size not in sizes and not late():
            evidence.choice(size)
            sizes.add(size)
    return tuple((size, evidence.choice(size).cost) for size in sorted(sizes))


def _choice_data(choice: Choice) -> dict[str, Any]:
    """A choice as plain JSON, without its moves."""
    return {
        "memory": choice.memory,
        "cost": words(choice.cost),
        "io": choice.count.io,
        "loads": choice.count.loads,
        "stores": choice.count.stores,
        "recomputes": choice.count.recomputes,
        "again": choice.again.to_dict(),
        "method": choice.method,
        **({} if choice.tiling is None else choice.tiling.to_dict()),
    }


def _requirement_data(found: Requirement) -> dict[str, Any]:
    """A requirement as plain JSON."""
    return {
        **_choice_data(found.choice),
        "io_at_most": words(found.cost),
        "memory_at_least": found.at_least,
        "proved_by": "smallest memory" if found.bound is None else found.bound.method,
        "status": "optimal" if found.known else "feasible",
    }
