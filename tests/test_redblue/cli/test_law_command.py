"""``redblue law``."""

import json
from importlib.util import find_spec

import pytest

import redblue as rb
from tests.command_line import run_redblue
from tests.contract.test_same_answer import without_seconds


def ask(*arguments):
    ending = run_redblue("law", *arguments)
    assert (ending.code, ending.err) == (0, "")
    return ending.out


def answer(*arguments):
    return json.loads(ask(*arguments, "--json"))


def test_a_logarithm():
    result = answer("fft:n=4096")
    law = result["law"]
    assert (law["name"], law["verdict"], law["published"]) == ("log M", "agrees", "log M")
    assert law["slope"] == pytest.approx(0.5, abs=0.01)
    assert law["rebalanced"] == law["memory"] ** 2
    uppers = {row["memory"] for row in result["rows"] if row["kind"] == "upper"}
    assert set(law["points"]) <= uppers
    out = ask("fft:n=4096")
    assert "log2 M" in out
    assert "Agrees with the published law" in out
    assert f"{law['memory'] ** 2:,} words instead of {law['memory']:,}" in out


def test_a_power():
    law = answer("pyramid:height=150")["law"]
    assert law["kind"] == "power"
    assert law["exponent"] == pytest.approx(1, abs=0.06)
    assert law["rebalanced"] == pytest.approx(law["memory"] * 2 ** (1 / law["exponent"]))
    out = ask("pyramid:height=150")
    assert f"M^{law['exponent']:.3f}" in out
    low, high = law["interval"]
    assert f"{2 ** (1 / high):.3g} to {2 ** (1 / low):.3g} times as much" in out


def test_a_constant():
    law = answer("matvec:n=64")["law"]
    assert (law["name"], law["exponent"], law["rebalanced"]) == ("constant", 0, None)
    assert "no memory is enough" in ask("matvec:n=64")


def test_not_enough_range():
    law = answer("matmul:n=4")["law"]
    assert law["name"] is law["rebalanced"] is None
    assert law["verdict"] == "undecided"
    out = ask("matmul:n=4")
    assert "The range of memory is too small for a law" in out
    assert "M^(1/2), for large sizes" in out


def test_a_public_file(shared):
    path = shared / "data" / "hyperdag" / "fine_exp_N10_K7_nzP0d25.hdag"
    out = ask(str(path))
    assert "The range of memory is too small for a law" in out
    assert "No law is published" in out


def test_an_effort_searches_at_the_sizes_of_the_law():
    asked = ("random_layered:n=60", "--memory", "6,8,12")
    quick, normal = (answer(*asked, "--effort", name) for name in ("quick", "normal"))
    best = [
        [row["io"] for row in result["rows"] if (row["kind"], row["method"]) == ("upper", "best")]
        for result in (quick, normal)
    ]
    assert "effort" not in quick
    assert normal["effort"]["name"] == "normal"
    assert all(after <= before for before, after in zip(*best, strict=True))
    assert sum(best[1]) < sum(best[0])


def test_the_options_count():
    result = answer(
        "fft:n=64", "--memory", "6:40:5", "--schedulers", "lru,belady", "--rules", "recompute"
    )
    assert result["rules"] == "recompute"
    assert {row["method"] for row in result["rows"] if row["kind"] == "upper"} == {
        "natural+lru",
        "natural+belady",
        "best",
    }
    assert {row["memory"] for row in result["rows"]} == {6, 10, 15, 25, 40}


@pytest.mark.parametrize(
    "arguments",
    [
        ["fft:n=63"],
        ["fft:n=64", "--memory", "2"],
        ["fft:n=64", "--memory", "x"],
        ["fft:n=64", "--schedulers", "nobody"],
        ["fft:n=64", "--rules", "none"],
        [],
    ],
)
def test_bad_arguments(arguments):
    ending = run_redblue("law", *arguments)
    assert ending.code == 2
    assert ending.sentence


def test_a_machine_without_a_published_law_uses_the_curve():
    arguments = ["machine", "balance", "--machine", "Warp", "--dag", "tree:height=9"]
    ending = run_redblue(*arguments, "--memory", "4:512", "--json")
    assert ending.code == 0
    assert json.loads(ending.out)["balance"]["law"] == "constant"


def test_a_program_without_sizes():
    law = answer("polybench/cholesky")["law"]
    assert (law["exponent"], law["degree"], law["gain"]) == ("-1/2", 3, "3 N")
    assert law["leading"] == pytest.approx(1 / (3 * 2**0.5))
    out = ask("polybench/cholesky")
    assert "Updates: N^3/6 - N^2/2 + N/3" in out
    assert law["tile"]["sides"] == {"i": "1/2", "j": "1/2"}
    assert law["tile"]["ratio"] == pytest.approx(2**0.5)
    tiles = "b x b in (i, j), along k, where b^2 + 2 b < M; for large sizes they move 1.41 times"
    assert tiles in out
    assert "max(sqrt(2) N^3 / (6 sqrt(M)), N^2) words" in out
    assert "While M < about N^2 / 18" in out
    assert "Outputs: the last values of A; live=NAME+NAME makes them fewer" in out
    assert law["tile"]["latex"] in out
    if find_spec("islpy") is None:
        assert law["proved_from"] is None
        assert "A trend" in out
    else:
        assert law["proved_from"] == 4
        assert "Proved for all sizes from 4 on" in out


def test_an_einsum_string_is_never_below_compulsory_words():
    law = answer("ij,j->i")["law"]
    assert (law["terms"], law["any_order"]) == ([], None)
    assert "i j + i + j words, which are compulsory" in ask("ij,j->i")
    law = answer("abc,cd,de->abe")["law"]
    where = "M < about c d e / (c + e)"
    assert law["any_order"] == {"words": "a b c d e / M", "where": where}
    assert answer("i,i->")["law"]["compulsory"] == "2 i + 1"


def test_an_einsum_string():
    law = answer("ijk,jl,kl->il")["law"]
    assert law["exponents"] == {"ijk": "2/3", "jl": "1/3", "kl": "1/3", "il": "1/3"}
    assert law["any_order"]["words"] == "3 i j k l / M^(2/3)"
    ending = run_redblue("law", "ij,jk->ik", "--memory", "8")
    assert (ending.code, ending.out) == (2, "")
    assert "has no sizes" in ending.err
    ending = run_redblue("law", "ij,jk->iq")
    assert (ending.code, ending.out) == (2, "")
    assert "index q of the result is in no operand" in ending.sentence
    assert "exponents" not in answer("ii->")["law"]
    ending = run_redblue("law", "ij,jk")
    assert (ending.code, ending.out) == (2, "")
    assert ending.sentence == (
        "the einsum string ij,jk does not say which indices its result has: write ij,jk->ik, "
        "with those that are not summed over"
    )


@pytest.mark.parametrize("spec", ["ij,j->i", "dirac:k=2,n4=4"])
def test_the_law_is_that_of_the_function(spec):
    """Of einsum strings and Dirac operators the command had a law of its own."""
    record = json.loads(run_redblue("law", spec, "--json").out)
    law = json.loads(json.dumps(rb.law(spec).to_dict()))
    assert without_seconds(law) == without_seconds(record)


@pytest.mark.parametrize("spec", ["ij->ji", "ii->i", "{path}"])
def test_what_only_copies_has_no_law(spec, tmp_path):
    """It ended in max() of an empty sequence."""
    path = tmp_path / "copy.c"
    path.write_text(
        "void f(int n, double A[n], double B[n]) { for (int i=0;i<n;i++) B[i] = A[i]; }"
    )
    spec = spec.format(path=path)
    ending = run_redblue("law", spec)
    assert (ending.code, ending.out) == (2, "")
    assert "the text only copies" in ending.sentence
    with pytest.raises(rb.RedBlueError, match="the text only copies"):
        rb.law(spec)
