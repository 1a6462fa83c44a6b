"""Loss of I/O by the order of computation, against the loss by the eviction policy.

The least I/O of a given order is found and proved; words of a policy beyond it are lost by
evicting, its own beyond the best play are lost by the order, and no eviction mends that.
"""

from collections.abc import Iterable
from functools import partial
from statistics import geometric_mean

from redblue.answers.results import IOCurve
from redblue.papers.experiments.bench import Bench
from redblue.papers.experiments.policies import LITERATURE, TIME_LIMIT, order_at_best
from redblue.papers.experiments.studies import played, proved
from redblue.show.model import Axis, Claim, Experiment, Figure, Series, Table, judged
from redblue.show.rows import Row, grouped, series, share, table

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
    rows = _with_losses(rows, curves)
    natural = [row for row in rows if (row["spec"], row["order"]) == (SHOWN, "natural")]
    return Experiment(
        name="order-loss",
        title="Order or eviction: where is I/O lost?",
        summary="A schedule is an order of computation and a choice of who leaves. For each of "
        "these orders the least I/O of any choice was found by linear programming over the gaps "
        "between uses, and proved by prices of room that an independent checker accepts. Policies "
        "that look ahead lose little: the order is what counts. LRU and FIFO lose much more.",
        claims=(*_policy_claims(rows), *_loss_claims(rows)),
        tables=(
            table("order-loss", "What each order costs at least, as found and as proved, and with "
                  "each policy; the best play in any order, and the best bound for all of them.",
                  rows, "DAG <- spec", "M [words] <- memory", "order <- order",
                  "least [words] <- least", "proved [words] <- bound",
                  *(f"{name} [words] <- {name}" for name in POLICIES), "best play [words] <- best",
                  "best bound [words] <- any bound", "order's loss <- loss",
                  "belady-cost's loss <- belady-cost's loss", "LRU's loss <- lru's loss",
                  folded=True),
            _means_table(rows),
        ),
        figures=(
            Figure("order-loss", f"{SHOWN}, level by level: with LRU, with furthest next use, and "
                   "with the best eviction there is, proved. What lies between that and the best "
                   "schedule is lost by the order.", Axis("fast memory M [words]", 2),
                   Axis("I/O [words]", 2), (
                       _drawn("natural order, LRU", natural, "lru"),
                       _drawn("natural order, belady", natural, "belady"),
                       _drawn("natural order, best eviction", natural, "least"),
                       played(curves[SHOWN]), proved(curves[SHOWN])),
                   gap=("best schedule", "best bound")),
        ),
        references=("belady1966",),
    )  # fmt: skip


def _with_losses(rows: list[Row], curves: dict[str, IOCurve]) -> list[Row]:
    """Rows with the I/O under each policy, the best play in any order, and the losses."""
    best = {(spec, m): io for spec, curve in curves.items() for m, io in curve.envelope("upper")}
    for row in rows:
        key = row["spec"], row["memory"]
        best[key] = min(best[key], row["least"])
    return [
        {**row, **row["io"], **{f"{name}'s loss": io / row["least"]
                                for name, io in row["io"].items()},
         "best": best[row["spec"], row["memory"]],
         "loss": row["least"] / best[row["spec"], row["memory"]],
         "any bound": dict(curves[row["spec"]].envelope("lower"))[row["memory"]]}
        for row in rows
    ]  # fmt: skip


def _drawn(label: str, rows: list[Row], key: str) -> Series:
    """The words under a key against the memory."""
    return series(
        label, rows, "memory", key, "upper", lambda row: f"{row[key]:,} words with {row['memory']}"
    )


def _mean(rows: Iterable[Row], key: str) -> float:
    return geometric_mean(row[key] for row in rows)


def _means_table(rows: list[Row]) -> Table:
    """The table of mean losses of each DAG and order."""
    losses = "loss", *(f"{name}'s loss" for name in POLICIES)
    groups = grouped(rows, lambda row: (row["spec"], row["order"]))
    return table(
        "order-loss-means",
        "Times the best play known that an order costs at least, and times that least that each "
        "policy moves; geometric means over sizes of memory.",
        ((*key, len(group), *(_mean(group, key) for key in losses))
         for key, group in groups.items()),
        "DAG", "order", "memories", "order's loss", *losses[1:],
    )  # fmt: skip


def _policy_claims(rows: list[Row]) -> list[Claim]:
    """The claims on policies against the least I/O of an order."""
    worst = {name: max(row[name] / row["bound"] for row in rows) for name in POLICIES}
    fewest, loaded = share(lambda row: row["loads"]["belady"] <= min(row["loads"].values()), rows)
    solved = sum(row["least"] == row["bound"] for row in rows)
    certified = min(row["certified"] / row["least"] for row in rows)
    return [
        Claim(
            "Furthest next use moves at most twice the least of its order",
            "Beckmann et al., APOCS 2020", "at most 2 times",
            f"at most {worst['belady']:.4f} times", judged(worst["belady"] <= FACTOR),
            f"{len(rows)} orders and memories; belady-clean {worst['belady-clean']:.4f}, "
            f"belady-cost {worst['belady-cost']:.4f}, LRU {worst['lru']:.4f}, "
            f"FIFO {worst['fifo']:.4f}", tolerance="at most 2",
        ),
        Claim(
            "Furthest next use loads least of all policies in an order",
            "Belady, IBM Systems Journal 1966", f"{len(rows)} of {len(rows)}", loaded,
            judged(fewest), "values of one size, loads alone",
        ),
        Claim(
            "The least I/O of an order is known, and proved", "this project",
            "found and proved the same",
            f"{solved} of {len(rows)}; checked prices alone prove at least {certified:.4f} of it",
            "proved" if solved >= 0.9 * len(rows) else "undecided",
            f"with {TIME_LIMIT:g} seconds for each; NP-hard in general", kind="proof",
            tolerance="nine tenths of them",
        ),
    ]  # fmt: skip


def _loss_claims(rows: list[Row]) -> list[Claim]:
    """The claims on the larger one of the two losses."""
    orders, evicting = grouped(rows, "order"), "belady-cost's loss"
    natural, kept = orders["natural"], max(row["loss"] for row in orders[LITERATURE])
    order, evict = (_mean(natural, key) for key in ("loss", evicting))
    lru, largest = _mean(rows, "lru's loss"), max(row["lru's loss"] for row in rows)
    return [
        Claim(
            "In the order in which programs are written, the order loses more than the eviction",
            "this project", "order's loss above eviction's loss",
            f"{order:.3f} against {evict:.3f} times",
            judged(order > evict and all(row["loss"] >= row[evicting] for row in natural)),
            f"geometric means over {len(natural)} DAGs and memories, belady-cost; largest order's "
            f"loss {max(row['loss'] for row in natural):.3f}, largest eviction's loss "
            f"{max(row[evicting] for row in natural):.4f}", tolerance="above",
        ),
        Claim(
            "The literature's order loses next to nothing against the best play known",
            "this project", "within 5% at each memory", f"at most {kept:.4f} times",
            judged(kept <= 1.05), "its least I/O over that of the best schedule of all",
            tolerance="5%",
        ),
        Claim(
            "LRU loses against the best eviction in the same order and memory", "this project",
            "more than belady-cost", f"{lru:.3f} times, at most {largest:.3f}",
            judged(lru > _mean(rows, evicting)),
            f"geometric mean over {len(rows)} orders and memories", tolerance="above",
        ),
    ]  # fmt: skip
