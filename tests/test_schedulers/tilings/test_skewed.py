"""Tiles that lean over in time: counted as the referee counts, in the memory that is told."""

import random
from contextlib import suppress
from math import log

import pytest

pytest.importorskip("islpy", reason="islpy is not installed")

from dags.programs import ProgramError, instantiate
from dags.programs.box_reader import box_nest
from dags.programs.instances import NotReadError
from dags.programs.text import from_c
from dags.programs.text.library import polybench
from pebble import judge
from proofs.bounds.loops.nests import nest_bound
from schedulers.tilings.moves import moves
from schedulers.tilings.plan import Counts
from schedulers.tilings.search import best_tilings
from schedulers.tilings.skewed import room
from tests.skewed_tiles import drawn_text, tiles_are_counted

KERNELS = ("jacobi-1d", "jacobi-2d", "heat-3d", "seidel-2d", "fdtd-2d")
RELAXED = """void f(int T, int N, double w, double a[N][N], double b[N][N]) {
  for (int t = 0; t < T; t++) for (int i = 1; i < N - 1; i++) for (int j = 1; j < N - 1; j++)
    a[i][j] = w * (a[i-1][j] + a[i+1][j] + a[i][j-1] + a[i][j+1] + b[i][j]) + a[i][j]; }"""
WAVE = """void f(int T, int N, double p[N][N], double c[N][N], double v[N][N]) {
  double n[N][N];
  for (int t = 0; t < T; t++) {
    for (int i = 1; i < N - 1; i++) for (int j = 1; j < N - 1; j++)
      n[i][j] = 2 * c[i][j] - p[i][j] + v[i][j] * (c[i-1][j] + c[i+1][j] + c[i][j-1] + c[i][j+1]);
    for (int i = 1; i < N - 1; i++) for (int j = 1; j < N - 1; j++) p[i][j] = c[i][j];
    for (int i = 1; i < N - 1; i++) for (int j = 1; j < N - 1; j++) c[i][j] = n[i][j]; } }"""
PARTS = """void f(int T, int N, double x[N][N], double w[N], double y[N][N], double b[N][N]) {
  double a[N][N];
  for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) a[i][j] = x[i][j] * w[j];
  for (int t = 0; t < T; t++) {
    for (int i = 1; i < N - 1; i++) for (int j = 1; j < N - 1; j++)
      b[i][j] = a[i][j] + a[i-1][j] + a[i+1][j] + a[i][j-1] + a[i][j+1];
    for (int i = 1; i < N - 1; i++) for (int j = 1; j < N - 1; j++)
      a[i][j] = b[i][j] + b[i-1][j] + b[i+1][j] + b[i][j-1] + b[i][j+1]; }
  for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) y[i][j] = a[i][j] / 2; }"""
TEXTS = {"parts": PARTS, "relaxed": RELAXED, "wave": WAVE}
LARGE = {
    "parts": {"T": 500, "N": 1300},
    "relaxed": {"T": 500, "N": 1300},
    "wave": {"T": 500, "N": 1300},
    "jacobi-2d": {"TSTEPS": 500, "N": 1300},
    "heat-3d": {"TSTEPS": 500, "N": 120},
    "seidel-2d": {"TSTEPS": 500, "N": 2000},
    "fdtd-2d": {"TMAX": 500, "NX": 1000, "NY": 1200},
}


def program_of(name):
    return from_c(TEXTS[name]) if name in TEXTS else polybench(name)


@pytest.mark.parametrize("name", [*KERNELS, *TEXTS])
def test_tiles_of_kernels_are_counted_as_the_referee_counts(name):
    rng, program = random.Random(name), program_of(name)
    tried = 0
    for _ in range(4):
        sizes = {
            size: rng.randint(1, 8) if size[0] == "T" else rng.randint(4, 8)
            for size in program.sizes
        }
        tried += tiles_are_counted(rng, program, sizes)
    assert tried


@pytest.mark.parametrize("seed", range(40))
def test_tiles_of_drawn_loops_are_counted_as_the_referee_counts(seed):
    rng = random.Random(seed)
    while True:
        try:
            if tiles_are_counted(rng, from_c(drawn_text(rng)), {}):
                return
        except (ProgramError, NotReadError):
            continue


@pytest.mark.parametrize("seed", range(12))
def test_tiles_whose_instances_are_taken_as_one_have_room(seed, monkeypatch):
    monkeypatch.setattr(room, "MOST_PLACES", 2)
    monkeypatch.setattr(room, "MOST_LONG", 40)  # tiles along an axis that are longer are refused
    rng, tried = random.Random(f"as one {seed}"), 0
    while not tried:
        with suppress(ProgramError, NotReadError):
            tried = tiles_are_counted(rng, from_c(drawn_text(rng)), {})


def test_very_long_loops_take_neither_memory_nor_a_number_too_large():
    """A tile that is not counted is not played; the others are."""
    for length, memory in ((10**9, 10**8), (10**15, 10**4)):
        for name in ("jacobi-1d", "seidel-2d"):
            nest = box_nest(program_of(name), {"TSTEPS": length, "N": length})
            tilings = best_tilings(nest, [memory], seconds=0.2)
            assert any(entry.moved.words <= memory for entry in tilings)
            assert all(entry.moved.words > 0 for entry in tilings)


@pytest.mark.parametrize("name", [*KERNELS, *TEXTS])
def test_what_is_found_can_be_played(name):
    program = program_of(name)
    sizes = {size: 7 if size[0] == "T" else 9 for size in program.sizes}
    nest, dag = box_nest(program, sizes, as_written=True), instantiate(program, sizes)
    tilings = best_tilings(nest, [10, 20, 40, 80])
    for entry in tilings:
        count = judge(dag, moves(dag, Counts(nest), entry.tiling), entry.moved.words)
        assert count.io <= entry.io  # trees of loops may be told with more
        if entry.tiling.skewed is not None or entry.tiling.parts:
            assert (count.loads, count.stores) == (entry.moved.loads, entry.moved.stores)


@pytest.mark.parametrize("name", LARGE)
def test_words_fall_as_memory_grows(name):
    nest = box_nest(program_of(name), LARGE[name])
    memories = [4_000, 32_000]
    tilings = best_tilings(nest, memories, seconds=10)
    played = [min(entry.io for entry in tilings if entry.moved.words <= size) for size in memories]
    axes = max(len(assignment.box) for assignment in nest.assignments) - 1
    assert log(played[0] / played[1]) / log(8) > 0.8 / axes
    for memory, io in zip(memories, played, strict=True):
        assert nest_bound(nest, memory).io <= io
