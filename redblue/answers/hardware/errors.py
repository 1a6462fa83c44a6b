"""The error of a machine whose numbers do not fit."""

from dags import RedBlueError


class InvalidMachineError(RedBlueError, ValueError):
    """A rate or a size that no machine can have."""
