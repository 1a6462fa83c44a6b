"""A Dask cluster on this machine: processes that talk over TCP, as on any cluster."""

import json
import os
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PATIENCE = 120


@contextmanager
def process(module, *arguments):
    """A process of Dask's, ended with its children when the block ends."""
    path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    command = [sys.executable, "-m", f"distributed.cli.{module}", "--no-dashboard", *arguments]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    child = subprocess.Popen(command, env={**os.environ, "PYTHONPATH": path}, **quiet)
    try:
        yield child
    finally:
        child.terminate()  # a nanny takes its worker with it
        try:
            child.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()


@contextmanager
def scheduler(folder):
    """The address of a scheduler."""
    file = folder / "scheduler.json"
    arguments = ["--host", "127.0.0.1", "--port", "0", "--scheduler-file", str(file)]
    with process("dask_scheduler", *arguments) as child:
        end = time.monotonic() + PATIENCE
        while not file.exists() or not file.read_text().endswith("}"):
            assert child.poll() is None
            assert time.monotonic() < end
            time.sleep(0.05)
        yield json.loads(file.read_text())["address"]


def worker(address, folder):
    """A worker process with one thread, and the nanny that starts it again."""
    options = ["--nthreads", "1", "--host", "127.0.0.1", "--local-directory", str(folder)]
    return process("dask_worker", address, *options)
