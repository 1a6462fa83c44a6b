"""CPU seconds of the tests by file, and how much of them Numba compiles.

    python -m pytest -p benchmarks.suite_seconds                           one process
    python -m pytest -n auto --dist worksteal -p benchmarks.suite_seconds  a process for each core

Set NUMBA_CACHE_DIR to an empty folder to begin cold, and to the same one again to go on warm. CPU
seconds are those of a test and of the processes that it has waited for, so that a machine shared
with others tells the same; the seconds of compilation are part of them.
"""

import resource
import time
from collections import defaultdict

import pytest
from numba.core import event

SECONDS: dict[str, list[float]] = defaultdict(lambda: [0, 0.0, 0.0])  # tests, CPU, compilation


class Compilation(event.Listener):
    """Adds up the CPU seconds of compilations that are not part of another."""

    def __init__(self) -> None:
        self.depth, self.began, self.seconds = 0, 0.0, 0.0

    def on_start(self, event: event.Event) -> None:
        if not self.depth:
            self.began = time.thread_time()
        self.depth += 1

    def on_end(self, event: event.Event) -> None:
        self.depth -= 1
        if not self.depth:
            self.seconds += time.thread_time() - self.began


COMPILATION = Compilation()
event.register("numba:compile", COMPILATION)


def cpu() -> float:
    """The CPU seconds of this process and of those that it has waited for."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item):
    began, compiled = cpu(), COMPILATION.seconds
    ending = yield
    add({item.nodeid.partition("::")[0]: [1, cpu() - began, COMPILATION.seconds - compiled]})
    return ending


def add(seconds):
    for file, numbers in seconds.items():
        SECONDS[file] = [a + b for a, b in zip(SECONDS[file], numbers, strict=True)]


def pytest_sessionfinish(session):
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["seconds"] = dict(SECONDS)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node):
    add(getattr(node, "workeroutput", {}).get("seconds", {}))


def pytest_terminal_summary(terminalreporter):
    rows = sorted(SECONDS.items(), key=lambda row: -row[1][1])
    total = [sum(column) for column in zip(*SECONDS.values(), strict=True)]
    terminalreporter.write_line("| file | tests | CPU s | compiling | rest |")
    terminalreporter.write_line("|---|---|---|---|---|")
    for file, (tests, seconds, compiling) in [("all", total), *rows] if rows else []:
        remaining = seconds - compiling
        terminalreporter.write_line(
            f"| {file} | {tests:.0f} | {seconds:.1f} | {compiling:.1f} | {remaining:.1f} |"
        )
