"""Golden answers: what the product says is what is kept (`python -m tests.golden --write`)."""

from itertools import islice

import pytest

from tests.golden import files
from tests.golden.subjects import SUBJECTS


@pytest.mark.parametrize("name", SUBJECTS)
def test_answers_are_as_they_were(name):
    result = files.differences(files.kept(name), dict(SUBJECTS[name]()))
    assert list(islice(result, files.MOST)) == []


def test_differences_are_told_place_by_place():
    before = {"a": [1, {"b": 2}], "c": 3, "e": [1]}
    current = {"a": [1, {"b": 4}], "d": 3, "e": [1, 2]}
    assert list(files.differences(before, current)) == [
        "/a/1/b: was 2, is 4",
        "/c: is gone",
        "/d: is new",
        "/e: was [1], is [1, 2]",
    ]


def test_what_is_written_is_read_and_reads_well(tmp_path, monkeypatch):
    monkeypatch.setattr(files, "FOLDER", tmp_path)
    answers = {"long": [list(range(30)), {"k": list(range(50))}], "short": {"b": 1, "a": None}}
    for name in ("plain.json", "packed.json.gz"):
        files.keep(name, answers)
        assert files.kept(name) == answers
        first = (tmp_path / name).read_bytes()
        files.keep(name, answers)
        assert (tmp_path / name).read_bytes() == first
    lines = (tmp_path / "plain.json").read_text().splitlines()
    assert ' "short": {"a": null, "b": 1}' in lines
    assert max(map(len, lines)) < 250


def test_what_depends_on_the_machine_is_left_out():
    row = {"io": 3, "seconds": 0.1, "rows": ({"loading": 1, "kind": "upper"},)}
    assert files.stripped(row) == {"io": 3, "rows": [{"kind": "upper"}]}
