import gc
import os
import shutil
import signal
import sys
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# Workers share the cores: a product of small matrices by threads that wait for each other costs
# several times its work. Read when NumPy is imported, after this file.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# Each worker, and each of the processes that tests start, would otherwise compile the same sources
# and rewrite the same assertions where the environment keeps Python from writing bytecode: half of
# the time of a collection.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# What tests write lives for a moment. A file that takes the place of another waits for the disk,
# many times as long as in memory, so files go there where the system has a folder for that.
MEMORY = Path("/dev/shm")
ROOM = 4 << 30  # bytes that it has left at least; a run leaves some millions there
if (
    os.access(MEMORY, os.R_OK | os.W_OK | os.X_OK)
    and shutil.disk_usage(MEMORY).free > ROOM
    and not os.statvfs(MEMORY).f_flag & os.ST_NOEXEC
):
    os.environ.setdefault("TMPDIR", str(MEMORY))
    tempfile.tempdir = None  # found anew by whoever asks next

# Shells start what runs in the background so as to ignore Ctrl-C, which tests press.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# A first JIT call takes seconds, which is neither a slow example nor a slow strategy.
settings.register_profile(
    "default", deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile(
    "ci", settings.get_profile("default"), derandomize=True, database=None, print_blob=True
)
settings.load_profile("ci" if os.environ.get("CI", "").lower() == "true" else "default")


gc.disable()  # until all is collected, which stays


def backwards():
    """Whether this is every other one of several workers.

    It then collects the last files first: what modules compile when they are imported, kernels and
    their own bytecode, the workers compile each a half of, where both would compile all of it.
    """
    return int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")) % 2 == 1


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector):
    report = yield
    if isinstance(collector, pytest.Directory) and backwards():
        report.result.reverse()
    return report


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Put the items into one order for all workers, of whichever order they were collected in."""
    if "PYTEST_XDIST_WORKER" in os.environ:
        items.sort(key=lambda item: item.path.parts)


def pytest_collection_finish():
    """Let the garbage collector pass over what was collected, and come after many allocations."""
    gc.freeze()
    gc.set_threshold(200_000, 20, 50)
    gc.enable()


@pytest.fixture(scope="session")
def shared() -> Path:
    """Return the folder of public DAGs and reference results beside the project, or skip."""
    folder = Path(__file__).resolve().parents[2] / "shared"
    if not folder.is_dir():
        pytest.skip("the shared data folder is not beside the project")
    return folder


def pytest_terminal_summary(terminalreporter):
    """Count the tests that are marked slow, and what they take of the time of all."""
    calls = [
        report
        for reports in terminalreporter.stats.values()
        for report in reports
        if getattr(report, "when", None) == "call"
    ]
    slow = [report for report in calls if "slow" in report.keywords]
    if slow:
        of_all = sum(report.duration for report in calls)
        seconds = sum(report.duration for report in slow)
        terminalreporter.write_line(
            f"{len(slow)} slow tests of {len(calls)} took {seconds:.0f} of {of_all:.0f} seconds"
        )
