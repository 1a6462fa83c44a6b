"""Pages of the site that are made when it is built: the reference, and the gallery as it runs.

MkDocs calls `on_files` (`mkdocs.yml`). Everything comes of the product itself: signatures and
docstrings, the options of commands, the tables that list families and methods.
"""

import io
import json
import os
import re
import runpy
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress
from html import escape
from inspect import cleandoc, signature
from pathlib import Path
from typing import Any
from unittest.mock import patch

from formulas import display, in_sentences
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

DOCS = Path(__file__).resolve().parents[1]
DISPLAY = re.compile(r"(?<=\n\n)(?: {4}[^\n]+\n)+")
GALLERY = ("kernel_engineer", "memory_planner", "theorist", "teacher", "chip_architect")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that are made now."""
    for name, made in PAGES.items():
        files.append(File.generated(config, f"reference/{name}.md", content=made()))
    files.append(File.generated(config, "exercises/players.html", content=exercises()))
    for name in GALLERY:
        for uri, content in gallery(name):
            files.append(File.generated(config, uri, content=content))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Add to each theorem its premises, and the functions of the checker that see to them."""
    if not page.file.src_uri.startswith("theory/"):
        return markdown
    return re.sub(
        r"^## ([A-Z][0-9]+)\. .*$",
        lambda heading: f"{heading[0]}\n{premises_of(heading[1])}",
        with_displays(markdown),
        flags=re.MULTILINE,
    )


def on_page_content(html: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Keep options on one line, since a browser breaks after a hyphen, and typeset formulas."""
    html = re.sub(r"<code>(--[a-z][^<\n]{,38}</code>)", r'<code class="option">\1', html)
    html = re.sub(r"<code>([^<\n]+ --[a-z][^<\n]*)</code>", with_options, html)
    html = re.sub(r"latex([0-9a-f]+)end", typeset, html)
    return in_sentences(html) if page.file.src_uri.startswith("theory/") else html


def with_options(code: re.Match[str]) -> str:
    """A command in a sentence or a table, whose options break nowhere."""
    command = re.sub(r"--[a-z][a-z-]*", r'<span class="option">\g<0></span>', code[1])
    return f"<code>{command}</code>"


def with_displays(markdown: str) -> str:
    """A page with its indented lines as words, in which Markdown sees no mark-up."""
    return DISPLAY.sub(
        lambda block: re.sub(
            r"^ {4}( *)(.*)$",
            lambda line: f"{line[1]}latex{display(line[2].rstrip()).encode().hex()}end",
            block[0],
            flags=re.MULTILINE,
        ),
        markdown,
    )


def typeset(match: re.Match[str]) -> str:
    """A display as MathML, which a browser shows without fetching anything."""
    from latex2mathml.converter import convert

    latex = " ".join(bytes.fromhex(match[1]).decode().split())
    markup: str = convert(latex, display="block")
    return markup.replace("<math ", f'<math title="{escape(latex)}" ', 1)


def premises_of(theorem: str) -> str:
    """A folded table of what a theorem supposes; nothing if no certificate rests on it."""
    page = (DOCS / "theory" / "premises.md").read_text()
    rows = re.findall(rf"^\| {theorem} \| (.+) \| (`[^`]+`) \|$", page, re.MULTILINE)
    if not rows:
        return ""
    lines = table(("premise", "checked by"), rows).splitlines()
    return "\n".join(('??? note "Premises"', "", *(f"    {line}" for line in lines), ""))


def exercises() -> str:
    """The page of small DAGs that a reader pebbles by hand."""
    from redblue.show.player import exercises_page

    return exercises_page()


def first_line(thing: object) -> str:
    """The first line of a docstring."""
    return (thing.__doc__ or "").strip().splitlines()[0] if thing.__doc__ else ""


def table(head: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    """A table of Markdown."""
    titles = list(head)
    lines = [titles, ["---"] * len(titles), *rows]
    return "\n".join(f"| {' | '.join(cell(each) for each in line)} |" for line in lines)


def cell(value: object) -> str:
    """What stands in a cell of a table."""
    return " ".join(str(value).split()).replace("|", "\\|")


def api() -> str:
    """The page of all names of ``import redblue``."""
    import redblue

    functions = [each for each in sorted(redblue.__all__) if each[0].islower()]
    types = [each for each in sorted(redblue.__all__) if each[0].isupper() and not each.isupper()]
    parts = ["# Python", cleandoc(redblue.__doc__ or "").replace("``", "`")]
    for title, names in (("Functions", functions), ("Types", types)):
        parts.append(f"## {title}")
        for name in names:
            thing = getattr(redblue, name)
            options = "\n    options:\n      heading_level: 3"
            parts.append(f"::: {thing.__module__}.{thing.__qualname__}{options}")
    return "\n\n".join(parts)


def commands() -> str:
    """The page of all commands with their arguments and options."""
    from redblue.cli import command

    return "\n\n".join(("# Command line", *described("redblue", command())))


def described(name: str, command: Any) -> Iterator[str]:
    """Yield what a page says of a command, and of those that it holds."""
    if hasattr(command, "commands"):
        for each, inner in sorted(command.commands.items()):
            yield from described(f"{name} {each}", inner)
        return
    yield f"## `{name}`"
    yield cleandoc(command.help or "")
    rows = [
        (f"`{spelled(each)}`", each.help or "")
        for each in command.params
        if each.name != "help" and not each.hidden
    ]
    if rows:
        yield table(("argument", "says"), rows)


def spelled(parameter: Any) -> str:
    """How an option or an argument of a command is written."""
    if parameter.opts[0].startswith("-"):
        return " ".join((*parameter.opts, *parameter.secondary_opts))
    return parameter.metavar or parameter.name.upper()


def families() -> str:
    """The page of the families of DAGs."""
    from dags.families import FAMILIES

    rows = (
        (
            f"`{name}`",
            first_line(family.make),
            f"`{name}:{family.example}`",
            f"`{signature(family.make)}`".replace(" -> dags.cdag.CDAG", ""),
        )
        for name, family in sorted(FAMILIES.items())
    )
    return "# Families\n\n" + table(("family", "is", "example", "parameters"), rows)


def methods() -> str:
    """The page of bounds, schedulers, orders and evictions."""
    from proofs import BOUNDS
    from schedulers import EVICTIONS, ORDERS, SCHEDULERS

    own = {name: each for name, each in SCHEDULERS.items() if "+" not in name}
    parts = ["# Methods"]
    for title, some in (
        ("Lower bounds", BOUNDS),
        ("Schedulers", own),
        ("Orders", ORDERS),
        ("Evictions", EVICTIONS),
    ):
        rows = ((f"`{name}`", first_line(each)) for name, each in sorted(some.items()))
        parts += [f"## {title}", table(("name", "is"), rows)]
    parts.append("A scheduler is also an order and an eviction, `depth-first+belady`.")
    return "\n\n".join(parts)


def experiments() -> str:
    """The page of the papers' experiments and of the machines."""
    from redblue import EXPERIMENTS, MACHINES

    rows = ((f"`{name}`", first_line(each)) for name, each in EXPERIMENTS.items())
    machines = ((f"`{name}`", each.title) for name, each in MACHINES.items())
    return "\n\n".join(
        (
            "# Experiments and machines",
            table(("experiment", "asks"), rows),
            table(("machine", "is"), machines),
        )
    )


EXAMPLES = (
    "dags",
    "dag fft:n=8",
    "curve fft:n=8 --memory 4:8 --effort quick",
    "curve fft:n=8 --memory 4,6 --compare --effort quick",
    "plan fft:n=4 --io-at-most 11",
    "solve fft:n=4 --memory 4 --out play.npz --certificate proof.json",
    "bound fft:n=4 --memory 4",
    "check fft:n=4 play.npz --memory 4",
    "check fft:n=4 proof.json",
    "law matvec:n=16",
    "law polybench/gemm",
    "levels fft:n=8 --memory 4,8",
    "solve fft:n=4 --memory 3 --processors 2",
    "machine balance --dag fft:n=8 --machine H100",
    "play fft:n=4 --memory 4 --time-limit 2 --out page.html",
    "report fft:n=4 --memory 4 --effort quick",
)
KINDS = {
    "bool": "truth value",
    "float": "number",
    "int": "number",
    "NoneType": "null",
    "str": "text",
}
LONGEST = 60  # characters of an example


def json_pages() -> str:
    """The page of what `--json` prints: each key of an example of each command."""
    parts = [
        "# What `--json` prints",
        "One object on standard output, made here by the command that stands above it. Keys are "
        "kept between releases, and new ones may come; `[]` are the entries of a list, all of one "
        "kind. What a command cannot know is `null`.",
    ]
    with in_a_new_folder():
        for line in EXAMPLES:
            rows = [
                (f"`{key}`", kind, example and f"`{example[:LONGEST]}`")
                for key, kind, example in keys("", answered(line))
            ]
            parts += [f"## `redblue {line} --json`", table(("key", "is", "for example"), rows)]
    return "\n\n".join(parts)


def answered(line: str) -> Any:
    """What a command prints with `--json`."""
    from redblue.cli import run

    out = io.StringIO()
    with (
        patch.object(sys, "argv", ["redblue", *line.split(), "--json"]),
        redirect_stdout(out),
        redirect_stderr(io.StringIO()),
        suppress(SystemExit),
    ):
        run()
    return json.loads(out.getvalue())


def keys(name: str, value: Any) -> Iterator[tuple[str, str, str]]:
    """Yield the keys below a value with their kinds, and one value of each that is no container."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from keys(f"{name}.{key}".lstrip("."), inner)
    elif isinstance(value, list) and value and isinstance(value[0], dict | list):
        yield from keys(f"{name}[]", value[0])
    elif isinstance(value, list):
        yield name, "list", json.dumps(value)
    else:
        shown = "" if value is None else json.dumps(value).replace("`", "'")
        yield name, KINDS[type(value).__name__], shown


@contextmanager
def in_a_new_folder() -> Iterator[Path]:
    """Work in a new folder, which goes at the end."""
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            yield Path(folder)
        finally:
            os.chdir(before)


PAGES: dict[str, Callable[[], str]] = {
    "api": api,
    "commands": commands,
    "json": json_pages,
    "families": families,
    "methods": methods,
    "experiments": experiments,
}


def gallery(name: str) -> Iterator[tuple[str, str | bytes]]:
    """Yield the page of a script of the gallery, run now, and the pictures that it makes."""
    script = DOCS / "gallery" / f"{name}.py"
    text = script.read_text()
    question = text.split('"""')[1]
    code = text.split('"""', 2)[2].strip()
    out = io.StringIO()
    with in_a_new_folder() as folder:
        with redirect_stdout(out):
            runpy.run_path(str(script))
        pictures = sorted(folder.glob("*.svg"))
        for each in pictures:
            yield f"gallery/{each.name}", each.read_bytes()
    title, _, asked = question.partition(": ")
    shown = "\n\n".join(f"![{asked}]({each.name})" for each in pictures)
    yield (
        f"gallery/{name}.md",
        f"# {title}\n\n{asked[:1].upper()}{asked[1:]}\n\n```python\n{code}\n```\n\nIt prints:\n\n"
        f"```text\n{out.getvalue().rstrip()}\n```\n\n{shown}\n",
    )
