"""The rules that a move can break, and the errors that name them."""

from enum import IntEnum

from dags import RedBlueError

Held = tuple[tuple[str, int], ...]


class Violation(IntEnum):
    """The rule that an illegal move breaks."""

    NO_SUCH_VERTEX = 1
    ALREADY_RED = 2
    NOT_BLUE = 3
    MEMORY_FULL = 4
    NOT_RED = 5
    ALREADY_BLUE = 6
    IS_INPUT = 7
    ALREADY_COMPUTED = 8
    MISSING_PREDECESSOR = 9
    OUTPUT_NOT_STORED = 10
    NO_SUCH_MOVE = 11
    NOT_AN_OPERAND = 12
    ALREADY_AGGREGATED = 13
    ONLY_PARTLY_COMPUTED = 14
    PARTIAL_VALUE_GONE = 15
    # of hierarchies of memories
    NO_SUCH_LEVEL = 31
    NOT_AT_LEVEL = 32
    ALREADY_AT_LEVEL = 33
    # of machines with several processors
    NO_SUCH_PROCESSOR = 21
    MIXED_STEP = 22
    NO_PORT = 23
    NO_LINK = 24
    NOT_AT_NEIGHBOUR = 25
    SAME_STEP = 26


EXPLANATIONS = {
    Violation.NO_SUCH_VERTEX: "there is no such vertex",
    Violation.ALREADY_RED: "it is in fast memory already",
    Violation.NOT_BLUE: "it is not in slow memory",
    Violation.MEMORY_FULL: "fast memory is full",
    Violation.NOT_RED: "it is not in fast memory",
    Violation.ALREADY_BLUE: "it is in slow memory already",
    Violation.IS_INPUT: "it is an input, which cannot be computed",
    Violation.ALREADY_COMPUTED: "it has been computed before, and the rules are one-shot",
    Violation.MISSING_PREDECESSOR: "a predecessor is not in fast memory",
    Violation.OUTPUT_NOT_STORED: "it is an output that does not end in slow memory",
    Violation.NO_SUCH_MOVE: "the rules have no such move",
    Violation.NOT_AN_OPERAND: "it has no such operand",
    Violation.ALREADY_AGGREGATED: "the operand has been aggregated before",
    Violation.ONLY_PARTLY_COMPUTED: "an operand is only partly computed",
    Violation.PARTIAL_VALUE_GONE: "what has been aggregated of it is not in fast memory",
    Violation.NO_SUCH_LEVEL: "there is no such move at this level",
    Violation.NOT_AT_LEVEL: "it is not at the level that it is taken from",
    Violation.ALREADY_AT_LEVEL: "it is at this level already",
    Violation.NO_SUCH_PROCESSOR: "there is no such processor",
    Violation.MIXED_STEP: "moves of another kind are made in this step",
    Violation.NO_PORT: "the processor does not reach slow memory",
    Violation.NO_LINK: "no link joins the two processors",
    Violation.NOT_AT_NEIGHBOUR: "it is not in the neighbour's fast memory",
    Violation.SAME_STEP: "it gets there in this very step",
}


class InvalidRulesError(RedBlueError, ValueError):
    """Variants of the game that do not go together."""


class InvalidScheduleError(RedBlueError, ValueError):
    """Arrays or a file that hold no list of moves."""


class IllegalMoveError(RedBlueError):
    """A move that the rules forbid.

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
        The processor that moves, where there are several; -1 at the end.
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
        self.step = step
        self.move = move
        self.vertex = vertex
        self.rule = rule
        self.detail = detail
        self.processor = processor
        prefix = f"processor {processor}, " if processor >= 0 else ""
        tail = f": {detail}" if detail else ""
        super().__init__(f"{prefix}step {step}, {move} {vertex}: {EXPLANATIONS[rule]}{tail}")

    def __reduce__(
        self,
    ) -> tuple[type["IllegalMoveError"], tuple[int, str, int, Violation, str, int]]:
        fields = (self.step, self.move, self.vertex, self.rule, self.detail, self.processor)
        return IllegalMoveError, fields


class MemoryTooSmallError(RedBlueError, ValueError):
    """A fast memory in which some vertex cannot be computed.

    Attributes
    ----------
    memory
        The size asked for, in words.
    minimum
        The smallest size that works, in words.
    vertex
        The vertex that takes so many.
    why
        Its use of them, in a clause, or "".
    held
        Names and words of the values that it holds at once, its result last; empty where values
        have no names, or are single words.
    """

    def __init__(
        self, memory: int, minimum: int, vertex: str, why: str = "", held: Held = ()
    ) -> None:
        self.memory = memory
        self.minimum = minimum
        self.vertex = vertex
        self.why = why
        self.held = held
        super().__init__(self.sentence())

    def sentence(self, unit: str = "words", each: int = 1) -> str:
        """The message with sizes in another unit, of which a word is `each`."""
        room = f"{self.memory * each:,} {unit} of fast memory are"
        text = f"{'1 word of fast memory is' if room.startswith('1 words') else room} too few: "
        needed = f"{self.minimum * each:,}"
        if not self.held:
            why = f": {self.why}" if self.why else ""
            return f"{text}computing vertex {self.vertex} takes {needed}{why}"
        *operands, (_, result) = [(name, f"{words * each:,}") for name, words in self.held]
        named = ", ".join(f"{name} of {words}" for name, words in operands)
        return (
            f"{text}the step {self.vertex} needs {needed} {unit} at once: its operands {named} "
            f"and its result of {result}, which are held whole"
        )

    def __reduce__(self) -> tuple[type["MemoryTooSmallError"], tuple[int, int, str, str, Held]]:
        return MemoryTooSmallError, (self.memory, self.minimum, self.vertex, self.why, self.held)
