"""Numbers that machines can have: checked where a model begins, trusted after that."""

from math import inf

from dags import RedBlueError


def require_positive(**numbers: float) -> None:
    """Raise InvalidMachineError unless each number is positive and finite."""
    for name, value in numbers.items():
        if not 0 < value < inf:
            raise InvalidMachineError(f"{_spoken(name)} must be positive and finite, not {value}")


def require_no_less(least: float, **numbers: float) -> None:
    """Raise InvalidMachineError unless each number is finite and at least `least`."""
    for name, value in numbers.items():
        if not least <= value < inf:
            raise InvalidMachineError(
                f"{_spoken(name)} must be finite and at least {least:g}, not {value}"
            )


def require_whole(least: int, **numbers: float) -> None:
    """Raise InvalidMachineError unless each number is whole and at least `least`."""
    for name, value in numbers.items():
        if not least <= value < inf or value != int(value):
            raise InvalidMachineError(
                f"{_spoken(name)} must be a whole number of at least {least}, not {value}"
            )


def _spoken(name: str) -> str:
    return name.replace("_", " ")


class InvalidMachineError(RedBlueError, ValueError):
    """A rate or a size that no machine can have."""
