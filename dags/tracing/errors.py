"""The error of code that is not traced, and its sentences."""

from typing import Any, Final

from dags.errors import RedBlueError

PLAIN: Final = (
    "a traced array cannot become a plain NumPy array, as it would in b[i] = traced with "
    "b = np.zeros(...), np.array(traced), float(traced), or a function outside of NumPy: make b by "
    "np.zeros_like(traced), copies by traced.copy(), or pass own_arrays=True"
)
BY_VALUE: Final = "what it does depends on values, which a trace does not know"


class TraceError(RedBlueError, ValueError):
    """Code that the array tracer does not turn into vertices.

    Parameters
    ----------
    message
        The fault, in a clause.
    line
        Line of the traced function's file, where it is known.
    """

    def __init__(self, message: str, line: int | None = None) -> None:
        self.message, self.line = message, line
        super().__init__(message if line is None else f"line {line}: {message}")


class TraceAttributeError(TraceError, AttributeError):
    """An attribute of arrays that traced arrays have not."""


def name_of(function: Any) -> str:
    """The public name of a NumPy function."""
    name = getattr(function, "__name__", str(function))
    module = getattr(function, "__module__", None) or "numpy"
    return f"{module}.{name}"


def refuse_values(purpose: str) -> TraceError:
    """The error of something that needs the value of a traced cell."""
    return TraceError(f"{purpose} of a traced value is not known: a trace has no values")
