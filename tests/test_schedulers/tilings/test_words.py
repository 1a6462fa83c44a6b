"""Tilings in words: sides and loops are those of the order."""

import re
from functools import cache
from itertools import groupby

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dags import load
from schedulers.tilings.points import PHASE, PointTiling, coordinates, diagonals
from schedulers.tilings.scheduler import tiled_orders, tiling_of
from schedulers.tilings.trials import TilingSearch
from schedulers.tilings.words import tiles_text

loaded = cache(load)
GEMM = "polybench/gemm:NI=4,NJ=3,NK=5"


@pytest.mark.parametrize(
    ("tiling", "text"),
    [
        (PointTiling(), "tiles: none; loops: as in the text"),
        (PointTiling((("k", 1), ("i", 2))), "tiles: k 1, i 2; loops: k, i outside, i, j inside"),
        (
            PointTiling((("k", 1), ("j", 1), ("i", 1))),
            "tiles: k 1, j 1, i 1; loops: k, j, i outside",
        ),
        (
            PointTiling((("j", 2), ("i", 1)), (("j", "i", -1),)),
            "tiles: j - i 2, i 1; loops: j - i, i outside, k, j inside",
        ),
        (PointTiling((("i", 2), ("i", 4))), "tiles: i 2; loops: i outside, i, k, j inside"),
        (PointTiling((("i", 1),), (("i", "i", -1),)), "tiles: none; loops: as in the text"),
    ],
)
def test_sides_and_loops(tiling, text):
    assert tiles_text(tiling, loaded(GEMM).origin) == text


def test_time_and_phases_are_explained():
    origin = loaded("polybench/jacobi-1d:N=9,TSTEPS=4").origin
    rising, falling = diagonals("i")
    text = tiles_text(PointTiling(((rising, 4), (falling, 4))), origin)
    assert text.startswith("tiles: time + i 4, time - i 4; loops: time + i, time - i outside, ")
    assert text.endswith("; time: what is inside of t, one after the other")
    origin = loaded("polybench/correlation:M=4,N=3").origin
    text = tiles_text(PointTiling(((PHASE, 1), ("j", 2))), origin)
    assert text.startswith("tiles: phase 1, j 2; loops: phase, j outside, ")
    assert text.endswith("; phase: the outermost loops, one after the other")


@given(data=st.data())
@settings(max_examples=40)
def test_what_is_inside_varies_in_some_tile(data):
    dag = loaded(GEMM)
    place = coordinates(dag.origin)
    chosen = st.tuples(st.sampled_from("ijk"), st.integers(1, 3))
    skews = data.draw(st.sets(st.sampled_from([("i", "j", 1), ("j", "k", -1), ("k", "i", 2)])))
    tiling = PointTiling(
        tuple(data.draw(st.lists(chosen, min_size=1, max_size=4))), tuple(sorted(skews))
    )
    text = tiles_text(tiling, dag.origin)
    inside = re.search(r"([ijk, ]+) inside", text)
    printed = set(re.findall(r"[ijk]", inside[1].rpartition("outside")[2])) if inside else set()
    # the updates, which have a point on all of the loops
    updates = np.flatnonzero(dag.origin.statement == 1).tolist()
    leaning = {n: place.of[n].copy() for n in "ijk"}
    for first, second, factor in tiling.skews:
        leaning[first] += factor * place.of[second]
    sides = [(leaning[name] - leaning[name].min()) // side for name, side in tiling.levels]
    tile = {v: tuple(int(entry[v]) for entry in sides) for v in updates}
    varies = set()
    for _, own_values in groupby(sorted(tile, key=tile.get), tile.get):
        points = list(own_values)
        varies |= {n for n in "ijk" if np.unique(place.of[n][points]).size > 1}
    assert printed == varies or "none" in text


@pytest.mark.parametrize("spec", [GEMM, "polybench/jacobi-1d:N=9,TSTEPS=4"])
def test_orders_are_known_by_their_tilings(spec):
    dag = load(spec)
    for order in tiled_orders(dag, 8):
        assert "loops: " in tiling_of(dag, order).text
    assert tiling_of(load("fft:n=4"), load("fft:n=4").computed) is None
    assert tiling_of(dag, np.ascontiguousarray(dag.computed[::-1])) is None


def test_programs_of_one_dag_have_their_own_names(tmp_path):
    for name, (a, b) in {"one.c": "ij", "two.c": "xy"}.items():
        path = tmp_path / name
        loops = "".join(f"for ({v} = 0; {v} < 4; {v}++) " for v in (a, b))
        path.write_text(f"{loops} S[{b}] += A[{a}] * B[{b}];\n")
        dag = load(str(path))
        printed = " ".join(tiling_of(dag, order).text for order in tiled_orders(dag, 4))
        assert set(re.findall(r"\b[ijxy]\b", printed)) <= {a, b}


def test_tilings_have_no_level_that_moves_nothing_less():
    dag = load("polybench/gemm:NI=6,NJ=6,NK=6")
    search = TilingSearch(dag, coordinates(dag.origin), 14)
    best = search.best(1)[0]
    assert search.measure(best) == min(search.io.values())
    assert all(search.measure(entry) > search.measure(best) for entry in best.simpler())
