"""Vertex lines: one canonical text of a DAG."""

import pytest
from hypothesis import given

from dags import FormatError, InvalidDAGError, fft
from dags.formats import read, save
from proofs.files import fingerprint
from tests.strategies import dags

TEXT = "redblue dag 1\n4\n1 0\n2 0\n1 1 0 1\n3 1 2\n"


@given(dags())
def test_all_that_a_bound_sees_is_kept(tmp_path_factory, dag):
    path = tmp_path_factory.mktemp("dags") / "a.cdag"
    save(dag, path)
    repeated = read(path)
    assert fingerprint(repeated) == fingerprint(dag)
    text = path.read_text()
    save(repeated, path)
    assert path.read_text() == text


def test_the_text_is_as_the_page_says(tmp_path):
    path = tmp_path / "a.cdag"
    path.write_text(TEXT)
    dag = read(path)
    assert (dag.words.tolist(), dag.outputs.tolist()) == ([1, 2, 1, 3], [2, 3])
    assert dag.pred_indices.tolist() == [0, 1, 2]
    save(fft(2), path)
    assert path.read_text() == "redblue dag 1\n4\n1 0\n1 0\n1 1 0 1\n1 1 0 1\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "must begin with 'redblue dag 1'"),
        ("redblue dag 2\n0\n", "must begin with 'redblue dag 1'"),
        (TEXT[:-1], "does not end with a line feed"),
        (TEXT.replace("\n4\n", "\n5\n"), "has 4 vertices, but says '5'"),
        (TEXT.replace("\n4\n", "\n04\n"), "has 4 vertices, but says '04'"),
        (TEXT.replace("2 0\n", "2  0\n"), "line 4: a vertex is its words, 0 or 1, and operands"),
        (TEXT.replace("2 0\n", "02 0\n"), "line 4: a vertex is"),
        (TEXT.replace("2 0\n", "2 2\n"), "line 4: a vertex is"),
        (TEXT.replace("3 1 2", "3 0 2"), "line 6: nobody reads this value, and it is no output"),
        (TEXT.replace("2 0\n", f"{2**63} 0\n"), "no 64-bit integer"),
    ],
)
def test_other_texts_are_refused(tmp_path, text, message):
    path = tmp_path / "a.cdag"
    path.write_text(text)
    with pytest.raises(FormatError, match=message):
        read(path)


@pytest.mark.parametrize(
    ("old", "new"),
    [("1 1 0 1", "1 1 1 0"), ("3 1 2", "3 1 3"), ("2 0\n", "0 0\n"), ("1 0\n2", "1 1\n2")],
)
def test_what_is_no_dag_is_refused(tmp_path, old, new):
    path = tmp_path / "a.cdag"
    path.write_text(TEXT.replace(old, new, 1))
    with pytest.raises((FormatError, InvalidDAGError)):
        read(path)
