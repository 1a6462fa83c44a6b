"""NumPy code by one string: "attention.py:f:shapes=64x16;64x16;64x16,numpy"."""

import runpy
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from dags.cdag.value import CDAG
from dags.errors import FormatError, InvalidSpecError, one_line
from dags.spec.options import WORD
from dags.tracing.arguments import argument_names
from dags.tracing.errors import TraceError
from dags.tracing.tracer import trace

MARK: Final = "numpy"  # without it a .py file is read as a loop nest, and no code is run
USAGE: Final = "file.py:function:shapes=64x16;16,numpy"


def takes(spec: str) -> bool:
    """Whether a specification asks to run a function on traced arrays."""
    place, _, options = spec.partition(":")
    return Path(place).suffix.lower() == ".py" and MARK in options.rpartition(":")[2].split(",")


def dag(spec: str) -> CDAG:
    """Run the function that `spec` names on traced arrays; return its DAG.

    After the function come `shapes`, those of its arguments with a semicolon between them (a
    number alone is a vector, nothing is a single value), options of `trace` (level, tree,
    values, own_arrays), and numbers for arguments by name: "shapes=64x64;64x64,steps=10,numpy".

    Raises
    ------
    InvalidSpecError
        If a part of it is no shape, option or argument.
    FormatError
        If the file or the function fails, or does something that is not traced; with the line.
    OSError
        If there is no such file.
    """
    place, _, rest = spec.partition(":")
    name, _, text = rest.rpartition(":")
    if not name and "=" not in text.partition(",")[0]:  # "f,shapes=4;4,numpy"
        name, _, text = text.partition(",")
    shapes, numbers, options = _parameters(spec, text)
    function = _function(place, name)
    arguments = _arguments(spec, function, shapes, numbers)
    try:
        dag: CDAG = _run(place, lambda: trace(function, *arguments, **options, recognise=False))
    except TraceError as error:
        raise FormatError(place, error.message, error.line) from None
    return dag


def _parameters(
    spec: str, text: str
) -> tuple[list[tuple[int, ...]], dict[str, float], dict[str, Any]]:
    """Shapes, numbers by name, and options."""
    shapes: list[tuple[int, ...]] = []
    numbers: dict[str, float] = {}
    options: dict[str, Any] = {}
    for part in text.split(","):
        key, equals, value = part.partition("=")
        if part == MARK or not part or key == WORD:
            continue
        if not equals or key in numbers or key in options or (key == "shapes" and shapes):
            raise InvalidSpecError(f"{spec}: {part!r} is given twice or is no option; {USAGE}")
        if key == "shapes":
            shapes = [_shape(spec, part) for part in value.split(";")]
        elif key == "level":
            options[key] = value
        elif key in ("own_arrays", "tree", "values"):
            options[key] = _truth(spec, part, value)
        else:
            numbers[key] = _number(spec, part, value)
    return shapes, numbers, options


def _shape(spec: str, text: str) -> tuple[int, ...]:
    sides = text.split("x") if text else []
    if not all(side.isdecimal() and len(side) < 19 for side in sides):
        raise InvalidSpecError(f"{spec}: a shape is like 64x16, not {text[:40]!r}")
    return tuple(map(int, sides))


def _truth(spec: str, part: str, value: str) -> bool:
    if value not in ("true", "false"):
        raise InvalidSpecError(f"{spec}: {part!r} must say true or false")
    return value == "true"


def _number(spec: str, part: str, value: str) -> float:
    for kind in (int, float):
        try:
            return kind(value)
        except ValueError:
            continue
    raise InvalidSpecError(f"{spec}: {part[:40]!r} gives no number to an argument")


def _function(place: str, name: str) -> Callable[..., Any]:
    """Run a file; return its function."""
    if not Path(place).is_file():
        raise FileNotFoundError(2, "No such file or directory", place)
    names: dict[str, Any] = _run(place, lambda: runpy.run_path(place))
    defined = [key for key, name in names.items() if callable(name) and not key.startswith("_")]
    if not callable(names.get(name)):
        raise FormatError(place, f"has no function {name!r}; it has {', '.join(defined) or 'none'}")
    return names[name]  # type: ignore[no-any-return]


def _arguments(
    spec: str,
    function: Callable[..., Any],
    shapes: list[tuple[int, ...]],
    numbers: dict[str, float],
) -> list[Any]:
    """The arguments: numbers by name, shapes for the others in turn."""
    try:
        names = argument_names(function, len(shapes) + len(numbers))
    except TraceError as error:
        raise InvalidSpecError(f"{spec}: {error}") from None
    unknown = [name for name in numbers if name not in names]
    if unknown:
        raise InvalidSpecError(f"{spec}: there is no argument {unknown[0]}; {', '.join(names)}")
    waiting = iter(shapes)
    return [numbers[name] if name in numbers else next(waiting) for name in names]


def _run(place: str, action: Callable[[], Any]) -> Any:
    """The result of an action; errors of the user's code are told in one sentence."""
    try:
        return action()
    except (TraceError, MemoryError):
        raise
    except (Exception, SystemExit) as error:
        lines = [
            frame.lineno
            for frame in traceback.extract_tb(error.__traceback__)
            if frame.filename == place
        ]
        line = error.lineno if isinstance(error, SyntaxError) else lines[-1] if lines else None
        raise FormatError(place, f"{type(error).__name__}: {one_line(error)}", line) from None
