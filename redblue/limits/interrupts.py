"""Exceptions from outside: Ctrl-C that is noticed, and errors raised in other threads."""

import ctypes
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, Final, TypeVar

T = TypeVar("T")
LEAVE: Final = 0.25  # seconds in which interrupted work may return what it has
_noticing: list[list[int]] = []  # of the blocks that are open: a press is noticed by all
left_alone: list[threading.Thread] = []  # threads in compiled code that nobody waits for


@contextmanager
def noticed_interrupts() -> Iterator[Callable[[], bool]]:
    """Yield a function that says whether Ctrl-C was pressed in the block, whoever caught it.

    Only in the main thread; elsewhere there is none to notice, and none in a process that was
    started so as to ignore it, as shells start background processes.
    """
    pressed: list[int] = []

    def note(number: int, frame: FrameType | None) -> None:
        for outer in _noticing:
            outer.append(number)
        raise KeyboardInterrupt

    is_main = threading.current_thread() is threading.main_thread()
    if not is_main or signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        yield bool
        return
    before = signal.signal(signal.SIGINT, note)
    _noticing.append(pressed)
    try:
        yield lambda: bool(pressed)
    finally:
        _noticing.pop()
        signal.signal(signal.SIGINT, before)


def interrupt(thread: int, error: type[BaseException]) -> None:
    """Raise `error` in the thread of this number, at its next step of Python."""
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(error))


def end_thread(thread: threading.Thread, finished: threading.Event) -> None:
    """Interrupt the work of a thread, and leave it alone if it does not end soon."""
    interrupt(thread.ident or 0, KeyboardInterrupt)
    if not finished.wait(LEAVE):
        left_alone.append(thread)


def into(work: Callable[[], T], outcome: dict[str, Any], finished: threading.Event) -> None:
    """Put the result of `work`, or its error, into `outcome`.

    Parameters
    ----------
    work
        Called on this thread.
    found, done
        Get a "value" or an "error", and are told.
    """
    try:
        try:
            outcome["value"] = work()
        except BaseException as error:
            outcome["error"] = error
        finally:
            finished.set()
    except KeyboardInterrupt:  # it came when the work had just ended
        finished.set()
