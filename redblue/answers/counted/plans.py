"""Plans for members that are not laid out: how much memory for how much I/O, by formulas."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from math import inf
from typing import TYPE_CHECKING, Any

from dags import Computation, InvalidSpecError
from dags.cdag.tables import Tabular
from pebble import MOST_WORDS, ONE_SHOT, MemoryTooSmallError, Rules, Schedule, min_memory
from proofs.bounds.families.closed_forms import METHOD
from redblue.answers.building import closed_notes
from redblue.answers.counted.curves import (
    TILES,
    bound_row,
    counted_row,
    described,
    require_formulas,
)
from redblue.answers.counted.nests import EACH, FEWER, best_play, is_large, look_for_plays
from redblue.answers.memories import grid
from redblue.answers.planning.evidence import Evidence
from redblue.answers.planning.knees import knee_of
from redblue.answers.planning.least import NoMemoryIsEnoughError
from redblue.answers.planning.ranges import bisected
from redblue.answers.results import Row
from redblue.show.printed import Printed
from redblue.show.proofs_in_words import proved
from schedulers.tilings.plan import Counts
from schedulers.tilings.words import Group, groups_of

if TYPE_CHECKING:
    import pandas as pd

SECONDS = 5.0  # for plays of many assignments at all sizes, where one is asked for
BETWEEN = 10  # sizes of memory at which plays of a nest are looked for, where one may be enough


@dataclass(frozen=True)
class CountedNeed:
    """The least memory for an I/O: enough for the counted play, and proved to be needed.

    Parameters
    ----------
    io_at_most
        Words that may be moved.
    at_least
        Words of memory; with less a closed form, or the rules, proves that more has to be moved.
    play
        The least memory with which the counted play moves so few words, and what it moves.
    proved_by
        What proves that less memory is not enough.
    """

    io_at_most: int
    at_least: int
    play: Row
    proved_by: str = METHOD

    def __str__(self) -> str:
        most = f" and {self.play.memory:,}" * (self.at_least < self.play.memory)
        return (
            f"To move at most {self.io_at_most:,} words you need {'between ' * bool(most)}"
            f"{self.at_least:,} words of memory{most}: {cost_of(self.play)}"
        )


@dataclass(frozen=True)
class WholeTensors:
    """The play of a graph whose values are tensors, each in fast memory as a whole.

    Parameters
    ----------
    least
        Words of fast memory without which there is none.
    io
        Words that the best one moves that was found for the memory; None if that is less.
    method
        What found it.
    """

    least: int
    io: int | None = None
    method: str = ""


@dataclass(frozen=True, repr=False)
class CountedPlan(Printed, Tabular):
    """Memory that a member of a family needs, against its I/O, from formulas alone.

    Parameters
    ----------
    dag
        The sizes of its DAG.
    rules
        The rules of the game.
    points
        (memory, words) of the counted play, by rising memory.
    knee
        Where further memory begins to bring less; None where the curve has no knee.
    end
        The least memory with which the play moves no more than with all memory there may be.
    need
        The least memory for the I/O that was asked for; None if none was.
    play, bound
        Counted play and closed form for the memory that was asked for; None if none was.
    groups, stays
        Of the play of a program of several assignments: which are run as one, and the arrays that
        stay from one group to another, with the words that these move.
    whole
        The play with the memory that was asked for in which a graph's tensors are held whole; None
        of what is no graph.
    notes
        Sentences on how the plan was found.
    """

    dag: dict[str, Any]
    rules: Rules
    points: tuple[tuple[int, int], ...]
    knee: Row | None
    end: CountedNeed
    need: CountedNeed | None = None
    play: Row | None = None
    bound: Row | None = None
    groups: tuple[Group, ...] = ()
    stays: Mapping[str, int] = field(default_factory=dict)
    whole: WholeTensors | None = None
    notes: tuple[str, ...] = ()

    def __repr__(self) -> str:
        knee = "" if self.knee is None else f"knee at M = {self.knee.memory}, "
        ends = f"M = {self.dag['min_memory']} to {self.end.play.memory}"
        return f"<CountedPlan of {self.dag['spec']}, {self.rules.name}: {knee}{ends}>"

    @property
    def schedule(self) -> Schedule:
        """The schedule: none, for formulas count its words without its moves.

        Raises
        ------
        InvalidSpecError
            In any case.
        """
        raise InvalidSpecError(
            f"{self.dag['spec']}: closed formulas count the words of this plan, and it has no list "
            "of moves (redblue.plan(..., moves=True) builds the DAG, where it fits)"
        )

    def to_frame(self) -> "pd.DataFrame":
        """A table of the points: memory, and the words that the counted schedule moves."""
        import pandas as pd

        return pd.DataFrame(list(self.points), columns=["memory", "cost"])

    def to_dict(self) -> dict[str, Any]:
        """What `--json` prints."""
        found = {
            "dag": self.dag,
            "rules": self.rules.name,
            "answer": self._answer(),
            "knee": None if self.knee is None else _played(self.knee),
            "end": _needed(self.end),
            "points": [{"memory": memory, "cost": io} for memory, io in self.points],
        }
        if self.groups:
            found |= {"groups": [each._asdict() for each in self.groups], "stays": {**self.stays}}
        if self.whole is not None:
            found["whole_tensors"] = asdict(self.whole)
        return found

    def shown(self) -> tuple[str, ...]:
        """The plan for readers, a line each."""
        return ("\n".join(self._lines()),)

    def _lines(self) -> Iterator[str]:
        """Yield the least memory, the answer, the knee and the end."""
        least_memory = f"{self.dag['min_memory']:,} words are the smallest legal memory"
        yield f"{self.dag['spec']}, {self.rules.name}: {least_memory}"
        yield ""
        if self.need is not None:
            yield str(self.need)
        if self.play is not None:
            io, by = self.play.io or 0, self.bound
            least = "" if by is None else f". {proved(io, by.io or 0, by.method)}"
            yield f"M = {self.play.memory:,}: {cost_of(self.play)}{least}"
            yield from self._beside()
            if self.play.tiling is not None:
                yield from self.play.tiling.lines()
            yield from (f"- {each.io:,} words: {', '.join(each.makes)}" for each in self.groups)
            yield from (f"- {io:,} words of {name}, which stays" for name, io in self.stays.items())
        if self.knee is not None:
            yield f"The knee is at M = {self.knee.memory:,}: {cost_of(self.knee)}"
        yield str(self.end)

    def _beside(self) -> Iterator[str]:
        """Yield the sentence on the play in which tensors are held whole, beside the fused one."""
        whole, play = self.whole, self.play
        if whole is None or play is None or play.io is None:
            return
        if whole.io is None:
            yield (
                "If every tensor is kept whole and operators run one by one, the least memory is "
                f"{whole.least:,} words."
            )
            return
        fewer = "; `plan` without --counted has it" if whole.io < play.io else ""
        yield (
            f"If every tensor is kept whole and operators run one by one: {whole.io:,} words, "
            f"{whole.io / play.io:.2f} times as many, by {whole.method}{fewer}."
        )

    def _answer(self) -> dict[str, Any] | None:
        if self.need is not None:
            return _needed(self.need)
        if self.play is None:
            return None
        proved = None if self.bound is None else self.bound.io
        by = METHOD if self.bound is None else self.bound.method
        return {**_played(self.play), "at_least": proved, "proved_by": by}


def counted_plan(
    known: Computation,
    *,
    io_at_most: int | None = None,
    memory: int | None = None,
    rules: Rules = ONE_SHOT,
) -> CountedPlan:
    """How much memory a member of a family needs for how much I/O.

    Parameters
    ----------
    known
        The member; its family has a counted play.
    io_at_most
        The I/O allowed, in words; the answer is the least fast memory for it.
    memory
        Words of fast memory; the answer is the I/O with them.
    rules
        The rules of the game.

    Raises
    ------
    NoMemoryIsEnoughError
        If the play moves more than that with any memory.
    MemoryTooSmallError
        If the memory is less than any play takes.
    """
    require_formulas(known, rules)
    smallest = known.min_memory(sliding=rules.sliding)
    if memory is not None and is_large(known):
        sizes = grid(smallest, known.sizes.vertices + 1, FEWER)
        look_for_plays(known, sizes, seconds=SECONDS)
        look_for_plays(known, [memory], more=True)
    else:
        look_for_plays(known)
        look_for_plays(known, [] if memory is None else [memory], more=True)
    most = min(MOST_WORDS, max(smallest, known.sizes.vertices * known.sizes.result))
    if _play(known, most, rules) == inf:
        raise InvalidSpecError(f"no schedule of {known.spec} has a closed form")
    least = bisected(lambda size: _play(known, size, rules) < inf, smallest, most)
    if memory is not None and memory < least:
        raise MemoryTooSmallError(memory, least, f"of {known.family}")
    end = _need(known, int(_play(known, most, rules)), least, most, rules)
    points = tuple((size, int(_play(known, size, rules))) for size in grid(least, end.play.memory))
    place, ends = knee_of(points), (least, end.play.memory)
    play = None if memory is None else counted_row(known, memory, rules)
    groups, stays = _groups(known, play)
    return CountedPlan(
        described(known, rules),
        rules,
        points,
        None if place is None else counted_row(known, place, rules),
        end,
        need=None if io_at_most is None else _need(known, io_at_most, *ends, rules),
        play=play,
        bound=None if memory is None else bound_row(known, memory, rules),
        groups=tuple(groups),
        stays=stays,
        whole=None if memory is None else _whole(known, memory, rules),
        notes=closed_notes(known),
    )


def cost_of(row: Row) -> str:
    """The words that a schedule moves which closed formulas count."""
    return f"{row.io:,} words of I/O ({row.loads:,} loaded, {row.stores:,} stored), counted"


def _whole(known: Computation, memory: int, rules: Rules) -> WholeTensors | None:
    """The play of a graph in which tensors are held whole."""
    if not (known.is_program and known.is_graph):
        return None
    dag = known.dag
    least = min_memory(dag, rules=rules)
    if memory < least:
        return WholeTensors(least)
    found = Evidence(dag, rules).choice(memory)
    return WholeTensors(least, found.count.io, found.method)


def _groups(known: Computation, play: Row | None) -> tuple[list[Group], dict[str, int]]:
    """The groups of a play by tiles of a nest of several assignments, and what stays."""
    tiled = play is not None and play.method == TILES
    best = best_play(known, play.memory) if play is not None and tiled else None
    if best is None or len(best[0].assignments) == 1:
        return [], {}
    nest, found = best
    return groups_of(Counts(nest), found.tiling)


def _need(known: Computation, io: int, least: int, most: int, rules: Rules) -> CountedNeed:
    """The least memory up to `most` for which the play moves at most `io` words."""
    if (fewest := _play(known, most, rules)) > io:
        raise NoMemoryIsEnoughError(
            f"the schedule in closed form moves {fewest:,} words with any memory"
        )

    def proved(memory: int) -> int:
        row = bound_row(known, memory, rules)
        return 0 if row is None or row.io is None else row.io

    first = known.min_memory(sliding=rules.sliding)
    size = bisected(lambda memory: _play(known, memory, rules) <= io, least, most)
    if is_large(known):  # bounds of many assignments take a second each
        tried = grid(first, size, FEWER)
        place = bisected(lambda at: proved(tried[at]) <= io, 0, len(tried) - 1)
        at_least = tried[place - 1] + 1 if place else first
    else:
        at_least = bisected(lambda memory: proved(memory) <= io, first, size)
    if at_least < size and not is_large(known):
        between = grid(at_least, size, BETWEEN)
        look_for_plays(known, between, more=True, seconds=EACH * len(between))
        size = bisected(lambda memory: _play(known, memory, rules) <= io, least, size)
    play, below = counted_row(known, size, rules), bound_row(known, size, rules)
    assert play is not None
    return CountedNeed(io, at_least, play, METHOD if below is None else below.method)


def _play(known: Computation, memory: int, rules: Rules) -> float:
    """The words of the counted play, infinity where it is not known."""
    row = counted_row(known, memory, rules)
    return inf if row is None or row.io is None else row.io


def _played(row: Row) -> dict[str, Any]:
    names = ("memory", "io", "loads", "stores", "method", "status")
    loops = {} if row.tiling is None else row.tiling.to_dict()
    return {name: getattr(row, name) for name in names} | loops


def _needed(found: CountedNeed) -> dict[str, Any]:
    return {
        **_played(found.play),
        "io_at_most": found.io_at_most,
        "memory_at_least": found.at_least,
        "proved_by": found.proved_by,
    }
