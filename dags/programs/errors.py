"""The error of program text that is no loop nest."""

from dags.errors import RedBlueError


class ProgramError(RedBlueError, ValueError):
    """Text that is no loop nest with affine bounds, conditions and indices.

    Parameters
    ----------
    message
        What is wrong, in a clause.
    line
        Its line, from 1; None where it concerns the whole text.
    """

    def __init__(self, message: str, line: int | None = None) -> None:
        self.message, self.line = message, line
        super().__init__(message if line is None else f"line {line}: {message}")
