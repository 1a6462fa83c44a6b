"""Commands made of functions: a parameter is an option, its paragraph in the docstring the help.

A parameter without a default is an argument. Numbers of a tuple are separated by commas. A record
has an option for each of its fields. A text beside the type of a parameter is the name of its value
in the help: ``Annotated[Path, "FILE"]``. `Within` beside it puts the option in another's value.
"""

import inspect
import re
from collections.abc import Callable, Container, Iterator
from contextlib import suppress
from dataclasses import MISSING, fields, is_dataclass
from functools import partial
from importlib.metadata import entry_points
from pathlib import Path
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import typer
from typer.models import ParameterInfo

from redblue import leaves
from redblue.cli import console
from redblue.cli.options import Json, numbers
from redblue.cli.value_options import Place, Within, parted, read_pairs, reader_of
from redblue.cli.watch import begin, cut_sentence
from redblue.show.answer import Answer, Facts

SECTION = re.compile(r"^Parameters\n-+\n(.*?)(?=\n\n\S|\Z)", re.M | re.S)
Reader = Callable[[Any], Any]


def command(function: Callable[..., Answer], *, settings: bool = False) -> Callable[..., None]:
    """The command that calls a function and prints its answer, as JSON if that is wanted.

    Parameters
    ----------
    function
        The function.
    settings
        Whether its options are written as arguments NAME=VALUE, as parameters of a generator are.
    """
    readers = {option.name: reader for option, reader in options_of(function)}
    records: dict[str, Any] = {
        name: kind for name, kind in kinds_of(function).items() if is_dataclass(kind)
    }
    parameters = [option for option, _ in options_of(function)]
    places = list(places_of(function, settings=settings))

    def run(json: bool, **values: Any) -> None:
        assignments = values.pop("assignments", None) or []
        say_of_old_names(parameters, values, places)
        inner = inner_values(values, assignments, places)
        read = {name: readers[name](value) for name, value in values.items()} | inner
        for name, kind in records.items():
            names = [field.name for field in fields(kind) if field.init]
            read[name] = kind(**{field_name: read.pop(field_name) for field_name in names})
        console.for_programs(json)
        begin()
        answer = function(**read)
        besides = {
            key: value
            for name in records
            for key, value in getattr(read[name], "record", {}).items()
        }
        if (sentence := cut_sentence()) is not None:
            besides["complete"] = False
            console.say_to_readers(f"note: {sentence}")
        in_bytes = not json and _word_is_byte(read)
        console.emit(answer, as_json=json, besides=besides, word_is_byte=in_bytes)
        if isinstance(answer, Facts) and answer.code:
            if answer.problem:
                console.fail(answer.problem, answer.code)
            raise typer.Exit(answer.code)

    json = inspect.Parameter("json", inspect.Parameter.KEYWORD_ONLY, annotation=Json, default=False)
    if settings:
        parameters = [_hidden(option) for option in parameters]
    options = [parameter for parameter in parameters if parameter.default is not parameter.empty]
    arguments = [parameter for parameter in parameters if parameter.default is parameter.empty]
    shared = {field.name for kind in records.values() for field in fields(kind)}
    last = sorted(options, key=lambda option: option.name in shared)  # own ones are read first
    if settings:
        arguments.append(_assignments(function))
    run.__doc__ = SECTION.sub("", inspect.getdoc(function) or "").strip()
    vars(run)["__signature__"] = inspect.Signature([*arguments, *last, json])
    return run


def places_of(source: Any, *, settings: bool = False) -> Iterator[Place]:
    """Yield the options that are written in the value of another, or as NAME=VALUE.

    Parameters
    ----------
    source
        A function, or a record of options.
    settings
        Whether all of them are written as NAME=VALUE.
    """
    for name, kind in kinds_of(source).items():
        if is_dataclass(kind):
            yield from places_of(kind, settings=settings)
            continue
        plain, *besides = get_args(kind) if get_origin(kind) is Annotated else (kind,)
        within = next((beside for beside in besides if isinstance(beside, Within)), None)
        if settings:
            within = Within("", name)
        if within is not None:
            yield Place(name, within, *reader_of(plain))


def inner_values(
    given: dict[str, Any], assignments: list[str], places: list[Place]
) -> dict[str, Any]:
    """Return the options that stand in the values of others, and cut them off there.

    Parameters
    ----------
    given
        The values of options, which are changed.
    assignments
        Arguments NAME=VALUE.
    places
        The options that may stand in others.
    """
    hosts: dict[str, dict[str, Place]] = {}
    for place in places:
        hosts.setdefault(place.within.host, {})[place.within.key] = place
    values = read_pairs(assignments, hosts.get("", {}), "the command")
    for host in hosts.keys() - {""}:
        if given[host] is None:
            continue
        host_text, inner = parted(str(given[host]), hosts[host])
        values |= inner
        if inner:
            given[host] = (
                Path(host_text)
                if isinstance(given[host], Path) and host_text is not None
                else host_text
            )
    return values


def say_of_old_names(
    parameters: list[inspect.Parameter], values: dict[str, Any], places: list[Place]
) -> None:
    """Print where options are written now, in a line, if some were given by names of their own.

    Parameters
    ----------
    parameters
        All options.
    values
        The values of options.
    places
        Those that have a place in the value of another.
    """
    defaults = {option.name: option.default for option in parameters}
    before = [place for place in places if values[place.name] != defaults[place.name]]
    if not before:
        return
    old = " ".join(f"--{place.name.replace('_', '-')}" for place in before)
    new = " ".join(
        place.within.written(values[place.name], values.get(place.within.host)) for place in before
    )
    console.say(f"note: '{old}' is '{new}' now; the old name will go")


def _hidden(option: inspect.Parameter) -> inspect.Parameter:
    """An option that works, and that the help does not show."""
    plain, info = get_args(option.annotation)
    return option.replace(annotation=Annotated[plain, _not_shown(info)])


def _not_shown(info: Any) -> Any:
    info.hidden = True
    return info


def _assignments(function: Callable[..., Answer]) -> inspect.Parameter:
    """The argument NAME=VALUE, whose help has a line for each name."""
    help_of = {
        option.name: (text, option.default)
        for option, text in _told(function)
        if option.default is not option.empty
    }
    lines = [f"{name}={_plain(default)}: {text}" for name, (text, default) in help_of.items()]
    info = typer.Argument(metavar="NAME=VALUE", show_default=False, help="\n\n".join(lines))
    return inspect.Parameter(
        "assignments",
        inspect.Parameter.KEYWORD_ONLY,
        default=None,
        annotation=Annotated[list[str] | None, info],
    )


def _told(source: Any) -> Iterator[tuple[inspect.Parameter, str]]:
    """Yield the options of a function or a record, and the help of each."""
    for option, _ in options_of(source):
        info = next(
            info_of for info_of in get_args(option.annotation) if isinstance(info_of, ParameterInfo)
        )
        yield option, info.help or ""


def _plain(default: object) -> str:
    """A default as it is written, or a word for one that is not given."""
    if default in (None, ()):
        return "..."
    if isinstance(default, bool):
        return "yes" if default else "no"
    return f"{default:g}" if isinstance(default, float) else str(default)


def _word_is_byte(read: dict[str, Any]) -> bool:
    """Whether a word of the computations that a command is about is a byte."""
    from dags import RedBlueError
    from redblue.answers.words import word_of
    from redblue.cli.computation import Reading

    specs = read.get("specs") or [getattr(value, "spec", None) for value in read.values()]
    readings = [reading for reading in read.values() if isinstance(reading, Reading)]
    named = [readings[0].named(spec) for spec in specs if spec] if readings else []
    with suppress(RedBlueError, OSError):
        return bool(named) and all(word_of(spec).size == 1 for spec in named)
    return False


def kinds_of(source: Any) -> dict[str, Any]:
    """The type of each parameter of a function, or field of a record."""
    hints = get_type_hints(source, include_extras=True)
    return {name: kind for name, kind in hints.items() if name != "return"}


def options_of(source: Any) -> Iterator[tuple[inspect.Parameter, Reader]]:
    """Yield the options of a function or a record, and the reader of each value."""
    texts, kinds = helps(source), kinds_of(source)
    if is_dataclass(source):
        values = {
            field.name: inspect.Parameter.empty if field.default is MISSING else field.default
            for field in fields(source)
            if field.init
        }
    else:
        parameters = inspect.signature(source).parameters.values()
        values = {parameter.name: parameter.default for parameter in parameters}
    for name, default in values.items():
        if is_dataclass(kinds[name]):
            yield from options_of(kinds[name])
        else:
            yield option_of(name, kinds[name], default, texts.get(name, ""))


def option_of(name: str, kind: Any, default: Any, text: str) -> tuple[inspect.Parameter, Reader]:
    """An option, and the reader of its value."""
    parameter = inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default)
    plain, *besides = get_args(kind) if get_origin(kind) is Annotated else (kind,)
    if any(isinstance(beside, ParameterInfo) for beside in besides):
        return parameter.replace(annotation=kind), _as_it_is
    within = next((beside for beside in besides if isinstance(beside, Within)), None)
    settings: dict[str, Any] = {
        "help": text or (within.written("VALUE") if within else ""),
        "metavar": next((beside for beside in besides if isinstance(beside, str)), None),
        "hidden": within is not None,
    }
    if default is inspect.Parameter.empty:
        return parameter.replace(annotation=Annotated[plain, typer.Argument(**settings)]), _as_it_is
    names = [f"--{name.replace('_', '-')}"] if default is False else []
    reader: Reader = _as_it_is
    if get_origin(plain) is tuple:
        (item, _), plain = get_args(plain), str
        parameter = parameter.replace(
            default=",".join(f"{number:.15g}" for number in default) or None
        )
        reader = partial(_numbers, item)
    info = typer.Option(*names, show_default=default not in (None, ()), **settings)
    return parameter.replace(annotation=Annotated[plain, info]), reader


def helps(source: Any) -> dict[str, str]:
    """The help of each parameter in the docstring of a function or a record."""
    part = SECTION.search(inspect.getdoc(source) or "")
    texts: dict[str, str] = {}
    names: list[str] = []
    for line in part[1].splitlines() if part else ():
        if line[:1].strip():
            names = line.split(", ")
        else:
            texts |= {name: f"{texts.get(name, '')} {line.strip()}".strip() for name in names}
    return texts


def _numbers(kind: Callable[[str], Any], text: str | None) -> tuple[Any, ...]:
    return () if text is None else tuple(numbers(text, kind))


def _as_it_is(value: Any) -> Any:
    return value


WITH_OPTIONS = ("gap",)  # of the papers' commands; models of machines have parameters
HELP = {"help_option_names": ["-h", "--help"]}
ANYTHING = {"allow_extra_args": True, "ignore_unknown_options": True}


def group(about: str) -> typer.Typer:
    """An empty group of commands, which lists them where none is named."""
    app = typer.Typer(help=about, invoke_without_command=True, context_settings=HELP)

    @app.callback()
    def listed(context: typer.Context) -> None:
        if context.invoked_subcommand is None:
            typer.echo(context.get_help(), nl=False)

    return app


def of_papers(*names: str) -> typer.Typer:
    """The commands of the papers, or such as say that they are not installed."""
    commands = group(
        "Models of machines from five papers, and the best known results on public DAGs."
    )
    for name in names:
        if leaves.installed():
            by_settings = name not in WITH_OPTIONS
            function = leaves.part("commands").COMMANDS[name]
            commands.command(name)(command(function, settings=by_settings))
        else:
            commands.command(name, help="Not installed.", context_settings=ANYTHING)(missing)
    return commands


def add_offered(app: typer.Typer, ours: Container[str]) -> None:
    """Add the commands that installed packages offer; a name of ours goes before theirs.

    One that cannot be imported says so when it is called.
    """
    for point in entry_points(group="redblue.commands"):
        if point.name in ours:
            continue
        from dags import InvalidSpecError  # which imports Numba
        from dags.spec import plugged

        try:
            function = plugged("command", point.name)
            assert function is not None  # it is offered
            app.command(point.name, context_settings=HELP)(command(function))
        except InvalidSpecError as error:
            unread = app.command(point.name, help="Not importable.", context_settings=ANYTHING)
            unread(_saying(str(error)))


def _saying(problem: str) -> Callable[..., None]:
    def say(context: typer.Context) -> None:
        console.fail(problem)

    return say


def missing(context: typer.Context) -> None:
    """Say that the package of a command is not installed."""
    leaves.part("commands")
