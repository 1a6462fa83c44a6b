"""The command line, one file a command; ``redblue`` runs `main`."""

import gc
import os
import re
import sys
from collections.abc import Callable
from functools import cache
from importlib.util import find_spec
from inspect import cleandoc
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer
from typer.main import get_command

from redblue.cli import (
    bound_command,
    check_command,
    compile_command,
    console,
    curve_command,
    dag_command,
    emit_command,
    law_command,
    levels_command,
    listings,
    machine,
    place_command,
    plan_command,
    play_command,
    report_command,
    solve_command,
    store_command,
)
from redblue.cli.commands import HELP, add_offered, of_papers
from redblue.cli.commands import command as made_of
from redblue.cli.console import fail
from redblue.cli.refusals import refusal
from redblue.cli.watch import leave
from redblue.show.answer import Answer
from redblue.version import __version__

INTERRUPTED = 130
COMPLETING = "_REDBLUE_COMPLETE"  # a shell asks what a word may become
COLLECTIONS = 50_000, 20, 50  # thresholds: with Python's own, compiling takes a tenth longer
PACKAGES = ("dags", "pebble", "proofs", "redblue", "schedulers")

QUESTIONS = {  # `docs/index.md` asks them at greater length
    "What is the least I/O?": "solve fft:n=8 --memory 6",
    "I/O at every memory size?": "curve fft:n=64",
    "What memory do I need?": "plan fft:n=8",
    "A lower bound to cite?": "bound fft:n=8 --memory 6 --certificate a.json",
    "Is the certificate valid?": "check fft:n=8 a.json",
    "Tiled C code?": "emit polybench/lu:N=99 --memory 400",
    "A formula for all sizes?": "law polybench/gemm",
    "I/O-bound on my machine?": "machine balance --dag fft:n=8 --machine H100",
    "Which scheduler is best?": "curve fft:n=64 --memory 8:64 --compare",
    "I/O in a cache hierarchy?": "levels fft:n=64 --memory 8,64",
    "Several processors?": "solve fft:n=8 --memory 6 --processors 4",
    "A schedule, move by move?": "play fft:n=8 --memory 6 --out play.html",
    "All of this on one page?": "report fft:n=8",
}
PAPERS = ("gap", "many-core", "mesh", "density", "qcd", "dirac", "split")
RENAMED = {  # names that go with the next release, and what they are called now
    "programs": "dags",
    "verify": "check",
    "compare": "curve --compare",
    "gap": "papers gap",
    **{f"machine {name}": f"papers {name}" for name in PAPERS[1:]},
}
OPTIONS = {("levels", "--memories"): "--memory"}  # likewise, of a command
IN_SPECS = {  # likewise, of all with a SPEC
    "--word-bytes": "word=N",
    "--words": "words=COLUMN",
    "--tile": "tile=N",
    "--family": "family=SPEC",
    "--no-recognise": "recognise=no",
}
COMMANDS: dict[str, Callable[..., Answer]] = {
    "dags": listings.dags,
    "dag": dag_command.dag,
    "curve": curve_command.curve,
    "solve": solve_command.solve,
    "bound": bound_command.bound,
    "check": check_command.check,
    "law": law_command.law,
    "levels": levels_command.levels,
    "report": report_command.report,
    "store": store_command.store,
    "plan": plan_command.plan,
    "place": place_command.place,
    "play": play_command.play,
    "emit": emit_command.emit,
}
OURS = {*COMMANDS, "compile", "machine", "papers"}
OF_WHAT = """\
Replace fft:n=8 by another computation ('redblue dags' lists them) or by a file:
a C or Python program (gemm.c:N=1024), an ONNX model, or a graph.
'redblue --help' lists all commands."""

# Typer exports only this one of the errors in a command's arguments, not their common base.
UsageError: Any = typer.BadParameter.__mro__[1]

app = typer.Typer(
    name="redblue",
    help="Schedules and lower bounds for the I/O of a computation with M words of fast memory "
    "(the red-blue pebble game).",
    add_completion=True,
    pretty_exceptions_enable=False,
    context_settings=HELP,
)


def show_version(wanted: bool) -> None:
    """Print the version and end, if that is wanted."""
    if wanted:
        console.emit_text(f"redblue {__version__}")
        raise typer.Exit


@app.callback()
def global_options(
    version: Annotated[
        bool,
        typer.Option("--version", callback=show_version, is_eager=True, help="Print the version."),
    ] = False,
) -> None:
    """Options of the command line as a whole."""


for name, function in COMMANDS.items():
    app.command(name)(made_of(function))
app.command("compile")(compile_command.compile_all)
app.add_typer(machine.app, name="machine")


def questions() -> str:
    """The text for those who ask for nothing."""
    wide = max(map(len, QUESTIONS))
    asked = (f"{question:{wide}}  redblue {usage}" for question, usage in QUESTIONS.items())
    return "\n".join((*asked, "", OF_WHAT))


def renamed(arguments: list[str]) -> list[str]:
    """Return arguments by the names of today; say so in a line for each old one."""
    for old, new in RENAMED.items():
        words = old.split()
        if arguments[: len(words)] == words:
            console.say(f"note: 'redblue {old}' is 'redblue {new}' now; the old name will go")
            arguments = [*new.split(), *arguments[len(words) :]]
            break
    for (name, old), new in OPTIONS.items():
        if arguments[:1] == [name] and any(
            argument.partition("=")[0] == old for argument in arguments
        ):
            console.say(f"note: '{old}' of 'redblue {name}' is '{new}' now; the old name will go")
            arguments = [re.sub(rf"^{old}(?==|$)", new, argument) for argument in arguments]
    names = {argument.partition("=")[0] for argument in arguments}
    if arguments[:1] not in (["machine"], ["papers"]) and (before := names & IN_SPECS.keys()):
        old = " ".join(name for name in IN_SPECS if name in before)
        new = ",".join(text for name, text in IN_SPECS.items() if name in before)
        console.say(f"note: '{old}' is '{new}' at the end of SPEC now; the old name will go")
    return arguments


@cache
def command() -> Any:
    """The command line as Typer makes it of all its functions, which takes a while.

    Those of the papers and of other packages are added here: they import parts of this package.
    """
    app.add_typer(of_papers(*PAPERS), name="papers")
    add_offered(app, OURS)
    return with_paragraphs(get_command(app))


def with_paragraphs(command: Any) -> Any:
    """A command whose help breaks lines between paragraphs only, not where docstrings do."""
    paragraphs = cleandoc(command.help or "").split("\n\n")
    command.help = "\n\n".join(" ".join(paragraph.split("\n")) for paragraph in paragraphs)
    for subcommand in getattr(command, "commands", {}).values():
        with_paragraphs(subcommand)
    return command


def main() -> NoReturn:
    """Run the command line as a program of its own, which ends with it."""
    gc.set_threshold(*COLLECTIONS)
    try:
        run()
    except SystemExit as ending:
        leave(ending.code)
        raise


def run() -> NoReturn:
    """Run the command that the arguments name; expected errors end in one sentence and code 2."""
    stranger = foreign_package()
    if stranger:
        fail(stranger)
    try:
        if not sys.argv[1:] and COMPLETING not in os.environ:
            console.emit_text(questions())
            sys.exit()
        code = command()(renamed(sys.argv[1:]), prog_name="redblue", standalone_mode=False)
        sys.stdout.flush()  # here, where an error can still be reported
        if code == INTERRUPTED:  # Typer makes an exit of Ctrl-C
            fail("interrupted", code)
    except UsageError as error:
        fail(usage(error))
    except (KeyboardInterrupt, typer.Abort):
        fail("interrupted", INTERRUPTED)
    except MemoryError:
        fail("this takes more memory than there is")
    except BrokenPipeError:
        console.abandon_output()
        sys.exit(1)
    except OSError as error:
        if error.filename is None:
            console.abandon_output()
        fail(f"{error.filename or 'the output'}: {error.strerror or error}")
    except our_error() as error:
        fail(refusal(error, sys.argv[1:]))
    sys.exit(code)


def our_error() -> type[Exception]:
    """RedBlueError; importing it imports Numba, which `--help` should not wait for."""
    from dags import RedBlueError

    return RedBlueError


def usage(error: Any) -> str:
    """The error in the arguments of a command, and the command for its help."""
    command = error.ctx.command_path if error.ctx else "redblue"
    return f"{error.format_message().rstrip('.')}; see '{command} --help'"


def foreign_package() -> str | None:
    """A sentence about a package of ours that Python finds elsewhere, or None.

    Other distributions install packages called pebble, dags and redblue.
    """
    root = Path(__file__).resolve().parents[2]
    for name in PACKAGES:
        spec = find_spec(name)
        origin = Path(spec.origin).resolve() if spec is not None and spec.origin else None
        if origin is None or origin.parents[1] != root:
            return (
                f"the package {name!r} that Python finds is not redblue's ({origin}): "
                "install redblue in a virtual environment of its own"
            )
    return None
