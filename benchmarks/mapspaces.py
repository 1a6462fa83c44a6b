"""Plays and bounds of operators at their sizes, beside the best mappings of an enumerated space.

    python benchmarks/mapspaces.py FOLDER [--chains] [--seconds S]
    PYTHONPATH=. python benchmarks/mapspaces.py --own

FOLDER has light_gemm.json, light_ops.json and light_kernelbench.json: operators with their sizes,
and points (buffer words, words moved) of the best perfect-factor rectangular tilings; and
light_chains.json with those of AccelForge's fused mappings, which `--chains` alone asks for. A play
has a word more than the buffer, for a result is placed beside its operands. Plays of one operator
are looked for in S seconds at most, by default those that the commands take. `--own` plays the
chains of the tests at real sizes, beside what is proved.
"""

import json
import sys
import time
from math import exp, log
from pathlib import Path

from dags.programs.box_reader import box_nest
from dags.programs.text import from_c
from proofs import check
from proofs.bounds.loops.nests import nest_bound
from schedulers.tilings.search import best_tilings

PRODUCT = """void product(int M, int N, int K, double a[M][K], double b[K][N], double c[M][N]) {
  for (int i = 0; i < M; i++) for (int j = 0; j < N; j++) {
    c[i][j] = 0;
    for (int k = 0; k < K; k++) c[i][j] += a[i][k] * b[k][j]; } }"""


def sized(text):
    return {name: int(value) for name, value in (part.split("=") for part in text.split(","))}


SECONDS = float(sys.argv[sys.argv.index("--seconds") + 1]) if "--seconds" in sys.argv else None
OWN = 1_000, 30_000, 1_000_000  # words of memory for own chains
ROUNDED = 1e-6  # relative: points of large chains are in single precision


def beside(name, program, sizes, points, *, any_order=False):
    began = time.thread_time()
    nest = box_nest(program, sizes, any_order=any_order)
    tilings = best_tilings(nest, [buffer + 1 for buffer, _ in points], seconds=SECONDS)
    ratios, gaps = [], []
    for buffer, words in points:
        played = [entry.io for entry in tilings if entry.moved.words <= buffer + 1]
        bound = nest_bound(nest, buffer + 1)
        check(nest, buffer + 1, bound)
        assert bound.io <= words * (1 + ROUNDED)
        if played:
            ratios.append(min(played) / words)
            gaps.append(min(played) / bound.io)
    seconds = time.thread_time() - began
    above = sum(ratio > 1 + ROUNDED for ratio in ratios)
    below = sum(ratio < 1 - ROUNDED for ratio in ratios)
    missing = len(points) - len(ratios)
    print(
        f"| {name} | {len(points)} | {below} | {above + missing} | {min(ratios):.3f} "
        f"| {mean(gaps):.3f} | {max(gaps):.3f} | {seconds:.1f} |"
    )
    return ratios, gaps


def mean(chosen):
    return exp(sum(map(log, chosen)) / len(chosen))


def head(subject):
    print(f"| {subject} | points | below | above | least ratio | played / proved | worst | CPU s |")
    print("|---|---|---|---|---|---|---|---|")


def chains(folder):
    head("chain")
    for entry in json.loads((folder / "light_chains.json").read_text())["entries"]:
        program = from_c((folder / entry["text"]).read_text())
        for item in (entry["small"], entry["large"]):
            name = f"{entry['name']} {item['sizes']}"
            beside(name, program, sized(item["sizes"]), item["points"])


def main(folder):
    head("operator")
    everything = []
    for entry in json.loads((folder / "light_gemm.json").read_text())["entries"]:
        sizes = {"M": entry["m"], "N": entry["n"], "K": entry["k"]}
        name = "product {M} x {N} x {K}".format(**sizes)
        everything.append(beside(name, from_c(PRODUCT), sizes, entry["points"]))
    for entry in json.loads((folder / "light_ops.json").read_text())["entries"]:
        program, sizes = from_c((folder / entry["text"]).read_text()), sized(entry["sizes"])
        everything.append(beside(entry["name"], program, sizes, entry["points_text"]))
        name = f"{entry['name']}, sums in any order"
        everything.append(beside(name, program, sizes, entry["points"], any_order=True))
    ratios, gaps = (
        [entry for pair in everything for entry in pair[position]] for position in (0, 1)
    )
    print(f"\n{len(ratios)} points, {sum(ratio < 1 for ratio in ratios)} below,", end=" ")
    print(f"{sum(ratio > 1 for ratio in ratios)} above; played / proved {mean(gaps):.3f}\n")
    record = json.loads((folder / "light_kernelbench.json").read_text())
    memories = record["memories"]
    both_sides("problem", memories)
    for entry in record["entries"]:
        program = from_c((folder / entry["text"]).read_text())
        both_sides(entry["name"], memories, program, sized(entry["sizes"]))


def both_sides(name, memories, program=None, sizes=None):
    """A row of a table: plays beside bounds; its head without a program."""
    if program is None:
        print(f"| {name} | " + " | ".join(f"M = {entry:,}" for entry in memories) + " | CPU s |")
        print("|---" * (len(memories) + 2) + "|")
        return []
    began = time.thread_time()
    nest = box_nest(program, sizes)
    tilings = best_tilings(nest, memories, seconds=SECONDS)
    cells, gaps = [], []
    for memory in memories:
        play = min(entry.io for entry in tilings if entry.moved.words <= memory)
        bound = nest_bound(nest, memory)
        check(nest, memory, bound)
        gaps.append(play / bound.io)
        cells.append(f"{play:,} / {bound.io:,} = {gaps[-1]:.3f}")
    seconds = time.thread_time() - began
    print(f"| {name} | {' | '.join(cells)} | {seconds:.1f} |", flush=True)
    return gaps


def own():
    from tests.chain_texts import CHAINS

    both_sides("chain", OWN)
    rows = (
        both_sides(name, OWN, from_c(text), sized(large))
        for name, (text, _, large) in CHAINS.items()
    )
    gaps = [gap for row in rows for gap in row]
    print(f"\ngeometric mean of played / proved: {mean(gaps):.3f}")


if __name__ == "__main__":
    if "--own" in sys.argv:
        own()
    else:
        (chains if "--chains" in sys.argv else main)(Path(sys.argv[1]))
