"""PolyBench at its sizes LARGE, without a DAG: the table in docs/scale.md.

    python benchmarks/polybench_sizes.py            writes the table, between its two marks
    python benchmarks/polybench_sizes.py NAME ...   prints the lines of some programs

Of each program: what is proved, and its certificate checked; and the best play by tiles that is
found in some seconds, counted, at 32 KB and 1 MB of doubles. One-shot plays, sums in the order of
the text.
"""

import sys
import time
from pathlib import Path

from dags.programs.box_reader import box_nest
from dags.programs.instances import NotReadError
from dags.programs.text.library import KERNELS, polybench
from proofs import check
from proofs.bounds.loops.nests import nest_bound
from proofs.lemmas.loops.nests import compulsory_of
from schedulers.tilings.search import best_tilings

PAGE = Path(__file__).resolve().parents[1] / "docs" / "scale.md"
BEGIN, END = "<!-- polybench_sizes -->", "<!-- end of polybench_sizes -->"
MEMORIES = 4096, 131_072
SECONDS = 16.0  # of work of the search for plays
LARGE = {
    "2mm": "NI=800,NJ=900,NK=1100,NL=1200",
    "3mm": "NI=800,NJ=900,NK=1000,NL=1100,NM=1200",
    "adi": "TSTEPS=500,N=1000",
    "atax": "M=1900,N=2100",
    "bicg": "M=1900,N=2100",
    "cholesky": "N=2000",
    "correlation": "M=1200,N=1400",
    "covariance": "M=1200,N=1400",
    "deriche": "W=4096,H=2160",
    "doitgen": "NQ=140,NR=150,NP=160",
    "durbin": "N=2000",
    "fdtd-2d": "TMAX=500,NX=1000,NY=1200",
    "floyd-warshall": "N=2800",
    "gemm": "NI=1000,NJ=1100,NK=1200",
    "gemver": "N=2000",
    "gesummv": "N=1300",
    "gramschmidt": "M=1000,N=1200",
    "heat-3d": "TSTEPS=500,N=120",
    "jacobi-1d": "TSTEPS=500,N=2000",
    "jacobi-2d": "TSTEPS=500,N=1300",
    "lu": "N=2000",
    "ludcmp": "N=2000",
    "mvt": "N=2000",
    "nussinov": "N=2500",
    "seidel-2d": "TSTEPS=500,N=2000",
    "symm": "M=1000,N=1200",
    "syr2k": "M=1000,N=1200",
    "syrk": "M=1000,N=1200",
    "trisolv": "N=2000",
    "trmm": "M=1000,N=1200",
}


def line(name):
    """The line of a program."""
    sizes = {entry: int(value) for entry, value in (x.split("=") for x in LARGE[name].split(","))}
    began = time.process_time()
    try:
        nest = box_nest(polybench(name), sizes)
        floor = compulsory_of(nest)
    except NotReadError as error:
        return f"| {name} | {LARGE[name]} | {error} |" + " |" * 6
    tilings = best_tilings(nest, MEMORIES, seconds=SECONDS)
    cells = []
    for memory in MEMORIES:
        bound = nest_bound(nest, memory)
        check(nest, memory, bound)
        enough = [entry.io for entry in tilings if entry.moved.words <= memory]
        assert all(bound.io <= io for io in enough)
        proved = "compulsory" if bound.io == floor else f"{bound.io:,}"
        played = f"{min(enough):,} | {min(enough) / bound.io:.2f}" if enough else "none | "
        cells.append(f"{proved} | {played}")
    seconds = time.process_time() - began
    return f"| {name} | {LARGE[name]} | {floor:,} | {' | '.join(cells)} | {seconds:.1f} |"


def main():
    """Write the table, or print lines of it."""
    assert {*LARGE} == {*KERNELS}
    heads = ["program", "sizes", "compulsory"]
    for text in ("32 KB", "1 MB"):
        heads += [f"{text}: proved", "played", "ratio"]
    table = [f"| {' | '.join([*heads, 'CPU s'])} |", "|---" * (len(heads) + 1) + "|"]
    for name in sys.argv[1:] or LARGE:
        table.append(line(name))
        print(table[-1], flush=True)
    if not sys.argv[1:]:
        before, _, remaining = PAGE.read_text().partition(BEGIN)
        after = remaining.partition(END)[2]
        text = "\n".join(table)
        PAGE.write_text(f"{before}{BEGIN}\n\n{text}\n\n{END}{after}")


if __name__ == "__main__":
    main()
