"""Files of compiled kernels: one each, named by all that it is compiled from, and sealed."""

import hashlib
import os
import re
import sys
import time
from contextlib import suppress
from functools import cache
from pathlib import Path

from dags.cdag.files import writing
from dags.errors import FormatError

SHIPPED = Path(__file__).with_name("kernels")  # in wheels: compiled for PORTABLE processors
# What those of the last ten years have in common, as LLVM calls it; some have more.
PORTABLE = "x86-64-v3", "+avx2,+bmi,+bmi2,+f16c,+fma,+lzcnt,+movbe,+popcnt"
DAY, DAYS = 86_400, 30  # seconds; a file that nobody has read for so many days goes
IMPORT = re.compile(r"^from ([\w.]+) import (\([^)]*\)|.*)", re.MULTILINE)


@cache
def sources_of(name: str) -> str:
    """A hash of the source of a module of kernels and of all modules that it is made of.

    It is to be asked for while the module is imported: later changes on disk are not compiled by
    this process. Empty where there is a source that cannot be read.

    Parameters
    ----------
    name
        Name of the module.
    """
    known: dict[str, bytes] = {}
    todo = [name]
    while todo:
        module = todo.pop()
        if module in known:
            continue
        try:
            known[module] = Path(sys.modules[module].__file__ or "").read_bytes()
        except (AttributeError, KeyError, OSError):
            return ""
        todo += _imported(known[module].decode())
    content = [part for module in sorted(known) for part in (module.encode(), known[module])]
    return digest(*map(_hashed, content))


def _imported(source: str) -> list[str]:
    """The modules of kernels that a source imports, with the settings of these."""
    names = [
        name
        for module, inner in IMPORT.findall(source)
        for name in (module, *(f"{module}.{submodule}" for submodule in re.findall(r"\w+", inner)))
    ]
    ours = "dags._numba", "dags.arrays"
    return [
        name
        for name in names
        if name in sys.modules and (name in ours or "_kernels" in name.split("."))
    ]


def digest(*parts: object) -> str:
    """A hash of texts and tuples of texts, as long as the name of a file can take."""
    return _hashed(repr(parts).encode()).hex()[:24]


def _hashed(content: bytes) -> bytes:
    return hashlib.sha256(content).digest()


def read(path: Path) -> bytes | None:
    """The versions that wrote a file; None where it is absent or damaged."""
    try:
        content = path.read_bytes()
    except OSError:
        return None
    with suppress(OSError):  # it may be another's
        if time.time() - path.stat().st_mtime > DAY:
            os.utime(path)
    seal, content = content[:32], content[32:]
    return content if seal == _hashed(content) else None


def write(path: Path, content: bytes) -> None:
    """Write a file whole, whoever else does; nothing where that cannot be."""
    with suppress(OSError, FormatError):
        path.parent.mkdir(parents=True, exist_ok=True)
        drop_unused(path.parent)
        with writing(path) as temporary:
            temporary.write_bytes(_hashed(content) + content)


@cache
def drop_unused(folder: Path) -> None:
    """Remove files of a folder that nobody has read for a month: those of other versions."""
    for path in folder.iterdir():
        with suppress(OSError):
            if time.time() - path.stat().st_mtime > DAYS * DAY:
                path.unlink()
