"""Findings to show, as data: claims, tables, figures, plays and passages, of any page or file."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal, TypeVar

if TYPE_CHECKING:
    from dags import CDAG

Verdict = Literal[
    "recovered",
    "consistent",
    "proved",
    "recomputed",
    "confirmed",
    "corrected",
    "refuted",
    "undecided",
]
Kind = Literal["plays", "proof", "formulas"]
Role = Literal["upper", "lower", "theorem", "claim", "fit", "measured"]
Cell = str | int | float | None


@dataclass(frozen=True)
class Claim:
    """A statement, against the findings here.

    Parameters
    ----------
    statement
        The claim, in a sentence.
    source
        Who claims it and where: author, year, equation or section.
    expected, measured
        The numbers, as text with their units.
    verdict
        "recovered": a law that plays and proofs both follow, by the definition of
        `redblue.laws.sandwich`; "consistent": a law that fits, where that definition asks for more;
        "proved": by bounds or complete searches whose certificates are checked; "recomputed": the
        source's own formula gives the printed number; "confirmed": the counts of plays agree within
        the tolerance; "corrected": the printed statement is in error, and the numbers agree with
        its corrected form; "refuted": they do not agree; "undecided": they neither agree nor
        exclude it.
    note
        Notes for a reader: sizes, conditions, the error in the source.
    kind
        Where the numbers come from: "plays", "proof", or "formulas" alone.
    tolerance
        How far the numbers may be apart; empty where they are to be exactly the same.
    """

    statement: str
    source: str
    expected: str
    measured: str
    verdict: Verdict
    note: str = ""
    kind: Kind = "plays"
    tolerance: str = ""


@dataclass(frozen=True)
class Column:
    """A column of a table: its name and, for numbers, the unit."""

    name: str
    unit: str = ""


@dataclass(frozen=True)
class Table:
    """A table of numbers.

    Parameters
    ----------
    name
        The name of its files: lower case, words joined by hyphens.
    caption
        Its content, in a sentence or two.
    columns, rows
        Every row has a cell for each column; None is an empty one.
    folded
        Whether the page keeps it folded, as further evidence.
    formulas
        LaTeX of the cells that are formulas, by their texts.
    keys
        How many columns are keys of a row: on a terminal that is too narrow these begin each part
        of the table, of which there are some; with none, long texts are folded.
    bold
        Row and column, from 0, of each cell that stands out.
    """

    name: str
    caption: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    folded: bool = False
    formulas: Mapping[str, str] = field(default_factory=dict)
    keys: int = 0
    bold: tuple[tuple[int, int], ...] = ()

    def __post_init__(self) -> None:
        for row in self.rows:
            if len(row) != len(self.columns):
                raise ValueError(f"table {self.name}: {len(row)} cells, {len(self.columns)} names")


@dataclass(frozen=True)
class Axis:
    """An axis of a figure; `base` of its logarithm, or None for a linear one."""

    label: str
    base: int | None = None


@dataclass(frozen=True)
class Series:
    """Points that belong together.

    Parameters
    ----------
    label
        The text of the legend.
    x, y
        Coordinates, one each a point.
    role
        "upper": counted from a schedule that was replayed; "lower": proved; "theorem": a
        source's formula; "claim": a bound that somebody claims, without a proof; "fit": a law
        fitted to points; "measured": anything else.
    notes
        The text when one points at a point: the method and the exact counts. Empty, or one a point.
    """

    label: str
    x: tuple[float, ...]
    y: tuple[float, ...]
    role: Role = "measured"
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if len(self.x) != len(self.y) or len(self.notes) not in (0, len(self.x)):
            raise ValueError(f"series {self.label!r}: {len(self.x)} x, {len(self.y)} y")


@dataclass(frozen=True)
class Figure:
    """A figure as data; it is drawn by Plotly in the page, and by Matplotlib as a file.

    Parameters
    ----------
    name
        The name of its files: lower case, words joined by hyphens.
    caption
        Its content, in a sentence or two.
    x, y
        The axes.
    series
        The series, in the order of the legend.
    gap
        Labels of the upper and the lower series between which the gap is shaded, or None.
    folded
        Whether the page keeps it folded, as further evidence.
    floor
        Label of the series below which nothing can be; files have it shaded.
    """

    name: str
    caption: str
    x: Axis
    y: Axis
    series: tuple[Series, ...]
    gap: tuple[str, str] | None = None
    folded: bool = False
    floor: str = ""


@dataclass(frozen=True)
class Panel:
    """A small figure among many that have the same axes and the same series.

    Parameters
    ----------
    title, note
        A heading, and a line below it.
    series
        The series; the same labels in each panel.
    """

    title: str
    note: str
    series: tuple[Series, ...]


@dataclass(frozen=True)
class Multiples:
    """Small figures side by side, drawn without a script.

    Parameters
    ----------
    name, caption
        As for a figure.
    x, y
        The axes.
    panels
        The small figures.
    gap
        Labels of the upper and the lower series between which the gap is shaded, or None.
    """

    name: str
    caption: str
    x: Axis
    y: Axis
    panels: tuple[Panel, ...]
    gap: tuple[str, str] | None = None

    def figures(self) -> tuple[Figure, ...]:
        """Return each panel as a figure of its own."""
        return tuple(
            Figure(f"{self.name}-{panel.title}", panel.note, self.x, self.y, panel.series, self.gap)
            for panel in self.panels
        )


@dataclass(frozen=True)
class Span:
    """A piece of memory that is taken for some time.

    Parameters
    ----------
    label
        The name of what takes it.
    begin, end
        The moments from which and to which.
    low, high
        The addresses from which and to which.
    loaded
        Whether it comes from slow memory, and is not computed.
    back
        Whether it was there before.
    spilled
        Whether it comes back later.
    """

    label: str
    begin: int
    end: int
    low: int
    high: int
    loaded: bool = False
    back: bool = False
    spilled: bool = False


@dataclass(frozen=True)
class MemoryMap:
    """A picture of memory over time: moments to the right, addresses upwards.

    Parameters
    ----------
    name, caption
        As for a figure.
    capacity
        The size of the memory.
    unit
        What addresses count: "bytes"; empty where nobody says.
    spans
        What takes memory.
    """

    name: str
    caption: str
    capacity: int
    unit: str
    spans: tuple[Span, ...]


@dataclass(frozen=True)
class PlayerScene:
    """A play of a small DAG, to be shown move by move.

    Parameters
    ----------
    title
        A heading.
    spec
        The DAG, as `dags.load` takes it.
    memory, rules
        Words of fast memory, and the name of the rules.
    op, vertex
        The moves, as in `pebble.Schedule`.
    lower_bound
        Words that no play under these rules can do without, or None where nobody knows.
    dag
        The DAG itself, where that is known; it is neither kept nor printed as data.
    """

    title: str
    spec: str
    memory: int
    rules: str
    op: tuple[int, ...]
    vertex: tuple[int, ...]
    lower_bound: int | None = None
    dag: "CDAG | None" = None


@dataclass(frozen=True)
class Passage:
    """A passage of text behind the tables.

    Parameters
    ----------
    title
        A heading.
    text
        Paragraphs, with an empty line between them.
    code
        Lines that are shown as they are, such as commands; empty for none.
    file
        Name of the file that holds these lines; empty for none.
    formula
        LaTeX that is shown under the heading; empty for none.
    """

    title: str
    text: str
    code: tuple[str, ...] = ()
    file: str = ""
    formula: str = ""


@dataclass(frozen=True)
class Experiment:
    """Findings of an experiment.

    Parameters
    ----------
    name, title
        Its name in `EXPERIMENTS`, and a heading.
    summary
        A paragraph: question, method, findings.
    claims, tables, figures
        The evidence.
    players
        Plays to be looked at.
    passages
        Text behind the tables.
    command
        The command that runs it again, for those not in `EXPERIMENTS`; else empty.
    formula
        The law or the model in LaTeX, typeset above the figure; else empty.
    references
        Keys of `redblue.show.literature` that the claims rest on.
    multiples
        Small figures side by side, shown after the others.
    maps
        Pictures of memory over time.
    """

    name: str
    title: str
    summary: str
    claims: tuple[Claim, ...] = ()
    tables: tuple[Table, ...] = ()
    figures: tuple[Figure, ...] = ()
    players: tuple[PlayerScene, ...] = ()
    passages: tuple[Passage, ...] = ()
    command: str = ""
    formula: str = ""
    references: tuple[str, ...] = ()
    multiples: tuple[Multiples, ...] = ()
    maps: tuple[MemoryMap, ...] = ()


Part = TypeVar("Part", Figure, Table)


def first_shown(parts: Iterable[Part]) -> tuple[Part, ...]:
    """Figures or tables with the first of them shown and the others folded."""
    return tuple(replace(part, folded=place > 0) for place, part in enumerate(parts))


def by_formulas(claims: Iterable[Claim]) -> tuple[Claim, ...]:
    """Claims as recomputed where a source's own formulas give the numbers."""
    verdicts: dict[Verdict, Verdict] = {"confirmed": "recomputed"}
    return tuple(
        replace(claim, kind="formulas", verdict=verdicts.get(claim.verdict, claim.verdict))
        for claim in claims
    )


def judged(agrees: bool, agreement: Verdict = "confirmed") -> Verdict:
    """`agreement` where the numbers agree, and "refuted" where they do not."""
    return agreement if agrees else "refuted"
