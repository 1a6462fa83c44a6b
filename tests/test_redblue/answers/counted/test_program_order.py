"""The user's own loops are a row, and no best schedule is worse."""

import redblue as rb
from redblue.answers.counted.program_order import METHODS

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
    played = rb.curve(rb.load(spec).dag, [50, 50_000], schedulers=METHODS, bounds=["compulsory"])
    best = dict(curve.envelope("upper"))
    for method in METHODS:
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
    assert type(rb.plan(computation, memory=50)).__name__ == "CountedPlan"


def test_long_orders_are_left_out():
    curve = rb.curve("polybench/gemm:NI=1000,NJ=1000,NK=1000", [1000])
    assert not set(METHODS) & set(curve.methods("upper"))
