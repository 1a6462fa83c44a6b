"""``redblue play``: a page of the best play, or of one's own, whole or not at all."""

import json

import pytest

from dags import fft
from schedulers import scheduler_named
from tests.command_line import run_redblue
from tests.test_redblue.show.player.play_states import data_of


def test_on_the_command_line(tmp_path):
    out = tmp_path / "player.html"
    ending = run_redblue(
        "play", "fft:n=4", "--memory", 4, "--out", out, "--time-limit", 60, "--json"
    )
    assert (ending.code, ending.err) == (0, f"wrote {out}\n")
    facts = json.loads(ending.out)
    assert (facts["io"], facts["lower_bound"], facts["status"]) == (11, 11, "optimal")
    data = data_of(out.read_text())
    assert len(data["steps"]) == facts["moves"]
    assert data["loads"][-1] + data["stores"][-1] == 11
    assert [path.name for path in tmp_path.iterdir()] == ["player.html"]


def test_a_schedule_of_ones_own(tmp_path):
    saved, out = tmp_path / "mine.jsonl", tmp_path / "player.html"
    moves_of_lru = scheduler_named("lru")(fft(4), 3)
    moves_of_lru.save(saved)
    command = ("play", "fft:n=4", "--memory", 3, "--out", out, "--time-limit", 0.5)
    ending = run_redblue(*command, "--scheduler", saved)
    assert ending.code == 0
    assert "mine.jsonl" in ending.out
    assert "(mine.jsonl)" in out.read_text()
    data = data_of(out.read_text())
    assert [tuple(step) for step in data["steps"]] == [(int(m), v) for m, v in moves_of_lru]
    by_name = run_redblue(*command, "--scheduler", "lru")
    assert "natural+lru" in by_name.out
    assert data_of(out.read_text()) == data


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["fft:n=256", "--memory", "8"], "the player shows up to 400 vertices"),
        (["fft:n=4", "--memory", "2"], "2 words of fast memory are too few"),
        (["fft:n=4", "--memory", "1"], "1 word of fast memory is too few"),
        (["fft:n=4", "--memory", "4", "--time-limit", "0"], "the time limit must be more than 0"),
        (["fft:n=4", "--memory", "4", "--scheduler", "none"], "no scheduler is called 'none'"),
        (["fft:n=4", "--memory", "4", "--scheduler", "a.npz"], "a.npz: No such file"),
        (
            ["fft:n=4", "--memory", "4", "--schedule", "a.npz", "--scheduler", "lru"],
            "one schedule is shown: --scheduler takes one name or file",
        ),
    ],
)
def test_refusals(arguments, sentence, tmp_path):
    out = tmp_path / "player.html"
    ending = run_redblue("play", *arguments, "--out", out)
    assert ending.code == 2
    assert ending.sentence.startswith(sentence)
    assert not out.exists()


def test_an_illegal_file_leaves_no_page(tmp_path):
    saved, out = tmp_path / "bad.jsonl", tmp_path / "player.html"
    saved.write_text('["STORE", 4]\n')
    ending = run_redblue("play", "fft:n=4", "--memory", 4, "--out", out, "--scheduler", saved)
    assert ending.code == 2
    assert ending.sentence.startswith("step 0, STORE 4")
    assert not out.exists()
