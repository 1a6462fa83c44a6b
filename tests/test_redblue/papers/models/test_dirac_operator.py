"""The Dirac operator's counts against the operator itself, its DAG and its plays."""

import numpy as np
import pytest

from dags import dirac
from pebble import Rules, play
from redblue.answers.hardware.validation import InvalidMachineError
from redblue.papers.models import dirac_operator as counts
from schedulers import dirac_plan
from schedulers.families.dirac import dirac_schedule
from schedulers.families.dirac_choice import best_dirac_play
from schedulers.families.dirac_plans import theorem_io


def test_counts_as_the_paper_has_them():
    assert (counts.SITE_FLOPS, counts.SITE_FLOPS_UNSCALED) == (2328, 2304)
    assert (counts.SITE_WORDS, counts.FACE_WORDS, counts.CUT_WORDS) == (120, 288, 66)
    assert 19 < counts.SITE_FLOPS / counts.SITE_WORDS < 20


def test_counts_of_a_site_by_its_matrices():
    """Equation (7), entry by entry: 6 flop a complex product, 2 a complex sum."""
    link, spinor = np.zeros((3, 3), complex), np.zeros((3, 4), complex)
    flops = 2 * spinor.size  # K real
    for _ in range(8):
        for _ in spinor.flat:
            flops += 6 * link.shape[1] + 2 * (link.shape[1] - 1)
        flops += 2 * spinor.size
    assert flops == counts.SITE_FLOPS
    words = {"psi": 2 * spinor.size, "phi": 2 * spinor.size, "links": 4 * 2 * link.size}
    assert sum(words.values()) == counts.SITE_WORDS


@pytest.mark.parametrize(("k", "n4"), [(2, 3), (3, 6), (4, 8)])
def test_the_dag_counts_the_same(k, n4):
    """The work and the words of a play are what the model says, on both links."""
    n = k**3 * n4
    played = best_dirac_play(k, n4, int(counts.medium_memory(k)))
    count = play(
        played.dag, played.play.blocks(), counts.medium_memory(k), rules=Rules(sliding=True)
    )
    assert count.work == counts.SITE_FLOPS * n
    assert count.channels[0].io == counts.SITE_WORDS * n == counts.large_memory(k, n4)
    assert count.channels[1].io == counts.neighbour_words(k, n4)


@pytest.mark.parametrize("s", [1, 2, 4])
def test_a_cut_costs_66_words_a_link(s):
    k, n4 = 4, 8
    plan = dirac_plan(k, n4, regime="B-reflected", s=s)
    dag = dirac(**plan.params)
    count = play(dag, dirac_schedule(dag), plan.peak, rules=Rules(sliding=True))
    expected = (counts.SITE_WORDS + counts.CUT_WORDS / s) * k**3 * n4
    assert count.channels[0].io == expected


@pytest.mark.parametrize(("k", "n4"), [(1, 4), (3, 6), (4, 8), (8, 16)])
def test_local_words_are_the_theorems(k, n4):
    corners = [counts.small_memory(k, s) for s in range(1, k + 1)]
    corners += [counts.medium_memory(k), counts.large_memory(k, n4)]
    for corner in corners:
        for memory in (corner - 1, corner, corner + 1):
            promised = theorem_io(k, n4, memory)
            result = counts.local_words(k, n4, memory)
            assert result == (None if promised is None else pytest.approx(float(promised)))


def test_local_words_of_a_part_of_a_site():
    """k of a chip is a real number; s is whole and at most k."""
    memory = counts.small_memory(2.5, 2.4)
    assert counts.local_words(2.5, 128, memory) == pytest.approx(
        (120 + 33) * 2.5**3 * 128 + 132 * 2.5**2
    )
    assert counts.local_words(0.9, 128, counts.small_memory(0.9, 1)) is None


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda: counts.sites(0, 8), "k must be positive"),
        (lambda: counts.neighbour_words(4, -8), "n4 must be positive"),
        (lambda: counts.medium_memory(-1), "k must be positive"),
        (lambda: counts.small_memory(4, 0), "s must be positive"),
        (lambda: counts.local_words(4, 8, -1), "memory must be finite and at least 0"),
    ],
)
def test_nonsense(ask, message):
    with pytest.raises(InvalidMachineError, match=message):
        ask()
