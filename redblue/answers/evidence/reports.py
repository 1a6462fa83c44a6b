"""Reports of DAGs: evidence as an experiment with a figure, tables, text, and a play."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from pebble import ONE_SHOT, UNLIMITED
from proofs import METHODS
from redblue.answers.evidence.paragraphs import passages, summary
from redblue.answers.evidence.points import Evidence, Point
from redblue.answers.planning.addresses import PlanSearch
from redblue.answers.planning.plan_page import plan_map
from redblue.show.model import Axis, Experiment, Figure, MemoryMap, PlayerScene, Table
from redblue.show.player import MOST_EDGES, MOST_MOVES, MOST_VERTICES
from redblue.show.reporting import Run
from redblue.show.reporting.as_data import from_data, to_data
from redblue.show.rows import grouped, listed, series, table


def names_of(specs: Sequence[str]) -> list[str]:
    """The names of DAGs: of a path its last part, unless two have the same.

    Examples
    --------
    >>> names_of(["a/x.hdag", "b/y.hdag"]), names_of(["a/x.hdag", "b/x.hdag"])
    (['x.hdag', 'y.hdag'], ['a/x.hdag', 'b/x.hdag'])
    """
    short = [Path(spec).name for spec in specs]
    return short if len(set(short)) == len(short) else list(specs)


def run_of(evidence: Evidence, name: str) -> Run:
    """The run that shows evidence, without characters that no page may hold in its texts."""
    shown = evidence_experiment(evidence, name)
    clean = replace(from_data(to_data(shown)), players=shown.players)
    return Run(clean.name, clean, "", evidence.seconds)


MEMORY = Axis("fast memory M [words]", base=2)
WORDS = Axis("words moved", base=10)
UPPER, LOWER = "best schedule", "best bound"

SEARCHED = "all states of the game, searched"
PLUGGED = "the argument of a plug-in"


def evidence_experiment(evidence: Evidence, name: str) -> Experiment:
    """An experiment that shows plays and proofs.

    Parameters
    ----------
    evidence
        As `gather` returns it.
    name
        Name of the DAG in headings and of the folder of its files.
    """
    return Experiment(
        name=name,
        title=f"{name}, {evidence.rules.name}",
        summary=summary(evidence),
        tables=(curve_table(evidence), bound_table(evidence)),
        figures=(io_figure(evidence),),
        players=scenes(evidence),
        maps=memory_maps(evidence),
        passages=passages(evidence),
        command=command(evidence),
    )


def command(evidence: Evidence) -> str:
    """The command that makes the report again."""
    sizes = ",".join(map(str, evidence.curve.memories))
    rules = "" if evidence.rules == ONE_SHOT else f" --rules {evidence.rules.name}"
    return (
        f"redblue report {evidence.address} --memory {sizes}{rules} --effort {evidence.effort} "
        f"--seed {evidence.seed}"
    )


def io_figure(evidence: Evidence) -> Figure:
    """The headline figure: the words moved and the words proved, against the memory."""
    points = evidence.points
    met = all(point.met for point in points)
    where = "They meet." if met else "The optimum lies in the shaded gap."
    return Figure(
        "io",
        "Words moved by the best schedule that was found, and words that every schedule moves, "
        f"against the fast memory. {where}",
        MEMORY,
        WORDS,
        (
            series(UPPER, points, "memory", "io", "upper", _played),
            series(LOWER, points, "memory", lambda one: one.bound.io, "lower", _proved),
        ),
        (UPPER, LOWER),
    )


def _proved(point: Point) -> str:
    """The method and the words of a bound."""
    return f"{point.bound.method}: at least {point.bound.io:,} words"


def _played(point: Point) -> str:
    """The method and the counts of a schedule."""
    row = point.upper
    return f"{row.method}: {row.io:,} words, {row.loads:,} loaded and {row.stores:,} stored"


def curve_table(evidence: Evidence) -> Table:
    """The table of the best of each kind, a line per memory."""
    return table(
        "io", "The best schedule and the best bound at each size of memory.", evidence.points,
        "M [words] <- memory", "moved [words] <- io",
        ("loads [words]", lambda point: point.upper.loads),
        ("stores [words]", lambda point: point.upper.stores),
        ("schedule", lambda point: point.upper.method),
        ("at least [words]", lambda point: point.bound.io),
        ("bound", lambda point: point.bound.method),
        ("moved / bound", lambda point: "optimal" if point.met else f"{point.ratio:.3f}"),
    )  # fmt: skip


def bound_table(evidence: Evidence) -> Table:
    """The table of bounds, a line per method: the argument and the certificate."""
    rows = (
        (
            method,
            argument_of(method),
            listed((bound.memory for bound in bounds), ","),
            listed(dict.fromkeys(bound.certificate.kind for bound in bounds)),
        )
        for method, bounds in grouped(evidence.bounds, "method").items()
    )
    return table(
        "bounds", "The bounds and their arguments. The checker accepted the certificate of each; a "
        'certificate of kind "optimum" holds the schedule that meets the bound, too.', rows,
        "bound", "argument", "proved for M [words]", "certificate",
    )  # fmt: skip


def argument_of(method: str) -> str:
    """Why a play moves so much, as a method of bounds has it."""
    if method in METHODS:
        return METHODS[method].argument
    return SEARCHED if method == "exact" else PLUGGED


def shown_point(evidence: Evidence) -> Point:
    """The point with the widest gap; that in the middle where there is none."""
    widest = evidence.widest
    return evidence.points[len(evidence.points) // 2] if widest.met else widest


def memory_maps(evidence: Evidence) -> tuple[MemoryMap, ...]:
    """The picture of that schedule with addresses: of tensors, and if they have any."""
    dag, rules = evidence.dag, evidence.rules
    if dag.words is None or dag.n > MOST_VERTICES or rules.partial:
        return ()
    point = shown_point(evidence)
    search = PlanSearch(dag, point.memory, rules, 1, UNLIMITED)
    search.offer(evidence.moves(point), point.upper.method, point.memory)
    if search.best is None:
        return ()
    search.bound = point.bound
    return (plan_map(search.plan(evidence.spec)),)


def scenes(evidence: Evidence) -> tuple[PlayerScene, ...]:
    """The play at the widest gap, else in the middle, of a DAG that can be followed."""
    dag = evidence.dag
    if dag.n > MOST_VERTICES or dag.m > MOST_EDGES:
        return ()
    point = shown_point(evidence)
    moves = evidence.moves(point)
    if len(moves) > MOST_MOVES:
        return ()
    return (
        PlayerScene(
            f"The schedule for {point.memory} words, by {point.upper.method}",
            evidence.spec,
            point.memory,
            evidence.rules.name,
            tuple(moves.op.tolist()),
            tuple(moves.vertex.tolist()),
            point.bound.io,
            dag,
        ),
    )
