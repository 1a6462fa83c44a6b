"""Errors that stop a sweep; a cell that fails does not."""

from dags import RedBlueError


class SweepError(RedBlueError):
    """A sweep whose workers do not start, do not answer, or run another version."""


class SweepInterrupted(KeyboardInterrupt):
    """A sweep that was ended from the keyboard; the message says how to go on."""
