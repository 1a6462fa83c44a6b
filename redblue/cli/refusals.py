"""The sentence of an error that ends a command, in the unit in which memory was given."""

from collections.abc import Sequence
from contextlib import suppress
from itertools import pairwise

from redblue.answers.words import WORD_BYTES, is_in_bytes, own_word

TILES = "; tile=8 behind the file (FILE:tile=8) cuts its operators, and what is smaller needs less"


def refusal(error: Exception, arguments: Sequence[str]) -> str:
    """The message of an error, in the units that the arguments use.

    Where memory was given in bytes, the least memory is told in bytes, too; a tile is offered where
    a graph is named that can be cut, and is whole.
    """
    from pebble import MemoryTooSmallError

    if not isinstance(error, MemoryTooSmallError):
        return str(error)
    memory = " ".join(_given(arguments, "--memory") + _given(arguments, "--memories"))
    word = _word_of(arguments)
    in_bytes = is_in_bytes(memory) or word == 1
    message = error.sentence("bytes", word) if in_bytes else str(error)
    return message + TILES * (bool(error.held) and _can_be_cut(arguments))


def _word_of(arguments: Sequence[str]) -> int:
    """The bytes of a word, as the command takes them."""
    from dags import RedBlueError

    sizes = [*map(int, _given(arguments, "--word-bytes"))]
    attribute = next(iter(_given(arguments, "--words")), None)
    word_sizes: list[int | None] = []
    for argument in arguments:
        with suppress(RedBlueError, OSError):
            word_sizes.append(own_word(argument, attribute))
    return [WORD_BYTES, *filter(None, word_sizes), *sizes][-1]


def _given(arguments: Sequence[str], option: str) -> list[str]:
    """The value of an option."""
    pairs = pairwise(arguments)
    joined = (
        argument.removeprefix(f"{option}=")
        for argument in arguments
        if argument.startswith(f"{option}=")
    )
    return [*(value for name, value in pairs if name == option), *joined]


def _can_be_cut(arguments: Sequence[str]) -> bool:
    has_tiles = not any("tile=" in argument or argument == "--tile" for argument in arguments)
    return has_tiles and any(map(_is_graph, arguments))


def _is_graph(argument: str) -> bool:
    from dags.spec import leaves

    return leaves.is_of("graphs", argument)
