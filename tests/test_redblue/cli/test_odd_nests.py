"""No error of a library reaches those who ask: odd nests end in an answer or in one sentence."""

import pytest

pytest.importorskip("islpy", reason="islpy is not installed")

from tests.campaigns.odd_nests import COMMANDS, COUNTED, ending

# isl's own dataflow fails here: a loop begins where an outer one is that goes down by twos
BY_TWOS = """for (j = 0; j < 3; j++) for (i = 6; i >= 0; i -= 2) for (k = i; k < 9; k++)
  T0[j] += A3[k][j];"""
EMPTY = """void f(double A[9], double T[9]) {
  for (int i = 0; i < 4; i++) for (int j = i; j < i; j++) T[j] += A[i]; }"""
SHARED_BY_NONE = """void f(double A[99][99], double S[99][99], double T[99]) {
  for (int i = 0; i >= 0; i--) for (int j = i + 1; j < 3; j++) {
    S[40][i-j+40] += S[2*i+40][j+41] + A[3][j+i+40] + A[i+40][2*i+40];
    for (int k = 4; k >= i + 1; k--) T[k+40] += S[40][2*j+40] + S[k-i+40][k-i+40]; } }"""
ALWAYS = """void f(int N, int M, double A[99][99], double B[99], double S[99][99], double T[99]) {
  for (int i = 0; i < N; i += 3) for (int j = i; j < 4; j += 3) {
    S[40][i+40] += A[i+40][3];
    for (int k = 3; k >= -3; k -= 1) S[i-k+40][3] += B[j+41] + B[k+40]; }
  for (int i = M; i >= 0; i -= 1) for (int j = -3; j < N; j += 1)
    if (i >= 2) T[j+40] = A[i+40][40]; }"""


@pytest.mark.parametrize("counted", [False, True])
@pytest.mark.parametrize("command", COMMANDS)
def test_a_loop_that_begins_where_another_goes_down_by_steps(command, counted):
    if counted and command not in COUNTED:
        pytest.skip("the command has no --counted")
    options = (*COMMANDS[command], *["--counted"] * counted)
    assert ending(command, BY_TWOS, "", options).code == 0


@pytest.mark.parametrize("operations", [300, 20_000])
@pytest.mark.parametrize("command", COMMANDS)
def test_where_isl_gives_up_the_dag_is_built(command, operations):
    """Of whatever isl does; code is made by isl alone, and says so in a sentence."""
    result = ending(command, BY_TWOS, "", COMMANDS[command], operations)
    assert result.code == (2 if command == "emit" else 0)
    if command == "emit":
        assert "isl, the library of integer sets, gives up" in result.sentence


def test_code_of_nothing_is_refused():
    result = ending("emit", EMPTY, "", COMMANDS["emit"])
    assert result.code == 2
    assert "nothing is computed" in result.sentence


def test_a_piece_whose_words_no_values_share_bounds_as_others_do():
    assert ending("curve", SHARED_BY_NONE, "", ("--memory", "4:64")).code == 0


def test_code_has_conditions_that_always_hold():
    """isl writes 1 for one of several of which it knows that it holds."""
    options = (*COMMANDS["emit"], "--check")
    result = ending("emit", ALWAYS, ":N=5,M=3", options)
    assert result.code in (0, 3)  # 3 without a compiler of C
    assert "fails" not in result.out
