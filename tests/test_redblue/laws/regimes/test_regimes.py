"""Laws of programs: which term rules where, legal tiles only, held against plays."""

import time
from dataclasses import replace

import pytest

pytest.importorskip("islpy", reason="the extra 'affine' is not installed")

import redblue as rb
from dags.errors import UnknownNameError
from dags.programs import instantiate
from dags.programs.fixed import with_sizes
from dags.programs.text import from_c
from dags.programs.text.library import polybench
from pebble import min_memory, play
from redblue.laws.regimes import law_of_program
from redblue.laws.regimes.finding import Limited, held_against_plays, laws_found
from redblue.laws.regimes.laws import Held, RegimeLaw, evidence, latex, leading, ranges, sentences
from schedulers import scheduler_named
from tests.command_line import run_redblue
from tests.nest_texts import MTTKRP, PRODUCT
from tests.test_redblue.laws.regimes.kernels import KERNELS

LONG = 300.0  # seconds: no test is about a slow machine


def unplayed(text, **options):
    *_, law = laws_found(from_c(text), **options)
    return law


@pytest.mark.parametrize("name", KERNELS)
def test_a_kernel_has_its_law_or_compulsory_words(name):
    text, wanted = KERNELS[name]
    law = unplayed(text)
    assert (leading(law) if law.terms else None) == wanted
    if wanted is None:
        assert leading(law) in sentences(name, law)[0]
        assert any("No more is known" in line for line in sentences(name, law))


# Sizes at which a play is above what the law says, with the memory where that is least clear.
PLAYED = {
    "attention": {"N": 12, "D": 2},
    "cholesky": {"N": 14},
    "floyd_warshall": {"N": 9},
    "gauss_seidel": {"N": 40, "T": 20},
    "gram_schmidt": {"M": 12, "N": 8},
    "mttkrp": {"N": 5, "R": 7},
    "softmax": {"N": 9, "D": 20},
    "triangular_solve_many": {"N": 12},
    "two_sweeps": {"N": 14, "T": 6},
}


@pytest.mark.parametrize("name", PLAYED)
def test_no_play_moves_less_than_a_law(name):
    program, sizes = from_c(KERNELS[name][0]), PLAYED[name]
    law = unplayed(KERNELS[name][0])
    dag = instantiate(program, sizes)
    smallest = min_memory(dag)
    for memory in (smallest + 1, 4 * smallest):
        printed, _ = law.at(sizes, memory)
        for method in ("natural+belady", "tiled"):
            schedule = scheduler_named(method)(dag, memory, time_limit=0.3)
            assert printed <= play(dag, schedule, memory).io, (memory, method)


def test_attention_has_a_regime_beside_its_width():
    law = unplayed(KERNELS["attention"][0])
    (term,) = law.terms
    assert term.below.text == "(2 D N / (2 D + N))^2"
    assert term.ends({"N": 48, "D": 2}) < 16
    assert law.at({"N": 48, "D": 2}, 64) == (4 * 48 * 2, None)  # a play moves 1,102 words
    printed, number = law.at({"N": 480, "D": 200}, 64)
    assert number == 0
    assert printed == pytest.approx(4 * 200 * 480**2 / 8 - 2 * 480**2)


def test_a_recurrence_has_no_tiles_over_time():
    law = unplayed(KERNELS["lstm"][0])
    assert law.terms == ()
    assert law.unattained
    printed = "\n".join(sentences("lstm", law))
    assert "sqrt" not in printed
    assert "dependences forbid the tiles" in printed
    # One cell for many sequences is a product, with tiles over these.
    batched = unplayed(
        """void f(int B, int T, int N, double U[N][N], double x[B][T][N], double h[B][T+1][N]) {
        double z;
        for (int t = 0; t < T; t++) for (int b = 0; b < B; b++) for (int i = 0; i < N; i++) {
          z = x[b][t][i];
          for (int j = 0; j < N; j++) z += U[i][j] * h[b][t][j];
          h[b][t+1][i] = tanh(z);
        } }"""
    )
    assert leading(batched).startswith("max(2 B N^2 T / sqrt(M)")
    assert batched.terms[0].law.tile.sides["t"] == 0


def test_sizes_may_be_fixed_in_part():
    text = KERNELS["conv1d"][0]
    program = with_sizes(from_c(text), {"R": 3})
    assert program.sizes == ("N",)
    dag, full = instantiate(program, {"N": 9}), instantiate(from_c(text), {"N": 9, "R": 3})
    assert (dag.n, dag.pred_indices.tolist()) == (full.n, full.pred_indices.tolist())
    assert str(law_of_program(from_c(text), {"R": 3}, seconds=LONG).compulsory.compulsory) == (
        "3 N + 5"
    )
    with pytest.raises(UnknownNameError, match="no size is called 'Q'"):
        with_sizes(from_c(text), {"Q": 3})


def test_a_term_of_the_degree_of_the_compulsory_words_may_rule():
    *_, law = laws_found(with_sizes(polybench("gemm"), {"NK": 64}))
    (term,) = law.terms
    assert term.below.text == "16384"
    *_, law = laws_found(with_sizes(polybench("gemm"), {"NK": 2}))
    assert law.terms == ()


def test_fixed_sizes_reach_conditions_bounds_and_extents():
    text = """void f(int N, int K, double A[N+K], double B[N+K]) {
    for (int i = K; i < N; i++) if (i >= 2*K) B[i+K-1] = A[i] * A[i-K]; else B[i] = A[K] + A[i];
    }"""
    program = from_c(text)
    for fixed in ({"K": 2}, {"N": 9}, {"N": 9, "K": 2}):
        remaining = {name: value for name, value in {"N": 9, "K": 2}.items() if name not in fixed}
        first = instantiate(with_sizes(program, fixed), remaining)
        dag = instantiate(program, {"N": 9, "K": 2})
        assert first.pred_indices.tolist() == dag.pred_indices.tolist()
        assert first.outputs.tolist() == dag.outputs.tolist()


def test_a_term_above_a_play_is_withdrawn():
    program = polybench("gemm")
    *_, law = laws_found(program)
    (term,) = law.terms
    false = replace(law, terms=(replace(term, law=replace(term.law, coefficient=9.0)),))
    first = next(held_against_plays(false, program, {}))
    assert first.terms == ()
    assert "a schedule moves" in first.withdrawn[0]
    assert all(held.term is None for held in first.held)
    right = next(held_against_plays(law, program, {}))
    assert right.terms == law.terms
    assert right.held[0].told <= right.held[0].played


def test_compulsory_words_are_the_law_only_where_plays_reach_them():
    small = law_of_program(from_c(KERNELS["transpose"][0]), seconds=LONG)
    assert small.known
    assert "compulsory ones" not in sentences("t", small)[0]
    second = law_of_program(from_c(KERNELS["matrix_chain"][0]), seconds=LONG)
    assert not second.known
    assert "at least" in sentences("c", second)[0]


def test_ranges_of_two_terms():
    law = unplayed(KERNELS["gram_schmidt"][0])
    assert ranges(law) == ["S < about 3 M / 2"]
    two = RegimeLaw(law.compulsory, terms=(*unplayed(KERNELS["gauss_seidel"][0]).terms, *law.terms))
    assert ranges(two)[0].endswith("if it is above the next")


def test_several_written_arrays_are_outputs_unless_named():
    text, _ = KERNELS["two_sweeps"]
    assert unplayed(text).outputs == ("B", "A")
    assert "Outputs: the last values of B, A; live=NAME+NAME makes them fewer." in sentences(
        "s", unplayed(text)
    )
    named = unplayed(text, live=("A",))
    assert "Outputs: the last values of A, as live= says." in sentences("s", named)


def test_the_front_door(tmp_path):
    path = tmp_path / "conv.c"
    path.write_text(KERNELS["conv1d"][0])
    assert isinstance(rb.law(f"{path}:R=3", seconds=LONG), RegimeLaw)
    ending = run_redblue("law", f"{path}:R=3", "--time-limit", LONG)
    assert ending.code == 0
    assert ending.out.startswith("conv with R=3, for large sizes: ")
    ending = run_redblue("law", f"{path}:Q=3")
    assert (ending.code, ending.sentence) == (2, "no size is called 'Q'; known: N, R")
    ending = run_redblue("law", f"{path}:R=3", "--memory", "8")
    assert (ending.code, ending.out) == (2, "")


def sleeping():
    yield 1
    time.sleep(60)
    yield 2


def waiting():
    yield 1
    time.sleep(1.5)
    yield 2


def working():
    yield 1
    while True:
        pass


def hungry():
    yield 1
    held = []
    while True:
        held.append(bytearray(2**24))
        if len(held) > 2**9:
            yield 2


def test_limits_of_time_and_memory_are_kept():
    slow = Limited(sleeping, 1.0, 2**30)
    began = time.monotonic()
    assert [*slow] == [1]
    assert time.monotonic() - began < 30
    assert slow.why == "after 1 seconds"
    large = Limited(hungry, LONG, 2**28)
    assert [*large] == [1]
    assert large.why == "at the limit of 0.25 GiB of memory"


def test_time_is_that_of_the_processor():
    idle = Limited(waiting, 0.8, 2**30)
    assert [*idle] == [1, 2]
    assert idle.why == ""
    busy = Limited(working, 0.3, 2**30)
    assert [*busy] == [1]
    assert busy.why == "after 0.3 seconds"


def test_what_the_work_raises_is_raised():
    def broken():
        yield 1
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        list(Limited(broken, LONG, 2**30))


def test_a_search_without_time_says_so():
    result = law_of_program(polybench("gemm"), seconds=LONG)
    assert result.unfinished == ""
    ending = run_redblue("law", "polybench/gemm", "--time-limit", "0.001")
    assert ending.code == 2
    assert "ended after 0.001 seconds" in ending.sentence


CONVOLUTION = (
    "void f(int N, int F, int P, int Q, int C, int R, int S, double x[N][C][P+R][2*Q+S],"
    " double w[F][C][R][S], double y[N][F][P][Q]) {"
    " for (int n = 0; n < N; n++) for (int f = 0; f < F; f++) for (int p = 0; p < P; p++)"
    " for (int q = 0; q < Q; q++) { y[n][f][p][q] = 0; for (int c = 0; c < C; c++)"
    " for (int r = 0; r < R; r++) for (int s = 0; s < S; s++)"
    " y[n][f][p][q] += x[n][c][p + r][2 * q + s] * w[f][c][r][s]; } }"
)


@pytest.mark.parametrize(
    ("text", "sizes", "exponents"),
    [
        (CONVOLUTION, {}, {"-1/2"}),
        (CONVOLUTION, {"R": 3, "S": 3}, {"-1/2"}),
        (KERNELS["conv1d"][0], {}, {"-1"}),
        (KERNELS["depthwise"][0], {"R": 3}, set()),
        (KERNELS["pooling"][0], {"R": 3}, set()),
        (PRODUCT, {}, {"-1/2"}),
        (MTTKRP, {}, {"-2/3"}),
    ],
)
def test_terms_of_nests_rule_and_are_attained_by_counted_plays(text, sizes, exponents):
    sums = {"sums": "any"} if text in (PRODUCT, MTTKRP) else {}
    result = law_of_program(from_c(text), sizes, seconds=LONG, **sums)
    assert exponents <= {str(term.law.exponent) for term in result.terms}
    assert bool(exponents) == bool(result.terms)
    assert result.known
    assert result.held
    for held in result.held:
        floor = float(result.compulsory.compulsory(held.sizes))
        assert floor <= held.told <= held.played  # never below the compulsory words
        assert held.proved <= held.played <= 7 * held.proved


def test_a_convolution_has_the_root_of_its_kernel():
    result = law_of_program(from_c(CONVOLUTION), seconds=LONG)
    assert "4 C F N P Q R^(1/2) S^(1/2) / sqrt(M)" not in leading(result)  # one stride of two
    assert "sqrt(8) C F N P Q R^(1/2) S^(1/2) / sqrt(M)" in leading(result).replace(
        "2 sqrt(2)", "sqrt(8)"
    )
    assert r"R^{1/2}\,S^{1/2}" in latex(result)


@pytest.mark.parametrize(("by_law", "proved"), [(835, 1173), (0, 7), (900, 900), (901, 900)])
def test_no_law_is_printed_below_what_is_proved(by_law, proved):
    held = Held({"M": 27, "N": 27}, 16, by_law, 0, proved, 1650)
    line = evidence(held, "S")
    assert f"{proved:,} " in line
    assert ("by this law" in line) == (by_law >= proved)
    assert by_law >= proved or f"{by_law:,} words by" not in line
