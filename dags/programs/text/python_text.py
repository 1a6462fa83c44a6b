"""Loop nests from Python text, which is read and never run."""

import ast
import inspect
import textwrap
import warnings
from collections.abc import Callable, Mapping
from typing import Any

from dags.programs.layout import LoopNest
from dags.programs.nest import ProgramError
from dags.programs.text.python_forms import plain_forms
from dags.programs.text.python_module import module_of
from dags.programs.text.syntax import program_of, require_shallow, whole_defaults, with_numbers


def from_python(
    function: Callable[..., Any] | str,
    name: str | None = None,
    *,
    sizes: Mapping[str, int] | None = None,
) -> LoopNest:
    r"""The loop nest in a Python function.

    Loops over ``range``, conditions on loop variables and sizes, and assignments to cells
    (``A[i, j]`` or ``A[i][j]``) and scalars are read; calls of functions on numbers and
    selections ``a if c else b`` are operations. The function is not called.

    Parameters
    ----------
    function
        A function, whose source is read, or text.
    name
        Which function of the text; may be left out where there is one only.
    sizes
        Values of sizes, for text that is affine only with numbers: ``A[i*n + j]``.

    Raises
    ------
    ProgramError
        If it is no loop nest with affine bounds, conditions and indices; the line is named.

    Examples
    --------
    >>> program = from_python("def f(A, b, x, n):\n for i in range(n):\n  x[i] += A[i] * b[i]")
    >>> program.sizes, program.live_by_default()
    (('n',), ('x',))
    """
    if isinstance(function, str):
        text = function
    else:
        try:
            text = textwrap.dedent(inspect.getsource(function))
        except (OSError, TypeError):
            raise ProgramError(f"the source of {function!r} cannot be read") from None
        name = name or getattr(function, "__name__", None)
    tree = _tree(text)
    chosen = _function(tree, name)
    require_shallow(chosen)
    module = module_of(tree if isinstance(function, str) else _file(function)).around(chosen)

    def read(fixed: Mapping[str, int]) -> LoopNest:
        form = plain_forms(chosen, module, fixed)
        return program_of(
            form.function,
            text,
            sizes=form.sizes,
            fixed=fixed,
            made=form.lists,
            tables=form.tables,
        )

    numbers = {**module.sizes, **whole_defaults(chosen.args), **(sizes or {})}
    try:
        return with_numbers(read, numbers)
    except RecursionError:
        raise ProgramError("the text is nested too deeply", chosen.lineno) from None


def _file(function: Callable[..., Any]) -> ast.Module:
    """The tree of the file that defines a function; an empty one where it has none."""
    try:
        return _tree(inspect.getsource(inspect.getmodule(function)))  # type: ignore[arg-type]  # None is a TypeError
    except (OSError, TypeError, ProgramError):
        return ast.Module([], [])


def _tree(text: str) -> ast.Module:
    """The tree of a text."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of text that is odd, and no error
            return ast.parse(text)
    except SyntaxError as error:
        raise ProgramError(
            f"is no Python: {error.msg}", error.lineno or _line_of_nul(text)
        ) from None
    except (ValueError, RecursionError, MemoryError) as error:
        raise ProgramError(f"is no Python: {error}", _line_of_nul(text)) from None


def _function(tree: ast.Module, name: str | None) -> ast.FunctionDef:
    """The function of that name, or the only one."""
    functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    if name is None and len(functions) == 1:
        return next(iter(functions.values()))
    if name in functions:
        return functions[name]
    known = ", ".join(functions) or "none"
    if name is None:
        raise ProgramError(f"which function is meant? There are: {known}")
    raise ProgramError(f"no function is called {name!r}; there are: {known}")


def _line_of_nul(text: str) -> int | None:
    """The line of the first NUL character, of which Python says none; None if there is none."""
    before, nul, _ = text.partition("\0")
    return before.count("\n") + 1 if nul else None
