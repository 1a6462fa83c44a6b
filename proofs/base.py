"""The types of a lower bound and of a method that proves one."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import wraps
from typing import TYPE_CHECKING, Protocol

from dags import CDAG, RedBlueError
from dags.cdag.tables import INPUT, Tabular, own_axes, text_table
from pebble import ONE_SHOT, Budget, Game, Rules, all_words
from proofs.certificates import PARTIAL_KINDS, Certificate, CertificateError, proven_io

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes


Finder = Callable[[Game, Budget], "Bound"]
UNCHECKED = 2**48  # words of all values, times vertices and edges, up to which nothing can wrap


class NotApplicableError(RedBlueError, ValueError):
    """A method that proves nothing for such a DAG or under such rules; the message says why."""


@dataclass(frozen=True, repr=False)
class Bound(Tabular):
    """Lower bound on the I/O of any legal schedule, in words.

    Parameters
    ----------
    method
        The name in `BOUNDS` of the method that proved it.
    memory
        The fast memory, in words, for which it holds; it holds for every smaller one too.
    io
        Words of loads and stores, end to end.
    rules
        The rules for which it holds.
    certificate
        The proof; `check` verifies it without the code that found it.
    """

    method: str
    memory: int
    io: int
    rules: Rules
    certificate: Certificate

    def __post_init__(self) -> None:
        if self.rules.partial and self.certificate.kind not in PARTIAL_KINDS:
            raise NotApplicableError(
                f"the bound {self.method!r} supposes that operands are in fast memory together, "
                "and is not known to hold for partial computation"
            )

    def __repr__(self) -> str:
        words = f"at least {self.io} words with M = {self.memory}"
        return f"<Bound: {words}, {self.rules.name}, by {self.method}>"

    def __str__(self) -> str:
        names = "M", "words at least", "rules", "method", "certificate"
        cells = f"{self.memory:,}", f"{self.io:,}", self.rules.name, self.method
        lines = text_table(names, [(*cells, self.certificate.kind)], (True, True) + 3 * (False,))
        return (
            f"{lines}\n\nNo schedule with {self.memory:,} words of fast memory moves fewer than "
            f"{self.io:,} words, by {self.method}."
        )

    def to_frame(self) -> "pd.DataFrame":
        """A table of one line."""
        import pandas as pd

        line = {"method": self.method, "rules": self.rules.name, "memory": self.memory}
        return pd.DataFrame([{**line, "io": self.io, "certificate": self.certificate.kind}])

    def plot(self, ax: "Axes | None" = None) -> "Axes":
        """Draw the bound as far as it holds, for every smaller memory too; return the axes."""
        axes = own_axes(ax)
        axes.plot([1, self.memory], [self.io, self.io], "--", color=INPUT, label=self.method)
        axes.plot([self.memory], [self.io], "_", color=INPUT, markersize=12)
        axes.set_xscale("log", base=2)
        axes.set_xlabel("fast memory M (words)")
        axes.set_ylabel("I/O: loads + stores (words)")
        return axes


class BoundMethod(Protocol):
    """Anything that proves a lower bound."""

    def __call__(
        self,
        dag: CDAG,
        memory: int,
        *,
        rules: Rules = ONE_SHOT,
        seed: int = 0,
        time_limit: float | None = None,
    ) -> Bound:
        """A bound on playing `dag` with `memory` words under `rules`.

        Parameters
        ----------
        dag, memory
            The DAG, and the words of fast memory.
        rules
            The rules for which the bound has to hold.
        seed
            Of methods that draw at random.
        time_limit
            Seconds that may be spent; None for the method's own limit.

        Raises
        ------
        NotApplicableError
            If the method proves nothing for such a DAG or under such rules.
        """


def bound_method(find: Finder) -> BoundMethod:
    """A finder of bounds as a method: it is called with a DAG, a memory and options.

    It is asked about no more memory than a play can use, as a `Game` has no more, and its bound
    holds for all. The checkers of certificates refuse numbers that they cannot add; finders may
    scale words by prices, denominators and counts beyond 64 bits where values are huge, so that
    above `UNCHECKED` a bound is checked before it counts.
    """

    @wraps(find)
    def bound(
        dag: CDAG,
        memory: int,
        *,
        rules: Rules = ONE_SHOT,
        seed: int = 0,
        time_limit: float | None = None,
    ) -> Bound:
        game, budget = Game.of(dag, memory, rules), Budget(time_limit, seed=seed)
        small = dag.words is None or all_words(dag) * (dag.n + dag.m) <= UNCHECKED
        bound = find(game, budget) if small else _checked(find, game, budget)
        return bound if bound.memory == memory else replace(bound, memory=memory)

    del bound.__dict__["__wrapped__"]  # which has another signature
    return bound


def _checked(find: Finder, game: Game, budget: Budget) -> Bound:
    """A bound whose certificate proves it.

    Raises
    ------
    NotApplicableError
        If it does not, or the finder comes upon numbers that its checker refuses.
    """
    try:
        bound = find(game, budget)
        proven = proven_io(game.dag, game.memory, bound.rules, bound.certificate)
    except CertificateError as error:
        raise NotApplicableError(f"values are so large that no proof is found: {error}") from None
    if proven != bound.io:
        raise NotApplicableError(
            f"values are so large that {bound.method!r} says {bound.io}, and proves {proven}"
        )
    return bound


def require_one_shot(method: str, rules: Rules) -> None:
    """Raise NotApplicableError where values may be computed again."""
    if rules.recompute:
        raise NotApplicableError(
            f"the bound {method!r} holds only where each value is computed once, "
            f"not under the rules {rules.name!r}"
        )
