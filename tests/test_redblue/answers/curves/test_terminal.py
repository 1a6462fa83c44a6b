from dataclasses import replace

import pytest

from dags import fft, load
from pebble import Rules
from redblue import Row, curve_text, io_curve
from redblue.answers.envelope import with_best
from redblue.answers.results import BEST

PRODUCT = """void f(int n, double A[n][n], double B[n][n], double C[n][n]) {
  for (int i = 0; i < n; i++) for (int j = 0; j < n; j++)
    for (int k = 0; k < n; k++) C[i][j] += A[i][k] * B[k][j]; }"""


def nothing(dag, memory, *, rules):
    return 0


def loops_of(curve):
    """The first lines of the listings of loops."""
    heads = [part.splitlines()[0] for part in curve.shown() if isinstance(part, str)]
    return [head for head in heads if head.startswith("M = ") and head.endswith(":")]


def area(text):
    """The lines between the axes."""
    return [line.partition(" |")[2] for line in text.splitlines() if " |" in line]


@pytest.fixture(scope="module")
def curve():
    return io_curve(
        fft(64),
        [4, 8, 16, 32, 64],
        schedulers=["lru", "belady"],
        bounds=["compulsory"],
        spec="fft:n=64",
    )


def test_the_drawing(curve):
    text = curve_text(curve, width=40, height=10)
    assert "I/O (words) of fft:n=64, one-shot" in text.splitlines()[0]
    rows = area(text)
    assert len(rows) == 10
    assert {len(row) for row in rows} == {40}
    assert rows[0][0] == "x"  # both stand here, and the later one is drawn over the earlier
    assert rows[0].strip().endswith("o")
    assert rows[-1] == "-" * 40  # the bound, which no play meets
    for column in zip(*rows, strict=True):
        assert {"-"} < set(column) <= set("ox- ")
    assert "  o natural+lru\n  x natural+belady\n  - proved: no schedule goes below" in text
    assert all(not line.endswith(" ") for line in text.splitlines() if " |" not in line)


def test_axes_name_both_ends(curve):
    text = curve_text(curve)
    ios = [io for name in curve.methods("upper") for _, io in curve.points("upper", name)]
    assert text.splitlines()[1].startswith(f"{max(ios):,} |")
    assert any(line.strip().startswith("128 |") for line in text.splitlines())
    ticks = next(line for line in text.splitlines() if line.split() == ["4", "8", "16", "32", "64"])
    assert ticks.index("4") == text.splitlines()[1].index("|") + 1


def test_it_fits_a_terminal_of_eighty_columns():
    curve = io_curve(load("fft:n=4096"), [16, 2**40])
    assert max(map(len, curve_text(curve).splitlines())) <= 80


@pytest.mark.parametrize("spec", ["chain:n=5", "fft:n=8", "tree:height=3"])
@pytest.mark.parametrize("memories", [[4], [3, 4, 5], [4, 1000000]])
def test_flat_and_narrow_curves(spec, memories):
    rows = area(curve_text(io_curve(load(spec), memories), width=30, height=6))
    assert len(rows) == 6
    assert any(row.strip() for row in rows)


def test_bounds_alone_and_nothing_at_all():
    bounds = io_curve(fft(8), [4, 8], schedulers=[])
    assert set("".join(area(curve_text(bounds)))) == {" ", "-"}
    played = io_curve(fft(8), [4, 8], schedulers=["lru"], bounds=[nothing])
    assert "proved" not in curve_text(played)
    infeasible = io_curve(fft(8), [2], schedulers=["lru"], bounds=[], rules=Rules(sliding=True))
    assert curve_text(infeasible) == ""


def test_more_methods_than_markers():
    names = [f"{order}+{eviction}" for order in ("natural", "depth-first", "least-live")
             for eviction in ("lru", "fifo", "belady")]  # fmt: skip
    text = curve_text(io_curve(fft(8), [4, 8], schedulers=names))
    assert all(f" {name}\n" in text for name in names)


def test_loops_beside_a_better_schedule_say_so(tmp_path):
    """Loops that move 124 words stood under a best of 96, as if they were its."""
    path = tmp_path / "product.c"
    path.write_text(PRODUCT)
    curve = io_curve(f"{path}:n=4", [8, 12], schedulers=["tiled"], bounds=["compulsory"])
    assert loops_of(curve) == ["M = 8, 96 words:", "M = 12, 80 words:"]
    rows = [row for row in curve.rows if row.method != BEST]
    rows.append(Row("upper", "own", 8, 90, 60, 30, "feasible", 0.0))
    better = replace(curve, rows=with_best(rows, [8, 12]))
    first, second = loops_of(better)
    assert first.startswith(
        "M = 8, 96 words by the best tiling (the best schedule moves 90, and is"
    )
    assert second == "M = 12, 80 words:"
