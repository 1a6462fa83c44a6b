"""Speed of the engine and of the evictions, per core, beside libcachesim on the same trace.

    python benchmarks/engine_speed.py                      a table
    python benchmarks/engine_speed.py --markdown FILE      the same as Markdown
    python benchmarks/engine_speed.py --quick              small DAGs, to see that it runs

Machines differ and are shared: the ratios of one run count, not the rates. Every rate is the
best of three runs after one that compiles.
"""

import argparse
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from dags import CDAG, fft, matmul, renumber
from pebble import play
from schedulers import (
    EVICTIONS,
    Accesses,
    accesses,
    belady_loads,
    blocks,
    in_order_of_play,
    lru_curve,
    schedule,
)

RUNS = 3
TRACE_RECORD = np.dtype(
    [("time", "<u4"), ("object", "<u8"), ("size", "<u4"), ("next", "<i8")]
)  # libcachesim's oracleGeneral format


def best_seconds(run: Callable[[], object]) -> float:
    """The shortest of some runs, after one that compiles."""
    run()
    times = []
    for _ in range(RUNS):
        began = time.perf_counter()
        run()
        times.append(time.perf_counter() - began)
    return min(times)


def blocked_fft_order(n: int, levels: int) -> np.ndarray:
    """The order that computes `levels` levels of a block of 2^levels points at a time."""
    depth = n.bit_length() - 1
    parts = []
    for first in range(0, depth, levels):
        width = min(levels, depth - first)
        high = np.arange(n >> (first + width))[:, None, None, None] << (first + width)
        low = np.arange(1 << first)[None, :, None, None]
        level = np.arange(first + 1, first + width + 1)[None, None, :, None]
        middle = np.arange(1 << width)[None, None, None, :] << first
        parts.append((level * n + high + middle + low).reshape(-1))
    return np.concatenate(parts).astype(np.int32)


def scattered(dag: CDAG, order: np.ndarray, seed: int = 0) -> tuple[CDAG, np.ndarray]:
    """`dag` with its vertices numbered at random level by level, and the same order."""
    shuffled = np.random.default_rng(seed).random(dag.n)
    permutation = np.lexsort((shuffled, dag.level)).astype(np.int32)
    position = np.empty(dag.n, np.int32)
    position[permutation] = np.arange(dag.n, dtype=np.int32)
    return renumber(dag, permutation, keep_names=False), position[order]


def replay_rates(dag: CDAG, layout: Accesses, memory: int) -> dict[str, float]:
    """Moves per second of replaying LRU's schedule, under both numberings."""
    moves = schedule(layout, memory, EVICTIONS["lru"])
    rate = len(moves) / best_seconds(lambda: play(dag, moves, memory))
    equal = in_order_of_play(layout)
    repeated = schedule(equal, memory, EVICTIONS["lru"])
    renumbered = len(repeated) / best_seconds(lambda: play(equal.dag, repeated, memory))
    return {"replay": rate, "replay, renumbered": renumbered}


def count_rates(layout: Accesses, memory: int) -> dict[str, float]:
    """Accesses per second of the evictions at one memory size, and of whole curves."""
    count = layout.touched.size
    _ = layout.following, layout.step_of, layout.words
    rates = {
        name: count / best_seconds(lambda policy=policy: policy(layout, memory))
        for name, policy in EVICTIONS.items()
    }
    rates["lru, moves and replay"] = count / best_seconds(
        lambda: play(layout.dag, blocks(layout, memory, EVICTIONS["lru"]), memory)
    )
    rates["lru, all M"] = count / best_seconds(lambda: lru_curve(layout))
    rates["belady loads, all M"] = count / best_seconds(lambda: belady_loads(layout))
    return rates


def peer_rates(layout: Accesses, memory: int) -> dict[str, float]:
    """Requests per second of libcachesim on the same trace; nothing where it is absent."""
    try:
        import libcachesim as peer
    except ImportError:
        return {}
    values = np.where(layout.touched < 0, ~layout.touched, layout.touched)
    trace = np.zeros(values.size, TRACE_RECORD)
    trace["time"] = np.arange(values.size)
    trace["object"] = values + 1
    trace["size"] = 1
    following = layout.following.astype(np.int64)
    trace["next"] = np.where(following < 0, np.iinfo(np.int64).max, following + 1)
    with tempfile.NamedTemporaryFile(suffix=".oracleGeneral") as file:
        trace.tofile(file.name)
        rates = {}
        for name, cache in (("libcachesim LRU", peer.LRU), ("libcachesim Belady", peer.Belady)):

            def run(cache: Callable[..., object] = cache) -> object:
                reader = peer.TraceReader(file.name, peer.TraceType.ORACLE_GENERAL_TRACE)
                return cache(cache_size=memory).process_trace(reader)

            rates[name] = values.size / best_seconds(run)
    return rates


def cases(quick: bool) -> dict[str, tuple[CDAG, np.ndarray, int]]:
    """The DAGs, orders and memory sizes that are measured."""
    product, transform = (matmul(24), fft(1 << 10)) if quick else (matmul(128), fft(1 << 18))
    width = 5 if quick else 9
    plain = {
        f"matmul n={product.params['n']}": (product, product.computed, 1000),
        f"fft n={transform.params['n']}": (transform, transform.computed, 1000),
        f"fft n={transform.params['n']}, blocked": (
            transform,
            blocked_fft_order(transform.params["n"], width),
            (1 << width) + 2,
        ),
    }
    mixed = {
        f"{name}, scattered": (*scattered(dag, order), memory)
        for name, (dag, order, memory) in plain.items()
    }
    return {**plain, **mixed}


def measure(quick: bool) -> dict[str, dict[str, float]]:
    """Rates by case and measurement."""
    results = {}
    for name, (dag, order, memory) in cases(quick).items():
        print(f"{name}: {dag.n} vertices, M = {memory}", file=sys.stderr)
        laying_out = best_seconds(lambda dag=dag, order=order: accesses(dag, order))
        layout = accesses(dag, order)
        rates = {"laying out": layout.touched.size / laying_out}
        rates |= replay_rates(dag, layout, memory)
        rates |= count_rates(layout, memory)
        peer = peer_rates(layout, memory)
        if peer:
            rates |= peer
            rates["lru / libcachesim"] = rates["lru"] / peer["libcachesim LRU"]
            rates["belady / libcachesim"] = rates["belady"] / peer["libcachesim Belady"]
        results[name] = rates
    return results


def markdown(results: dict[str, dict[str, float]]) -> str:
    """The results as a table: millions a second, and ratios."""
    names = list(results)
    lines = ["| millions a second | " + " | ".join(names) + " |", "|---" * (len(names) + 1) + "|"]
    for key in next(iter(results.values())):
        cells = [results[name].get(key, float("nan")) for name in names]
        shown = [f"{cell:.1f} x" if "/" in key else f"{cell / 1e6:.1f}" for cell in cells]
        lines.append(f"| {key} | " + " | ".join(shown) + " |")
    return "\n".join(lines)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="small DAGs")
    parser.add_argument("--markdown", type=Path, help="write the table there too")
    arguments = parser.parse_args()
    table = markdown(measure(arguments.quick))
    print(table)
    if arguments.markdown:
        arguments.markdown.write_text(table + "\n")


if __name__ == "__main__":
    main()
