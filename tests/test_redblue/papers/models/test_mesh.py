import pytest
from hypothesis import given
from hypothesis import strategies as st

from proofs.laws import LOGARITHM, Law
from redblue.answers.hardware import InvalidMachineError
from redblue.answers.hardware.balance import ProcessingElement, law_memory
from redblue.papers.models import GridProblem, MeshElement, mesh, quality, submesh
from redblue.papers.models.mesh import CUBE_ROOT

ELEMENT = MeshElement(rate=1e10, bandwidth=1e9, memory=2**30, latency=5e-6)
PROBLEM = GridProblem(points=1024, bytes_per_point=8, flops_per_point=100)
PUBLISHED = 5e-6  # the golden values have six significant digits

ELEMENTS = st.builds(
    MeshElement,
    rate=st.floats(1e6, 1e15),
    bandwidth=st.floats(1e5, 1e13),
    memory=st.floats(1e5, 1e12),
    latency=st.one_of(st.just(0.0), st.floats(1e-9, 1e-2)),
)
PROBLEMS = st.builds(
    GridProblem,
    points=st.integers(64, 4096),
    bytes_per_point=st.floats(1, 1000),
    flops_per_point=st.floats(1, 1e5),
    depth=st.integers(1, 3),
)


def test_times_as_published(golden):
    table = golden["models"]["moreira"]
    numbers = table["params"]
    element = MeshElement(numbers["R"], numbers["B"], 2**30, numbers["L"])
    problem = GridProblem(numbers["N"], numbers["k"], numbers["f"], numbers["d"])
    for side, time, overlapped, speedup, efficiency in table["rows"]:
        result = (
            mesh.Mesh(problem, element, side).step_time(),
            mesh.Mesh(problem, element, side).step_time(overlap=True),
            mesh.Mesh(problem, element, side).speedup(),
            mesh.Mesh(problem, element, side).efficiency(),
        )
        assert result == pytest.approx((time, overlapped, speedup, efficiency), rel=PUBLISHED)


def test_the_rest_as_published(golden):
    models = golden["models"]
    crossover = mesh.overlap_crossover(PROBLEM, ELEMENT)
    assert crossover == pytest.approx(models["moreira_overlap_crossover_n"], rel=PUBLISHED)
    row = models["moreira_Phi3"]
    assert quality(ELEMENT) == pytest.approx(row["B=1e9,R=1e10,M=2^30"])
    assert quality(submesh(ELEMENT, 2)) == pytest.approx(row["q=2: B=4e9,R=8e10,M=8*2^30"])
    assert mesh.largest_grid(ELEMENT, 8, 8) == pytest.approx(row["Nmax(P=8,k=8)"])
    ratio = 1 / mesh.full_memory_efficiency(PROBLEM, ELEMENT) - 1
    assert ratio == pytest.approx(row["full-memory comm/calc d k^(4/3)/(f Phi3)"])


def test_time_by_its_definition():
    local = 1024 / 16
    communication, calculation = 5e-6 + 8 * local**2 / 1e9, 100 * local**3 / 1e10
    assert mesh.Mesh(PROBLEM, ELEMENT, 16).step_time() == pytest.approx(communication + calculation)
    longer = max(communication, calculation)
    assert mesh.Mesh(PROBLEM, ELEMENT, 16).step_time(overlap=True) == pytest.approx(longer)


@given(ELEMENTS, PROBLEMS, st.integers(1, 4), st.integers(1, 5))
def test_submeshes_are_equivalent(element, problem, q, side):
    larger = submesh(element, q)
    for overlap in (False, True):
        assert mesh.Mesh(problem, larger, side).step_time(overlap=overlap) == pytest.approx(
            mesh.Mesh(problem, element, side * q).step_time(overlap=overlap), rel=1e-12
        )
    assert larger.memory / larger.rate == pytest.approx(element.memory / element.rate)
    assert larger.bandwidth / larger.rate == pytest.approx(element.bandwidth / element.rate / q)
    assert quality(larger) == pytest.approx(quality(element))
    assert mesh.Mesh(problem, larger, side).fits() == mesh.Mesh(problem, element, side * q).fits()


def test_figure_2():
    """Twice the bytes per flop, an eighth of the memory and rate; half of it, eight times."""
    for factor in (1 / 4, 1 / 2, 2, 4):
        second = submesh(ELEMENT, 1 / factor)
        assert second.bandwidth / second.rate == pytest.approx(0.1 * factor)
        assert second.memory == pytest.approx(2**30 / factor**3)
        assert second.rate == pytest.approx(1e10 / factor**3)


@given(ELEMENTS, PROBLEMS)
def test_overlap_begins_at_the_crossover(element, problem):
    points = mesh.overlap_crossover(problem, element)
    for factor, hidden in ((0.999, False), (1.001, True)):
        local = points * factor
        moved = problem.depth * problem.bytes_per_point * local**2 / element.bandwidth
        computing = problem.flops_per_point * local**3 / element.rate
        assert (computing >= element.latency + moved) == hidden


@given(ELEMENTS, PROBLEMS)
def test_efficiency_with_full_memory(element, problem):
    silent = MeshElement(element.rate, element.bandwidth, element.memory)
    side = 3
    points = mesh.largest_grid(silent, side, problem.bytes_per_point)
    full = GridProblem(points, problem.bytes_per_point, problem.flops_per_point, problem.depth)
    assert mesh.Mesh(full, silent, side).fits()
    assert not mesh.Mesh(full, silent, side * 0.999).fits()
    assert mesh.Mesh(full, silent, side).efficiency() == pytest.approx(
        mesh.full_memory_efficiency(full, silent), rel=1e-9
    )


@given(ELEMENTS, PROBLEMS)
def test_weak_and_strong_scaling(element, problem):
    double = GridProblem(
        2 * problem.points, problem.bytes_per_point, problem.flops_per_point, problem.depth
    )
    assert mesh.Mesh(double, element, 6).step_time() == pytest.approx(
        mesh.Mesh(problem, element, 3).step_time()
    )
    efficiencies = [mesh.Mesh(problem, element, side).efficiency() for side in (1, 2, 4, 8)]
    assert efficiencies == sorted(efficiencies, reverse=True)
    assert efficiencies[0] <= 1  # as printed: (5) counts communication for one element too


LAWS = [Law("power", 1 / d) for d in (1, 2, 3, 4)] + [LOGARITHM]


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.name)
@pytest.mark.parametrize("alpha", [0.5, 1.3, 2])
def test_quality_stays_where_memory_grows_by_the_law(law, alpha):
    memory = law.rebalance(alpha, 1e6)
    old = MeshElement(rate=1e10, bandwidth=1e9, memory=1e6)
    new = MeshElement(rate=alpha * 1e10, bandwidth=1e9, memory=memory)
    assert quality(new, law) == pytest.approx(quality(old, law))


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.name)
def test_quality_one_is_balanced_by_kung(law):
    law = Law(law.kind, law.exponent, coefficient=2.5)
    word = 8
    element = ProcessingElement(compute=30.0, bandwidth=1.0, memory=1)
    memory = law_memory(element, law) * word
    balanced = MeshElement(rate=30.0, bandwidth=1.0 * word, memory=memory)
    assert quality(balanced, law, word_bytes=word) == pytest.approx(1)


def test_qualities_that_the_paper_proposes():
    assert quality(ELEMENT, Law("power", 0.5)) == pytest.approx(0.1 * 2**15)
    assert quality(ELEMENT, LOGARITHM) == pytest.approx(0.1 * 30)
    assert quality(ELEMENT, CUBE_ROOT) == quality(ELEMENT)


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda: MeshElement(1, -1, 1), "bandwidth must be positive and finite, not -1"),
        (lambda: MeshElement(1, 1, 0), "memory must be positive"),
        (lambda: MeshElement(1, 1, 1, -1e-6), "latency must be finite and at least 0"),
        (lambda: GridProblem(0, 8, 100), "points must be positive"),
        (lambda: GridProblem(10, 8, 100, 0), "depth must be positive"),
        (lambda: mesh.Mesh(PROBLEM, ELEMENT, 0).step_time(), "side must be finite and at least 1"),
        (lambda: mesh.Mesh(PROBLEM, ELEMENT, 1025).step_time(), "fewer than the depth 1"),
        (lambda: mesh.largest_grid(ELEMENT, 8, 0), "bytes per point must be positive"),
        (lambda: submesh(ELEMENT, 0), "q must be positive"),
        (lambda: quality(ELEMENT, word_bytes=0), "word bytes must be positive"),
    ],
)
def test_nonsense(ask, message):
    with pytest.raises(InvalidMachineError, match=message):
        ask()
