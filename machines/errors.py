"""What is wrong with a machine's numbers."""

from dags import RedBlueError


class InvalidMachineError(RedBlueError, ValueError):
    """A rate or a size that no machine can have."""
