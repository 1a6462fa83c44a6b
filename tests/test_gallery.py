"""The scripts of the gallery run, and the list of them is whole."""

import runpy
from pathlib import Path

import pytest

GALLERY = Path(__file__).resolve().parents[1] / "docs" / "gallery"
SCRIPTS = sorted(GALLERY.glob("*.py"))


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_it_runs(script, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    runpy.run_path(str(script))
    assert capsys.readouterr().out


def test_the_list_is_whole():
    text = (GALLERY / "README.md").read_text()
    assert len(SCRIPTS) == 5
    assert all(f"[{script.name}]({script.name})" in text for script in SCRIPTS)
