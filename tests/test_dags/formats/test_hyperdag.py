import csv

import numpy as np
import pytest

from dags import FormatError, InvalidDAGError, from_edges
from dags.formats import read, save


def read_text(tmp_path, text):
    path = tmp_path / "a.hdag"
    path.write_text(text)
    return read(path)


def test_version_1_with_weights_and_work(tmp_path):
    dag = read_text(tmp_path, "%c\n2 3 4\n0 5\n1 2\n0 0\n1 7\n2 9\n0 0\n0 1\n1 1\n1 2\n")
    assert dag == from_edges(3, [(0, 1), (1, 2)], words=[5, 2, 1], work=[0, 7, 9])


def test_one_stop_parallel_takes_memory_and_work(tmp_path):
    dag = read_text(tmp_path, "1 2 2\n0 8 3\n0 4 1\n1 6 0\n0 0\n0 1\n")
    assert dag == from_edges(2, [(0, 1)], words=[3, 1], work=[4, 6])


def test_types_of_coarse_files_are_no_work(tmp_path):
    text = "1 2 2\n0 % nothing\n1 9 0 3 % an operation\n0 1 0 0 % a source\n0 0 %\n\n0 1\n"
    assert read_text(tmp_path, text) == from_edges(2, [(0, 1)])


def test_hyperedges_of_one_source_are_one_value(tmp_path):
    text = "3 3 6\n0 2\n1 4\n2 3\n0\n1\n2\n0 0\n0 1\n1 0\n1 2\n2 0\n2 1\n"
    assert read_text(tmp_path, text) == from_edges(3, [(0, 1), (0, 2)], words=[4, 1, 1])


def test_pins_need_not_be_grouped_and_ids_not_sorted(tmp_path):
    text = "2 3 4\n1 6\n0 5\n2 22\n0 20\n1 21\n1 1\n0 0\n0 1\n1 2\n"
    dag = read_text(tmp_path, text)
    assert dag == from_edges(3, [(0, 1), (1, 2)], words=[5, 6, 1], work=[20, 21, 22])


def test_a_numbering_that_is_not_topological_is_kept_as_labels(tmp_path):
    dag = read_text(tmp_path, "1 2 2\n0\n0\n1\n0 1\n0 0\n")
    assert dag.labels == (1, 0)


def test_sizes_of_sinks_and_isolated_vertices_survive(tmp_path):
    dag = from_edges(4, [(0, 1)], words=[1, 5, 7, 1])
    save(dag, tmp_path / "b.txt")
    assert read(tmp_path / "b.txt") == dag


def test_windows_line_ends(tmp_path):
    assert read_text(tmp_path, "1 2 2\r\n0 3\r\n0\r\n1\r\n0 0\r\n0 1\r\n").words.tolist() == [3, 1]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no header line 'hyperedges vertices pins'"),
        ("% only\n", "no header line"),
        ("%c\n1 2\n", "line 2: the header must be 'hyperedges vertices pins', not '1 2'"),
        ("1 2 -3\n", "line 1: the header must be"),
        ("a b c\n", "line 1: the header must be"),
        ("1 2 2\n0\n0\n1\n0 0\n", "ends early: the header promises 1 hyperedges, 2 vertices and 2"),
        ("1 2 2\n0\n0\n1\n0 0\n0 1\n0 1\n", "line 7: is left over"),
        ("1 2 2\n0 1 1 1\n0\n1\n0 0\n0 1\n", "line 2: a hyperedge line has 1 to 3 numbers, not 4"),
        ("1 2 2\n0 x\n0\n1\n0 0\n0 1\n", "line 2: a hyperedge line holds 'x'"),
        ("1 2 2\n0\n0 1\n1\n0 0\n0 1\n", "line 4: a vertex line with 1 fields, not 2"),
        ("1 2 2\n0\n0 1\n1 0.5\n0 0\n0 1\n", "line 4: a vertex line holds '0.5'"),
        ("1 2 2\n0\n0\n1\n0 0\n0 1 1\n", "line 6: a pin line with 3 fields, not 2"),
        ("1 2 2\n0\n0\n1\n0 0\n0 1_0\n", "line 6: a pin line holds '1_0'"),
        (f"1 2 2\n0\n0\n1\n0 0\n0 {2**63}\n", f"line 6: a pin line holds '{2**63}'"),
        ("1 2 2\n1\n0\n1\n0 0\n0 1\n", r"line 2: hyperedge 1 is not in 0\.\.0"),
        ("1 2 2\n0\n0\n0\n0 0\n0 1\n", "line 4: vertex 0 is described twice"),
        ("1 2 2\n0\n0\n1\n0 0\n1 1\n", r"line 6: hyperedge 1 is not in 0\.\.0"),
        ("1 2 2\n0\n0\n1\n%c\n0 0\n0 2\n", r"line 7: vertex 2 is not in 0\.\.1"),
        ("2 2 2\n0\n1\n0\n1\n0 0\n0 1\n", "hyperedge 1 has no pin"),
    ],
)
def test_malformed_files_are_refused(tmp_path, text, message):
    with pytest.raises(FormatError, match=message):
        read_text(tmp_path, text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("0 0 0\n", "not 0"),
        ("1 2 2\n0 0\n0\n1\n0 0\n0 1\n", r"a\.hdag: vertex 0 has size 0: at least 1 word"),
        ("1 2 2\n0\n0\n1\n0 0\n0 0\n", "vertex 0 has an edge to itself"),
        ("2 2 4\n0\n1\n0\n1\n0 0\n0 1\n1 1\n1 0\n", "cycle of 2 vertices"),
        ("1 2 2\n0\n0 -1\n1 1\n0 0\n0 1\n", "vertex 0 has work -1"),
    ],
)
def test_files_that_hold_no_dag_are_refused(tmp_path, text, message):
    with pytest.raises(InvalidDAGError, match=message):
        read_text(tmp_path, text)


def test_public_files_have_their_published_sizes(shared, tmp_path):
    with (shared / "data" / "anchors.csv").open() as file:
        rows = {row["instance"]: row for row in csv.DictReader(file)}
    files = sorted((shared / "data").glob("*/*.hdag"))
    assert {f"{path.parent.name}/{path.name}" for path in files} == set(rows)
    for path in files:
        dag = read(path)
        row = rows[f"{path.parent.name}/{path.name}"]
        assert dag.n == int(row["vertices"])
        assert dag.used_inputs.size + dag.outputs.size == int(row["compulsory_io"])
        assert (dag.work is None) == path.name.startswith("coarse_")
        assert dag.words is None
        save(dag, tmp_path / "again.hdag")
        assert read(tmp_path / "again.hdag") == dag


def test_a_public_file_matches_a_plain_reading(shared):
    path = shared / "data" / "hyperdag" / "fine_spmv_N6_nzP0d3.hdag"
    rows = [line.split() for line in path.read_text().splitlines() if not line.startswith("%")]
    hyperedges, vertices, _ = map(int, rows[0])
    source, edges = {}, set()
    for hyperedge, vertex in rows[1 + hyperedges + vertices :]:
        if hyperedge in source:
            edges.add((source[hyperedge], int(vertex)))
        else:
            source[hyperedge] = int(vertex)
    work = [int(row[1]) for row in rows[1 + hyperedges : 1 + hyperedges + vertices]]
    assert read(path) == from_edges(vertices, np.array(sorted(edges)), work=work)
