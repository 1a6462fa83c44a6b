"""Work that is done again: as little as there can be, told, and with a price."""

import json
from heapq import heappop, heappush

import pytest

import redblue as rb
from dags import CDAG, InvalidSpecError
from dags.formats import save
from pebble import RULES, Schedule, compulsory_words, computed_again, judge, min_memory
from redblue.answers.prices import again_phrase
from redblue.racing.solving import solve
from tests.command_line import run_redblue
from tests.training import MIB, training_step

AGAIN = RULES["recompute"]


def least_words_then_work(dag: CDAG, memory: int) -> tuple[int, int]:
    """The fewest words of any play, and with them the fewest computations."""
    rows = [dag.pred_indices[a:b].tolist() for a, b in zip(*_ends(dag), strict=True)]
    words, outputs = dag.sizes.tolist(), frozenset(dag.outputs.tolist())
    start = (frozenset[int](), frozenset(dag.inputs.tolist()))
    best = {start: (0, 0)}
    queue = [((0, 0), 0, start)]
    while queue:
        cost, _, (red, blue) = heappop(queue)
        if outputs <= blue:
            return cost
        if cost > best[red, blue]:
            continue
        io, computes = cost
        room = memory - sum(words[v] for v in red)
        following = {}
        for v in range(dag.n):
            if v in red:
                following[red - {v}, blue] = cost
                following[red, blue | {v}] = (io + words[v], computes)
            elif words[v] <= room:
                if v in blue:
                    following[red | {v}, blue] = (io + words[v], computes)
                if rows[v] and red.issuperset(rows[v]):
                    following[red | {v}, blue] = (io, computes + 1)
        for state, price in following.items():
            if price < best.get(state, (price[0] + 1, 0)):
                best[state] = price
                heappush(queue, (price, len(best), state))
    raise AssertionError("no play")


def _ends(dag: CDAG) -> tuple[list[int], list[int]]:
    return dag.pred_indptr[:-1].tolist(), dag.pred_indptr[1:].tolist()


@pytest.mark.parametrize(
    ("layers", "seed", "extra"), [(3, None, 0), (3, 2, 1), (4, None, 0), (4, 1, 1), (4, 3, 0)]
)
def test_no_play_of_as_many_words_does_less_work(layers, seed, extra):
    dag = training_step(layers, seed=seed)
    memory = min_memory(dag) + extra * MIB
    solution = solve(dag, memory, rules=AGAIN, time_limit=20)
    count = judge(dag, solution.schedule, memory, rules=AGAIN)
    assert (count.io, count.computes) == least_words_then_work(dag, memory)
    assert solution.status == "optimal"


def test_what_is_computed_again_is_told():
    dag = training_step(24)
    solution = solve(dag, 6 * MIB, rules=AGAIN, time_limit=20)
    assert solution.status == "optimal"
    repeated = computed_again(dag, judge(dag, solution.schedule, 6 * MIB, rules=AGAIN))
    assert solution.again == repeated
    assert 0 < repeated.values < 2 * 24
    assert repeated.operations == 10 * repeated.values  # the loss, of one operation, is needed once
    assert repeated.once == 24 * 20 + 1
    assert solution.to_dict()["again"]["share"] == pytest.approx(repeated.operations / 481)
    assert f"{repeated.operations} operations" in again_phrase(repeated, 0, 0)
    assert "1,000.5 words with their price" in again_phrase(repeated, 900, 1000.5)
    assert again_phrase(solve(dag, 26 * MIB, time_limit=5).again, 0, 0) == ""


def test_a_price_is_paid_in_words():
    dag = training_step(12)
    memory = 4 * MIB
    answers = [
        solve(dag, memory, rules=AGAIN, price_of_work=price, time_limit=5)
        for price in (0.0, MIB / 20, 10 * MIB)
    ]
    for price, answer in zip((0.0, MIB / 20, 10 * MIB), answers, strict=True):
        count = judge(dag, answer.schedule, memory, rules=AGAIN)
        assert answer.cost == count.io + price * answer.again.operations
        assert all(
            answer.cost <= second.count.io + price * second.again.operations + 1e-6
            for second in answers
        )
    assert answers[0].again.values > answers[1].again.values > answers[2].again.values == 0
    assert answers[0].count.io < answers[2].count.io


def test_a_price_takes_rules_that_compute_again():
    with pytest.raises(InvalidSpecError, match="no value is recomputed"):
        rb.solve("fft:n=8", 4, price_of_work=1.0)
    ending = run_redblue("solve", "fft:n=8", "--memory", 4, "--rules", "one-shot:price=1")
    assert (ending.code, "no value is recomputed" in ending.sentence) == (2, True)
    ending = run_redblue("solve", "fft:n=8", "--memory", 4, "--rules", "recompute:price=inf")
    assert ending.code == 2


def test_the_command_tells_it(tmp_path):
    dag, file, out = training_step(12), tmp_path / "step.json", tmp_path / "play.npz"
    save(dag, file)
    asked = ("solve", file, "--memory", 5 * MIB, "--rules", "recompute", "--time-limit", 60)
    assert "values recomputed" in run_redblue(*asked).out
    record = json.loads(run_redblue(*asked, "--json", "--out", out).out)
    count = judge(dag, Schedule.load(out), 5 * MIB, rules=AGAIN)
    assert record["again"]["values"] == count.recomputes
    assert record["cost"] == count.io


def test_a_curve_has_the_price_in_all_its_points():
    dag, sizes = training_step(12), [4 * MIB, 6 * MIB, 14 * MIB]
    free, dear = (
        rb.io_curve(dag, sizes, rules=AGAIN, effort="normal", price_of_work=price)
        for price in (0.0, 10.0 * MIB)
    )
    assert dict(free.envelope("upper"))[4 * MIB] == compulsory_words(dag)
    assert all(row.again == 0 for row in dear.rows if row.method == "best" and row.kind == "upper")
    for row in free.rows:
        if (row.method, row.kind) == ("best", "upper"):
            words = dict(dear.envelope("upper"))[row.memory]
            assert words <= row.io + 10 * MIB * row.again
            assert words >= row.io
            assert (row.again > 0) == (row.memory < 14 * MIB)
    assert free.to_dict()["price_of_work"] == 0
    assert "again" in free.to_csv().splitlines()[0]
    once = rb.io_curve(dag, sizes[-1:], effort="quick")
    assert "price_of_work" not in once.to_dict()
    assert "again" not in once.to_csv()


def test_commands_that_take_a_price(tmp_path):
    file = tmp_path / "step.json"
    save(training_step(6), file)
    game = ("--effort", "normal", "--memory", 4 * MIB, "--rules")
    for command in (("curve",), ("curve", "--compare")):
        record = json.loads(run_redblue(*command, file, *game, "recompute:price=7", "--json").out)
        best = [row for row in record["rows"] if (row["method"], row["kind"]) == ("best", "upper")]
        assert record["price_of_work"] == 7
        assert [row["cost"] for row in best] == [row["io"] + 7 * row["again"] for row in best]
        refused = run_redblue(*command, file, *game, "one-shot:price=7")
        assert (refused.code, "needs 'recompute'" in refused.sentence) == (2, True)
    shown = run_redblue("curve", file, *game, "recompute:price=7").out
    assert "7 words an operation" in shown
    assert "operations recomputed" in shown
    together = ("solve", "fft:n=8", "--memory", 4, "--processors", 2, "--rules")
    assert "one processor" in run_redblue(*together, "recompute:price=7").sentence


def test_a_machine_has_seconds_for_what_is_computed_again(tmp_path):
    file = tmp_path / "step.json"
    save(training_step(6), file)
    asked = ("solve", file, "--memory", 4 * MIB, "--rules", "recompute:machine=a100")
    record = json.loads(run_redblue(*asked, "--json").out)
    assert record["again"]["operations"] > 0
    assert record["machine_seconds"] == pytest.approx(record["again"]["operations"] / 9.7e12)
    assert "operations a second (fp64)" in run_redblue(*asked).out
    assert run_redblue(*asked[:-1], "nothing").code == 2
