"""Limits of one cell, inside the process that computes it."""

import resource
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

STATM = Path("/proc/self/statm")  # pages of this process, on Linux


class OutOfTimeError(BaseException):
    """A cell's time is over; no Exception, so that no method takes it for its own."""


@contextmanager
def time_limit(seconds: float | None) -> Iterator[None]:
    """Raise OutOfTimeError in the block after so many seconds.

    Only in the main thread, and only between two steps of Python: compiled code is not stopped.
    """
    if seconds is None or threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGALRM, _ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@contextmanager
def memory_limit(size: int | None) -> Iterator[None]:
    """Let allocations in the block fail that go `size` bytes beyond what the process has now.

    Only on Linux; elsewhere nothing is limited.
    """
    if size is None or not STATM.exists():
        yield
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    held = int(STATM.read_text().split()[0]) * resource.getpagesize()
    ends = [held + size, *(end for end in (soft, hard) if end != resource.RLIM_INFINITY)]
    resource.setrlimit(resource.RLIMIT_AS, (min(ends), hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


def _ring(number: int, frame: FrameType | None) -> None:
    raise OutOfTimeError
