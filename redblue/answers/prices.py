"""The price of work: words that an operation counts as which is done again."""

from dataclasses import dataclass

from dags import InvalidSpecError
from pebble import Again, Rules


def require_price(price_of_work: float, rules: Rules, processors: object = None) -> None:
    """Raise InvalidSpecError for a negative price, or one where nothing is computed again.

    Parameters
    ----------
    price_of_work
        Words that a recomputed operation costs.
    rules
        The rules of the game.
    processors
        Options of several processors, if any: there is no price of work then.
    """
    if price_of_work and processors is not None:
        raise InvalidSpecError("a price of work is for one processor")
    if not 0 <= price_of_work < float("inf"):
        raise InvalidSpecError(f"the price of work is at least 0 words, not {price_of_work:g}")
    if price_of_work and not rules.recompute:
        raise InvalidSpecError(
            f"under the rules {rules.name!r} no value is recomputed: a price needs 'recompute'"
        )


def again_phrase(again: Again, io: int, cost: float) -> str:
    """How much is computed again in a few words, after a comma; "" for nothing.

    Parameters
    ----------
    again
        The computations that a schedule repeats.
    io, cost
        Words that it moves, without and with the price of these computations.
    """
    if not again.values:
        return ""
    share = f"{100 * again.share:.3g} % of the work of computing each value once"
    done = f", {again.values:,} values recomputed ({again.operations:,} operations, {share})"
    total = int(cost) if cost == int(cost) else cost
    return done + f", {total:,} words with their price" * (cost != io)


@dataclass(frozen=True)
class WorkClock:
    """The time that a machine takes for operations, at the first of its published rates.

    Parameters
    ----------
    machine, rate_name
        The machine, and its rate; "" where only its balance is published.
    rate
        Operations a second.
    """

    machine: str
    rate_name: str
    rate: float

    @classmethod
    def of(cls, machine: str) -> "WorkClock":
        """The clock of a machine of the catalogue.

        Raises
        ------
        UnknownNameError
            If there is no such machine.
        """
        from redblue.answers.hardware import machine_named

        known = machine_named(machine)
        return cls(known.name, next(iter(known.compute), ""), known.rate())

    def seconds(self, again: Again) -> float:
        """The seconds that computing again takes."""
        return again.operations / self.rate

    def sentence(self, again: Again) -> str:
        """How long computing again takes, in a sentence."""
        name = f" ({self.rate_name})" if self.rate_name else ""
        took = f"{self.seconds(again):.3g} s of {self.rate:.4g} operations a second{name}"
        return f"On {self.machine}, recomputation takes {took}."
