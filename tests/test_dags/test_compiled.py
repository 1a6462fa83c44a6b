"""Compiled kernels are found by all that they are made of, and by nothing less."""

import os
import subprocess
import sys
import time
from pathlib import Path
from threading import Thread

import pytest
from numba import config
from numba.core.registry import cpu_target

from dags import _kernels, _numba
from dags.compiled import DAY, DAYS, PORTABLE, read, write

ROOT = Path(__file__).resolve().parents[2]
NAME, FEATURES = PORTABLE

OUTER = """
from room._kernels.inner import part
from dags._numba import kernel

@kernel
def whole(x):
    return part(x) + 1
"""
INNER = """
from dags._numba import inner_kernel

@inner_kernel
def part(x):
    return {factor} * x
"""
# What a kernel returns, and how many were compiled for that.
CALL = """
from pathlib import Path
from sys import argv
from types import SimpleNamespace
from dags import _kernels, _numba
from dags.interpreted import compiled_at_once
from room._kernels.outer import whole
_numba.SHIPPED = Path(argv[1])
compiled = []
with compiled_at_once(), _numba.compilations(SimpleNamespace(on_start=compiled.append, on_end=id)):
    print(whole(5), len(compiled))
"""


@pytest.fixture
def call(tmp_path):
    """A call, in a process of its own, of a kernel that multiplies by way of another one."""
    folder = tmp_path / "room" / "_kernels"
    folder.mkdir(parents=True)
    (folder / "outer.py").write_text(OUTER)

    def run(factor, cache="cache", **settings):
        (folder / "inner.py").write_text(INNER.format(factor=factor))
        environment = os.environ | settings
        environment["NUMBA_CACHE_DIR"] = str(tmp_path / cache)
        environment["PYTHONPATH"] = os.pathsep.join([str(tmp_path), str(ROOT)])
        environment["PYTHONDONTWRITEBYTECODE"] = "1"
        command = [sys.executable, "-c", CALL, tmp_path / "shipped" / "kernels"]
        ending = subprocess.run(command, env=environment, stdout=subprocess.PIPE, check=True)
        return ending.stdout.decode().strip()

    return run


def test_a_kernel_is_compiled_again_when_one_that_it_calls_from_another_file_has_changed(call):
    assert [call(2), call(3), call(2)] == ["11 2", "16 2", "11 0"]


def test_kernels_for_many_processors_are_used_where_this_one_has_all_that_they_need(call):
    built = call(2, "shipped", NUMBA_CPU_NAME=NAME, NUMBA_CPU_FEATURES=FEATURES)
    assert built == "11 2"
    assert call(2) == ("11 0" if has_all_features() else "11 2")
    assert call(2, NUMBA_ENABLE_AVX="0") == "11 2"


def has_all_features():
    _, _, features = cpu_target.target_context.codegen().magic_tuple()
    return set(FEATURES.split(",")) <= set(features.split(","))


def test_where_nothing_can_be_kept_kernels_are_compiled(call, tmp_path):
    (tmp_path / "file").touch()
    assert [call(2, "file"), call(2, "file")] == ["11 2", "11 2"]


def path_of(cache):
    return cache.paths("", cpu_target.target_context.codegen())[0]


@pytest.mark.parametrize("setting", ["OPT", "BOUNDSCHECK", "DEBUGINFO_DEFAULT"])
def test_settings_and_versions_are_part_of_the_name(monkeypatch, setting):
    cache = _numba.KernelCache(_kernels.check_rows.py_func)
    before = path_of(cache)
    with monkeypatch.context() as patch:
        patch.setattr(config, setting, 7)
        assert path_of(cache).name != before.name
    for i in range(3):
        second = [*_numba.COMPILER]
        second[i] += ".1"
        with monkeypatch.context() as patch:
            patch.setattr(_numba, "COMPILER", tuple(second))
            assert path_of(cache).name != before.name
    assert path_of(cache) == before


def test_a_file_that_is_damaged_is_as_good_as_none(tmp_path):
    path = tmp_path / "new" / "a"
    assert read(path) is None
    write(path, b"whole")
    content = path.read_bytes()
    assert read(path) == b"whole"
    for damaged in (b"", content[:-1], content[:10], content + b"x", b"\0" + content[1:]):
        path.write_bytes(damaged)
        assert read(path) is None
    write(path, b"whole")
    assert read(path) == b"whole"


def test_two_that_write_and_one_that_reads_the_same_file(tmp_path):
    path = tmp_path / "a"
    contents = {bytes([i]) * 50_000 for i in range(2)}
    writers = [
        Thread(target=lambda entry=content: [write(path, entry) for _ in range(50)])
        for content in contents
    ]
    write(path, min(contents))
    for writer in writers:
        writer.start()
    while any(writer.is_alive() for writer in writers):
        assert read(path) in contents
    assert os.listdir(tmp_path) == ["a"]


def test_what_nobody_has_read_for_a_month_goes(tmp_path):
    for name, days in (("read", DAYS - 1), ("unread", DAYS - 1), ("old", DAYS + 1)):
        (tmp_path / "kernels" / name).parent.mkdir(exist_ok=True)
        write(tmp_path / name, b"x")
        (tmp_path / name).rename(tmp_path / "kernels" / name)
        later = time.time() - days * DAY
        os.utime(tmp_path / "kernels" / name, (later, later))
    read(tmp_path / "kernels" / "read")
    write(tmp_path / "kernels" / "new", b"x")
    assert sorted(os.listdir(tmp_path / "kernels")) == ["new", "read", "unread"]
    assert time.time() - (tmp_path / "kernels" / "read").stat().st_mtime < DAY
