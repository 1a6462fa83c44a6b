"""The computation that a command is about, as its options name it."""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from redblue.cli import console
from redblue.cli.options import WORD_BYTES, Family, NoRecognise, Spec, Tile, WordBytes, Words, tiled

if TYPE_CHECKING:
    from dags import CDAG, Recognised

OWN = {"words": "sizes", "outputs": "outputs", "channel": "channels"}


@dataclass(kw_only=True)
class Reading:
    """Options by which computations are read; `record` is what they add to `--json`."""

    word_bytes: WordBytes = None
    tile: Tile = None
    family: Family = None
    no_recognise: NoRecognise = False
    words: Words = None
    record: dict[str, int] = field(default_factory=dict, init=False)

    def of(self, spec: str) -> "Computation":
        """Return the computation of a specification."""
        given = {name: value for name, value in vars(self).items() if name != "record"}
        return Computation(spec=spec, **given)

    def word(self, specs: Sequence[str], *texts: str | None) -> int:
        """Return the bytes of a word; say which were taken, and why, where a size is in bytes.

        Parameters
        ----------
        specs
            The computations.
        texts
            Sizes as they were given.

        Raises
        ------
        InvalidSpecError
            If computations have different words.
        """
        from dags import InvalidSpecError
        from redblue.answers.words import OF_BYTES, own_word, word_sentence

        given = [text for text in texts if text is not None and OF_BYTES.search(text)]
        word, why = self.word_bytes, "as --word-bytes says"
        if not given:
            return WORD_BYTES if word is None else word
        if word is None:
            own = list(dict.fromkeys(own_word(spec, self.words) for spec in specs))
            if len(own) > 1:
                words = " and ".join(str(one or WORD_BYTES) for one in own)
                raise InvalidSpecError(f"words of {words} bytes: say --word-bytes")
            word = own[0] or WORD_BYTES
            why = "by default (--word-bytes)" if own[0] is None else "as its values have"
        console.say_with_answer(f"note: {word_sentence(word, why, *given)}")
        self.record["word_bytes"] = word
        return word


@dataclass(kw_only=True)
class Computation(Reading):
    """Options that name a computation, and by which it is read."""

    spec: Spec

    @property
    def name(self) -> str:
        """The specification, with what `--tile` says."""
        return tiled(self.spec, self.tile)

    @property
    def taken(self) -> dict[str, Any]:
        """Options that take a DAG."""
        return {"family": self.family, "words": self.words}

    def word_of(self, *texts: str | None) -> int:
        """Return the bytes of a word, as `word` does."""
        return self.word([self.name], *texts)

    def load(self, *, tell: bool = True, recognise: bool = True) -> "CDAG":
        """Return the DAG, as `loaded` does."""
        recognise = recognise and not self.no_recognise
        return loaded(self.name, recognise=recognise, tell=tell, **self.taken)


def loaded(
    spec: str,
    *,
    family: str | None = None,
    recognise: bool = True,
    words: str | None = None,
    tell: bool = True,
) -> "CDAG":
    """Return the DAG that `spec` names; say what it was recognised as, and which sizes it ignores.

    Parameters
    ----------
    spec, family, recognise, words
        As `dags.load` takes them.
    tell
        Whether to say what it was recognised as, unless JSON is wanted.
    """
    from dags import IgnoredSizesWarning, load

    given: dict[str, Any] = {
        "family": family,
        "recognise": None if recognise else False,
        "words": words,
    }
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", IgnoredSizesWarning)
        graph = load(spec, **{name: value for name, value in given.items() if value is not None})
    for each in caught:
        text = str(each.message)
        if issubclass(each.category, IgnoredSizesWarning):
            console.say(f"note: {text.replace('words=', '--words ')}")
        else:
            warnings.warn_explicit(each.message, each.category, each.filename, each.lineno)
    if tell and graph.recognised is not None:
        console.say_to_readers(recognition(graph.recognised))
    return graph


def recognition(known: "Recognised") -> str:
    """Return "recognised as fft:n=64, verified", and what is not as the generator has it."""
    own = [OWN[mark] for mark in known.own]
    besides = f" (with its own {' and '.join(own)})" if own else ""
    return f"recognised as {known.spec}{besides}, verified"
