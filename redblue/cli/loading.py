"""The DAG that a command is about, and what there is to say of where it comes from."""

import warnings
from typing import TYPE_CHECKING, Any

from redblue.cli import console

if TYPE_CHECKING:
    from dags import CDAG, Recognised

OWN = {"words": "sizes", "outputs": "outputs", "channel": "channels"}


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
        Whether to say what it was recognised as.
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
        console.say(recognition(graph.recognised))
    return graph


def recognition(known: "Recognised") -> str:
    """Return "recognised as fft:n=64, verified", and what is not as the generator has it."""
    own = [OWN[mark] for mark in known.own]
    besides = f" (with its own {' and '.join(own)})" if own else ""
    return f"recognised as {known.spec}{besides}, verified"
