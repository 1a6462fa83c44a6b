"""Ctrl-C ends `solve` whoever catches it."""

import signal
from contextlib import suppress

import pytest

import redblue.racing.solving
from dags import fft, load
from pebble import min_memory
from redblue.answers.planning import addresses
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


def test_blocks_inside_each_other_all_notice():
    with noticed_interrupts() as outer:
        with noticed_interrupts() as inner:
            with suppress(KeyboardInterrupt):
                signal.raise_signal(signal.SIGINT)
            assert inner()
        assert outer()
    with noticed_interrupts() as later:
        assert not later()


def test_a_plan_ends_when_the_search_in_it_was_interrupted(monkeypatch):
    """`solve` returns its best after Ctrl-C; the plan then tries no less memory."""
    spec, tried = "random_layered:n=30,max_words=9,seed=4", []
    memory = min_memory(load(spec)) + 6

    def pressed(dag, size, **options):
        tried.append(size)
        with noticed_interrupts():
            try:
                signal.raise_signal(signal.SIGINT)
            except KeyboardInterrupt:
                return solve(dag, size, **{**options, "time_limit": 0.5})

    monkeypatch.setattr(addresses, "solve", pressed)
    monkeypatch.setattr(addresses.PlanSearch, "offer", lambda *_, **options: None)
    with pytest.raises(addresses.NoAddressesError):
        addresses.placed_plan(spec, memory, time_limit=30)
    assert tried == [memory]
