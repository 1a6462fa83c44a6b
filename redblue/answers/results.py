"""Results: rows, and the curves that they make up."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from dags import CDAG
from dags.cdag.tables import Tabular, csv_text, own_axes
from dags.errors import one_line
from pebble import ONE_SHOT, Rules, min_memory
from redblue.answers.references import Reference
from redblue.show.answer import Part
from redblue.show.model import Figure, Role, Table
from redblue.show.printed import Printed
from redblue.show.rows import table
from schedulers.tilings.shown import ShownTiling

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

BEST = "best"
LARGE = 2**63
# Program order, where the least recently used value leaves, and that whose next use is furthest.
PROGRAM_ORDER = ("natural+lru", "natural+belady")
FEW = 6  # sizes of memory that are printed one by one
LISTINGS = 3  # sizes of memory of which loops are printed

Kind = Literal["upper", "lower", "claim"]
KINDS: tuple[Kind, ...] = ("upper", "lower")  # which have a best one
Status = Literal[
    "feasible",
    "optimal",
    "counted",
    "bound",
    "claimed",
    "infeasible",
    "failed",
    "timed-out",
    "out-of-memory",
]


@dataclass(frozen=True)
class Row:
    """One point of a curve.

    Parameters
    ----------
    kind
        "upper" for a schedule, "lower" for a bound, "claim" for a number that somebody claims to be
        one; other results do not use it.
    method
        The scheduler or bound; "best" for the best of its kind.
    memory
        Words of fast memory.
    io, loads, stores
        Words moved; loads and stores are None for bounds, all three where nothing is feasible.
    status
        "feasible": a schedule that was replayed; "counted": one whose I/O was counted exactly,
        without a list of its moves; "optimal": one that a bound meets; "bound"; "claimed";
        "infeasible": some vertex cannot be computed with so little memory; of a sweep also
        "failed", "timed-out", "out-of-memory".
    seconds
        Time that it took, without that of an order shared by several rows.
    tiling
        The loops of a program's schedule, where it goes by tiles.
    again
        Operations that are recomputed; None where the rules allow no recomputation.
    cost
        Words moved and the price of these operations, rounded up, where they have one.
    """

    kind: Kind
    method: str
    memory: int
    io: int | None
    loads: int | None
    stores: int | None
    status: Status
    seconds: float
    tiling: ShownTiling | None = None
    again: int | None = None
    cost: int | None = None

    @property
    def words(self) -> int | None:
        """Words by which rows are compared: those moved, with the price of work if it has one."""
        return self.io if self.cost is None else self.cost

    def to_dict(self) -> dict[str, Any]:
        """The fields; the last three where they say something, and of tilings two."""
        late = ("again", "cost")
        fields = {k: value for k, value in vars(self).items() if k not in late or value is not None}
        tiling = fields.pop("tiling")
        return fields if tiling is None else fields | tiling.to_dict()

    @classmethod
    def from_dict(cls, record: Mapping[str, Any]) -> "Row":
        """The row of a record that `to_dict` made.

        Parameters
        ----------
        record
            The fields.
        """
        fields = dict(record)
        text, loops = fields.pop("tiling", None), fields.pop("loops", [])
        return cls(
            **fields, tiling=None if text is None else ShownTiling(text, partial(list, loops))
        )


@dataclass(frozen=True)
class WholeRow:
    """I/O of a scheduler at every memory size of a range, counted in one pass.

    Parameters
    ----------
    method
        The scheduler.
    first
        Smallest memory of the range, in words.
    loads, stores
        (K,) words moved with ``first + i`` words of memory.
    replayed
        Sizes of the range at which the engine replayed the schedule and counted the same.
    """

    method: str
    first: int
    loads: tuple[int, ...]
    stores: tuple[int, ...]
    replayed: tuple[int, ...] = ()

    @property
    def points(self) -> tuple[tuple[int, int], ...]:
        """(memory, io) at each size, by rising memory."""
        both = zip(self.loads, self.stores, strict=True)
        return tuple((self.first + i, loads + stores) for i, (loads, stores) in enumerate(both))


@dataclass(frozen=True)
class AsWritten:
    """How far the loops of a text are from the best schedule, at one memory size.

    Parameters
    ----------
    memory
        Words of fast memory.
    as_written
        Words that the loops move as they are written, if the least recently used value leaves.
    best_choice
        The same if that leaves whose next use is furthest; None where it is not counted.
    best
        Words of the best schedule that is known.
    bound
        Words below which no schedule is; None where no bound is asked for.
    """

    memory: int
    as_written: int
    best_choice: int | None
    best: int
    bound: int | None

    def __str__(self) -> str:
        told = f"M = {self.memory:,}: as written {self.as_written:,}; best found {self.best:,}"
        return told if self.bound is None else f"{told}; no schedule below {self.bound:,}"


@dataclass(frozen=True)
class WithoutCode:
    """A schedule that moves fewer words than emitted code, and why it has no code form.

    Parameters
    ----------
    memory, words
        Words of fast memory, and those that the schedule moves.
    method, schedule
        The method that found it, and what it is.
    reason
        Why it has no code form.
    code
        Words that the code moves.
    """

    memory: int
    words: int
    method: str
    schedule: str
    reason: str
    code: int

    def __str__(self) -> str:
        return (
            f"M = {self.memory:,}: the best schedule known moves {self.words:,} words; it is "
            f"{self.schedule}, which has no code form: {self.reason}; this code moves "
            f"{self.code:,}"
        )


@dataclass(frozen=True)
class Refined:
    """Results of the searches at one memory size.

    Parameters
    ----------
    memory
        Words of fast memory.
    before, after
        Best schedule over best bound, without the searches and with them.
    upper, lower
        The methods that found the best schedule and the best bound.
    """

    memory: int
    before: float
    after: float
    upper: str
    lower: str


@dataclass(frozen=True)
class Spent:
    """The effort that a curve took, and its changes.

    Parameters
    ----------
    name
        The effort.
    seconds
        Time of all searches together.
    points
        The memory sizes at which something was searched.
    skipped
        Those at which schedule and bound have not met and nothing was searched: the last searches
        brought too little, or the time was over.
    """

    name: str
    seconds: float
    points: tuple[Refined, ...]
    skipped: tuple[int, ...] = ()


@dataclass(frozen=True, repr=False)
class IOCurve(Printed, Tabular):
    """I/O of schedulers and lower bounds of one DAG at several memory sizes.

    Parameters
    ----------
    dag
        Its sizes: spec, vertices, edges, inputs, outputs, min_memory.
    rules
        The rules of the game.
    rows
        A row per method and memory, and rows of method "best": the best upper bound is the
        monotone envelope, for a schedule that is legal with M words is legal with more; the
        best lower bound likewise, the other way round.
    whole
        Schedulers whose I/O is known at every memory size of the range.
    effort
        Results of searches where the methods left a gap; None where nothing was searched.
    references
        The I/O that publications give for the DAG.
    price_of_work
        Words that a recomputed operation costs; it is among the words of all points.
    code
        I/O of the code of a loop nest (`redblue emit`).
    without_code
        The best schedules that move fewer words than this code.
    notes
        Sentences on how the rows were found.
    is_text
        Whether program order is that of the loops of a text.
    """

    dag: dict[str, Any]
    rules: Rules
    rows: tuple[Row, ...]
    whole: tuple[WholeRow, ...] = ()
    effort: Spent | None = None
    references: tuple[Reference, ...] = ()
    price_of_work: float = 0.0
    code: tuple[Row, ...] = ()
    without_code: tuple[WithoutCode, ...] = ()
    notes: tuple[str, ...] = ()
    is_text: bool = False

    def __repr__(self) -> str:
        gaps = [io / low for (_, io), (_, low) in zip(*map(self._known, KINDS), strict=True) if low]
        spread = f", best / bound {min(gaps):.3f} to {max(gaps):.3f}" if gaps else ""
        ends = f"M = {self.memories[0]} to {self.memories[-1]}" if self.memories else "no memory"
        return f"<IOCurve of {self.title}: {len(self.memories)} sizes, {ends}{spread}>"

    def __str__(self) -> str:
        return self._text_of([self._table(), repr(self).strip("<>")])

    def _known(self, kind: Kind) -> list[tuple[int, int]]:
        """(memory, io) of the best of a kind at the sizes where both kinds have one."""
        other = dict(self.envelope("lower" if kind == "upper" else "upper"))
        return [point for point in self.envelope(kind) if point[0] in other]

    @property
    def title(self) -> str:
        """Label in figures and tables: the DAG, of a file its name alone, and the rules."""
        price = f", {self.price_of_work:g} words an operation" * bool(self.price_of_work)
        return f"{one_line(Path(self.dag['spec']).name)}, {self.rules.name}{price}"

    @property
    def is_counted(self) -> bool:
        """True if closed formulas answered alone: notes say so."""
        return bool(self.notes)

    @cached_property
    def memories(self) -> tuple[int, ...]:
        """The memory sizes, rising."""
        return tuple(sorted({row.memory for row in self.rows}))

    @property
    def tiled(self) -> tuple[Row, ...]:
        """The best of the schedules that go by the tiles of loops at each size, if any do."""
        best: dict[int, Row] = {}
        for row in self.rows:
            known = best.get(row.memory)
            if row.tiling is not None and row.io is not None:
                best[row.memory] = row if known is None or row.io < (known.io or 0) else known
        return tuple(best[memory] for memory in sorted(best))

    @property
    def as_written(self) -> tuple[AsWritten, ...]:
        """How far the loops of a text are from the best schedule, where their order is played."""
        if not self.is_text:
            return ()
        io = {(row.kind, row.method, row.memory): row.io for row in self.rows if row.io is not None}
        found = []
        for memory in self.memories:
            order, best = (io.get(("upper", name, memory)) for name in (PROGRAM_ORDER[0], BEST))
            if order is not None and best is not None:
                choice = io.get(("upper", PROGRAM_ORDER[1], memory))
                bound = io.get(("lower", BEST, memory))
                found.append(AsWritten(memory, order, choice, best, bound))
        return tuple(found)

    def methods(self, kind: Kind) -> tuple[str, ...]:
        """The methods of a kind but "best", in the order in which they were asked for."""
        names = dict.fromkeys(row.method for row in self.rows if row.kind == kind)
        return tuple(name for name in names if name != BEST)

    def points(self, kind: Kind, method: str) -> tuple[tuple[int, int], ...]:
        """(memory, io) of a method where it is feasible, by rising memory.

        Of a scheduler in `whole` these are all sizes of the range.
        """
        known = next((row for row in self.whole if (kind, row.method) == ("upper", method)), None)
        if known is not None:
            return known.points
        return tuple(
            (row.memory, row.words)
            for row in self.rows
            if row.kind == kind and row.method == method and row.words is not None
        )

    def envelope(self, kind: Kind) -> tuple[tuple[int, int], ...]:
        """(memory, io) of the best of a kind, by rising memory."""
        return self.points(kind, BEST)

    def to_dict(self) -> dict[str, Any]:
        """The object of `--json`."""
        record: dict[str, Any] = {
            "dag": self.dag,
            "rules": self.rules.name,
            "rows": [row.to_dict() for row in self.rows],
        }
        if self.rules.recompute:
            record["price_of_work"] = self.price_of_work
        if self.whole:
            record["whole"] = [vars(row) for row in self.whole]
        if self.effort is not None:
            record["effort"] = asdict(self.effort)
        if self.as_written:
            record["as_written"] = [asdict(one) for one in self.as_written]
        if self.code:
            record["code"] = [row.to_dict() for row in self.code]
        if self.without_code:
            record["without_code"] = [asdict(schedule) for schedule in self.without_code]
        if self.references:
            record["references"] = [asdict(one) for one in self.references]
        return record

    def shown(self) -> Iterator[Part]:
        """Yield the table of I/O, the tiles of a program, and the curve in characters."""
        yield self._table()
        if claims := "\n".join(self._claims()):
            yield claims
        if written := self.as_written:
            yield "\n".join(map(str, written if len(written) <= FEW else [_farthest(written)]))
        yield from self._loops()
        for row in self.code:
            loops = [] if row.tiling is None else row.tiling.lines()
            yield "\n".join([f"code: M = {row.memory:,}, {row.io:,} words:", *loops])
        yield from map(str, self.without_code)
        if len(self.memories) > 1:
            from redblue.show.characters import figure_text

            yield figure_text(self.figure(), f"I/O (words) of {self.title}")

    def _loops(self) -> Iterator[str]:
        """Yield the loops of the best tilings: at three sizes of memory where there are more."""
        rows = self.tiled
        if len(rows) > LISTINGS:
            yield f"loops at {LISTINGS} of {len(rows)} sizes of memory (--json has all):"
            rows = rows[0], rows[len(rows) // 2], rows[-1]
        envelope = dict(self.envelope("upper"))
        for row in rows:
            assert row.tiling is not None
            assert row.io is not None
            words = f"M = {row.memory:,}, {row.io:,} words:"
            if (fewest := envelope.get(row.memory, row.io)) < row.io:
                words = (
                    f"M = {row.memory:,}, {row.io:,} words by the best tiling (the best schedule "
                    f"moves {fewest:,}, and is not written as loops):"
                )
            yield "\n".join([words, *row.tiling.lines()])

    def _claims(self) -> Iterator[str]:
        """Yield a sentence for each method that claims bounds, and for claims that plays refute."""
        played = dict(self.envelope("upper"))
        for name in self.methods("claim"):
            yield f"{name} is claimed, not proved: other results do not use it"
            points = self.points("claim", name)
            refuted = [(at, io) for at, io in points if played.get(at, io) < io]
            if refuted:
                memory, io = refuted[0]
                yield (
                    f"{name} is refuted at {len(refuted)} of {len(points)} sizes: with M = "
                    f"{memory:,} it claims {io:,} words, and a schedule moves {played[memory]:,}"
                )

    def _table(self) -> Table:
        """The table of I/O: a line a memory, a column a method; the best upper is bold."""
        io = {(str(row.kind), row.method, row.memory): row.words for row in self.rows}
        again = {row.memory: row.again for row in self.rows if row.method == BEST and row.again}
        code = {row.memory: row.io for row in self.code}
        uppers = self.methods("upper")
        asked = [("upper", name, name) for name in uppers]
        asked += [("lower", name, name) for name in self.methods("lower")]
        asked += [("claim", name, f"{name} (claimed)") for name in self.methods("claim")]
        if self.effort is not None:
            asked += [("upper", BEST, "best found"), ("lower", BEST, "best bound")]
        rows, bold = [], []
        for y, memory in enumerate(self.memories):
            told = [dict(one.points).get(memory) for one in self.references]
            words = [io.get((kind, method, memory)) for kind, method, _ in asked]
            top, bottom = (io.get((kind, BEST, memory)) for kind in KINDS)
            gap = f"{top / bottom:.3f}" if top and bottom else "-"
            ends = (gap, *((again.get(memory, 0),) if again else ()))
            ends += (_or_dash(code.get(memory)),) if code else ()
            played = [count for count in words[: len(uppers)] if count is not None]
            first = 1 + len(told)
            bold += [
                (y, first + x)
                for x, count in enumerate(words[: len(uppers)])
                if played and count == min(played)
            ]
            rows.append((memory, *(_or_dash(one) for one in (*told, *words)), *ends))
        names = (*(one.name for one in self.references), *(heading for *_, heading in asked))
        last = ("best / bound", *["operations recomputed"] * bool(again), *["code"] * bool(code))
        title = f"I/O (words) of {self.title}"
        return table("curve", title, rows, "M", *names, *last, keys=1, bold=bold)

    def to_frame(self) -> "pd.DataFrame":
        """A tidy table, a line per row.

        The best bound is called "best bound" in it, so that it pivots: no memory has a method
        twice.
        """
        import pandas as pd

        frame = pd.DataFrame([row.to_dict() for row in self.rows]).drop(
            columns="loops", errors="ignore"
        )
        whole = ["io", "loads", "stores"]
        if frame["io"].max() < LARGE:  # pandas has no larger integers of a type of their own
            frame[whole] = frame[whole].astype("Int64")
        played = frame["method"].isin([BEST, *self.methods("upper")])
        frame.loc[(frame["kind"] == "lower") & played, "method"] += " bound"
        frame.loc[frame["kind"] == "claim", "method"] += " (claimed)"
        return frame

    def summary_frame(self) -> "pd.DataFrame":
        """A line for each memory size, and a column for each method."""
        frame = self.to_frame()
        wide = frame.pivot(index="memory", columns="method", values="io")
        wide = wide[list(dict.fromkeys(frame["method"]))]
        return wide.rename_axis(columns=None).reset_index(names="M")

    def to_csv(self) -> str:
        """The rows as CSV, as `to_dict` has them."""
        used = {name for row in self.rows for name in row.to_dict()}
        names = [field.name for field in fields(Row) if field.name in used]
        return csv_text(names, ([getattr(row, name) for name in names] for row in self.rows))

    def plot(self, ax: "Axes | None" = None) -> "Axes":
        """Draw the curve in the style of the report; return the axes."""
        from redblue.show.drawing import draw_into

        return draw_into(own_axes(ax, 7.2, 5.2), self.figure(), self.title)

    def figure(self) -> Figure:
        """The figure: a line a scheduler, published words, claims, and the best bound."""
        from redblue.show.against_memory import FLOOR, Points, in_steps, memory_figure

        lines: list[tuple[str, Points, Role]] = [
            (name, self.points("upper", name), "upper") for name in self.methods("upper")
        ]
        if self.effort is not None:
            lines.append(("best found", self.envelope("upper"), "upper"))
        lines += [(one.name, in_steps(one.points), "theorem") for one in self.references]
        for name in self.methods("claim"):
            claimed = [(memory, io) for memory, io in self.points("claim", name) if io > 0]
            if claimed:
                lines.append((f"{name} (claimed)", claimed, "claim"))
        floor = [(memory, io) for memory, io in self.envelope("lower") if io > 0]
        names = self.methods("lower")
        if floor:
            lines.append((names[0] if len(names) == 1 else FLOOR, floor, "lower"))
        return memory_figure("curve", lines)


def _farthest(written: Sequence[AsWritten]) -> AsWritten:
    """The one that gains most by another schedule."""
    return max(written, key=lambda one: one.as_written / max(one.best, 1))


def _or_dash(words: int | None) -> int | str:
    return "-" if words is None else words


def describe(dag: CDAG, spec: str = "", *, rules: Rules = ONE_SHOT) -> dict[str, Any]:
    """The sizes of `dag` as results show them; `spec` is by default its generator's.

    Its recognised family is among them, where there is one.

    The smallest memory is that under `rules`. Where a word is known to be a byte, that is said.
    """
    in_bytes = {"word_bytes": 1} if dag.word_bytes == 1 else {}
    recognised = {} if dag.recognised is None else {"recognised": dag.recognised.spec}
    return {
        "spec": spec or _spec_of(dag),
        **recognised,
        **in_bytes,
        "vertices": dag.n,
        "edges": dag.m,
        "inputs": dag.inputs.size,
        "outputs": dag.outputs.size,
        "min_memory": min_memory(dag, rules=rules),
    }


def _spec_of(dag: CDAG) -> str:
    """Return "fft:n=64" for a DAG that a generator made."""
    if dag.family is None:
        return f"DAG of {dag.n} vertices"
    shown = {key: value for key, value in dag.params.items() if value is not None}
    text = {
        key: "x".join(map(str, value)) if isinstance(value, tuple) else value
        for key, value in shown.items()
    }
    return f"{dag.family}:{','.join(f'{key}={value}' for key, value in text.items())}"
