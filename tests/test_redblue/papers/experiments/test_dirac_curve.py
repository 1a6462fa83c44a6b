"""The Dirac operator's curve: counts of the engine, in order, and a picture."""

from benchmarks.dirac_curve import dirac_figure
from redblue.papers.experiments.dirac_plays import dirac_curve, resident_point
from schedulers import dirac_plan


def test_points_are_counts_and_fall():
    points = dirac_curve(3, 6, [3000, 66, 200, 700, 3000])
    assert [point.memory for point in points] == [66, 200, 700, 3000]
    local = [point.local_io for point in points]
    assert local == sorted(local, reverse=True)
    assert local[-1] == 120 * 162 == dirac_plan(3, 6).local_io
    assert all(point.neighbour_io == 288 * 54 and point.peak <= point.memory for point in points)


def test_a_play_for_less_memory_is_one_for_more():
    peak = dirac_plan(3, 6).peak
    first, second = dirac_curve(3, 6, [peak, 2 * peak])
    assert (first.local_io, first.tile, first.peak) == (second.local_io, second.tile, second.peak)


def test_what_rests_in_fast_memory_moves_nothing():
    for k, n4, wrap in ((3, 4, True), (3, 7, True), (2, 4, False)):
        point = resident_point(k, n4, wrap=wrap)
        assert (point.local_io, point.neighbour_io) == (0, 288 * k * k * n4)
        assert point.peak == point.memory < 120 * k**3 * n4


def test_the_figure_shows_both_curves():
    points = (*dirac_curve(3, 6, [66, 500, 3000]), resident_point(3, 6))
    axes = dirac_figure(3, 6, points).axes[0]
    labels = [text.get_text() for text in axes.get_legend().get_texts()]
    assert labels == ["theorem 1", "played", "proved, one application"]
    played = axes.lines[1].get_ydata()
    assert [*played[:4]] == [point.local_io / 162 for point in points]
