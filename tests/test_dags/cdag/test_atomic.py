import os

import pytest

from dags import FormatError
from dags.cdag.files import writing


def test_a_file_appears_whole(tmp_path):
    target = tmp_path / "out.npz"
    with writing(target) as temporary:
        temporary.write_text("new")
        assert temporary.parent == tmp_path
        assert temporary.suffix == ".npz"
        assert not target.exists()
    assert [path.name for path in tmp_path.iterdir()] == ["out.npz"]
    assert target.read_text() == "new"


def test_a_failure_leaves_what_was_there(tmp_path):
    target = tmp_path / "out.txt"
    target.write_text("old")

    def fail():
        with writing(target) as temporary:
            temporary.write_text("half")
            raise RuntimeError("in the middle")

    with pytest.raises(RuntimeError, match="in the middle"):
        fail()
    assert [path.name for path in tmp_path.iterdir()] == ["out.txt"]
    assert target.read_text() == "old"


def test_a_new_file_has_ordinary_permissions(tmp_path):
    (tmp_path / "plain").touch()
    with writing(tmp_path / "ours") as temporary:
        temporary.touch()
    assert (tmp_path / "ours").stat().st_mode == (tmp_path / "plain").stat().st_mode


def test_what_cannot_be_written_is_said(tmp_path):
    with (
        pytest.raises(FormatError, match=r"out\.txt: cannot be written: No such file"),
        writing(tmp_path / "missing" / "out.txt") as temporary,
    ):
        temporary.touch()
    (tmp_path / "folder").mkdir()
    for target in (tmp_path / "folder", os.devnull):
        with pytest.raises(FormatError, match="no plain file"), writing(target):
            pass
