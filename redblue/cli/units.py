"""The word of a command in which sizes may be given in bytes."""

from collections.abc import Sequence

from redblue.cli import console
from redblue.cli.options import WORD_BYTES


def word_of(
    specs: str | Sequence[str],
    word_bytes: int | None,
    *texts: str | None,
    attribute: str | None = None,
) -> int:
    """Return the bytes of a word; say which were taken, and why, where a size is in bytes.

    Parameters
    ----------
    specs
        The computations.
    word_bytes
        What `--word-bytes` says; None for the word of the computation's own values.
    texts
        Sizes as they were given.
    attribute
        What `--words` says.

    Raises
    ------
    InvalidSpecError
        If computations have different words.
    """
    from dags import InvalidSpecError
    from redblue.words import OF_BYTES, own_word, word_sentence

    given = [text for text in texts if text is not None and OF_BYTES.search(text)]
    if not given:
        return WORD_BYTES if word_bytes is None else word_bytes
    if word_bytes is not None:
        console.say_with_answer(
            f"note: {word_sentence(word_bytes, 'as --word-bytes says', *given)}"
        )
        return word_bytes
    named = [specs] if isinstance(specs, str) else specs
    own = list(dict.fromkeys(own_word(spec, attribute) for spec in named))
    if len(own) > 1:
        words = " and ".join(str(one or WORD_BYTES) for one in own)
        raise InvalidSpecError(f"words of {words} bytes: say --word-bytes")
    word = own[0] or WORD_BYTES
    why = "by default (--word-bytes)" if own[0] is None else "as its values have"
    console.say_with_answer(f"note: {word_sentence(word, why, *given)}")
    return word
