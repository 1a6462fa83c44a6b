"""Schedules that move fewer words than code, and why code cannot be them."""

from collections.abc import Iterable
from typing import Final

from redblue.answers.results import BEST, PROGRAM_ORDER, Row, WithoutCode

CHOSEN: Final = "each value leaves by itself, and a buffer is filled and emptied as a whole"
KINDS: Final = {  # of schedules by their methods: what they are, and why they are no code
    PROGRAM_ORDER[0]: ("program order where the least recently used value leaves", CHOSEN),
    PROGRAM_ORDER[1]: ("program order where the value with the furthest next use leaves", CHOSEN),
    "counted": ("the schedule of its family, a closed form", "its moves are no loops with buffers"),
}
TILING: Final = "a tiling"
OTHER: Final = "its loops are not those of the code, or it took more work to find"
LISTED: Final = "it is a list of moves without loops"


def without_code(
    memory: int, words: int, method: str, code: int, obstacle: str | None
) -> WithoutCode | None:
    """What stands between code and a schedule that moves fewer words; None if none does.

    Parameters
    ----------
    memory, words, method
        Words of fast memory, and those that the schedule moves, which a method found.
    code
        Words that the code moves.
    obstacle
        Why the best tiling that code starts from is no code; None where it is.
    """
    if code <= words:
        return None
    kind, reason = KINDS.get(method, (f"a schedule of the DAG by {method}", LISTED))
    if method == "tiled":
        kind, reason = TILING, obstacle or OTHER
    return WithoutCode(memory, words, method, kind, reason, code)


def method_of(rows: Iterable[Row], words: int) -> str:
    """The first method of a curve whose schedule moves so many words.

    Parameters
    ----------
    rows, words
        Of the curve, and of its best schedule.
    """
    uppers = (row for row in rows if row.kind == "upper" and row.io == words)
    return next((row.method for row in uppers if row.method != BEST), BEST)
