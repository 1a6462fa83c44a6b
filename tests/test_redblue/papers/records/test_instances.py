"""The instances of a leaderboard, and the cell that solves one."""

import csv

import pytest

from dags import InvalidSpecError, UnknownNameError, load
from pebble import ONE_SHOT, min_memory
from redblue.papers.records import Standings, cases_of, measure
from redblue.papers.records.instances import FAMILIES, PROGRAMS


def test_published_cases_are_those_that_others_were_measured_on(shared):
    with (shared / "data" / "anchors.csv").open() as file:
        anchors = {(row["instance"], int(row["memory"])) for row in csv.DictReader(file)}
    result = cases_of(["public"], shared / "data", ONE_SHOT)
    assert {(f"{case.instance}.hdag", case.memory) for case in result} == anchors


@pytest.mark.parametrize("spec", [spec for spec in FAMILIES if "65536" not in spec])
def test_families_can_be_played_with_their_memories(spec):
    assert min_memory(load(spec)) <= min(FAMILIES[spec])


@pytest.mark.parametrize("spec", PROGRAMS)
def test_programs_can_be_played_with_their_memories(spec):
    assert min_memory(load(spec)) <= min(PROGRAMS[spec])


def test_filters_and_what_they_leave(tmp_path):
    result = cases_of(
        ["families"], tmp_path, ONE_SHOT, instances=["fft*"], memories=lambda size: size == 64
    )
    assert [case.instance for case in result] == ["fft:n=1024", "fft:n=65536"]
    with pytest.raises(InvalidSpecError, match="no instance"):
        cases_of(["families"], tmp_path, ONE_SHOT, instances=["sonnet"])
    with pytest.raises(InvalidSpecError, match="no published"):
        cases_of(["public"], tmp_path, ONE_SHOT)
    with pytest.raises(UnknownNameError, match="suite"):
        cases_of(["all"], tmp_path, ONE_SHOT)


def test_a_case_is_solved_replayed_and_checked(shared):
    cases = cases_of(["public"], shared / "data", ONE_SHOT, instances=["ER_N10"])
    standings = Standings(cases)
    measure(standings, seconds=5, keep=True)
    assert [row.io for row in standings.rows] == [row.bound for row in standings.rows]
    assert standings.means()["all"] == (len(cases), 1.0)
    assert len(standings.witnesses) == len(cases)
