"""Loss of I/O by the order of computation, against the loss by the eviction policy.

The least I/O of a given order is found and proved; what a policy moves beyond it is lost by
evicting, what it moves beyond the best play is lost by the order, and no eviction mends that.
"""

from dataclasses import replace
from functools import partial
from math import exp, log
from typing import Any

from redblue.experiments.bench import Bench
from redblue.experiments.ordered_plays import LITERATURE, TIME_LIMIT, order_at_best
from redblue.experiments.series import played, proved
from redblue.results import IOCurve
from redblue.show.model import (
    Axis,
    Claim,
    Experiment,
    Figure,
    Series,
    Table,
    columns,
    judged,
    rows_of,
)

CASES = {
    "matmul:n=8": (8, 14, 22, 44),
    "fft:n=64": (6, 10, 18, 34),
    "stencil:shape=64,steps=32": (8, 16, 32),
    "lu:n=10": (8, 16, 32),
    "bitonic_sort:n=32": (6, 10, 18),
}
LARGER = {"stencil:shape=12x12,steps=6": (12, 24, 48), "matmul:n=12": (14, 22, 44)}
SHOWN = "fft:n=64"
ORDERS = ("natural", "least-live", LITERATURE)
POLICIES = ("lru", "fifo", "belady", "belady-clean", "belady-cost")
FACTOR = 2

Row = dict[str, Any]


def experiment(bench: Bench) -> Experiment:
    """Experiment: least I/O of orders, I/O under policies, and the best I/O of any play.

    Source
    ------
    N. Beckmann et al., Writeback-aware caching, APOCS 2020: furthest next use moves at most twice
    the least, where a store costs as much as a load.
    """
    cases = CASES | bench.pick({}, LARGER)
    orders = (*ORDERS, *bench.pick((), ("breadth-first", "depth-first")))
    curves = {spec: bench.curve(spec, memories) for spec, memories in cases.items()}
    rows = [
        bench.remembered(
            {"order": order, "of": spec, "memory": memory},
            partial(order_at_best, spec, order, memory),
        )
        for spec, memories in cases.items()
        for order in orders
        for memory in memories
    ]
    return Experiment(
        name="order-loss",
        title="Order or eviction: where is I/O lost?",
        summary=(
            "A schedule is an order of computation and a choice of who leaves. For each of these "
            "orders the least I/O of any choice was found by linear programming over the gaps "
            "between uses, and proved by prices of room that an independent checker accepts. "
            "Policies that look ahead lose little: the order is what counts. LRU and FIFO lose "
            "much more."
        ),
        claims=(*_policy_claims(rows), *_loss_claims(rows, curves)),
        tables=(replace(_table(rows, curves), folded=True), _means_table(rows, curves)),
        figures=(_figure(rows, curves[SHOWN]),),
        references=("belady1966",),
    )


def _policy_claims(rows: list[Row]) -> list[Claim]:
    """Return the claims on policies against the least I/O of an order."""
    worst = {name: max(row["io"][name] / row["bound"] for row in rows) for name in POLICIES}
    fewest = [row["loads"]["belady"] <= min(row["loads"].values()) for row in rows]
    solved = [row["least"] == row["bound"] for row in rows]
    certified = [row["certified"] / row["least"] for row in rows]
    return [
        Claim(
            "Furthest next use moves at most twice the least of its order",
            "Beckmann et al., APOCS 2020",
            "at most 2 times",
            f"at most {worst['belady']:.4f} times",
            judged(worst["belady"] <= FACTOR),
            f"{len(rows)} orders and memories; belady-clean {worst['belady-clean']:.4f}, "
            f"belady-cost {worst['belady-cost']:.4f}, LRU {worst['lru']:.4f}, "
            f"FIFO {worst['fifo']:.4f}",
            tolerance="at most 2",
        ),
        Claim(
            "Furthest next use loads least of all policies in an order",
            "Belady, IBM Systems Journal 1966",
            f"{len(rows)} of {len(rows)}",
            f"{sum(fewest)} of {len(rows)}",
            judged(all(fewest)),
            "values of one size, loads alone",
        ),
        Claim(
            "The least I/O of an order is known, and proved",
            "this project",
            "found and proved the same",
            f"{sum(solved)} of {len(rows)}; checked prices alone prove at least "
            f"{min(certified):.4f} of it",
            "proved" if sum(solved) >= 0.9 * len(rows) else "undecided",
            f"with {TIME_LIMIT:g} seconds for each; NP-hard in general",
            kind="proof",
            tolerance="nine tenths of them",
        ),
    ]


def _loss_claims(rows: list[Row], curves: dict[str, IOCurve]) -> list[Claim]:
    """Return the claims on the larger one of the two losses."""
    natural = [row for row in rows if row["order"] == "natural"]
    tuned = [row for row in rows if row["order"] == LITERATURE]
    best = _best(rows, curves)
    order = [_loss(row, best) for row in natural]
    evict = [row["io"]["belady-cost"] / row["least"] for row in natural]
    lru = [row["io"]["lru"] / row["least"] for row in rows]
    kept = [_loss(row, best) for row in tuned]
    return [
        Claim(
            "In the order in which programs are written, the order loses more than the eviction",
            "this project",
            "order's loss above eviction's loss",
            f"{_mean(order):.3f} against {_mean(evict):.3f} times",
            judged(
                _mean(order) > _mean(evict)
                and all(o >= e for o, e in zip(order, evict, strict=True))
            ),
            f"geometric means over {len(natural)} DAGs and memories, belady-cost; largest order's "
            f"loss {max(order):.3f}, largest eviction's loss {max(evict):.4f}",
            tolerance="above",
        ),
        Claim(
            "The literature's order loses next to nothing against the best play known",
            "this project",
            "within 5% at each memory",
            f"at most {max(kept):.4f} times",
            judged(max(kept) <= 1.05),
            "its least I/O over that of the best schedule of all",
            tolerance="5%",
        ),
        Claim(
            "LRU loses against the best eviction in the same order and memory",
            "this project",
            "more than belady-cost",
            f"{_mean(lru):.3f} times, at most {max(lru):.3f}",
            judged(_mean(lru) > _mean([row["io"]["belady-cost"] / row["least"] for row in rows])),
            f"geometric mean over {len(rows)} orders and memories",
            tolerance="above",
        ),
    ]


def _best(rows: list[Row], curves: dict[str, IOCurve]) -> dict[tuple[str, int], int]:
    """Return the I/O of the best play known of each DAG and memory, in any order."""
    found = {(spec, m): io for spec, c in curves.items() for m, io in c.envelope("upper")}
    for row in rows:
        where = row["spec"], row["memory"]
        found[where] = min(found[where], row["least"])
    return found


def _loss(row: Row, best: dict[tuple[str, int], int]) -> float:
    """Return the ratio of the least I/O of an order to that of the best play."""
    return float(row["least"] / best[row["spec"], row["memory"]])


def _mean(ratios: list[float]) -> float:
    """Return the geometric mean."""
    return exp(sum(map(log, ratios)) / len(ratios))


def _means_table(rows: list[Row], curves: dict[str, IOCurve]) -> Table:
    """Return the table of mean losses of each DAG and order."""
    best = _best(rows, curves)
    groups: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        groups.setdefault((row["spec"], row["order"]), []).append(row)
    cells = [
        (
            *where,
            len(group),
            _mean([_loss(row, best) for row in group]),
            *(_mean([row["io"][name] / row["least"] for row in group]) for name in POLICIES),
        )
        for where, group in groups.items()
    ]
    names = ("DAG", "order", "memories", "order's loss", *(f"{name}'s loss" for name in POLICIES))
    caption = (
        "Times the best play known that an order costs at least, and times that least that each "
        "policy moves; geometric means over sizes of memory."
    )
    return Table("order-loss-means", caption, columns(*names), rows_of(*cells))


def _table(rows: list[Row], curves: dict[str, IOCurve]) -> Table:
    names = ("DAG", "M [words]", "order", "least [words]", "proved [words]", "lru [words]",
             "fifo [words]", "belady [words]", "belady-clean [words]", "belady-cost [words]",
             "best play [words]", "best bound [words]", "order's loss", "belady-cost's loss",
             "LRU's loss")  # fmt: skip
    cells, best = [], _best(rows, curves)
    for row in rows:
        curve, memory, least = curves[row["spec"]], row["memory"], row["least"]
        upper, lower = best[row["spec"], memory], dict(curve.envelope("lower"))[memory]
        counts = [row["io"][name] for name in POLICIES]
        losses = least / upper, row["io"]["belady-cost"] / least, row["io"]["lru"] / least
        cells.append((row["spec"], memory, row["order"], least, row["bound"], *counts, upper,
                      lower, *losses))  # fmt: skip
    caption = (
        "What each order costs at least, as found and as proved, and with each policy; the best "
        "play in any order, and the best bound for all of them."
    )
    return Table("order-loss", caption, columns(*names), rows_of(*cells))


def _figure(rows: list[Row], curve: IOCurve) -> Figure:
    """Return the figure of plays in the natural order, its least, the best play and bound."""
    natural = [row for row in rows if (row["spec"], row["order"]) == (SHOWN, "natural")]
    memories = tuple(float(row["memory"]) for row in natural)

    def series(label: str, counts: list[int]) -> Series:
        notes = tuple(f"{n:,} words with {m:g}" for n, m in zip(counts, memories, strict=True))
        return Series(label, memories, tuple(map(float, counts)), "upper", notes)

    return Figure(
        "order-loss",
        f"{SHOWN}, level by level: with LRU, with furthest next use, and with the best eviction "
        "there is, proved. What lies between that and the best schedule is lost by the order.",
        Axis("fast memory M [words]", 2),
        Axis("I/O [words]", 2),
        (
            series("natural order, LRU", [row["io"]["lru"] for row in natural]),
            series("natural order, belady", [row["io"]["belady"] for row in natural]),
            series("natural order, best eviction", [row["least"] for row in natural]),
            played(curve),
            proved(curve),
        ),
        gap=("best schedule", "best bound"),
    )
