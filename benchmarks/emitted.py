"""Emitted code of the thirty PolyBench nests: words, checks, and misses beside the text.

    python benchmarks/emitted.py [--memories 32,64,128] [--kernels gemm,syrk] [--side 24]
        [--fixed | --misses | --curves] [--texts FOLDER]

Each nest at each memory: loops in tiles or not, the words that the code moves, the best play and
bound, and whether bits, counters and the referee's words agree. With --fixed all sizes are numbers
in the code, so that buffers may have whole rows or arrays. With --misses: misses of 64-byte lines
in 32 KB with 8 ways, of the text (and in 1 MB), of the text by clang's Polly with its sizes as
constants (Debian: clang-14, libpolly-14-dev), and of the code. With --curves: the words of the
code beside those of the best schedule that a curve counts without a DAG, its method, and CPU
seconds; of the nests and of the C texts of a folder.
"""

import argparse
import shutil
import time
from contextlib import suppress
from dataclasses import replace
from math import exp, log
from pathlib import Path

from dags import RedBlueError
from dags.programs.text import from_c
from dags.programs.text.library import KERNELS, polybench
from redblue.answers.counted.curves import counted_curve
from redblue.answers.results import BEST
from redblue.emission import runs
from redblue.emission.checks import check, text_of
from redblue.emission.emission import emit
from redblue.emission.measures import valgrind
from redblue.emission.runs import RunError
from redblue.emission.source import Interface
from redblue.emission.statements import Nest

SIZES = {"TSTEPS": 4, "TMAX": 4}
SIDES = {"heat-3d": 8, "doitgen": 9, "2mm": 12, "3mm": 11, "floyd-warshall": 14}
LARGE = {1: 2000, 2: 250, 3: 120}  # of nests so deep, for misses
LONG = {"durbin": 5000, "jacobi-1d": 20000, "trisolv": 400, "doitgen": 80, "heat-3d": 40}
HIGH = {"heat-3d": 24, "doitgen": 24}  # sides of nests of four loops, beside curves
TEXT_SIDE = 24  # values of a size of a text, beside curves
EQUAL = 1.02  # times the words of a curve, as many as code may move to be one answer with it
PATIENCE = 900  # seconds of a run under valgrind
NEAR = 1.05  # times its misses in 1 MB: the text has hardly more to lose
FIRST = "32768,8,64"
POLLY = "-O3", "-w", "-mllvm", "-polly"


def sizes_of(name, side, steps=4):
    """Sizes of a nest that are about the same."""
    return {size: steps if size in SIZES else side for size in polybench(name).sizes}


def spec_of(name, sizes):
    """A nest at some sizes."""
    return f"polybench/{name}:{','.join(f'{size}={value}' for size, value in sizes.items())}"


def words(names, memories, seconds, side, *, is_fixed):
    """Print a line for each nest and memory."""
    print("| nest | M | order | words | best play | ratio | bound | holds |")
    print("|---|---|---|---|---|---|---|---|")
    ratios = []
    for name in names:
        for memory in memories:
            sizes = sizes_of(name, side or SIDES.get(name, 14))
            fix = sizes if is_fixed else None
            try:
                emission = emit(
                    spec_of(name, sizes), memory, fix=fix, work=seconds, effort=seconds / 2
                )
                rows = check(emission)
            except RedBlueError as error:
                print(f"| {name} | {memory} | {error} |")
                continue
            ratio = emission.io / emission.best_play if emission.best_play else 1.0
            ratios.append(ratio)
            order = "tiles" if emission.tiled else "single values"
            holds = sum(row.holds for row in rows)
            print(
                f"| {name} | {memory} | {order} | {emission.io:,} | {emission.best_play:,} "
                f"| {ratio:.3f} | {emission.bound:,} | {holds} of {len(rows)} |",
                flush=True,
            )
    print(f"\ngeometric mean of the ratios: {exp(sum(map(log, ratios)) / len(ratios)):.3f}")


def misses(names, seconds):
    """Print misses in 32 KB of each nest: of the text, of clang's Polly if it is there, of ours."""
    clang = next(filter(None, map(shutil.which, ("clang-14", "clang"))), None)
    print("| nest | text | text, 1 MB | Polly | this code | text / code | Polly / code |")
    print("|---|---|---|---|---|---|---|")
    columns = [], []
    minimum = []
    runs.SECONDS = PATIENCE
    for name in names:
        depth = max(len(loops) for _, loops in polybench(name).statements)
        spec = spec_of(name, sizes_of(name, LONG.get(name, LARGE.get(depth, 24)), 10))
        emission = emit(spec, 4096, policy="cache", line=8, ways=8, work=seconds, effort=0)
        fixed = Nest(emission.interface.program, emission.sizes)
        plain = text_of(emission.interface), text_of(Interface(fixed, emission.interface.live))
        first, second = (valgrind(emission, entry, FIRST) for entry in (plain[0], emission.source))
        text, ours = first["D1"], second["D1"]
        minimum += [name] if text <= NEAR * first["LLd"] else []
        polly = None
        if clang is not None:
            with suppress(RunError):
                face = replace(
                    emission, interface=Interface(fixed, emission.interface.live), sizes={}
                )
                polly = valgrind(face, plain[1], FIRST, flags=POLLY, compiler=clang)["D1"]
        ratios = [None if entry is None else entry / max(ours, 1) for entry in (text, polly)]
        for column, ratio in zip(columns, ratios, strict=True):
            column += [] if ratio is None else [ratio]
        chosen = (text, first["LLd"], polly, ours, *(entry and round(entry, 2) for entry in ratios))
        print(
            f"| {name} | " + " | ".join("-" if entry is None else f"{entry:,}" for entry in chosen),
            "|",
            flush=True,
        )
    for whose, ratios in zip(("the text", "Polly"), columns, strict=True):
        fewer = sum(ratio > 1 for ratio in ratios)
        mean = exp(sum(map(log, ratios)) / len(ratios)) if ratios else 1.0
        print(f"\nfewer than {whose}: {fewer} of {len(ratios)}; geometric mean {mean:.2f}")
    print(f"\nthe text has no more than in 1 MB: {len(minimum)} ({', '.join(minimum)})")


def texts_in(folder):
    """The C texts of a folder, with sizes for each."""
    for path in sorted(Path(folder).glob("*.c")):
        with suppress(RedBlueError):
            sizes = from_c(path.read_text(encoding="utf-8")).sizes
            values = ",".join(f"{size}={TEXT_SIDE}" for size in sizes)
            yield path.stem, f"{path}:{values}" if values else str(path)


def schedule_of(spec, memory):
    """The words of the best schedule of a curve, and its methods; none where none is counted."""
    rows = [row for row in counted_curve(spec, [memory]).rows if row.kind == "upper"]
    words = min((row.io for row in rows if row.io is not None), default=None)
    methods = (row.method for row in rows if row.io == words and row.method != BEST)
    return words, ", ".join(methods) if words is not None else "-"


def curves(specs, memories, seconds):
    """Print the words of code beside those of curves, a line for each nest and memory."""
    print("| nest | M | code | curve | code / curve | method | curve s | code s |")
    print("|---|---|---|---|---|---|---|---|")
    ratios = []
    for name, spec in specs:
        for memory in memories:
            began = time.process_time()
            try:
                words, method = schedule_of(spec, memory)
            except RedBlueError as error:
                words, method = None, str(error)
            middle = time.process_time()
            try:
                code = emit(spec, memory, work=seconds, effort=0).io
            except RedBlueError as error:
                code, method = None, f"{method}; no code: {error}"
            ended = time.process_time()
            ratio = code / words if code and words else None
            ratios += [] if ratio is None else [ratio]
            cells = ["-" if entry is None else f"{entry:,}" for entry in (code, words)]
            cells += ["-" if ratio is None else f"{ratio:.3f}", method]
            cells += [f"{end - begin:.1f}" for begin, end in ((began, middle), (middle, ended))]
            print(f"| {name} | {memory} | {' | '.join(cells)} |", flush=True)
    near = sum(ratio <= EQUAL for ratio in ratios)
    mean = exp(sum(map(log, ratios)) / max(len(ratios), 1))
    print(f"\nwithin {EQUAL - 1:.0%}: {near} of {len(ratios)}; geometric mean {mean:.3f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--memories", default="32,64,128")
    parser.add_argument("--kernels", default=",".join(KERNELS))
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--side", type=int)
    parser.add_argument("--fixed", action="store_true")
    parser.add_argument("--misses", action="store_true")
    parser.add_argument("--curves", action="store_true")
    parser.add_argument("--texts")
    arguments = parser.parse_args()
    names = arguments.kernels.split(",")
    if arguments.misses:
        misses(names, arguments.seconds)
    elif arguments.curves:
        side = arguments.side or 72
        specs = [
            (name, spec_of(name, sizes_of(name, min(side, HIGH.get(name, side)), 8)))
            for name in filter(None, names)
        ]
        specs += texts_in(arguments.texts) if arguments.texts else []
        curves(specs, [*map(int, arguments.memories.split(","))], arguments.seconds)
    else:
        words(
            names,
            [*map(int, arguments.memories.split(","))],
            arguments.seconds,
            arguments.side,
            is_fixed=arguments.fixed,
        )


if __name__ == "__main__":
    main()
