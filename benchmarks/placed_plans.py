"""Placed plans of tensor graphs beside furthest-use spilling with first fit.

`python -m benchmarks.placed_plans` plans 20 graphs, and any file given by ``--file``, with shares
of the memory in which their own order moves nothing twice, and prints a table: bytes that the
placed plan moves, the bound, their ratio, and the bytes of the baseline. The geometric means are
the last line. A plan is judged by both referees before it counts.
"""

import argparse
import time
from collections.abc import Sequence
from math import exp, log
from typing import Any

from benchmarks.tensor_graphs import graphs
from dags import CDAG, load
from pebble import IllegalMoveError, MemoryTooSmallError, judge, min_memory
from pebble.placement import judge_placement
from redblue.answers.planning.addresses import NoAddressesError, placed_plan
from redblue.answers.planning.ranges import peak_words
from schedulers import ORDERS, accesses

SHARES = (0.8, 0.6, 0.4)


def first_fit_spilling(dag: CDAG, memory: int) -> int | None:
    """The words moved in program order by furthest-use spilling with first fit.

    A tensor is put into the lowest hole that holds it. While there is none, the tensor that is read
    last of all leaves, and is stored if it is needed and has no copy. None where all that may leave
    has left and there is still no hole: compilers fail there.

    Parameters
    ----------
    dag, memory
        The computation and the words of fast memory.
    """
    order = [v for v in range(dag.n) if dag.is_computed[v]]
    rows = {
        v: dag.pred_indices[dag.pred_indptr[v] : dag.pred_indptr[v + 1]].tolist() for v in order
    }
    uses: dict[int, list[int]] = {}
    for step, v in enumerate(order):
        for u in rows[v]:
            uses.setdefault(u, []).append(step)
    sizes, outputs = dag.sizes.tolist(), set(dag.outputs.tolist())
    saved = set(dag.inputs.tolist())  # in slow memory
    position: dict[int, int] = {}
    moved = 0

    def hole(size: int) -> int | None:
        end = 0
        for v in sorted(position, key=lambda v: position[v]):
            if position[v] - end >= size:
                return end
            end = position[v] + sizes[v]
        return end if memory - end >= size else None

    def next_use(v: int, step: int) -> int:
        return next((entry for entry in uses.get(v, ()) if entry >= step), dag.n)

    def leave(v: int, needed: bool) -> int:
        del position[v]
        if v in saved or not needed:
            return 0
        saved.add(v)
        return sizes[v]

    for step, v in enumerate(order):
        for new in [u for u in rows[v] if u not in position] + [v]:
            place = hole(sizes[new])
            while place is None:
                free = [u for u in position if u not in rows[v]]
                if not free:
                    return None
                last = max(free, key=lambda u: next_use(u, step))
                moved += leave(last, next_use(last, step) < dag.n or last in outputs)
                place = hole(sizes[new])
            position[new] = place
            moved += sizes[new] if new != v else 0
        for u in [u for u in position if next_use(u, step + 1) == dag.n]:
            moved += leave(u, u in outputs)
    return moved


def row(name: str, dag: CDAG, share: float, seconds: float) -> dict[str, Any]:
    """The numbers of a graph with a share of its natural peak."""
    peak = peak_words(accesses(dag, ORDERS["natural"](dag)))
    memory = max(int(share * peak), min_memory(dag))
    began = time.process_time()
    results = {"graph": name, "tensors": dag.n, "share": share, "memory": memory}
    baseline = first_fit_spilling(dag, memory)
    try:
        plan = placed_plan(dag, memory, time_limit=seconds)
    except NoAddressesError:
        return {**results, "io": None, "bound": None, "baseline": baseline, "seconds": 0.0}
    try:
        count = judge(dag, plan.schedule, memory)
        judge_placement(plan.buffers, plan.offsets, memory)
    except (IllegalMoveError, MemoryTooSmallError) as error:
        raise SystemExit(f"{name}: refused: {error}") from error
    return {
        **results,
        "io": count.io,
        "bound": plan.bound.io,
        "baseline": baseline,
        "seconds": time.process_time() - began,
    }


def mean(ratios: Sequence[float]) -> float:
    """The geometric mean."""
    return exp(sum(map(log, ratios)) / max(len(ratios), 1))


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=20.0, help="of each plan")
    parser.add_argument("--graphs", default="", help="only these, with commas")
    parser.add_argument("--file", default="", help="a graph besides, as redblue takes it")
    options = parser.parse_args()
    subjects = list(graphs(options.graphs))
    subjects += (
        [(options.file.rpartition("/")[2].partition(":")[0], load(options.file))]
        if options.file
        else []
    )
    print("| graph | tensors | share | memory | placed | bound | ratio | first fit | CPU s |")
    print("|---|---|---|---|---|---|---|---|---|")
    rows = []
    for name, dag in subjects:
        for share in SHARES:
            new = row(name, dag, share, options.seconds)
            rows.append(new)
            ratio = "" if new["io"] is None else f"{new['io'] / new['bound']:.4f}"
            texts = ["" if new[key] is None else f"{new[key]:,}" for key in ("io", "bound")]
            second = "no hole" if new["baseline"] is None else f"{new['baseline']:,}"
            print(
                f"| {name} | {dag.n} | {share} | {new['memory']:,} | {texts[0]} | {texts[1]} | "
                f"{ratio} | {second} | {new['seconds']:.1f} |",
                flush=True,
            )
    placed = [new for new in rows if new["io"] is not None]
    pair = [new for new in placed if new["baseline"] is not None]
    print(
        f"\n{len(placed)} of {len(rows)} placed; geometric means: placed over bound "
        f"{mean([new['io'] / new['bound'] for new in placed]):.4f}; first fit over placed "
        f"{mean([new['baseline'] / new['io'] for new in pair]):.3f}, in {len(pair)} where it ends"
    )


if __name__ == "__main__":
    main()
