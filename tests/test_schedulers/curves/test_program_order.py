"""Words of a program in the order of its text, without its DAG, are those of the DAG's plays."""

import random

import numpy as np
import pytest

from dags.programs import ProgramError
from dags.programs.text import from_c
from dags.programs.text.library import KERNELS, polybench
from pebble import MemoryTooSmallError
from pebble.referee import judge
from schedulers import EVICTIONS, ORDERS, accesses, belady_curve, lru_curve
from schedulers.curves import program_order
from schedulers.curves.program_order import TooLongError, program_words
from schedulers.eviction import schedule
from tests.campaigns.programs import live_in, sizes_of
from tests.campaigns.random_nests import CONSTANT, SIZES, random_nest


@pytest.fixture
def compared(monkeypatch):
    """Compare iterations of all loops, however short; return how often they repeated."""
    monkeypatch.setattr(program_order, "LEAST_ACCESSES", 1)
    monkeypatch.setattr(program_order, "CELLS_AN_ACCESS", 1 << 40)
    monkeypatch.setattr(program_order, "FEWEST", 2)
    repeated, advanced = [], program_order.advanced

    def counted(*arguments):
        repeated.append(advanced(*arguments))
        return repeated[-1]

    monkeypatch.setattr(program_order, "advanced", counted)
    return repeated


def check(dag, program, sizes, memories, **options):
    """Compare the words with those of LRU and furthest next use on the DAG."""
    layout = accesses(dag, ORDERS["natural"](dag))
    result = program_words(program, sizes, memories, **options)
    assert (result.computed, result.edges) == (dag.computed.size, dag.m)
    for words, curve in ((result.lru, lru_curve), (result.furthest, belady_curve)):
        if words is not None:
            known = curve(layout)
            expected = [(known.loads_at(m), known.stores_at(m)) for m in memories]
            pairs = zip(words.loads.tolist(), words.stores.tolist(), strict=True)
            assert list(pairs) == expected, (program.source, memories)


def drawn_memories(rng, dag, limit=4):
    layout = accesses(dag, ORDERS["natural"](dag))
    minimum, values = lru_curve(layout).minimum, layout.values
    count = int(rng.integers(1, limit + 1))
    return sorted({minimum + int(integer) for integer in rng.integers(0, values + 2, count)})


def random_cases(count, seed):
    """Yield random nests that compute something, some with few outputs: dead values, copies."""
    for case in range(count):
        rng = np.random.default_rng([seed, case])
        program = from_c(random_nest(rng).in_c)
        sizes, live = sizes_of(program), live_in(program)
        constants = [name for name in (CONSTANT, *SIZES) if name in program.dimensions]
        if live and rng.integers(2):
            live = rng.choice(live, int(rng.integers(1, len(live) + 1)), replace=False).tolist()
        options = {"live": live, "constants": constants}
        try:
            dag = program.dag(**sizes, **options, max_vertices=20_000)
        except ProgramError:
            continue
        yield rng, dag, program, sizes, options


@pytest.mark.slow
def test_random_nests():
    for rng, dag, program, sizes, options in random_cases(150, 5):
        check(dag, program, sizes, drawn_memories(rng, dag), **options)


@pytest.mark.slow
def test_random_nests_iteration_by_iteration(compared):
    for rng, dag, program, sizes, options in random_cases(150, 6):
        options["with_next_use"] = bool(rng.integers(3))
        check(dag, program, sizes, drawn_memories(rng, dag, 2), **options)
    assert any(compared)


@pytest.mark.parametrize("name", KERNELS)
def test_polybench(name, compared):
    program, rng = polybench(name), np.random.default_rng([len(name), ord(name[0])])
    sizes = {size: int(rng.integers(6, 12)) for size in program.sizes}
    dag = program.dag(**sizes)
    check(dag, program, sizes, drawn_memories(rng, dag, 8))
    for with_next_use in (False, True):
        check(dag, program, sizes, drawn_memories(rng, dag, 1), with_next_use=with_next_use)


def regular_nest(seed):
    """A text whose outer iterations are alike, each a step on in its arrays, and sizes."""
    draw = random.Random(seed)
    lines, arrays = [], {}
    for nest in range(draw.randint(1, 2)):
        steps = {name: draw.choice(("t", "T-1-t", "")) for name in "abcuv"}
        body = []
        for _ in range(draw.randint(1, 3)):
            loops = draw.randint(1, 2)
            inner = ["j", "k"][:loops]

            def cell(*, written=False, steps=steps, inner=inner):
                name = draw.choice("cuv" if written else "abcuv")
                position = draw.choice(inner)
                shift = draw.choice(("", "", "+1")) if not written else ""
                arrays[name] = True
                rows = f"{steps[name]}{draw.choice(('', '+1'))}" if steps[name] else "0"
                return f"{name}[{rows}][{position}{shift}]"

            target = cell(written=True)
            right = f"{cell()} * {cell()}" if draw.random() < 0.5 else cell()
            operator = draw.choice(("=", "+=", "+=")) if "*" in right else "+="
            heads = "".join(f"for (int {x} = 0; {x} < {x.upper()}; {x}++) " for x in inner)
            body.append(f"    {heads}{target} {operator} {right};")
        lines += [f"  for (int t = {nest % 2}; t < T; t++) {{", *body, "  }"]
    parameters = ", ".join(f"double {name}[T+2][N]" for name in sorted(arrays))
    text = f"void f(int T, int J, int K, int N, {parameters}) {{\n" + "\n".join(lines) + "\n}"
    sizes = {"T": draw.randint(6, 14), "J": draw.randint(1, 6), "K": draw.randint(1, 5), "N": 8}
    return text, sizes


@pytest.mark.slow
def test_regular_nests_whose_iterations_repeat(compared):
    for seed in range(300):
        text, sizes = regular_nest(seed)
        program, rng = from_c(text), np.random.default_rng(seed)
        sizes = {name: sizes[name] for name in program.sizes}
        dag = program.dag(**sizes)
        options = {"with_next_use": bool(rng.integers(2))}
        check(dag, program, sizes, drawn_memories(rng, dag, 2), **options)
    assert sum(compared) > 100


PRODUCT = """void f(int N, double A[N][N], double B[N][N], double C[N][N]) {
  for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) { C[i][j] = 0;
    for (int k = 0; k < N; k++) C[i][j] += A[i][k] * B[k][j]; } }"""


@pytest.mark.parametrize("size", [64, 1024])
def test_a_product_of_any_size_in_closed_form(size, monkeypatch):
    # 3 N words hold a row of A, a column of B and sums: A is read once, B again for each row; in
    # the last one values die, and what is there of B may stay.
    monkeypatch.setattr(program_order, "LEAST_ACCESSES", 1 << 12)
    memories = [3 * size, 10 * size]
    options = {"with_next_use": False, "most": 10 * size**2 * 8}  # a few of the iterations are run
    result = program_words(from_c(PRODUCT), {"N": size}, memories, **options)
    for loads, memory in zip(result.lru.loads.tolist(), memories, strict=True):
        assert size**3 + size**2 - memory <= loads <= size**3 + size**2
    assert result.lru.stores.tolist() == [size**2] * 2
    assert result.computed == size**3
    assert result.edges == 3 * size**3 - size**2


def test_the_referee_counts_the_same():
    program = polybench("gemm")
    sizes = {"NI": 4, "NJ": 5, "NK": 3}
    dag = program.dag(**sizes)
    layout = accesses(dag, ORDERS["natural"](dag))
    memories = [4, 7, 12]
    result = program_words(program, sizes, memories)
    for words, policy in ((result.lru, "lru"), (result.furthest, "belady")):
        for place, memory in enumerate(memories):
            moved = judge(dag, schedule(layout, memory, EVICTIONS[policy]), memory)
            assert (words.loads[place], words.stores[place]) == (moved.loads, moved.stores)


def test_a_run_that_takes_too_long_ends():
    program = polybench("lu")
    with pytest.raises(TooLongError):
        program_words(program, {"N": 40}, [100], most=10_000)


def test_progress_ends_with_all_of_the_work():
    reports = []
    program_words(
        polybench("lu"), {"N": 12}, [30], progress=lambda done, of: reports.append((done, of))
    )
    assert reports[-1] == (1000, 1000)
    assert reports == sorted(reports)


def test_memory_that_is_too_small_is_refused():
    with pytest.raises(MemoryTooSmallError, match="10"):
        program_words(polybench("seidel-2d"), {"N": 6, "TSTEPS": 2}, [9, 20])
