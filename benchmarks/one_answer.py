"""Words of a computation as a text, as its family, and as emitted code: one answer.

    python benchmarks/one_answer.py [NAME ...] [--memories 1000,30000,131072] [--seconds 20]

Of each computation and size of memory the words of the best play that `curve` counts, of the text
and of the family's member, and of the code that `emit` prints; each with its ratio to the best of
the three. 131,072 words are a megabyte of doubles. The last columns are the CPU seconds of the text
and of the code.
"""

import argparse
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

import redblue as rb
from dags import RedBlueError

HEADS: Final = (
    "void attention(int N, int D, double q[N][D], double k[N][D], double v[N][D], double o[N][D]) {"
)
FILTERS: Final = (
    "void filters(int H, int N, int R, double x[H+R][N+R], double u[R], double v[R],"
    " double y[H][N]) { double T[H][N+R];"
)
TEXTS: Final = {
    "attention": HEADS
    + """
  for (int i = 0; i < N; i++) {
    double e[N], sum;
    for (int j = 0; j < N; j++) {
      double s = 0;
      for (int c = 0; c < D; c++) s += q[i][c] * k[j][c];
      e[j] = exp(s);
    }
    sum = 0;
    for (int j = 0; j < N; j++) sum += e[j];
    for (int c = 0; c < D; c++) {
      double r = 0;
      for (int j = 0; j < N; j++) r += e[j] * v[j][c];
      o[i][c] = r / sum;
    } } }""",
    "filters": FILTERS
    + """
  for (int i = 0; i < H; i++) for (int j = 0; j < N + R - 1; j++) {
    T[i][j] = 0;
    for (int r = 0; r < R; r++) T[i][j] += x[i + r][j] * u[r]; }
  for (int i = 0; i < H; i++) for (int j = 0; j < N; j++) {
    y[i][j] = 0;
    for (int r = 0; r < R; r++) y[i][j] += T[i][j + r] * v[r]; } }""",
}
CASES: Final = {  # name, text, and member of a family
    "lu": ("polybench/lu:N=2000", "lu:n=2000"),
    "cholesky": ("polybench/cholesky:N=2000", "cholesky:n=2000"),
    "syrk": ("polybench/syrk:M=1000,N=1200", None),
    "gemm with beta": ("polybench/gemm:NI=1000,NJ=1100,NK=1200", None),
    "attention": ("attention.c:N=4096,D=64", None),
    "two filters": ("filters.c:H=4096,N=4096,R=5", None),
}


def timed(answer: Callable[[], int]) -> tuple[int | None, float]:
    """The words of an answer, None where there is none, and its CPU seconds."""
    began = time.process_time()
    try:
        return answer(), time.process_time() - began
    except RedBlueError as error:
        print(f"<!-- {error} -->")
        return None, time.process_time() - began


def curve_words(spec: str, memory: int) -> int:
    """The words of the best play that a curve has."""
    return dict(rb.curve(spec, [memory]).envelope("upper"))[memory]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", default=[*CASES])
    parser.add_argument("--memories", default="1000,30000,131072")
    parser.add_argument("--seconds", type=float, default=20.0)
    known = parser.parse_args()
    print("| computation | M | text | family | code | text s | code s |")
    print("|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for file, source in TEXTS.items():
            Path(folder, f"{file}.c").write_text(source)
        for name in known.names:
            text, family = CASES[name]
            text = text if text.startswith("polybench/") else f"{folder}/{text}"
            for memory in map(int, known.memories.split(",")):
                print(line(name, text, family, memory, known.seconds), flush=True)


def line(name: str, text: str, family: str | None, memory: int, seconds: float) -> str:
    """The line of a computation at a size of memory."""
    written, reading = timed(lambda: curve_words(text, memory))
    member = None if family is None else timed(lambda: curve_words(family, memory))[0]
    code, coding = timed(lambda: rb.emit(text, memory, work=seconds, effort=0).io)
    answers = (written, member, code)
    minimum = min(words for words in answers if words is not None)
    cells = ["" if words is None else f"{words:,} ({words / minimum:.3f})" for words in answers]
    return f"| {name} | {memory:,} | {' | '.join(cells)} | {reading:.1f} | {coding:.1f} |"


if __name__ == "__main__":
    main()
