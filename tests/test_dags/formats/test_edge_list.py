import pytest

from dags import FormatError, InvalidDAGError, from_edges, to_networkx
from dags.formats import read, save


def read_text(tmp_path, text, name="a.edges"):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return read(path)


def test_white_space_and_comments(tmp_path):
    dag = read_text(tmp_path, "# c\na\tb  # d\n\n  b   c\r\nalone\n")
    assert set(to_networkx(dag).edges) == {("a", "b"), ("b", "c")}
    assert dag.labels == ("a", "b", "c", "alone")


def test_integers_are_numbered_in_rising_order(tmp_path):
    assert read_text(tmp_path, "2 3\n0 3\n1 2\n") == from_edges(4, [(2, 3), (0, 3), (1, 2)])
    assert read_text(tmp_path, "20 30\n10 20\n").labels == (10, 20, 30)


def test_names_like_007_are_no_integers(tmp_path):
    assert read_text(tmp_path, "7 007\n").labels == (7, "007")


@pytest.mark.parametrize("header", ["", "source,target\n", "From, To\n", "\ufeffsource,target\r\n"])
def test_csv_with_and_without_header(tmp_path, header):
    dag = read_text(tmp_path, f'{header}# c\na, b\n"b","c,""d"""\n\nx,\n', "a.csv")
    assert set(to_networkx(dag).edges) == {("a", "b"), ("b", 'c,"d"')}
    assert dag.labels == ("a", "b", 'c,"d"', "x")


def test_a_header_is_only_the_first_line(tmp_path):
    assert read_text(tmp_path, "a,b\nsource,target\n", "a.csv").n == 4


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.edges", "a b\n\na b c\n", "line 3: holds 3 names; an edge has two"),
        ("a.csv", "a,b\n\na,b,c\n", "line 3: holds 3 names; an edge has two"),
        ("a.csv", "a,b\n,b\n", "line 2: holds an empty name"),
        ("a.csv", "a,b\n,\n", "line 2: holds an empty name"),
        ("a.csv", 'a,b\n"a,b\n', "line 2: unexpected end of data"),
        ("a.csv", 'a,"b"c\n', "line 1: ',' expected after"),
        ("a.csv", "a," + "b" * 200_000, "line 1: field larger than field limit"),
    ],
)
def test_malformed_lines_are_refused(tmp_path, name, text, message):
    with pytest.raises(FormatError, match=message):
        read_text(tmp_path, text, name)


@pytest.mark.parametrize("name", ["a.edges", "a.csv"])
def test_files_that_hold_no_dag_are_refused(tmp_path, name):
    separator = "," if name == "a.csv" else " "
    for text, message in [
        ("", "not 0"),
        ("# nothing\n", "not 0"),
        ("a b\nb a\n", "cycle of 2 vertices"),
        ("a a\n", "vertex a has an edge to itself"),
    ]:
        with pytest.raises(InvalidDAGError, match=message):
            read_text(tmp_path, text if text[:1] == "#" else text.replace(" ", separator), name)


@pytest.mark.parametrize(
    ("name", "label", "message"),
    [
        ("a.edges", "a b", "cannot hold the label 'a b' of vertex 1"),
        ("a.edges", "a#b", "cannot hold the label 'a#b'"),
        ("a.edges", "", "cannot hold the label ''"),
        ("a.csv", " a", "cannot hold the label ' a'"),
        ("a.csv", "a\nb", "cannot hold"),
        ("a.csv", "\ud800", "cannot hold"),
        ("a.csv", "7", "the label '7' of vertex 1 would read back as another name"),
    ],
)
def test_labels_that_would_change_are_refused(tmp_path, name, label, message):
    dag = from_edges(2, [(0, 1)], labels=["x", label])
    with pytest.raises(FormatError, match=message):
        save(dag, tmp_path / name)
    assert list(tmp_path.iterdir()) == []
