"""The user's own loops are a row, and no best schedule is worse."""

import pytest

import redblue as rb
from dags import InvalidSpecError
from redblue.answers.results import PROGRAM_ORDER

# The vector fits, so that each new value takes the place of the old one in program order.
IN_PLACE = """void f(int n, double v[n]) { double top = v[0];
  for (int i = 1; i < n; i++) top = fmax(top, v[i]);
  for (int i = 0; i < n; i++) v[i] = exp(v[i] - top); }"""


def rows_of(curve, method):
    return {row.memory: row.io for row in curve.rows if row.method == method}


def test_program_order_is_a_row_where_no_dag_is_built_for_searches(tmp_path):
    path = tmp_path / "f.c"
    path.write_text(IN_PLACE)
    spec = f"{path}:n=40000"
    curve = rb.curve(spec, [50, 50_000])
    assert curve.notes
    played = rb.curve(
        rb.load(spec).dag, [50, 50_000], schedulers=PROGRAM_ORDER, bounds=["compulsory"]
    )
    best = dict(curve.envelope("upper"))
    for method in PROGRAM_ORDER:
        assert rows_of(curve, method) == rows_of(played, method)
        assert all(best[memory] <= io for memory, io in rows_of(played, method).items())
    assert best[50_000] == 80_000  # v in, v out


def test_an_answer_does_not_depend_on_what_was_asked_before(tmp_path):
    path = tmp_path / "f.c"
    path.write_text(IN_PLACE)
    computation = rb.load(f"{path}:n=40000")
    first = rb.curve(computation, [50]).envelope("upper")
    assert computation.dag.n == computation.sizes.vertices
    assert rb.curve(computation, [50]).envelope("upper") == first
    counted = rb.plan(computation, memory=50)
    assert type(counted).__name__ == "CountedPlan"
    with pytest.raises(InvalidSpecError, match="no list of moves"):
        _ = counted.schedule


def test_the_order_of_a_text_is_compared_with_the_best_at_real_size():
    curve = rb.curve("polybench/gemm:NI=1024,NJ=1024,NK=1024", "32KiB")
    (result,) = curve.as_written
    size = 1024
    assert abs(result.as_written - size**3 - 3 * size**2) <= 4096
    assert result.as_written > 20 * result.best
    assert result.bound <= result.best
    assert curve.to_dict()["as_written"] == [vars(result)]
    assert str(result) in str_of(curve)


def str_of(curve):
    return "\n".join(part for part in curve.shown() if isinstance(part, str))


def test_the_order_of_a_text_is_compared_with_the_best_where_the_dag_is_built():
    curve = rb.curve("polybench/lu:N=12", "8:64:4")
    assert [entry.memory for entry in curve.as_written] == list(curve.memories)
    for entry in curve.as_written:
        assert entry.bound <= entry.best <= entry.best_choice <= entry.as_written
    assert "as written" in str_of(curve)
    assert not rb.curve("fft:n=16", [4]).as_written  # a family has no text


def test_long_orders_are_left_out_and_it_is_said():
    curve = rb.curve("polybench/lu:N=2000", [1000])
    assert not set(PROGRAM_ORDER) & set(curve.methods("upper"))
    assert any("program order" in note for note in curve.notes)
