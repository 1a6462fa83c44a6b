"""Exceptions from outside: Ctrl-C that is noticed, and errors raised in other threads."""

import ctypes
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

left_alone: list[threading.Thread] = []  # threads in compiled code that nobody waits for


@contextmanager
def noticed_interrupts() -> Iterator[Callable[[], bool]]:
    """Yield a function that says whether Ctrl-C was pressed in the block, whoever caught it.

    Only in the main thread; elsewhere there is none to notice, and none in a process that was
    started so as to ignore it, as shells start background processes.
    """
    pressed: list[int] = []

    def note(number: int, frame: FrameType | None) -> None:
        pressed.append(number)
        raise KeyboardInterrupt

    here = threading.current_thread() is threading.main_thread()
    if not here or signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        yield bool
        return
    before = signal.signal(signal.SIGINT, note)
    try:
        yield lambda: bool(pressed)
    finally:
        signal.signal(signal.SIGINT, before)


def interrupt(thread: int, error: type[BaseException]) -> None:
    """Raise `error` in the thread of this number, at its next step of Python."""
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(error))
