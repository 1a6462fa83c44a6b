"""Bounds of families by hand beside those that `affine` finds in the same loops as a program.

    python benchmarks/family_builders.py [--sizes 20] [FAMILY ...]

For each family some sizes and four memories each: how often the automatic bound is equal, larger
or smaller, the geometric mean of automatic over by hand, and the case that is farthest off. The
DAGs of generator and program have the same vertices, edges, inputs and outputs.
"""

import argparse
import time
from math import exp, log

from dags import load
from dags.programs.text import from_c
from pebble import min_memory
from proofs import BOUNDS, NotApplicableError, check

CONVOLUTION = """
for (int f = 0; f < F; f++)
  for (int y = 0; y < Y; y++)
    for (int x = 0; x < X; x++) {
      R[f][y][x] = 0;
      for (int c = 0; c < C; c++)
        for (int u = 0; u < P; u++)
          for (int v = 0; v < P; v++)
            R[f][y][x] += I[c][y + u][x + v] * W[f][c][u][v];
    }
"""
ATTENTION = """
for (int i = 0; i < N; i++) {
  for (int j = 0; j < N; j++) {
    s = 0;
    for (int c = 0; c < D; c++) s += Q[i][c] * K[j][c];
    p[j] = exp(s);
  }
  t = p[0];
  for (int j = 1; j < N; j++) t += p[j];
  for (int c = 0; c < D; c++) {
    o = 0;
    for (int j = 0; j < N; j++) o += p[j] * V[j][c];
    R[i][c] = o / t;
  }
}
"""


def program(text, live, **sizes):
    return from_c(text).dag(live=[live], **sizes)


def convolution(step):
    height, filters, channels, side = 4 + step // 4, 1 + step % 3, 1 + step % 2, 2 + step % 2
    spec = f"convolution:height={height},width={height + 1},channels={channels},filters={filters}"
    places = {"Y": height - side + 1, "X": height + 2 - side}
    dag = program(CONVOLUTION, "R", F=filters, C=channels, P=side, **places)
    return f"{spec},kernel={side}", dag


def attention(step):
    tokens, width = 3 + step // 2, 2 + step % 3
    return f"attention:tokens={tokens},width={width}", program(ATTENTION, "R", N=tokens, D=width)


FAMILIES = {entry.__name__: entry for entry in (convolution, attention)}
BY_HAND = ("projections", "attention")


def by_hand(dag, memory):
    results = []
    for name in BY_HAND:
        try:
            results.append(BOUNDS[name](dag, memory))
        except NotApplicableError:
            continue
    best = max(results, key=lambda bound: bound.io)
    check(dag, memory, best)
    return best.io


def automatic(dag, memory):
    bound = BOUNDS["affine"](dag, memory)
    check(dag, memory, bound)
    return bound.io


def compared(name, sizes):
    cases, seconds = [], time.process_time()
    for step in range(sizes):
        spec, nest = FAMILIES[name](step)
        dag = load(spec)
        counts = [
            (entry.n, entry.m, entry.inputs.size, entry.outputs.size) for entry in (dag, nest)
        ]
        assert counts[0] == counts[1], (spec, counts)
        smallest = min_memory(dag)
        for memory in (smallest, smallest + 3, 2 * smallest + 4, 4 * smallest + 5):
            proved = automatic(nest, memory), by_hand(dag, memory)
            cases.append((*proved, spec, memory))
    return cases, time.process_time() - seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("families", nargs="*", default=[*FAMILIES], metavar="FAMILY")
    parser.add_argument("--sizes", type=int, default=20)
    printed = parser.parse_args()
    print("| family | cases | equal | larger | smaller | ratio | farthest off | CPU s |")
    print("|---|---|---|---|---|---|---|---|")
    for name in printed.families:
        cases, seconds = compared(name, printed.sizes)
        equal = sum(result == known for result, known, *_ in cases)
        larger = sum(result > known for result, known, *_ in cases)
        mean = exp(sum(log(result / known) for result, known, *_ in cases) / len(cases))
        result, known, spec, memory = min(cases, key=lambda case: case[0] / case[1])
        worst = f"{spec}, M={memory}: {result} for {known}" if result < known else ""
        smaller = len(cases) - equal - larger
        row = (name, len(cases), equal, larger, smaller, f"{mean:.3f}", worst, f"{seconds:.1f}")
        print("|", " | ".join(map(str, row)), "|", flush=True)


if __name__ == "__main__":
    main()
