"""Windows of the updates of members of families (`updates`), and of pairs of attention (N7).

**Attention (N7): a pair of a query and a key costs a word, or whole rows.** N queries, N keys,
width d. Cut a play into windows by how many exponentials p(i,j) are computed in them for the first
time; at a cut at most `carry` words are red. In one-shot plays ("segments")

    I/O >= sum over windows of x(A) - carry * (windows - 1),  x(A) = min(A, 4 d sqrt(A)),

and in any play ("dominators") with x(A) = min(A, 2 d sqrt(A)) and the rows of v and all results
besides.

The proof is N7 in docs/theory/nests.md.

Source
------
B. Saha and C. Ye, The I/O complexity of attention, or how optimal is FlashAttention?, ICML 2024:
of the order N^2 d^2 / M if M >= d^2. Both constants are derived here.
"""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import isqrt
from typing import Annotated, Any, Literal
from weakref import WeakKeyDictionary

from dags import CDAG, GENERATORS
from pebble import Game
from proofs.core.records import (
    LARGEST,
    CertificateError,
    Integers,
    Positive,
    Within,
    only,
    shown,
    text,
)
from proofs.core.windows import Count, Lemma, Sum, Window
from proofs.lemmas.generated import require_generated
from proofs.lemmas.loops import affine_families as affine
from proofs.lemmas.loops import rotations
from proofs.lemmas.loops.affine import RESTS
from proofs.lemmas.loops.affine_families import Params
from proofs.lemmas.loops.iteration_space import IterationSpace
from proofs.lemmas.loops.updates import (
    GAINS,
    MOST_SIZES,
    Argument,
    Premises,
    UpdateWindow,
    gained,
)

Builder = Callable[[int, Params], IterationSpace]

SEGMENTS: dict[str, Builder] = {
    "attention": affine.attention,
    "convolution": affine.convolution,
    "matmul": affine.product,
    "matvec": affine.matvec,
    "qr_givens": rotations.qr_givens,
}
FINISHED: dict[str, Callable[..., IterationSpace]] = {"qr_givens": rotations.qr_givens}
CHAINS: dict[str, Builder] = {"attention": affine.attention_scores}
DOMINATORS: dict[str, Builder] = {"qr_givens": rotations.qr_givens_places}
ARGUMENTS = {
    "segments": SEGMENTS,
    "aggregations": SEGMENTS,
    "chains": CHAINS,
    "dominators": DOMINATORS,
}

# What has been verified, as long as the DAG is there: a curve asks at every memory size.
_verified: WeakKeyDictionary[CDAG, dict[Any, Premises]] = WeakKeyDictionary()
ROWS = {"segments": 4, "dominators": 2}
# Families that the third release had here last: they are named by points of programs.
NAMED_BY_POINTS = "cholesky", "lu", "syrk", "triangular_solve"


@dataclass(frozen=True)
class Nest:
    """Windows of updates of a family: the argument, a generator's name and its arguments."""

    argument: Argument
    family: str
    params: Mapping[str, Any]
    windows: Annotated[tuple[UpdateWindow, ...], Within(entries=MOST_SIZES)]


def premises(dag: CDAG, argument: str, family: str, params: Mapping[str, int | str]) -> Premises:
    """The projections, the number of updates, and the words to add; verified on `dag`.

    Parameters
    ----------
    dag
        The DAG.
    argument
        A key of `ARGUMENTS`.
    family, params
        A generator's name, and all of its parameters.

    Raises
    ------
    CertificateError
        If the DAG does not have these updates, or the argument does not hold for them.
    """
    known = _verified.setdefault(dag, {})
    question = argument, family, tuple(sorted(params.items()))
    if question not in known:
        known[question] = _premises(dag, argument, family, params)
    return known[question]


def _premises(dag: CDAG, argument: str, family: str, params: Params) -> Premises:
    builders = ARGUMENTS[argument]
    if family not in builders:
        raise unknown_family(family, builders)
    space = builders[family](dag.n, params)
    return space.shape, space.updates.size, GAINS[argument](dag, space)


def unknown_family(family: str, builders: Mapping[str, Builder]) -> CertificateError:
    """Why a certificate of a family's updates is refused.

    Parameters
    ----------
    family, builders
        The family, and those that are known.
    """
    reason = f"not one of {', '.join(builders)}"
    if family in NAMED_BY_POINTS:
        reason = "which the third release wrote last: the bound affine proves as much"
    return CertificateError("family", f"is {shown(family)}, {reason}")


def _check_params(family: str, params: Any) -> None:
    """Raise CertificateError unless these are names with strings or numbers, of that family."""
    if not isinstance(params, Mapping) or not all(
        isinstance(key, str)
        and (type(value) is str or (type(value) is int and abs(value) <= LARGEST))
        for key, value in params.items()
    ):
        raise CertificateError("params", "are no names with numbers")
    if family in GENERATORS:
        only(params, tuple(inspect.signature(GENERATORS[family]).parameters))


def family_space(dag: CDAG, source: Mapping[str, Any]) -> IterationSpace:
    """The updates of a "family" with its "params", and entries' last vertices; not verified.

    Parameters
    ----------
    dag
        The DAG.
    source
        Has the two fields.
    """
    family, params = text(source, "family"), source["params"]
    _check_params(family, params)
    if family in FINISHED:
        return FINISHED[family](dag.n, params, finished=True)
    if family not in SEGMENTS:
        raise unknown_family(family, SEGMENTS)
    return SEGMENTS[family](dag.n, params)


def nest(game: Game, record: Nest) -> Sum:
    """The words that windows of the updates of a member touch."""
    _check_params(record.family, record.params)
    premised = premises(game.dag, record.argument, record.family, record.params)
    held = game.room
    return gained(game, record.argument, premised, held, record.windows)


PROJECTIONS = Lemma(Nest, nest, lambda record: ("N1", RESTS[record.argument]))


def pair_words(argument: str, width: int, pairs: int) -> int:
    """The words, rounded up, that a window of a given number of pairs touches at least.

    Parameters
    ----------
    argument
        A key of `ROWS`.
    width, pairs
        Words of a row, and pairs in the window.
    """
    square = (ROWS[argument] * width) ** 2 * pairs
    return min(pairs, isqrt(square - 1) + 1)


def gain(argument: str, tokens: int, width: int) -> int:
    """The words that no window counts.

    Parameters
    ----------
    argument
        A key of `ROWS`.
    tokens, width
        Rows, and words of a row.
    """
    return 2 * tokens * width if argument == "dominators" else 0


@dataclass(frozen=True)
class Pairs:
    """Windows of pairs of a query and a key: each entry is a size in pairs, and a count."""

    argument: Literal["segments", "dominators"]
    tokens: Positive
    width: Positive
    windows: tuple[Integers, ...]


def pairs(game: Game, record: Pairs) -> Sum:
    """The words that windows of pairs touch (N7)."""
    dag, rules, tokens, width = game.dag, game.rules, record.tokens, record.width
    if rules.recompute and record.argument == "segments":
        raise CertificateError("argument", f"segments do not hold under {rules.name} rules")
    if dag.n != tokens * (4 * width + 2 * tokens * width + 2 * tokens - 1) or dag.words is not None:
        raise CertificateError("tokens", "and width are not those of this DAG")
    require_generated(dag, "attention", {"tokens": tokens, "width": width})
    if any(len(entry) != 2 for entry in record.windows):
        raise CertificateError("windows", "are no list of sizes and counts")
    count = Count(tokens**2, lambda size: pair_words(record.argument, width, size), reach=LARGEST)
    cuts = [Window(size, times) for size, times in record.windows]
    besides = gain(record.argument, tokens, width)
    return Sum([(count, cuts)], game.room, besides, floor=False)


ATTENTION = Lemma(Pairs, pairs, lambda record: ("N7",))
