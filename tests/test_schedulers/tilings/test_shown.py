"""Loops to be read do what a tiling does: the same instances in the same order, the same words."""

import json
import pickle
import random
import re

import pytest

pytest.importorskip("islpy", reason="islpy is not installed")

from dags.programs import instantiate
from dags.programs.box_reader import box_nest
from dags.programs.text import from_c
from schedulers.tilings.loops import _Scope, _statement, _Tile, loops_of
from schedulers.tilings.moves import Laid
from schedulers.tilings.plan import Counts, Tiling
from schedulers.tilings.search import best_tilings
from schedulers.tilings.shown import pseudo_c
from schedulers.tilings.words import shown_tiling
from tests.nest_texts import TEXTS, drawn_sizes
from tests.test_schedulers.tilings.test_plan import drawn_depths, drawn_paths, holds_are_apart

STENCIL = """void f(int T, int n, double a[T + 1][n]) { for (int t = 0; t < T; t++)
  for (int i = 1; i < n - 1; i++) a[t + 1][i] = a[t][i - 1] + a[t][i] + a[t][i + 1]; }"""


def value(expression, indices):
    return eval(str(expression).replace("&&", "and"), {"min": min, "max": max}, indices)


def instance(statement):
    """The item that a statement makes, and its operands, as numbers."""
    built, operands = re.fullmatch(r"(.*) = f\((.*)\)", statement).groups()
    return built, frozenset(operands.split(", "))


def run(records, indices):
    """Yield the instances of records in the order in which they are run."""
    for record in records:
        if "statement" in record:
            if value(record.get("when", "True"), indices):
                numbers = re.sub(
                    r"\[([^\]]*)\]",
                    lambda position: f"[{value(position[1], indices)}]",
                    record["statement"],
                )
                yield instance(numbers)
        elif "loop" in record:
            ends = (value(record[end], indices) for end in ("first", "end"))
            for number in range(*ends, record["step"]):
                yield from run(record["body"], {**indices, record["loop"]: number})
        else:
            yield from run(record["body"], indices)


def instances(nest, laid):
    """Yield the instances of a nest in the order of a tiling."""
    targets = {entry.name: entry.target for entry in nest.assignments}
    shown = {}
    for assignment in nest.assignments:
        for vertex, point in zip(
            laid.vertices[assignment.name], laid.points[assignment.name], strict=True
        ):
            scope = _Scope(
                {position: _Tile(str(loop), 1, loop, loop) for position, loop in enumerate(point)}
            )
            record = _statement(assignment, scope, targets)
            shown[vertex] = instance(record["statement"])
    return [shown[vertex] for vertex in laid.order()]


def kept_words(records):
    """Yield the words that are moved for what each loop keeps."""
    for record in records:
        yield from (kept["moved"] for kept in record.get("kept", []))
        yield from kept_words(record.get("body", []))


@pytest.mark.parametrize("name", [name for name in TEXTS if name != "spread"])
def test_loops_run_the_instances_of_the_tiling_in_its_order(name):
    rng = random.Random(name)
    program = from_c(TEXTS[name][0])
    for _ in range(3):
        sizes = drawn_sizes(name, rng)
        nest, dag = box_nest(program, sizes, as_written=True), instantiate(program, sizes)
        counts = Counts(nest)
        for _ in range(4):
            tree = Tiling(drawn_paths(nest, rng))
            tiling = Tiling(tree.paths, drawn_depths(counts, tree, rng))
            if not holds_are_apart(counts, tiling):
                continue
            records = json.loads(json.dumps(loops_of(nest, tiling)))
            laid = Laid(dag, counts, tiling)
            assert [*run(records, {})] == instances(counts.nest, laid), pseudo_c(records)
            assert sum(kept_words(records)) == counts.cost(tiling).io


def test_skewed_tiles_are_shown_with_their_coordinates():
    nest = box_nest(from_c(STENCIL), {"T": 40, "n": 300})
    results = [
        best_tiling
        for best_tiling in best_tilings(nest, [60])
        if best_tiling.tiling.skewed is not None
    ]
    lines = shown_tiling(nest, results[-1].tiling).lines()
    assert sum("last use in a tile" in line for line in lines) == 1
    assert any(re.search(r"for \((tiles|values) of i \+ t", line) for line in lines)
    assert lines[-1].strip().startswith("a[t][i] = f(a[t - 1][i - 1], ")


def test_the_loops_of_a_row_survive_a_journey():
    nest = box_nest(from_c(TEXTS["product"][0]), dict.fromkeys("MNK", 8))
    shown = shown_tiling(nest, best_tilings(nest, [12])[-1].tiling)
    record = pickle.loads(pickle.dumps(shown))
    assert record == shown
    assert record.lines() == shown.lines() != [shown.text]
