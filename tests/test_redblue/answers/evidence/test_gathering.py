"""Evidence on a DAG: plays that the engine counts, bounds that the checker accepts."""

import pytest

from pebble import ONE_SHOT, play, rules_named
from proofs import check, load_bound
from redblue.answers.evidence import gather, save_evidence
from redblue.answers.results import BEST
from tests.oracles import optimum


@pytest.fixture(scope="module")
def pyramid():
    return gather("pyramid:height=3", [2, 3, 4, 5, 6], effort="normal")


def test_points_are_played_and_proved(pyramid):
    assert [point.memory for point in pyramid.points] == [3, 4, 5, 6]  # 2 words are too few
    for point in pyramid.points:
        assert point.bound.io <= optimum(pyramid.dag, point.memory, ONE_SHOT) <= point.io
        check(pyramid.dag, point.bound.memory, point.bound)
        assert point.bound.memory >= point.memory >= point.upper.memory
        assert play(pyramid.dag, pyramid.moves(point), point.memory).io == point.io


def test_no_effort_is_worse_than_the_methods_without_search(pyramid):
    points = {point.memory: point for point in pyramid.points}
    best = [row for row in pyramid.curve.rows if row.method == BEST and row.memory in points]
    assert len(best) == 2 * len(points)
    for row in best:
        point = points[row.memory]
        better = point.io <= row.io if row.kind == "upper" else point.bound.io >= row.io
        assert better, row


def test_files_are_checked_without_the_report(pyramid, tmp_path):
    written = save_evidence(pyramid, tmp_path)
    certificates = [path for path in written if path.suffix == ".json"]
    assert len(certificates) == len(pyramid.bounds)
    for path in certificates:
        bound = load_bound(path, pyramid.dag)
        assert path.stem == f"M{bound.memory}"
        check(pyramid.dag, bound.memory, bound)
    assert {path.suffix for path in written} == {".json", ".npz"}


def test_rules_travel():
    rules = rules_named("recompute-sliding")
    result = gather("pyramid:height=2", [3], rules=rules, effort="quick")
    assert result.points[0].bound.rules == result.rules == rules
