"""The computation that a command is about, as its options name it."""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from redblue.cli import console
from redblue.cli.options import Family, NoRecognise, Spec, Tile, WordBytes, Words

if TYPE_CHECKING:
    from dags import CDAG, Computation, Recognised

OWN = {"words": "sizes", "outputs": "outputs", "channel": "channels"}


@dataclass(kw_only=True)
class Reading:
    """Options by which computations are read; `record` are their keys in `--json`.

    All of them stand in a specification as well, where they are looked for.
    """

    word_bytes: WordBytes = None
    tile: Tile = None
    family: Family = None
    no_recognise: NoRecognise = False
    words: Words = None
    record: dict[str, int] = field(default_factory=dict, init=False)

    def of(self, spec: str) -> "Asked":
        """The computation of a specification."""
        options = {name: value for name, value in vars(self).items() if name != "record"}
        return Asked(spec=spec, **options)

    def named(self, spec: str) -> str:
        """A specification with the values of the options."""
        from dags import GENERATORS
        from dags.spec import leaves
        from dags.spec.options import with_options

        is_generated = spec.partition(":")[0] in GENERATORS  # of these no family is looked for
        recognise = "no" if self.no_recognise and not is_generated else None
        options = {"words": self.words, "recognise": recognise, "family": self.family}
        options["word"] = None if self.word_bytes is None else str(self.word_bytes)
        cut = spec if self.tile is None else leaves.reader("graphs").with_tile(spec, self.tile)
        return with_options(cut, **options)

    def word(self, specs: Sequence[str], *texts: str | None, machine: str | None = None) -> int:
        """Return the bytes of a word; say which were taken, and why, where a size is in bytes.

        Parameters
        ----------
        specs
            The computations.
        texts
            Sizes as they were given.
        machine
            A machine, whose sizes are in bytes, if there is one.

        Raises
        ------
        InvalidSpecError
            If computations have different words.
        """
        from redblue.answers.words import WORD_BYTES, is_in_bytes, one_word, word_sentence

        sizes = [text for text in texts if text is not None and is_in_bytes(text)]
        if not sizes and machine is None:
            return WORD_BYTES
        word = one_word([self.named(spec) for spec in specs])
        console.say_with_answer(f"note: {word_sentence(word, *sizes)}")
        self.record["word_bytes"] = word.bytes
        return word.bytes


@dataclass(kw_only=True)
class Asked(Reading):
    """Options that name a computation, and by which it is read."""

    spec: Spec

    @property
    def name(self) -> str:
        """The specification, with the values of the options."""
        return self.named(self.spec)

    @property
    def taken(self) -> dict[str, Any]:
        """Options that take a DAG."""
        from dags.spec.options import file_spec

        file = file_spec(self.name)
        return {"family": file.family, "words": file.words}

    def word_of(self, *texts: str | None, machine: str | None = None) -> int:
        """The bytes of a word, as `word` does."""
        return self.word([self.spec], *texts, machine=machine)

    def load(self, *, tell: bool = True, recognise: bool = True) -> "Computation":
        """The computation, as `loaded` does."""
        return loaded(self.name, recognise=recognise, tell=tell)

    def built(self) -> "CDAG":
        """The DAG of the computation."""
        return self.load().dag


def loaded(spec: str, *, recognise: bool = True, tell: bool = True) -> "Computation":
    """Return the computation that `spec` names; say its recognised family, and ignored sizes.

    Parameters
    ----------
    spec, recognise
        As `redblue.load` takes them.
    tell
        Whether to say the recognised family, unless JSON is wanted.
    """
    from dags import Computation, IgnoredSizesWarning

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", IgnoredSizesWarning)
        computation = Computation.of(spec, recognise=recognise)
    for caught_warning in caught:
        if issubclass(caught_warning.category, IgnoredSizesWarning):
            console.say(f"note: {caught_warning.message}")
        else:
            warnings.warn_explicit(
                caught_warning.message,
                caught_warning.category,
                caught_warning.filename,
                caught_warning.lineno,
            )
    if computation.without_formulas is not None:
        console.say(f"note: {computation.without_formulas}")
    if tell and computation.recognised is not None:
        console.say_to_readers(recognition(computation.recognised))
    return computation


def say_notes(result: Any, name: str = "") -> None:
    """Print the notes of a result, one of several with a `name`: sentences on how it was found."""
    for note in result.notes:
        console.say(f"note: {name}{': ' * bool(name)}{note}")


def say_in_place(dag: "CDAG", rules: str) -> None:
    """Print a note where values may be computed in place, and the rules let nothing slide."""
    from pebble import rules_named

    if dag.in_place is not None and not rules_named(rules).sliding:
        console.say(
            f"note: {int(dag.in_place.sum())} values can be computed in place, under sliding "
            "rules only: --rules one-shot-sliding"
        )


def recognition(known: "Recognised") -> str:
    """Return "recognised as fft:n=64, verified", and the parts that differ from the generator's."""
    marks = [OWN[mark] for mark in known.own]
    besides = f" (with its own {' and '.join(marks)})" if marks else ""
    return f"recognised as {known.spec}{besides}, verified"
