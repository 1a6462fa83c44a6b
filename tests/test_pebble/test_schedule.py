"""Schedules as data and as files."""

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dags import RedBlueError
from pebble import InvalidScheduleError, Move, Schedule

PAIRS = st.lists(st.tuples(st.sampled_from(list(Move)[:4]), st.integers(-5, 2**31 - 1)))


@given(PAIRS)
def test_moves_in_moves_out(pairs):
    schedule = Schedule.from_moves(pairs)
    assert list(schedule) == pairs
    assert len(schedule) == len(pairs)
    assert pickle.loads(pickle.dumps(schedule)) == schedule
    assert hash(Schedule.from_moves(pairs)) == hash(schedule)


def test_arrays_are_locked_copies():
    op = np.array([0, 2], np.uint8)
    schedule = Schedule(op, np.array([0, 1], np.int32))
    op[0] = 3
    assert schedule.op.tolist() == [0, 2]
    for array in (schedule.op, schedule.vertex, pickle.loads(pickle.dumps(schedule)).op):
        assert not array.flags.writeable
    with pytest.raises(AttributeError, match="immutable"):
        schedule.op = op


@pytest.mark.parametrize("suffix", [".npz", ".jsonl"])
@pytest.mark.parametrize("pairs", [[], [(Move.LOAD, 0), (Move.COMPUTE, 7), (Move.DELETE, 0)]])
def test_files_keep_it(tmp_path, suffix, pairs):
    schedule = Schedule.from_moves(pairs)
    path = tmp_path / f"play{suffix}"
    schedule.save(path)
    assert Schedule.load(path) == schedule
    assert [entry.name for entry in tmp_path.iterdir()] == [path.name]


@pytest.mark.parametrize(
    ("op", "vertex", "message"),
    [
        ([0, 1], [0], "2 moves for 1 vertices"),
        ([0, 5], [0, 0], "step 1: 5 is the code of no move"),
        ([4], [0], "needs a source"),
        ([[0]], [[0]], "one column"),
        ([0.5], [0], "integers"),
        ([0], [2**31], "vertex must be in"),
    ],
)
def test_what_is_no_schedule(op, vertex, message):
    with pytest.raises(InvalidScheduleError, match=message):
        Schedule(op, vertex)


def test_other_suffixes_are_refused(tmp_path):
    for refuse in (Schedule([], []).save, Schedule.load):
        with pytest.raises(InvalidScheduleError, match=r"npz or \.jsonl"):
            refuse(tmp_path / "play.txt")
    assert not list(tmp_path.iterdir())


def _is_whole_lines(text):
    return not text or text.rstrip(b"\n").endswith(b"]")


@pytest.mark.parametrize("suffix", [".npz", ".jsonl"])
def test_damaged_files_are_refused(tmp_path, suffix):
    path = tmp_path / f"play{suffix}"
    Schedule.from_moves([(Move.LOAD, 0), (Move.STORE, 1)]).save(path)
    full = path.read_bytes()
    for end in range(len(full)):
        path.write_bytes(full[:end])
        if suffix == ".jsonl" and _is_whole_lines(full[:end]):
            assert (
                list(Schedule.load(path))
                == [(Move.LOAD, 0), (Move.STORE, 1)][: len(full[:end].split(b"]")) - 1]
            )
            continue
        with pytest.raises(InvalidScheduleError, match=f"play{suffix}"):
            Schedule.load(path)
    for missing in (tmp_path / f"none{suffix}", tmp_path):
        with pytest.raises(InvalidScheduleError):
            Schedule.load(missing)


def test_a_file_in_a_folder_that_is_not_there_is_one_clear_error(tmp_path):
    with pytest.raises(RedBlueError, match="none"):
        Schedule([], []).save(tmp_path / "none" / "play.npz")


@pytest.mark.parametrize(
    "line", ["[]", "3", '["LOAD"]', '["FLY", 1]', '["LOAD", "x"]', "{", "\x00"]
)
def test_lines_that_are_no_move(tmp_path, line):
    path = tmp_path / "play.jsonl"
    path.write_text(f'["LOAD", 0]\n{line}\n')
    with pytest.raises(InvalidScheduleError, match=r"play\.jsonl: line 2 is no move"):
        Schedule.load(path)


def test_files_that_cannot_be_read_are_told_alike(tmp_path):
    for name, content, message in (
        ("none.npz", None, "No such file"),
        ("text.npz", b"moves", "no NumPy archive"),
        ("folder.npz", "", "."),
    ):
        path = tmp_path / name
        if content == "":
            path.mkdir()
        elif content is not None:
            path.write_bytes(content)
        with pytest.raises(InvalidScheduleError, match=message) as caught:
            Schedule.load(path)
        assert str(path) in str(caught.value)
    with pytest.raises(InvalidScheduleError, match=r"is kept as \.npz"):
        Schedule.load(tmp_path / "play.txt")
