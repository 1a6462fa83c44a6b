"""Sentences on bounds, and on how far the best schedule is from it."""

from math import ceil, log10

LEAST = 1e-9  # of what a ratio is more than 1, that is told


def proved(io: int, bound: int, method: str, subject: str = "The best one found") -> str:
    """The bound of all schedules, and the multiple of it that one moves.

    Parameters
    ----------
    io
        Words that the schedule moves.
    least, by
        Words that every schedule moves at least, and the method behind it.
    subject
        The name of the schedule.
    """
    sentence = f"Proved: no schedule moves fewer than {bound:,} words (by {method})."
    if io <= bound:
        return f"{sentence} {subject} moves no more."
    return f"{sentence} {subject} moves {times(io / bound)} times that." if bound else sentence


def times(ratio: float) -> str:
    """A ratio above 1, with two digits of its excess over 1.

    Examples
    --------
    >>> times(2.898), times(1.0123), times(1234.5)
    ('2.9', '1.012', '1,234.5')
    """
    digits = 1 + ceil(-log10(max(ratio - 1, LEAST)))
    return f"{ratio:,.{max(1, digits)}f}"
