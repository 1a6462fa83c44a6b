"""`rb.place` and ``redblue place``: files in and out, refusals, and pictures."""

import csv
import json

import numpy as np
import pytest

import redblue as rb
from dags.errors import ArgumentError, FormatError
from pebble.placement import Buffer, IllegalPlacementError, InvalidBufferError, judge_placement
from redblue.answers.placing.buffer_files import buffers_csv, read_buffers
from tests.command_line import run_redblue

# the example of MiniMalloc's authors: five buffers of four, twelve live at once
LINES = "id,lower,upper,size\nb1,0,3,4\nb2,3,9,4\nb3,0,9,4\nb4,9,21,4\nb5,0,21,4\n"


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "buffers.csv"
    path.write_text(LINES)
    return path


def test_intervals_are_files_rows_arrays_names_and_buffers(file):
    rows = [(0, 3, 4), (3, 9, 4), (0, 9, 4), (9, 21, 4), (0, 21, 4)]
    names = [f"b{place}" for place in range(1, 6)]
    buffers = [Buffer(name, *row) for name, row in zip(names, rows, strict=True)]
    placed = rb.place(file, 12)
    assert placed.status == "optimal"
    assert judge_placement(buffers, placed.offsets, 12) == 12
    for intervals in (rows, np.array(rows), dict(zip(names, rows, strict=True)), buffers):
        assert rb.place(intervals, "12B").offsets == placed.offsets


def test_the_least_capacity_is_found_and_proved(file):
    placed = rb.place(file)
    assert (placed.height, placed.bound, placed.status) == (12, 12, "optimal")
    assert rb.place(file, alignment=8).height == 20
    assert rb.place([]).height == 0


def test_what_has_no_placement_says_why(file):
    placed = rb.place(file, 11)
    assert (placed.offsets, placed.status, placed.bound) == (None, "impossible", 12)
    assert "no less than 12 is enough, by the live load" in placed.shown()[0]
    assert "not proved" in rb.place(file, 12, work=1).shown()[0]


def test_a_file_goes_in_and_out_with_its_offsets(file, tmp_path):
    out = tmp_path / "placed.csv"
    ending = run_redblue("place", file, "--capacity", "12", "--out", out)
    assert ending.code == 0
    with out.open() as lines:
        rows = list(csv.DictReader(lines))
    assert [row["id"] for row in rows] == ["b1", "b2", "b3", "b4", "b5"]
    placed = read_buffers(out)
    offsets = [int(row["offset"]) for row in rows]
    assert [b.offset for b in placed] == offsets
    assert judge_placement(placed, offsets, 12) == 12
    record = json.loads(run_redblue("place", out, "--json").out)
    assert record["offsets"] == offsets
    aligned = [Buffer("a", 0, 1, 5, 4, 8), Buffer("b", 0, 1, 5, 2)]
    out.write_text(buffers_csv(aligned, None))
    assert list(read_buffers(out)) == aligned


@pytest.mark.parametrize(
    ("lines", "sentence"),
    [
        ("a,0,3,4,0\nb,1,3,4,2\n", "buffers a, at 0 to 4, and b, at 2 to 6, overlap"),
        ("a,3,1,4,\n", "line 2: buffer a ends at 1, which is not after 3, where it begins"),
        ("a,0,1,0,\n", "line 2: buffer a has size 0: sizes are 1 to 2^62"),
        (f"a,0,1,{2**62},\n", "buffer a of 4,611,686,018,427,387,904 is larger than the memory"),
        ("a,0,1,99,\n", "buffer a of 99 is larger than the memory of 20"),
        ("a,0,1,4,18\n", "buffer a at 18 ends at 22, in memory of 20"),
        ("a,0,1,x,\n", "line 2: size is no whole number: 'x'"),
        ("a,0,1,\u0664,\n", "line 2: size is no whole number"),
        ("a,0,1\n", "line 2: size is no whole number: ''"),
    ],
)
def test_bad_buffers_are_refused_in_a_sentence(tmp_path, lines, sentence):
    path = tmp_path / "bad.csv"
    path.write_text("id,lower,upper,size,offset\n" + lines, encoding="utf-8")
    ending = run_redblue("place", path, "--capacity", "20")
    assert ending.code == 2
    assert sentence in ending.sentence


def test_comments_are_passed_over(file):
    file.write_text(f"# five buffers\n\n{LINES}# the end\n")
    assert rb.place(file, 12).height == 12
    file.write_text(f"# five buffers\n{LINES}a,0,1,0\n")
    with pytest.raises(FormatError, match="line 8: buffer a has size 0"):
        rb.place(file)


def test_files_that_are_none_are_refused(tmp_path):
    path = tmp_path / "other.csv"
    path.write_text("id,lower,upper\na,0,1\n")
    with pytest.raises(FormatError, match="has no column size"):
        rb.place(path)
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(FormatError, match="is no CSV"):
        rb.place(path)


@pytest.mark.parametrize("rows", [7, [(0, 1)], [("a", 1, 2)], [(0, 1, 2.5)], [(0, None, 1)]])
def test_rows_that_are_none_are_refused(rows):
    with pytest.raises(ArgumentError):
        rb.place(rows, 8)


def test_errors_of_the_placement_reach_the_caller():
    with pytest.raises(InvalidBufferError):
        rb.place([(1, 1, 1)], 8)
    with pytest.raises(IllegalPlacementError):
        rb.place([(0, 2, 4, 1, 0), (0, 2, 4, 1, 2)], 8)
    with pytest.raises(InvalidBufferError, match="at most 2\\^62 can be placed"):
        rb.place([(0, 1, 2**62), (0, 1, 1)])
    with pytest.raises(ArgumentError, match="alignment must be at least 1"):
        rb.place([(0, 1, 1)], 8, alignment=0)


def test_exit_codes_say_how_it_ended(file):
    assert run_redblue("place", file, "--capacity", "11", "--json").code == 3
    assert run_redblue("place", file, "--capacity", "12", "--json").code == 0


@pytest.mark.parametrize("suffix", [".png", ".svg", ".json"])
def test_a_picture_and_the_answer_are_written(file, tmp_path, suffix):
    out = tmp_path / f"plan{suffix}"
    assert run_redblue("place", file, "--out", out).code == 0
    content = out.read_bytes()
    assert content.startswith({".png": b"\x89PNG", ".svg": b"<?xml", ".json": b"{"}[suffix])


def test_other_files_are_refused(file, tmp_path):
    ending = run_redblue("place", file, "--out", tmp_path / "plan.doc")
    assert "its name ends in none of .csv .json .png .svg .pdf" in ending.sentence
