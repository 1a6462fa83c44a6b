"""The error that a move of one of several processors breaks a rule."""

from pebble.errors import IllegalMoveError, InvalidRulesError, Violation
from pebble.rules import Rules


class IllegalParallelMoveError(IllegalMoveError):
    """A move of a processor that the rules forbid.

    Attributes
    ----------
    step
        Index of the move, from 0; the number of moves where the end of the play is illegal.
    move
        "LOAD", "STORE", "COMPUTE", "DELETE", "RECEIVE", or "END".
    vertex
        The vertex that is moved, or the output that is missing at the end.
    rule
        The rule that is broken.
    processor
        The processor that moves; -1 at the end.
    """

    def __init__(
        self,
        step: int,
        move: str,
        vertex: int,
        rule: Violation,
        detail: str = "",
        processor: int = -1,
    ) -> None:
        super().__init__(step, move, vertex, rule, detail)
        self.processor = processor
        if processor >= 0:
            self.args = (f"processor {processor}, {self.args[0]}",)

    def __reduce__(  # type: ignore[override]
        self,
    ) -> tuple[type["IllegalParallelMoveError"], tuple[int, str, int, Violation, str, int]]:
        return IllegalParallelMoveError, (
            self.step,
            self.move,
            self.vertex,
            self.rule,
            self.detail,
            self.processor,
        )


def require_whole(rules: Rules) -> None:
    """Raise InvalidRulesError for rules under which values are computed in parts."""
    if rules.partial:
        raise InvalidRulesError("several processors do not compute values in parts")
