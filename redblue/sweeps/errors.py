"""What stops a sweep; a cell that fails does not."""

from dags import RedBlueError


class SweepError(RedBlueError):
    """Workers that cannot work: none start, none answer, or they run another version."""


class SweepInterrupted(KeyboardInterrupt):
    """A sweep that was ended from the keyboard; the message says how to go on."""
