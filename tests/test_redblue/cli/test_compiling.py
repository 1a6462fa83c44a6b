"""The message about compilation comes once, after a second."""

from types import SimpleNamespace

import pytest
from numba.core.event import Event, EventStatus, broadcast

from redblue.cli import compiling


@pytest.fixture
def clock(monkeypatch):
    """A clock that is set by hand."""
    current = SimpleNamespace(seconds=0.0)
    monkeypatch.setattr(compiling, "time", SimpleNamespace(monotonic=lambda: current.seconds))
    return current


def compile_for(clock, seconds, inner=0):
    """Let a compilation take so long, with others inside."""
    send("START")
    for _ in range(inner):
        compile_for(clock, 0.1)
    clock.seconds += seconds
    send("END")


def send(status):
    broadcast(Event("numba:compile", EventStatus[status], {}))


def test_it_is_said_once_after_a_second(clock):
    messages = []
    with compiling.compilation_announced(messages.append):
        compile_for(clock, 0.3, inner=2)
        clock.seconds += 100
        compile_for(clock, 0.4)
        assert messages == []
        compile_for(clock, 0.2)
        assert messages == [compiling.SENTENCE]
        compile_for(clock, 7)
    compile_for(clock, 7)
    assert messages == [compiling.SENTENCE]
