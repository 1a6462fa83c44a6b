"""What the documentation shows, runs."""

import contextlib
import doctest
import importlib
import inspect
import io
import linecache
import pkgutil
import re
import runpy
import shlex
from importlib.util import find_spec
from pathlib import Path

import pytest

from redblue.cli import PACKAGES
from tests.command_line import run_redblue

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("**/*.md"))]
PRINTED = [ROOT / "README.md", ROOT / "docs" / "learn" / "exercises.md"]  # whose outputs are tested
# A page may show a size that makes its point; what it does can be seen on a smaller one, which is
# still larger than those that a curve searches: 2^15 vertices and edges.
SMALLER = {
    "fft:n=65536": "fft:n=2048",
    "fft:n=4096": "fft:n=2048",
    # Of these a curve or a law is played, and nothing searched.
    "matmul:n=48": "matmul:n=32",
    "pyramid:height=80": "pyramid:height=48",
    # Borders of a file get prices at each memory size; tiles of programs are searched for.
    "stencil:shape=16x16,steps=8": "stencil:shape=10x10,steps=5",
    "gemm.c:N=1024": "gemm.c:N=256",
    "cholesky.c:N=24": "cholesky.c:N=12",
    "solver.py:forward:N=24": "solver.py:forward:N=12",
    "polybench/gemm:NI=12,NJ=12,NK=12": "polybench/gemm:NI=8,NJ=8,NK=8",
    "polybench/jacobi-1d:N=64,TSTEPS=32": "polybench/jacobi-1d:N=32,TSTEPS=16",
}
NAMED = re.compile(r"(?:/\* |# )(\w+\.(?:c|csv|py|edges|txt|toml))(?: \*/)?\n")
COMPILING = ["compile"]  # of minutes, and what it runs is tested where it is
# What a page shows of these packages, which an extra installs, is left out where they are not.
EXTRAS = {name: find_spec(name) is not None for name in ("dask", "onnx")}
DONE = {}  # the endings of commands that need no file and leave none: several pages show some
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def blocks(page, language):
    """The code blocks of a page, each with the number of its first line."""
    text = page.read_text()
    for result in BLOCK.finditer(text):
        if result.group(1) == language:
            yield text.count("\n", 0, result.start()) + 2, result.group(2)


def commands(page):
    """The redblue commands of a page with their lines, without what stands around them."""
    for first, block in blocks(page, "console"):
        for number, line in enumerate(block.splitlines(), first):
            if line.startswith("$ "):
                parts = [shlex.split(part, comments=True) for part in line[2:].split("&&")]
                yield from ((number, part[1:]) for part in parts if part[:1] == ["redblue"])


def shortened(arguments):
    """The arguments of a command on smaller members, with no more than a second for searches."""
    limits = {place + 1 for place, argument in enumerate(arguments) if argument == "--time-limit"}
    for place, argument in enumerate(arguments):
        longer = place in limits and float(argument) > 1
        yield "1" if longer else SMALLER.get(argument, argument)


def ended(*arguments):
    """How a command ends, here or on a page before."""
    if arguments not in DONE:
        before = sorted(Path.cwd().iterdir())
        ending = run_redblue(*arguments)
        files = any(Path(argument.partition(":")[0]).exists() for argument in arguments)
        if files or ending.code or before != sorted(Path.cwd().iterdir()):
            return ending
        DONE[arguments] = ending
    return DONE[arguments]


def scripts(page):
    """The files that a page says to run by Python."""
    for _, block in blocks(page, "console"):
        yield from re.findall(r"^\$ python (\w+\.py)$", block, re.MULTILINE)


def wants_absent(text):
    """Whether code imports, or a command reads a file of, a package that is not there."""
    return any(
        re.search(rf"^(?:import|from) {name}\b|\.{name}\b", text, re.MULTILINE)
        for name, is_there in EXTRAS.items()
        if not is_there
    )


def written_files(page, folder):
    """Write the blocks of a page whose first line is a comment with a file's name."""
    for language in ("c", "python", "text"):
        for _, block in blocks(page, language):
            named = NAMED.match(block)
            if named:
                (folder / named[1]).write_text(block)


def name_of(page):
    return str(page.relative_to(ROOT))


def modules():
    for package in PACKAGES:
        yield package
        result = pkgutil.walk_packages(importlib.import_module(package).__path__, f"{package}.")
        yield from (module.name for module in result)


def test_the_readme_shows_both():
    assert list(blocks(ROOT / "README.md", "python"))
    assert list(commands(ROOT / "README.md"))


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_python_blocks_run(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    namespace = {}
    for line, block in blocks(page, "python"):
        if wants_absent(block):
            continue
        code = compile("\n" * (line - 1) + block, page, "exec")
        with contextlib.redirect_stdout(io.StringIO()):
            exec(code, namespace)


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_console_blocks_run(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    written_files(page, tmp_path)
    for name in scripts(page):
        if not wants_absent((tmp_path / name).read_text()):
            runpy.run_path(str(tmp_path / name))
    shared = ROOT.parent / "shared"
    texts = []
    for line, arguments in commands(page):
        if arguments in texts or arguments == COMPILING or wants_absent(" ".join(arguments)):
            continue  # what the page shows a second time was run
        texts.append(arguments)
        if any(argument.startswith("../shared") for argument in arguments):
            if not shared.is_dir():
                continue
            arguments = [argument.replace("../shared", str(shared)) for argument in arguments]
        ending = ended(*shortened(arguments))
        assert ending.code == 0, f"{page.name}, line {line}: {ending.err}"


@pytest.mark.parametrize("page", PRINTED, ids=name_of)
def test_a_page_shows_what_is_printed(page, tmp_path, monkeypatch):
    """Each block of text after commands is their output; "..." stands for what varies.

    A line of "..." stands for any lines.
    """
    monkeypatch.chdir(tmp_path)
    written_files(page, tmp_path)
    shown = re.findall(
        r"^```console\n((?:\$ [^\n]*\n)+)```\n\n```text\n(.*?)^```$",
        page.read_text(),
        re.DOTALL | re.MULTILINE,
    )
    assert shown
    for block, text in shown:
        endings = [ended(*shlex.split(line[2:])[1:]) for line in block.splitlines()]
        printed = "".join(ending.out for ending in endings)
        lines = (re.escape(line).replace(re.escape("..."), ".*") for line in text.splitlines())
        pattern = "\n".join("(?s:.*)" if line == ".*" else line for line in lines)
        assert re.fullmatch(pattern, printed.strip()), printed


@pytest.mark.parametrize("name", sorted(modules()))
def test_docstring_examples_run(name):
    module = importlib.import_module(name)
    source = Path(inspect.getfile(module)).read_text()
    if ">>> " not in source:  # to look for each docstring takes longer
        return
    linecache.clearcache()  # each example would look whether the files of all others have changed
    failed, _ = doctest.testmod(module, report=True)
    assert failed == 0
