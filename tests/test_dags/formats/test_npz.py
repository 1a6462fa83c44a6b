import json

import numpy as np
import pytest

from dags import FormatError, InvalidDAGError, from_edges
from dags.formats import read, save


@pytest.fixture
def arrays(tmp_path):
    save(from_edges(3, [(0, 1), (1, 2)], labels=["a", "é", 7]), tmp_path / "a.npz")
    with np.load(tmp_path / "a.npz") as archive:
        return dict(archive)


def write(tmp_path, arrays):
    np.savez(tmp_path / "a.npz", **arrays)
    return tmp_path / "a.npz"


def test_compressed_archives_are_read(tmp_path, arrays):
    np.savez_compressed(tmp_path / "a.npz", **arrays)
    assert read(tmp_path / "a.npz").labels == ("a", "é", 7)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format": np.array("other")}, "no archive of format 'redblue-dag'"),
        ({"version": np.array(2)}, "has version 2; this reads 1"),
        ({"labels": np.array([1], np.uint8)}, "labels that are no JSON text"),
        ({"labels": np.frombuffer(b'{"a": 1}', np.uint8)}, "no list of strings and integers"),
        ({"labels": np.frombuffer(b"[1, 2, [3]]", np.uint8)}, "no list of strings"),
        ({"words": np.array([1, [2], 3], object)}, "no NumPy archive, or a damaged one"),
    ],
)
def test_archives_of_another_kind_are_refused(tmp_path, arrays, change, message):
    path = write(tmp_path, arrays | change)
    with pytest.raises(FormatError, match=message):
        read(path)


@pytest.mark.parametrize("name", ["format", "version", "pred_indptr", "pred_indices"])
def test_missing_arrays_are_refused(tmp_path, arrays, name):
    del arrays[name]
    with pytest.raises(FormatError, match=r"no array|no archive|version None"):
        read(write(tmp_path, arrays))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"pred_indices": np.array([0, 2])}, "vertex 2 has an edge to itself"),
        ({"words": np.array([1.0, 2.0, 3.0])}, "words must hold integers"),
        ({"labels": np.frombuffer(json.dumps(["a"]).encode(), np.uint8)}, "labels has 1 entries"),
        ({"outputs": np.array(1)}, "outputs must have one dimension"),
    ],
)
def test_arrays_that_are_no_dag_are_refused(tmp_path, arrays, change, message):
    with pytest.raises(InvalidDAGError, match=rf"a\.npz: .*{message}"):
        read(write(tmp_path, arrays | change))


def test_a_single_array_is_refused(tmp_path):
    with (tmp_path / "a.npz").open("wb") as file:
        np.save(file, np.arange(3))
    with pytest.raises(FormatError, match="no NumPy archive"):
        read(tmp_path / "a.npz")
