"""Ctrl-C ends `solve` whoever catches it."""

import signal

import redblue.racing.solving
from dags import fft
from redblue.limits.interrupts import noticed_interrupts
from redblue.racing.solving import solve


def test_a_search_that_catches_ctrl_c_is_the_last_stage(monkeypatch):
    stages = []

    def interrupted(race, *arguments):
        stages.append("exact")
        try:
            signal.raise_signal(signal.SIGINT)
        except KeyboardInterrupt:  # as the exact search does, which returns what it has
            return

    def went_on(*arguments):
        stages.append("went on")

    monkeypatch.setattr(redblue.racing.solving, "_exactly", interrupted)
    for later in ("_improve", "_prove", "_side_by_side"):
        monkeypatch.setattr(redblue.racing.solving, later, went_on)
    before = signal.getsignal(signal.SIGINT)
    solution = solve(fft(8), 5, time_limit=60)
    assert stages == ["exact"]
    assert solution.status == "feasible"
    assert signal.getsignal(signal.SIGINT) is before


def test_what_is_not_pressed_is_not_noticed():
    with noticed_interrupts() as pressed:
        assert not pressed()


def test_a_process_that_ignores_ctrl_c_goes_on_ignoring_it():
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with noticed_interrupts() as pressed:
            signal.raise_signal(signal.SIGINT)
            assert not pressed()
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)
