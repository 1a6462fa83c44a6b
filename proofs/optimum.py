"""Bounds that an exact search has proved, and bounds that a play meets."""

from dataclasses import replace

from dags import CDAG
from pebble import Rules, Schedule, compulsory_words
from proofs.base import Bound
from proofs.certificates import Certificate
from proofs.certificates.maps import OPTIMUM
from proofs.certificates.partial_search import KIND as PARTIAL_KIND


def searched_bound(
    dag: CDAG, memory: int, *, rules: Rules, io: int, states: int | None = None
) -> Bound:
    """Return a bound that a search of all states of a small DAG has proved.

    Parameters
    ----------
    dag, memory, rules
        The game.
    io
        Lower bound on the I/O of any legal schedule, in words, at least the compulsory ones; the
        checker repeats the search for it.
    states
        States that the search kept, by which the checker knows when to give up; None for unknown.
    """
    excess = io - compulsory_words(dag)
    if rules.partial:
        searched = Certificate(PARTIAL_KIND, {"excess": excess})
        return Bound("exact", memory, io, rules, searched)
    kept = {} if states is None else {"states": states}
    whole = {"vertices": "all", "proof": "exact", "data": {"excess": excess, **kept}}
    certificate = Certificate("parts", {"parts": [whole] if excess else []})
    return Bound("exact", memory, io, rules, certificate)


def with_play(bound: Bound, schedule: Schedule) -> Bound:
    """Return a bound with a play that meets it: a certificate of the optimum.

    Parameters
    ----------
    bound
        A bound with its certificate.
    schedule
        A legal play, with the bound's memory and rules, that moves as many words.
    """
    inner = bound.certificate
    data = {
        "kind": inner.kind,
        "data": inner.data,
        "op": schedule.op.astype("int64"),
        "vertex": schedule.vertex.astype("int64"),
    }
    if schedule.operand is not None:
        data["operand"] = schedule.operand.astype("int64")
    return replace(bound, certificate=Certificate(OPTIMUM, data))


def is_optimum(bound: Bound) -> bool:
    """Return whether a bound claims that a play meets it, which `check` verifies, too."""
    return bound.certificate.kind == OPTIMUM
