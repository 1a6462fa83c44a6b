"""The least that an order costs, by prices of room (M4).

In a gap between two accesses a value stays, or is away at some time, which costs a load of its w
words, and a store once. With K words if all gaps that cover step t stayed, P of operands, and the
result of r words sliding onto an operand or not (z(t, u), d words for nothing),

    words away at t >= K + P - M,
    words away at t + sum over u with w(u) > d of (w(u) - d) z(t, u) >= K + P + r - d - M.

**Any prices >= 0 of these inequalities prove a bound**: the rest to minimise falls apart into
values and steps. Prices are integers over a denominator, and so all of this is exact.

The proof is M4 in docs/theory/games.md.

Source
------
Lagrangian duality; that gaps and stores decide all: N. Beckmann et al., Writeback-aware caching,
APOCS 2020, where finding the best evictions is shown to be NP-hard.
"""

from dataclasses import dataclass
from itertools import accumulate
from typing import Annotated

from dags import CDAG
from pebble import Rules, compulsory_words
from proofs.core.records import (
    Certificate,
    CertificateError,
    Integers,
    Positive,
    Within,
    read,
    shown,
)

KIND = "fixed-order"
Slides = dict[tuple[int, int], int]  # the price of sliding, by step and operand
Prices = Annotated[Integers, Within(0)]


@dataclass(frozen=True)
class InOrder:
    """The order, and prices of room before and after its steps, and of sliding at some of them."""

    order: Integers
    denominator: Positive
    before: Prices
    after: Prices
    slide_step: Integers
    slide_operand: Integers
    slide: Prices


def proven_in_order(dag: CDAG, memory: int, rules: Rules, certificate: Certificate) -> int:
    """The lower bound on the I/O of any play in the certificate's order, in words.

    It says nothing of other orders, nor of plays that compute a value again.

    Parameters
    ----------
    dag, memory, rules
        The game.
    certificate
        Of kind `KIND`; its data is an `InOrder`.

    Raises
    ------
    CertificateError
        If it proves nothing.
    """
    if certificate.kind != KIND:
        raise CertificateError("kind", f"is {shown(certificate.kind)}, not {KIND!r}")
    record = read(InOrder, certificate.data)
    steps = _steps(dag, record.order)
    for name in ("before", "after"):
        _require_as_many(name, getattr(record, name), len(steps))
    slides = _slides(record, steps, rules)
    account = _Account(dag, memory, steps, record.denominator)
    account.take_gaps([b + a for b, a in zip(record.before, record.after, strict=True)], slides)
    words = account.values() + account.rooms(record.before, record.after, slides, rules)
    return compulsory_words(dag) + max(0, -(-words // record.denominator))


def _steps(dag: CDAG, order: Integers) -> list[list[int]]:
    """The operands and then the result of each step."""
    if sorted(order) != dag.computed.tolist():
        raise CertificateError("order", "is no permutation of the computed vertices")
    bounds, operands = dag.pred_indptr.tolist(), dag.pred_indices.tolist()
    waiting = set(order)
    steps = []
    for v in order:
        row = operands[bounds[v] : bounds[v + 1]]
        if not waiting.isdisjoint(row):
            raise CertificateError("order", f"has vertex {v} before one of its operands")
        waiting.remove(v)
        steps.append([*row, v])
    return steps


def _require_as_many(name: str, entries: Integers, count: int) -> None:
    if len(entries) != count:
        raise CertificateError(name, f"has {len(entries)} entries, not {count}")


def _slides(record: InOrder, steps: list[list[int]], rules: Rules) -> Slides:
    position, operand = record.slide_step, record.slide_operand
    _require_as_many("slide", record.slide, len(position))
    _require_as_many("slide_operand", operand, len(position))
    if position and not rules.sliding:
        raise CertificateError("slide", "is a right that the rules do not give")
    slides: Slides = {}
    for t, u, price in zip(position, operand, record.slide, strict=True):
        if not 0 <= t < len(steps) or u not in steps[t][:-1] or (t, u) in slides:
            raise CertificateError("slide_operand", f"{u} is no operand of step {t}, or twice")
        slides[t, u] = price
    return slides


class _Account:
    """Savings of values that are away at given prices, and the room that all would need."""

    def __init__(self, dag: CDAG, memory: int, steps: list[list[int]], denominator: int) -> None:
        self.words = dag.sizes.tolist()
        self.memory, self.steps, self.denominator = memory, steps, denominator
        outputs = set(dag.outputs.tolist())
        self.store = {v: 0 if v in outputs else self.words[v] for *_, v in steps}
        self.saved = [0] * dag.n  # never more than 0
        self.change = [0] * (len(steps) + 1)
        self.latest = [-1] * dag.n

    def take_gaps(self, prices: list[int], slides: Slides) -> None:
        """Go through the gaps: those that are away pay their load and are paid for the room."""
        until = [0, *accumulate(prices)]
        for t, row in enumerate(self.steps):
            for x in row:
                begun = self.latest[x]
                if begun >= 0:
                    worth = self.words[x] * (until[t] - until[begun + 1])
                    worth += slides.get((begun, x), 0)
                    self.saved[x] += min(0, self.denominator * self.words[x] - worth)
                    self.change[begun + 1] += self.words[x]
                    self.change[t] -= self.words[x]
                self.latest[x] = t

    def values(self) -> int:
        """The least that all values pay."""
        pays = (
            saved + self.denominator * self.store.get(x, 0) for x, saved in enumerate(self.saved)
        )
        return sum(min(0, pay) for pay in pays)

    def rooms(self, before: Integers, after: Integers, slides: Slides, rules: Rules) -> int:
        """Prices times the words that must be away, the best slides taken off.

        Parameters
        ----------
        before, after
            (steps,) prices of room before and after each computation.
        slides
            Prices of sliding.
        rules
            The rules.
        """
        total = 0
        for t, kept in enumerate(accumulate(self.change[:-1])):
            *operands, result = self.steps[t]
            lack = kept + sum(self.words[u] for u in operands) - self.memory
            total += before[t] * lack
            largest = 0
            if rules.sliding:
                dying = (self.words[u] for u in operands if self.latest[u] == t)
                largest = max(dying, default=0)
                turns = (
                    slides.get((t, u), 0) - after[t] * (self.words[u] - largest)
                    for u in operands
                    if self.latest[u] > t and self.words[u] > largest
                )
                total += min(0, min(turns, default=0))
            total += after[t] * (lack + self.words[result] - largest)
        return total
