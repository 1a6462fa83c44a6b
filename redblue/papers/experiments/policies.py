"""LRU against the best eviction against structured schedules, over many sizes of memory."""

from functools import partial
from typing import Any

from dags import CDAG, load
from dags.arrays import Int32Array
from pebble import play
from proofs import check_order, fixed_order
from redblue.answers.results import IOCurve
from redblue.papers.experiments.bench import Bench
from redblue.papers.experiments.studies import played, proved
from redblue.show.model import Axis, Claim, Experiment, Figure, first_shown, judged
from redblue.show.rows import Row, series, table
from schedulers import EVICTIONS, FAMILIES, ORDERS, accesses, blocks
from schedulers.exact import optimal_eviction
from schedulers.families import recursive_order

FRIGO = "Frigo et al., FOCS 1999, section 6, after Sleator and Tarjan, CACM 1985"
QUICK: dict[str, tuple[int, ...]] = {
    "matmul:n=24": (14, 22, 44, 74, 112),
    "fft:n=1024": (6, 10, 18, 34, 66, 130),
    "stencil:shape=32x32,steps=16": (15, 30, 60, 120, 240),
}
FULL: dict[str, tuple[int, ...]] = {
    "matmul:n=64": (22, 44, 74, 134, 274, 552),
    "fft:n=65536": (10, 18, 34, 66, 258, 1026),
    "stencil:shape=128x128,steps=64": (30, 60, 120, 240, 480, 960),
}
SCHEDULERS = ("natural+lru", "natural+belady", "natural+belady-cost", "structured")
TWICE = 2


def experiment(bench: Bench) -> Experiment:
    """Experiment: I/O of LRU, of furthest next use and of structured schedules.

    LRU has the memory M and 2 M; orders are the one in which the DAG is numbered, the cache-
    oblivious one of products, and the literature's for M words.

    Source
    ------
    M. Frigo, C. E. Leiserson, H. Prokop and S. Ramachandran, Cache-oblivious algorithms, FOCS 1999,
    section 6: LRU with 2 M words misses at most twice as often as the best eviction with M, after
    D. D. Sleator and R. E. Tarjan, CACM 1985.
    """
    cases = bench.pick(QUICK, FULL)
    curves = {
        spec: bench.curve(spec, memories, schedulers=SCHEDULERS) for spec, memories in cases.items()
    }
    rows = [
        _row(bench, curves[spec], spec, order, memory)
        for spec, memories in cases.items()
        for order in _orders(spec)
        for memory in memories
    ]
    return Experiment(
        name="policies",
        title="LRU, the best eviction and structured schedules",
        summary="Caches evict what was used least recently; the best choice of victims looks "
        "ahead. With twice the memory LRU never loads more than twice as much, as theory says, "
        "and mostly less. With the same memory it may lose far more, above all in orders that were "
        "made to fill the memory exactly. No eviction mends an order that runs through more values "
        "than fit: there only a structured order helps.",
        claims=(
            *_lru_claims(rows),
            *(_order_claim(spec, curve) for spec, curve in curves.items()),
        ),
        tables=(
            table("policies", "Loads of LRU with M and with 2 M words against the fewest that the "
                  "order allows with M, and all words moved. Orders are made for M words.", rows,
                  "DAG <- spec", "order <- order", "M [words] <- memory",
                  "best eviction, loads [words] <- best loads", "LRU, loads [words] <- lru loads",
                  "LRU with 2M, loads [words] <- twice loads", "LRU / best <- lru ratio",
                  "LRU with 2M / best <- twice ratio", "belady-cost, I/O [words] <- best io",
                  "LRU, I/O [words] <- lru io", "structured, I/O [words] <- structured",
                  "best bound [words] <- bound"),
        ),
        figures=first_shown([_figure(spec, curve, rows) for spec, curve in curves.items()]),
        references=("belady1966", "mattson1970", "sleator1985"),
    )  # fmt: skip


def _orders(spec: str) -> tuple[str, ...]:
    return ("natural", *((RECURSIVE,) if spec.startswith("matmul") else ()), LITERATURE)


def _row(bench: Bench, curve: IOCurve, spec: str, order: str, memory: int) -> Row:
    """The counts of LRU with M and 2 M words and furthest next use with M, in one order."""

    def counted(policy: str, words: int) -> Row:
        asked = {"policy": policy, "order": order, "tuned": memory, "of": spec, "memory": words}
        row: Row = bench.remembered(asked, partial(play_order, spec, order, memory, policy, words))
        return row

    lru, twice = counted("lru", memory), counted("lru", TWICE * memory)
    fewest, best = counted("belady", memory)["loads"], counted("belady-cost", memory)["io"]
    return {
        "spec": spec, "order": order, "memory": memory, "best loads": fewest,
        "lru loads": lru["loads"], "twice loads": twice["loads"],
        "lru ratio": lru["loads"] / fewest, "twice ratio": twice["loads"] / fewest,
        "best io": best, "lru io": lru["io"], "twice io": twice["io"],
        "structured": dict(curve.points("upper", "structured"))[memory],
        "bound": dict(curve.envelope("lower"))[memory],
    }  # fmt: skip


def _lru_claims(rows: list[Row]) -> list[Claim]:
    """The claims that compare LRU with furthest next use."""
    twice = [row["twice ratio"] for row in rows]
    words = [row["twice io"] / row["best io"] for row in rows]
    worst = max(rows, key=lambda row: row["lru ratio"])
    return [
        Claim(
            "LRU with 2 M words loads at most twice what the best eviction loads with M", FRIGO,
            "at most 2 times", f"at most {max(twice):.4f} times, at least {min(twice):.4f}",
            judged(max(twice) <= TWICE),
            f"{len(rows)} DAGs, orders and memories; furthest next use loads least of all",
            tolerance="at most 2",
        ),
        Claim(
            "So it is with all words that are moved", "this project", "at most 2 times",
            f"at most {max(words):.4f} times", judged(max(words) <= TWICE),
            "loads and stores, against belady-cost", tolerance="at most 2",
        ),
        Claim(
            "With the same memory there is no such constant",
            "Sleator and Tarjan, CACM 1985: M times for the worst sequence",
            "more than 2 times for some order, at most M",
            f"{worst['lru ratio']:.4f} times the loads: {worst['spec']}, {worst['order']} order, "
            f"M = {worst['memory']}",
            judged(TWICE < worst["lru ratio"] <= worst["memory"]),
            "an order made to fill M words leaves LRU no room for what comes and goes",
            tolerance="2 to M",
        ),
    ]  # fmt: skip


def _order_claim(spec: str, curve: IOCurve) -> Claim:
    """The claim on structured schedules against evictions in the natural order."""
    natural, best = (dict(curve.points("upper", name)) for name in SCHEDULERS[2:])
    gains = {memory: natural[memory] / best[memory] for memory in best}
    best_memory = max(gains, key=lambda memory: gains[memory])
    return Claim(
        f"A structured schedule moves less than any eviction in the natural order: {spec}",
        "this project",
        "less for all M",
        f"up to {gains[best_memory]:.2f} times less, with M = {best_memory}; at least "
        f"{min(gains.values()):.2f}",
        judged(min(gains.values()) >= 1 and gains[best_memory] > 1),
        "against belady-cost, which is close to the best eviction: see the experiment order-loss",
        tolerance="1 or more",
    )


def _figure(spec: str, curve: IOCurve, rows: list[Row]) -> Figure:
    """The figure of I/O against memory of one DAG."""
    tuned = [row for row in rows if (row["spec"], row["order"]) == (spec, LITERATURE)]
    return Figure(
        f"policies-{spec.partition(':')[0]}",
        f"{spec}: LRU and furthest next use in the natural order, LRU in the literature's order, "
        "and the structured schedule above the best bound.",
        Axis("fast memory M [words]", 2),
        Axis("I/O [words]", 2),
        (
            played(curve, "natural+lru", "natural order, LRU"),
            played(curve, "natural+belady-cost", "natural order, belady-cost"),
            series("literature's order, LRU", tuned, "memory", "lru io", "upper",
                   lambda row: f"{row['lru io']:,} words with {row['memory']:,}"),
            played(curve, "structured"),
            proved(curve),
        ),
        gap=("structured", "best bound"),
    )  # fmt: skip


LITERATURE = "literature"
RECURSIVE = "recursive"
TIME_LIMIT = 20.0  # seconds for CP-SAT where linear programming leaves something open


def order_named(dag: CDAG, name: str, memory: int) -> Int32Array:
    """Return one of `ORDERS`, or the order that is played for the family.

    "literature" is that of the family's orders for `memory` words that costs least; "recursive"
    the cache-oblivious order of products, which knows no memory size.
    """
    if name == RECURSIVE:
        return recursive_order(dag)
    if name != LITERATURE:
        return ORDERS[name](dag)
    policy = EVICTIONS["belady-cost"]
    known = FAMILIES[dag.family or ""](dag, memory)
    return min(known, key=lambda order: policy(accesses(dag, order), memory).io)


def play_order(spec: str, order: str, tuned: int, policy: str, memory: int) -> dict[str, Any]:
    """The engine's count of `order`, made for `tuned` words, played with `memory` words."""
    dag = load(spec)
    layout = accesses(dag, order_named(dag, order, tuned))
    count = play(dag, blocks(layout, memory, EVICTIONS[policy]), memory)
    return {"loads": count.loads, "stores": count.stores, "io": count.io, "peak": count.peak}


def order_at_best(spec: str, order: str, memory: int) -> dict[str, Any]:
    """The least I/O of `order`, its checked lower bound, and its I/O under policies."""
    dag = load(spec)
    steps = order_named(dag, order, memory)
    best = optimal_eviction(dag, steps, memory, time_limit=TIME_LIMIT)
    assert best.schedule is not None  # the memory is enough
    bound = fixed_order(dag, steps, memory, prices=best.prices)
    check_order(dag, memory, bound)
    layout = accesses(dag, steps)
    plays = {
        name: play(dag, blocks(layout, memory, policy), memory)
        for name, policy in EVICTIONS.items()
    }
    return {
        "spec": spec,
        "order": order,
        "memory": memory,
        "least": play(dag, best.schedule, memory).io,
        "bound": best.order_bound,
        "certified": bound.io,
        "io": {name: count.io for name, count in plays.items()},
        "loads": {name: count.loads for name, count in plays.items()},
    }
