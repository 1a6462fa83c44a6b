import pytest
from hypothesis import given
from hypothesis import strategies as st

from redblue.answers.hardware import InvalidMachineError
from redblue.papers.models import Pipeline

STEPS = st.lists(
    st.tuples(st.integers(0, 20), st.integers(0, 20), st.integers(0, 20)), min_size=1, max_size=12
).filter(lambda steps: any(compute for _, compute, _ in steps))


def simulated_end(load, compute, store):
    """When all is done, by going through the events: who waits for what.

    Step i computes when its data are there; while it does, the agent stores what step i - 1 made
    and loads for step i + 1, one after the other; then the next step begins.
    """
    n, current = len(load), 0
    current += load[0]
    for i in range(n):
        agent = current
        if i > 0:
            agent += store[i - 1]
        if i + 1 < n:
            agent += load[i + 1]
        current = max(current + compute[i], agent)
    return current + store[-1]


@given(STEPS)
def test_the_total_time_is_that_of_a_simulation(steps):
    load, compute, store = zip(*steps, strict=True)
    pipeline = Pipeline(load, compute, store)
    assert pipeline.cycles == simulated_end(load, compute, store)
    assert pipeline.emcr == pytest.approx(pipeline.cycles / sum(compute) - 1)
    assert pipeline.effective_latencies.shape == (len(load) + 2,)
    assert pipeline.emcr_printed <= pipeline.emcr


@given(STEPS)
def test_the_definition_of_f(steps):
    load, compute, store = zip(*steps, strict=True)
    n = len(load)

    def d(x, y):
        return max(0, y - x)

    def f(i):
        if i == n + 2:
            return d(0, store[n - 1])
        if i == n + 1:
            return d(compute[n - 1], store[n - 2] if n > 1 else 0)
        if i == 1:
            return d(0, load[0])
        return d(compute[i - 2], load[i - 1] + (store[i - 3] if i > 2 else 0))

    latencies = Pipeline(load, compute, store).effective_latencies
    assert latencies.tolist() == [f(i) for i in range(1, n + 3)]


def test_the_published_example(golden):
    row = golden["models"]["manycore_f_example"]
    pipeline = Pipeline(row["TM"], row["TC"], row["TS"])
    assert pipeline.effective_latencies.tolist() == row["f(1..n+2)"]
    assert pipeline.cycles == row["T_total"]
    assert (pipeline.mcr, pipeline.emcr_printed, pipeline.emcr) == (
        row["MCR"],
        row["EMCR_printed"],
        row["EMCR_full"],
    )


def test_stalls_count_in_both_halves():
    with_stalls = Pipeline([1, 1], [4, 4], [0, 2], stalls=[1, 2])
    without = Pipeline([1, 1], [4, 4], [0, 2])
    assert with_stalls.cycles == without.cycles
    assert with_stalls.emcr == without.emcr + 3 / 8


@pytest.mark.parametrize(
    ("steps", "message"),
    [
        (([1], [1, 2], [1, 2]), r"\[1, 2, 2, 2\] loads"),
        (([], [], []), r"\[0, 0, 0, 0\] loads"),
        (([1], [0], [1]), "must compute"),
        (([1], [2], [1], [3]), "stall no longer"),
        (([-1], [2], [1]), "not negative"),
        (([1], [float("nan")], [1]), "finite"),
        (([[1]], [2], [1]), "one number a step"),
    ],
)
def test_no_pipeline(steps, message):
    with pytest.raises(InvalidMachineError, match=message):
        Pipeline(*steps)
